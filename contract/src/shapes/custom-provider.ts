import type { Static } from 'typebox'
import { array, boolean, id, nullableId, nullableText, object, optional, text, timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { type ProviderKey, providerKeys } from './social-provider.ts'

/** The key of a tenant's own provider. Its beginning keeps it apart from the keys of the service, of which there may be more one day. */
export type CustomProviderKey = `custom-${string}`
export type AnyProviderKey = ProviderKey | CustomProviderKey

const keyForm = 'custom-[a-z0-9]+(?:-[a-z0-9]+)*'
const keyLengthMax = 64

const customProviderKey = (description: string) =>
  Type.Unsafe<CustomProviderKey>({
    type: 'string',
    pattern: `^${keyForm}$`,
    maxLength: keyLengthMax,
    description,
  })

const anyKey = `^(?:${providerKeys.join('|')}|${keyForm})$`

/** Whether a text could be the key of a provider. */
export const isProviderKey = (value: string): value is AnyProviderKey =>
  // oxlint-disable-next-line bailiwick/linear-expressions -- a test checks the patterns of the contract
  value.length <= keyLengthMax && new RegExp(anyKey).test(value)

/** The key of any provider of a tenant. */
export const anyProviderKey = () =>
  Type.Unsafe<AnyProviderKey>({
    type: 'string',
    pattern: anyKey,
    maxLength: keyLengthMax,
    description: `${providerKeys.join(', ')}, or the key of a custom provider of the tenant, such as custom-acme`,
  })

const claimName = (description: string) => text({ minLength: 1, maxLength: 256, format: 'plain-line', description })

export const ClaimMapping = object({
  email: claimName('The claim with the e-mail address; email unless set'),
  emailVerified: claimName(
    'The claim that says whether the provider has verified that address; only true counts. email_verified unless set',
  ),
  name: claimName("The claim with the person's name; name unless set"),
})
export type ClaimMapping = Static<typeof ClaimMapping>

export const customProviderProblems = ['unreachable', 'not_an_issuer', 'unsupported'] as const

export const CustomProvider = object({
  id: text(),
  tenantId: text(),
  key: customProviderKey('Names the provider in requests and in its callback address'),
  name: text(),
  enabled: boolean(),
  issuer: text(),
  clientId: text(),
  hasClientSecret: boolean({ description: 'Where it is false, the client is public and shows itself by PKCE alone' }),
  redirectUri: nullableText(),
  scopes: array(text()),
  claims: ClaimMapping,
  trustEmails: boolean(),
  authenticatable: boolean(),
  autoConnectAccounts: boolean(),
  logoId: nullableText(),
  logoUri: nullableText(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type CustomProvider = Static<typeof CustomProvider>

const name = () =>
  text({
    minLength: 1,
    maxLength: 64,
    format: 'plain-line',
    pattern: '\\S',
    description: 'What people read on its button',
  })
const issuer = () =>
  text({
    format: 'issuer',
    description: 'Where the provider describes itself: {issuer}/.well-known/openid-configuration',
  })
const clientId = () => text({ minLength: 1, maxLength: 512, format: 'plain-line' })

const settings = {
  clientSecret: optional(
    nullableText({
      minLength: 1,
      maxLength: 8192,
      description: 'Kept sealed, never in an answer. null: the client is public and shows itself by PKCE alone',
    }),
  ),
  redirectUri: optional(
    nullableText({
      format: 'web-uri',
      description: "The callback address that is registered at the provider. null: the service's own.",
    }),
  ),
  scopes: optional(
    array(text({ pattern: '^[!#-\\[\\]-~]{1,256}$' }), {
      maxItems: 20,
      description: 'What is asked for beside openid; email and profile unless set',
    }),
  ),
  claims: optional(
    object(
      {
        email: optional(ClaimMapping.properties.email),
        emailVerified: optional(ClaimMapping.properties.emailVerified),
        name: optional(ClaimMapping.properties.name),
      },
      { description: 'In which claims the provider says what. Who somebody is, sub says, and nothing else.' },
    ),
  ),
  trustEmails: optional(
    boolean({
      description:
        'Whether an address counts as verified because the provider says that it is. Off unless set: who runs the provider can then sign in to every account with such an address.',
    }),
  ),
  authenticatable: optional(
    boolean({ description: 'Whether the provider signs people in; on unless set. Where it is off, users connect it.' }),
  ),
  autoConnectAccounts: optional(
    boolean({
      description: 'Whether an account is connected by a verified e-mail address alone; on unless set.',
    }),
  ),
  logoId: optional(nullableId({ description: 'A public file of the tenant, shown on the button of the provider' })),
}

export const CreateCustomProvider = object({
  tenantId: id(),
  key: customProviderKey('A key of its own within the tenant, such as custom-acme'),
  name: name(),
  enabled: boolean(),
  issuer: issuer(),
  clientId: clientId(),
  ...settings,
})
export type CreateCustomProvider = Static<typeof CreateCustomProvider>

export const UpdateCustomProvider = object({
  name: optional(name()),
  enabled: optional(boolean()),
  issuer: optional(issuer()),
  clientId: optional(clientId()),
  ...settings,
})
export type UpdateCustomProvider = Static<typeof UpdateCustomProvider>

export const CustomProviderCheck = object({
  problem: Type.Unsafe<(typeof customProviderProblems)[number] | null>({
    type: ['string', 'null'],
    enum: [...customProviderProblems, null],
    description: 'null where people can be sent there',
  }),
  reason: nullableText({ description: 'The same as a sentence' }),
  authorizationEndpoint: nullableText(),
  callbackUri: text({ description: 'The address to register at the provider' }),
})
export type CustomProviderCheck = Static<typeof CustomProviderCheck>
