// The token with which a tenant's server acts for a user at a provider.
import type { GetProviderToken, ProviderToken } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import {
  type ProviderTokensRow,
  accessEvent,
  listAccesses,
  openTokens,
} from '../../identity/provider-tokens/provider-tokens.ts'
import { findConnection } from '../../identity/social-connections/connections.ts'
import { getUserRow } from '../../identity/users/find-user.ts'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { findEnabledProviderByKey } from '../../tenancy/social-providers/find-provider.ts'
import type { createFreshTokens } from './fresh-tokens.ts'

/** Writing each use would make a read as slow as a write, and the log unreadable. */
const touchEveryMs = 60 * 60_000

const missingIn = ({ scopes }: ProviderTokensRow, wanted: readonly string[]) => {
  const granted = fromJson(scopes)
  return wanted.filter((scope) => !granted.includes(scope))
}

function missingScopes(names: readonly string[]) {
  const detail = `The user has not allowed ${names.join(', ')} at the provider. Let the user allow it: POST /user/connections with these in accessScopes, or the hosted page /account/connections.`
  return new ApiError('consent_required', { detail })
}

/** Returns the access that was allowed last, of those with the scopes. @throws ApiError consent_required */
function chooseAccess(
  rows: readonly ProviderTokensRow[],
  { providerKey, scopes = [], connectionId }: GetProviderToken,
) {
  const active = rows.filter(
    (row) =>
      row.provider_key === providerKey &&
      row.state === 'active' &&
      (connectionId === undefined || row.connection_id === connectionId),
  )
  const [first] = active
  if (first === undefined) throw new ApiError('consent_required')
  const found = active.find((row) => missingIn(row, scopes).length === 0)
  if (found === undefined) throw missingScopes(missingIn(first, scopes))
  return found
}

async function touch(deps: Deps, row: ProviderTokensRow, actor: Actor) {
  const at = deps.clock.now()
  const before = addMilliseconds(at, -touchEveryMs)
  const isDue = (last: Timestamp | null) => last === null || last <= before
  if (!isDue(row.last_used_at)) return
  await deps.db.transaction(async (tx) => {
    const touched = await tx.run(sql`UPDATE provider_tokens SET last_used_at = ${at}
      WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND (last_used_at IS NULL OR last_used_at <= ${before})`)
    if (touched === 1) await tx.run(accessEvent(deps, 'social_connection.access_used', row, actor))
  })
}

/**
 * Returns a valid access token of a provider.
 * @throws ApiError not_found, user_not_active, provider_tokens_disabled, consent_required, provider_unusable, unavailable
 */
export async function getProviderToken(
  deps: Deps,
  makeFresh: ReturnType<typeof createFreshTokens>,
  tenantId: TenantId,
  { id, ...wanted }: GetProviderToken & { readonly id: string },
  actor: Actor,
): Promise<ProviderToken> {
  const { db } = deps
  const user = await getUserRow(db, tenantId, id)
  if (user.status !== 'active') throw new ApiError('user_not_active')
  const provider = await findEnabledProviderByKey(db, tenantId, wanted.providerKey)
  if (provider?.keep_tokens !== 1) throw new ApiError('provider_tokens_disabled')
  if (wanted.connectionId !== undefined) {
    const named = await findConnection(db, tenantId, wanted.connectionId)
    if (named?.user_id !== user.id) throw notFound()
  }
  const chosen = chooseAccess(await listAccesses(db, tenantId, user.id), wanted)
  const place = await findConnection(db, tenantId, chosen.connection_id)
  if (place === undefined) throw new ApiError('consent_required')
  const row = await makeFresh({ row: chosen, provider, place }, actor)
  // A provider may have narrowed what it allows.
  const missing = missingIn(row, wanted.scopes ?? [])
  if (missing.length > 0) throw missingScopes(missing)
  const tokens = openTokens(deps, row)
  if (tokens === undefined) throw new ApiError('consent_required')
  await touch(deps, row, actor)
  return {
    accessToken: tokens.accessToken,
    tokenType: tokens.tokenType,
    expiresAt: row.expires_at,
    scopes: [...fromJson(row.scopes)],
    providerKey: row.provider_key,
    connectionId: row.connection_id,
  }
}
