// The fields of a social provider. Each provider calls its client by names of its own, and some need more than a client.
import type { SocialProvider } from '@bailiwick/contract'
import type { FieldSpec } from '../../form/operation-form.tsx'
import { trustFields } from '../providers/provider-parts.tsx'

type ProviderKey = SocialProvider['providerKey']
type Body = Readonly<Record<string, unknown>>

interface ClientNames {
  readonly id: string
  readonly idHint: string
  readonly secret: string
}

const clients: Readonly<Record<ProviderKey, ClientNames>> = {
  google: {
    id: 'Client ID',
    idHint: 'From the Google Cloud console, under Clients: one of the type “Web application”.',
    secret: 'Client secret',
  },
  github: {
    id: 'Client ID',
    idHint: 'From GitHub, under Settings, Developer settings, OAuth apps.',
    secret: 'Client secret',
  },
  gitlab: {
    id: 'Application ID',
    idHint: 'From GitLab, under Applications: a confidential one with the scopes openid, email and profile.',
    secret: 'Secret',
  },
  apple: {
    id: 'Services ID',
    idHint: 'From the Apple developer account, under Identifiers.',
    secret: 'Private key',
  },
  facebook: {
    id: 'App ID',
    idHint: 'From Meta for Developers, under App settings, Basic.',
    secret: 'App secret',
  },
}

const hasOwnClient = (body: Body) => body['useCustomCredentials'] === true
const configOf = (body: Body): Body => {
  const { config } = body
  return typeof config === 'object' && config !== null && !Array.isArray(config) ? (config as Body) : {}
}

/** A setting that the contract leaves open; null takes it out. */
const text = (maxLength: number) => ({ type: ['string', 'null'], maxLength })

const ownSettings: Readonly<Partial<Record<ProviderKey, readonly FieldSpec[]>>> = {
  apple: [
    {
      name: 'config/teamId',
      label: 'Team ID',
      hint: 'Ten letters and digits, from the Apple developer account, under Membership.',
      schema: text(100),
      isRequired: true,
      isShown: hasOwnClient,
    },
    {
      name: 'config/keyId',
      label: 'Key ID',
      hint: 'Ten letters and digits, of the private key, from the Apple developer account, under Keys.',
      schema: text(100),
      isRequired: true,
      isShown: hasOwnClient,
    },
  ],
  gitlab: [
    {
      name: 'config/baseUrl',
      label: 'Address of a self-hosted GitLab',
      hint: 'If empty, gitlab.com. If it is changed, the secret has to be given again.',
      placeholder: 'https://gitlab.example.com',
      schema: { ...text(2048), pattern: '^https?://.+' },
      isShown: hasOwnClient,
    },
    {
      name: 'config/trustEmails',
      label: 'Trust its e-mail addresses',
      hint: 'An address then counts as verified because this GitLab says so. Whoever runs it can sign in to every account with such an address.',
      schema: { type: 'boolean' },
      isShown: (body) => hasOwnClient(body) && (configOf(body)['baseUrl'] ?? null) !== null,
    },
  ],
}

/** @param isNew whether the provider is being added, so that there is no present secret. */
export function fieldsOf(key: ProviderKey | undefined, isNew: boolean): readonly FieldSpec[] {
  const { id, idHint, secret } = clients[key ?? 'google']
  const isPrivateKey = key === 'apple'
  return [
    'enabled',
    {
      name: 'useCustomCredentials',
      label: 'Use a client of your own',
      hint: 'If it is off, the client of the deployment is used, if it has one.',
    },
    {
      name: 'clientId',
      label: id,
      ...(key === undefined ? {} : { hint: idHint }),
      isRequired: true,
      isShown: hasOwnClient,
    },
    ...((key === undefined ? undefined : ownSettings[key]) ?? []),
    {
      name: 'clientSecret',
      label: secret,
      hint: `${isPrivateKey ? 'The text of the .p8 file. ' : ''}It is stored encrypted.${isNew ? '' : ' Leave it empty to keep the present one.'}`,
      schema: { type: ['string', 'null'], format: 'password', maxLength: 8192 },
      isMultiline: isPrivateKey,
      isRequired: isNew,
      isShown: hasOwnClient,
    },
    {
      name: 'redirectUri',
      label: 'Callback address',
      hint: 'Only if another address is registered at the provider.',
      isShown: hasOwnClient,
    },
    ...trustFields,
    {
      name: 'additionalScopes',
      label: 'Further scopes',
      hint: 'Asked for in addition to what signing in needs: one on each line.',
      schema: { type: 'array', items: { type: 'string' } },
    },
  ]
}

/** Returns the body with the settings that the form does not know, and without those that were emptied. */
export function withOtherSettings(body: Body, record: SocialProvider | undefined): Body {
  if (body['config'] === undefined) return body
  const known = configOf(record ?? {})
  // A field that was emptied is null; none of the known settings can be.
  const config = Object.entries({ ...known, ...configOf(body) }).filter(([, value]) => value !== null)
  return { ...body, config: Object.fromEntries(config) }
}
