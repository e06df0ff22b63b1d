// The fields of a social provider. Each provider calls its client by names of its own, and some need more than a client.
import { type ProviderKey, type SocialProvider, socialProvider } from '@bailiwick/contract'
import type { FieldSpec } from '../../form/field-spec.ts'
import { tokenFields, trustFields } from '../providers/provider-parts.tsx'

type Body = Readonly<Record<string, unknown>>

const hasOwnClient = (body: Body) => body['useCustomCredentials'] === true
const configOf = (body: Body): Body => {
  const { config } = body
  return typeof config === 'object' && config !== null && !Array.isArray(config) ? (config as Body) : {}
}

/** A setting that the contract leaves open; null takes it out. */
const text = (maxLength: number) => ({ type: ['string', 'null'], maxLength })

const selfHosted: readonly FieldSpec[] = [
  {
    name: 'config/baseUrl',
    label: 'Address of a self-hosted GitLab',
    hint: 'If empty, gitlab.com. If you change it, enter the secret again.',
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
]

/** Returns the settings that a client of this provider has beside its id and secret. */
function settingsOf({ settings = [], isSelfHosted }: ReturnType<typeof socialProvider>): readonly FieldSpec[] {
  const required = settings.map(({ key, label, hint }) => ({
    name: `config/${key}`,
    label,
    hint,
    schema: text(100),
    isRequired: true,
    isShown: hasOwnClient,
  }))
  return [...required, ...(isSelfHosted === true ? selfHosted : [])]
}

interface Situation {
  /** Whether the provider is being added, so that there is no present secret. */
  readonly isNew: boolean
  /** Whether the client of the deployment can be chosen, because it has one. */
  readonly isShared: boolean
}

export function fieldsOf(key: ProviderKey | undefined, { isNew, isShared }: Situation): readonly FieldSpec[] {
  const provider = key === undefined ? undefined : socialProvider(key)
  const isPrivateKey = provider?.hasPrivateKey === true
  return [
    {
      name: 'useCustomCredentials',
      label: 'Use a client of your own',
      hint: 'If it is off, users sign in through the client of this deployment.',
      isShown: () => isShared,
    },
    {
      name: 'clientId',
      label: 'Client ID',
      ...provider?.clientId,
      isRequired: true,
      isShown: hasOwnClient,
    },
    ...(provider === undefined ? [] : settingsOf(provider)),
    {
      name: 'clientSecret',
      label: provider?.secretLabel ?? 'Client secret',
      hint: `${isPrivateKey ? 'The text of the .p8 file. ' : ''}It is stored encrypted.${isNew ? '' : ' Leave it empty to keep the present one.'}`,
      schema: { type: ['string', 'null'], format: 'password', maxLength: 8192 },
      isMultiline: isPrivateKey,
      isRequired: isNew,
      isShown: hasOwnClient,
    },
    {
      name: 'redirectUri',
      label: 'Another callback address',
      hint: 'Only if another address is registered at the provider.',
      isShown: hasOwnClient,
    },
    { name: 'enabled', label: 'Show it on the sign-in page' },
    ...trustFields,
    {
      name: 'additionalScopes',
      label: 'Further scopes',
      hint: 'Requested in addition to those that sign-in needs: one on each line.',
      schema: { type: 'array', items: { type: 'string' } },
    },
    ...tokenFields,
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
