// API keys of users and organizations, for the tenant's own API. A key is stored as a hash, is never shown again, and has no right in this
// service.
import { type UserApiKey, type UserApiKeyWithKey, parseCursor, tokenPrefixes } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type UserId, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { type KeyOwner, findScopesOfOwner, lockOwner } from './owners.ts'
import { presentUserApiKey } from './present.ts'
import { type UserApiKeyRow, selectOwnedKeys } from './queries.ts'
import { userApiKeys } from './tables.ts'

const dayMs = 24 * 60 * 60_000

export interface NewUserApiKey {
  readonly owner: KeyOwner
  readonly name: string
  readonly scopes?: readonly string[]
  readonly expiresAt?: string | null
  readonly creatorId: UserId | null
  /** The scopes that the creator may give, if these are fewer than the owner has. */
  readonly givable?: readonly string[]
}

/** Says whether a key is one of those that the caller manages. */
export type MayTouch = (row: UserApiKeyRow) => boolean

/** @throws ApiError validation_failed */
function readExpiry({ clock }: Deps, { auth }: TenantEntry, expiresAt: string | null | undefined): Timestamp | null {
  const days = auth.userApiKeyDaysMax
  const latest = days === 0 ? null : addMilliseconds(clock.now(), days * dayMs)
  if (expiresAt === undefined || expiresAt === null) return latest
  const at = parseCursor(expiresAt)?.from as Timestamp | undefined
  if (at === undefined || at <= clock.now()) throw invalid('/expiresAt', 'too_early', 'must be in the future')
  if (latest !== null && at > latest) throw invalid('/expiresAt', 'too_late', `must be at most ${days} days from now`)
  return at
}

/** @throws ApiError validation_failed */
function assertGivable(scopes: readonly string[], givable: readonly string[]) {
  const index = scopes.findIndex((scope) => !givable.includes(scope))
  if (index !== -1)
    throw invalid(
      `/scopes/${index}`,
      'not_available',
      'must be a scope of a resource, which the owner has as a permission',
    )
}

const newSecret = ({ auth }: TenantEntry) => {
  const prefix = auth.userApiKeyPrefix ?? tokenPrefixes.userApiKey
  const key = newToken(prefix)
  return { key, stored: { prefix, hash: hashToken(key), last4: key.slice(-4) } }
}

const eventData = (row: UserApiKeyRow) => {
  const { userId, organizationId, scopes, last4, expiresAt } = presentUserApiKey(row)
  return { userId, organizationId, scopes, last4, expiresAt }
}

const changeEvent = ({ clock, personal }: Deps, name: 'created' | 'rotated', row: UserApiKeyRow, actor: Actor) =>
  eventStatement(clock, personal, {
    tenantId: row.tenant_id,
    type: `user_api_key.${name}`,
    actor,
    subjectId: row.id,
    data: eventData(row),
  })

/** Nodes keep the keys of users in memory. */
async function forget({ sessions }: Deps, tx: Transaction, { tenant_id: tenantId, user_id: userId }: UserApiKeyRow) {
  if (userId !== null) await invalidateUser(tx, sessions, tenantId, userId)
}

/**
 * Creates a key; the answer is the only place that ever shows it.
 * @throws ApiError not_found for an owner that does not exist or is not active; user_api_key_limit_reached;
 * validation_failed for an expiry in the past or too late, or a scope that the owner does not have.
 */
export async function createKey(
  deps: Deps,
  tenant: TenantEntry,
  { owner, name, scopes = [], expiresAt, creatorId, givable }: NewUserApiKey,
  actor: Actor,
): Promise<UserApiKeyWithKey> {
  const { db, clock } = deps
  const tenantId = tenant.row.id
  const end = readExpiry(deps, tenant, expiresAt)
  const { key, stored } = newSecret(tenant)
  return db.transaction(async (tx) => {
    await lockOwner(tx, tenantId, owner)
    const owned = (await findScopesOfOwner({ db: tx, clock }, tenantId, owner))?.scopes
    if (owned === undefined) throw notFound()
    assertGivable(scopes, givable === undefined ? owned : owned.filter((scope) => givable.includes(scope)))
    if ((await selectOwnedKeys(tx, tenantId, owner)).length >= tenant.auth.userApiKeysMax)
      throw new ApiError('user_api_key_limit_reached')
    const at = clock.next()
    const row: UserApiKeyRow = {
      tenant_id: tenantId,
      id: newId<'UserApiKeyId'>(),
      user_id: owner.userId,
      organization_id: owner.organizationId,
      creator_id: creatorId,
      name,
      ...stored,
      scopes: toJson(scopes),
      expires_at: end,
      last_used_at: null,
      created_at: at,
      updated_at: at,
    }
    await tx.run(userApiKeys.insert(row))
    await tx.run(changeEvent(deps, 'created', row, actor))
    return { ...presentUserApiKey(row), key }
  })
}

interface Rotation extends Pick<NewUserApiKey, 'expiresAt' | 'givable'> {
  readonly id: string
  readonly mayTouch: MayTouch
}

/** Whoever rotates a key can use it. @throws ApiError forbidden */
function assertMayRotate({ scopes }: UserApiKeyRow, givable: readonly string[] | undefined) {
  const missing = givable && fromJson(scopes).find((scope) => !givable.includes(scope))
  if (missing === undefined) return
  throw new ApiError('forbidden', { detail: `The key has the scope ${missing}, which you cannot give.` })
}

/**
 * Gives a key another secret; the previous one ends at once here, within a second on every other node.
 * @throws ApiError not_found, validation_failed; forbidden for scopes that the caller cannot give.
 */
export async function rotateKey(
  deps: Deps,
  tenant: TenantEntry,
  { id, mayTouch, expiresAt, givable }: Rotation,
  actor: Actor,
): Promise<UserApiKeyWithKey> {
  const end = readExpiry(deps, tenant, expiresAt)
  const { key, stored } = newSecret(tenant)
  return deps.db.transaction(async (tx) => {
    const before = await userApiKeys.lock(tx, tenant.row.id, id)
    if (before === undefined || !mayTouch(before)) throw notFound()
    assertMayRotate(before, givable)
    const row = { ...before, ...stored, expires_at: end, last_used_at: null, updated_at: deps.clock.now() }
    await tx.run(userApiKeys.rewrite(row))
    await tx.run(changeEvent(deps, 'rotated', row, actor))
    await forget(deps, tx, row)
    return { ...presentUserApiKey(row), key }
  })
}

/** Ends a key in the caller's transaction, which has locked its row. */
export async function removeKey(
  deps: Deps,
  tx: Transaction,
  row: UserApiKeyRow,
  { actor, ...why }: { readonly actor: Actor; readonly reason: 'ended' | 'leaked'; readonly foundAt: string | null },
): Promise<void> {
  const { clock, personal } = deps
  await tx.run(userApiKeys.delete(row.tenant_id, row.id))
  await tx.run(
    eventStatement(clock, personal, {
      tenantId: row.tenant_id,
      type: 'user_api_key.deleted',
      actor,
      subjectId: row.id,
      data: { ...eventData(row), ...why },
    }),
  )
  await forget(deps, tx, row)
}

/**
 * Ends a key: at once here, within a second on every other node.
 * @throws ApiError not_found
 */
export function deleteKey(
  deps: Deps,
  { row: { id: tenantId } }: TenantEntry,
  { id, mayTouch }: { readonly id: string; readonly mayTouch: MayTouch },
  actor: Actor,
): Promise<UserApiKey> {
  return deps.db.transaction(async (tx) => {
    const row = await userApiKeys.lock(tx, tenantId, id)
    if (row === undefined || !mayTouch(row)) throw notFound()
    await removeKey(deps, tx, row, { actor, reason: 'ended', foundAt: null })
    return presentUserApiKey(row)
  })
}
