// Keys that a tenant creates for its own programs. Each may do what its scopes say, until it expires or is deleted.
import { type ApiKey, type ApiKeyWithKey, type CreateApiKey, parseCursor, tokenPrefixes } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import type { Clock, Timestamp } from '../../platform/clock.ts'
import { hashToken, newTokenOfTenant } from '../../platform/crypto/tokens.ts'
import { addToCounters, readCounters, sumOfCounter } from '../../platform/db/counters.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import { holds } from '../../platform/http/credentials/authorize.ts'
import type { Actor, Principal } from '../../platform/http/credentials/principal.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { getTenant } from '../tenants/tenants.ts'
import { presentApiKey } from './present.ts'
import * as queries from './queries.ts'

const counter = 'api_keys'

type Input = Omit<CreateApiKey, 'tenantId'>

const described = (row: queries.ApiKeyRow) => {
  const { name, scopes, last4, expiresAt } = presentApiKey(row)
  return { name, scopes, last4, expiresAt }
}

/** As it is stored. */
function expiryOf({ expiresAt }: Input, clock: Clock): Timestamp | null {
  if (expiresAt === undefined || expiresAt === null) return null
  const at = parseCursor(expiresAt)?.from as Timestamp | undefined
  if (at === undefined || at <= clock.now()) throw invalid('/expiresAt', 'too_early', 'must be in the future')
  return at
}

/** The creator of a key could use it to do what the key may do, for as long as it is valid. */
function checkMaker(maker: Principal, tenantId: TenantId, input: Input, expiresAt: Timestamp | null) {
  const missing = input.scopes.find((scope) => !holds(maker, scope, tenantId))
  if (missing !== undefined) {
    throw new ApiError('forbidden', {
      detail: `This credential does not have the scope ${missing}, so it cannot give it to a key.`,
    })
  }
  const isPassing = maker.type === 'api_key' || maker.type === 'application'
  if (!isPassing || maker.expiresAt === null) return
  if (expiresAt === null || expiresAt > maker.expiresAt) {
    throw new ApiError('forbidden', {
      detail: 'The new key must not expire later than the credential that creates it.',
    })
  }
}

/**
 * Creates a key; the answer is the only place that ever shows it.
 * @param maker the creator, who must have every scope that the key gets.
 * @throws ApiError not_found; forbidden for a scope that the creator does not have, or an expiry after the creator's own; validation_failed
 * for an expiry in the past; api_key_limit_reached
 */
export async function createApiKey(
  deps: Deps,
  tenantId: TenantId,
  input: Input,
  maker: Principal,
  actor: Actor,
): Promise<ApiKeyWithKey> {
  const { db, clock, personal, tenants } = deps
  await getTenant(deps, tenantId)
  const expiresAt = expiryOf(input, clock)
  checkMaker(maker, tenantId, input, expiresAt)
  const id = newId<'ApiKeyId'>()
  const key = newTokenOfTenant(tokenPrefixes.apiKey, tenantId)
  const hash = hashToken(key)
  return db.transaction(async (tx) => {
    // Two that are created at once are counted one after the other, because the row of the tenant is their lock.
    await tx.run(sql`UPDATE tenants SET updated_at = updated_at WHERE id = ${tenantId}`)
    const counters = await readCounters(tx, tenantId, [counter])
    if ((counters.get(counter) ?? 0) >= queries.apiKeysMax) throw new ApiError('api_key_limit_reached')
    const at = clock.next()
    const row: queries.ApiKeyRow = {
      tenant_id: tenantId,
      id,
      name: input.name,
      hash,
      scopes: toJson([...new Set(input.scopes)]),
      last4: key.slice(-4),
      expires_at: expiresAt,
      last_used_at: null,
      created_at: at,
      updated_at: at,
    }
    await tx.run(queries.insertApiKey(row))
    await tx.run(addToCounters(tx, tenantId, { [counter]: 1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'api_key.created',
        actor,
        subjectId: id,
        data: { after: described(row) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return { ...presentApiKey(row), key }
  })
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listApiKeys(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const { page, total } = await selectPageAndTotal(
    deps.db,
    queries.apiKeySource(tenantId),
    sumOfCounter(tenantId, counter),
    request,
  )
  return pageEnvelope(page, page.rows.map(presentApiKey), total, request.perPage)
}

/**
 * Deletes a key, which is refused from then on: at once here, within a second on every other node.
 * @throws ApiError not_found
 */
export async function deleteApiKey(deps: Deps, tenantId: TenantId, id: string, actor: Actor): Promise<ApiKey> {
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectApiKeyForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(queries.deleteApiKey(tenantId, id))
    await tx.run(addToCounters(tx, tenantId, { [counter]: -1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'api_key.deleted',
        actor,
        subjectId: id,
        data: { before: described(row) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentApiKey(row)
  })
}
