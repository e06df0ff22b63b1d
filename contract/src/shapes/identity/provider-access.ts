// Access that users let a tenant keep to their accounts at providers, with which its servers act there for them.
import type { Static } from 'typebox'
import { array, nullableTimestamp, object, oneOf, optional, plainId, text, timestamp } from '../../schema.ts'
import { anyProviderKey } from '../tenancy/custom-provider.ts'
import { providerScopes } from '../tenancy/token-settings.ts'

/** Access to a user's account at a provider, without the tokens. */
export const ProviderAccess = object({
  scopes: array(text(), { description: 'What the provider says that the user has allowed' }),
  state: oneOf(['active', 'consent_required'], {
    description: 'consent_required: the provider no longer accepts the tokens, so that the user must agree again',
  }),
  createdAt: timestamp({ description: 'When the user agreed for the first time' }),
  updatedAt: timestamp(),
  lastUsedAt: nullableTimestamp({ description: 'When a token was last returned, updated at most once an hour' }),
})
export type ProviderAccess = Static<typeof ProviderAccess>

/** The access token that a server needs. */
export const GetProviderToken = object({
  providerKey: anyProviderKey(),
  scopes: optional(providerScopes('The scopes that the token must have')),
  connectionId: optional(
    plainId({ description: 'The connected account, if the user has several; by default the one allowed last' }),
  ),
})
export type GetProviderToken = Static<typeof GetProviderToken>

/** An access token of a provider, valid for a minute at least if the provider issues such. */
export const ProviderToken = object({
  accessToken: text(),
  tokenType: text({ description: 'How the provider expects it, nearly always `bearer`' }),
  expiresAt: nullableTimestamp({ description: 'null if the provider does not say' }),
  scopes: array(text()),
  providerKey: anyProviderKey(),
  connectionId: text(),
})
export type ProviderToken = Static<typeof ProviderToken>
