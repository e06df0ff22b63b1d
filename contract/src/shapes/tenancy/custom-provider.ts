import type { Static } from 'typebox'
import { array, boolean, id, nullableId, nullableText, object, optional, text, timestamp } from '../../schema.ts'
import { type ProviderKey, providerKeys } from '../../social-providers.ts'
import { Type } from '../../type.ts'
import { presentedTokenSettings, providerScopes, tokenSettings } from './token-settings.ts'

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

/** The claims of a custom provider from which a user's properties are read. */
export const ClaimMapping = object({
  email: claimName('The claim with the e-mail address. Default: email'),
  emailVerified: claimName(
    'The claim that says whether the provider has verified the address; only `true` counts. Default: email_verified',
  ),
  name: claimName("The claim with the user's name. Default: name"),
})
export type ClaimMapping = Static<typeof ClaimMapping>

export const customProviderProblems = ['unreachable', 'not_an_issuer', 'unsupported'] as const

/** An OpenID provider that a tenant has set up for social sign-in. */
export const CustomProvider = object({
  id: text(),
  tenantId: text(),
  key: customProviderKey('Identifies the provider in requests and in its callback URL'),
  name: text(),
  enabled: boolean(),
  issuer: text(),
  clientId: text(),
  hasClientSecret: boolean({ description: 'If it is false, the client is public and uses only PKCE' }),
  redirectUri: nullableText(),
  scopes: array(text()),
  claims: ClaimMapping,
  trustEmails: boolean(),
  authenticatable: boolean(),
  autoConnectAccounts: boolean(),
  ...presentedTokenSettings,
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
    description: 'The name that users read on its button',
  })
const issuer = () =>
  text({
    format: 'issuer',
    description: 'The issuer, whose metadata are at {issuer}/.well-known/openid-configuration',
  })
const clientId = () => text({ minLength: 1, maxLength: 512, format: 'plain-line' })

const settings = {
  clientSecret: optional(
    nullableText({
      minLength: 1,
      maxLength: 8192,
      description: 'Stored encrypted, and never returned. null: the client is public and uses only PKCE',
    }),
  ),
  redirectUri: optional(
    nullableText({
      format: 'web-uri',
      description: "The callback URL that is registered at the provider. null: the service's own.",
    }),
  ),
  scopes: optional(providerScopes('The scopes to request in addition to openid. Default: email and profile')),
  claims: optional(
    object(
      {
        email: optional(ClaimMapping.properties.email),
        emailVerified: optional(ClaimMapping.properties.emailVerified),
        name: optional(ClaimMapping.properties.name),
      },
      { description: "The claims in which the provider sends the user's data. Only `sub` identifies the user." },
    ),
  ),
  trustEmails: optional(
    boolean({
      description:
        'Whether an e-mail address counts as verified if the provider says so. Off by default, because with it the operators of the provider can sign in to every account with such an address.',
    }),
  ),
  authenticatable: optional(
    boolean({
      description:
        'Whether users can sign in with the provider. On by default. While it is off, users can only connect it.',
    }),
  ),
  autoConnectAccounts: optional(
    boolean({
      description:
        'Whether a verified e-mail address alone connects an account at the provider to an existing user. On by default.',
    }),
  ),
  ...tokenSettings,
  logoId: optional(nullableId({ description: 'A public file of the tenant, shown on the button of the provider' })),
}

/** What a custom provider is added with. */
export const CreateCustomProvider = object({
  tenantId: id(),
  key: customProviderKey('The key of the provider, unique within the tenant, such as custom-acme'),
  name: name(),
  enabled: boolean(),
  issuer: issuer(),
  clientId: clientId(),
  ...settings,
})
export type CreateCustomProvider = Static<typeof CreateCustomProvider>

/** The properties of a custom provider to change. */
export const UpdateCustomProvider = object({
  name: optional(name()),
  enabled: optional(boolean()),
  issuer: optional(issuer()),
  clientId: optional(clientId()),
  ...settings,
})
export type UpdateCustomProvider = Static<typeof UpdateCustomProvider>

/** Whether users can sign in with a custom provider, and if not, why. */
export const CustomProviderCheck = object({
  problem: Type.Unsafe<(typeof customProviderProblems)[number] | null>({
    type: ['string', 'null'],
    enum: [...customProviderProblems, null],
    description: 'null if users can sign in with the provider',
  }),
  reason: nullableText({ description: 'The problem as a sentence' }),
  authorizationEndpoint: nullableText(),
  callbackUri: text({ description: 'The callback URL to register at the provider' }),
})
export type CustomProviderCheck = Static<typeof CustomProviderCheck>
