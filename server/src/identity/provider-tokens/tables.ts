import type { AnyProviderKey, ProviderAccess } from '@bailiwick/contract'
import { id, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { Id, SocialConnectionId, UserId } from '../../platform/ids.ts'

const tokensRotate =
  'providers replace refresh tokens at every use, so that a second server with a copy would end the access for both'

/** The access that users let a tenant keep, one for each connected account. The database removes those of a removed account or user. */
export const providerTokens = table(
  'provider_tokens',
  {
    ...record<Id<'ProviderTokensId'>>(),
    user_id: id<UserId>(),
    connection_id: id<SocialConnectionId>(),
    provider_key: text<AnyProviderKey>(),
    /** What the provider says that the user has allowed. */
    scopes: json<readonly string[]>(),
    state: text<ProviderAccess['state']>(),
    /** Null once the provider has refused them. */
    sealed_tokens: text().nullable(),
    /** When the access token expires; null if the provider does not say. */
    expires_at: time().nullable(),
    /** From when on it is refreshed before it is returned; null with `expires_at`. */
    refresh_at: time().nullable(),
    /** The refresh that is under way, and until when nobody else begins one. */
    lease: text().nullable(),
    ...many(time().nullable(), 'leased_until', 'last_used_at'),
  },
  { sealed: { sealed_tokens: 'tokens' }, notExported: tokensRotate },
)

/** Tokens that are removed here and yet to be revoked at the provider. Nothing says whose they are. */
export const providerRevocations = table(
  'provider_revocations',
  {
    ...record<Id<'ProviderRevocationId'>>(),
    provider_key: text<AnyProviderKey>(),
    issuer: text(),
    sealed_tokens: text(),
  },
  { sealed: { sealed_tokens: 'tokens' }, notExported: tokensRotate },
)
