// The hooks of a tenant: addresses of its own server that decide whether a sign-up or sign-in goes on.
import {
  type CreateHook,
  type Hook,
  type HookPoint,
  type HookWithSecret,
  type UpdateHook,
  hookAnswers,
} from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { addToCounters, readCounters, sumOfCounter } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import { type RecordBasis, assertUnchanged } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { type RoleId, type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import { EgressError } from '../../platform/net/egress.ts'
import { findRoleRows } from '../../tenancy/roles/find-role.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { newWebhookSecret } from '../webhooks/secret.ts'
import { presentHook } from './present.ts'
import * as queries from './queries.ts'
import { hooks } from './tables.ts'

const hooksPerTenantMax = 10
const overlapMs = 24 * 60 * 60 * 1000
const timeoutMsDefault = 2000

function checkUrl({ egress }: Deps, url: string) {
  try {
    egress.check(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw invalid('/url', 'not_allowed', 'must be an https URL on the public internet')
  }
}

/** Passwords in the clear leave the service only where its tenant has said so, and only encrypted; in development also to this machine. */
function checkPasswords(point: HookPoint, url: string, receivesPasswords?: boolean) {
  const isMigration = point === 'password.migrate'
  if (isMigration && receivesPasswords === undefined) {
    const rule = 'is required at password.migrate: true if its calls contain passwords in the clear'
    throw invalid('/receivesPasswords', 'required', rule)
  }
  if (!isMigration && receivesPasswords === true)
    throw invalid('/receivesPasswords', 'contradicts', 'can be true at password.migrate only')
  const { protocol, hostname } = new URL(url)
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  if (isMigration && protocol !== 'https:' && !isLocal)
    throw invalid('/url', 'not_allowed', 'must be an https URL, because passwords or their hashes are sent')
}

async function checkRoles(tx: Transaction, tenantId: TenantId, point: HookPoint, roleIds: readonly string[] = []) {
  if (roleIds.length === 0) return
  const properties: readonly string[] = hookAnswers[point].properties
  if (!properties.includes('roleId'))
    throw invalid('/roleIds', 'contradicts', 'can be set for a hook that is asked about a new user only')
  const known = await findRoleRows(tx, tenantId, null, roleIds as readonly RoleId[])
  const index = roleIds.findIndex((id) => !known.has(id as RoleId))
  if (index >= 0) throw invalid(`/roleIds/${index}`, 'unknown_reference', 'is not a role of this tenant')
}

/** The data of a hook's events: only the origin of its address, because the rest can be secret. */
const described = (row: queries.HookRow) => {
  const { point, url, timeoutMs, onFailure, enabled, roleIds } = presentHook(row)
  return { point, origin: new URL(url).origin, timeoutMs, onFailure, enabled, roleIds }
}

const withSecret = (row: queries.HookRow, secret: string): HookWithSecret => ({
  ...presentHook(row),
  previousSecretUntil: row.previous_secret_until,
  secret,
})

/**
 * Creates a hook. Only this answer ever shows the signing secret.
 * @throws ApiError not_found, validation_failed for an address that may not be called, hook_limit_reached
 */
export async function createHook(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateHook, 'tenantId'>,
  actor: Actor,
): Promise<HookWithSecret> {
  const { row: tenant } = await getTenant(deps, tenantId)
  if (tenant.kind === 'console') {
    throw invalid(
      '/tenantId',
      'not_allowed',
      "must not be the console's own tenant: a hook that fails would lock out all administrators",
    )
  }
  checkUrl(deps, input.url)
  checkPasswords(input.point, input.url, input.receivesPasswords)
  const { db, clock, personal, sealer, tenants } = deps
  const id = newId<'HookId'>()
  const secret = newWebhookSecret()
  return db.transaction(async (tx) => {
    // Two that are created at once are counted one after the other, because the tenant's row is locked.
    await tx.run(sql`UPDATE tenants SET updated_at = updated_at WHERE id = ${tenantId}`)
    const counters = await readCounters(tx, tenantId, ['hooks'])
    if ((counters.get('hooks') ?? 0) >= hooksPerTenantMax) throw new ApiError('hook_limit_reached')
    await checkRoles(tx, tenantId, input.point, input.roleIds)
    const at = clock.next()
    const row: queries.HookRow = {
      tenant_id: tenantId,
      id,
      point: input.point,
      url: input.url,
      timeout_ms: input.timeoutMs ?? timeoutMsDefault,
      on_failure: input.onFailure ?? 'deny',
      enabled: input.enabled === false ? 0 : 1,
      role_ids: toJson(input.roleIds ?? []),
      receives_passwords: Number(input.receivesPasswords ?? false),
      sealed_secret: sealer.seal(secret, hooks.place('sealed_secret', { tenant_id: tenantId, id })),
      sealed_previous_secret: null,
      previous_secret_until: null,
      created_at: at,
      updated_at: at,
    }
    await tx.run(queries.insertHook(row))
    await tx.run(addToCounters(tx, tenantId, { hooks: 1 }))
    await invalidateTenant(tx, tenants, tenantId)
    const data = { after: described(row) }
    await tx.run(eventStatement(clock, personal, { tenantId, type: 'hook.created', actor, subjectId: id, data }))
    return withSecret(row, secret)
  })
}

/** @throws ApiError not_found */
export async function getHook({ db }: Deps, tenantId: TenantId, id: string): Promise<Hook> {
  const row = await queries.selectHook(db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentHook(row)
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listHooks(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const counter = sumOfCounter(tenantId, 'hooks')
  const { page, total } = await selectPageAndTotal(deps.db, queries.hookSource(tenantId), counter, request)
  return pageEnvelope(page, page.rows.map(presentHook), total, request.perPage)
}

/**
 * Changes the given properties.
 * @throws ApiError not_found, changed_meanwhile, validation_failed for an address that may not be called
 */
export async function updateHook(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateHook,
  actor: Actor,
  basis: RecordBasis = {},
) {
  if (input.url !== undefined) checkUrl(deps, input.url)
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const before = await queries.selectHookForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    assertUnchanged(before, basis)
    if (input.url !== undefined) checkPasswords(before.point, input.url, before.receives_passwords === 1)
    await checkRoles(tx, tenantId, before.point, input.roleIds)
    const after: queries.HookRow = {
      ...before,
      url: input.url ?? before.url,
      timeout_ms: input.timeoutMs ?? before.timeout_ms,
      on_failure: input.onFailure ?? before.on_failure,
      enabled: input.enabled === undefined ? before.enabled : Number(input.enabled),
      role_ids: input.roleIds === undefined ? before.role_ids : toJson(input.roleIds),
      updated_at: clock.now(),
    }
    await tx.run(queries.updateHook(after))
    await invalidateTenant(tx, tenants, tenantId)
    const data = { before: described(before), after: described(after) }
    await tx.run(eventStatement(clock, personal, { tenantId, type: 'hook.updated', actor, subjectId: id, data }))
    return presentHook(after)
  })
}

/** @throws ApiError not_found */
export async function deleteHook({ db, clock, personal, tenants }: Deps, tenantId: TenantId, id: string, actor: Actor) {
  return db.transaction(async (tx) => {
    const row = await queries.selectHookForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(queries.deleteHook(tenantId, id))
    await tx.run(addToCounters(tx, tenantId, { hooks: -1 }))
    await invalidateTenant(tx, tenants, tenantId)
    const data = { before: described(row) }
    await tx.run(eventStatement(clock, personal, { tenantId, type: 'hook.deleted', actor, subjectId: id, data }))
    return presentHook(row)
  })
}

/**
 * Gives the hook a new secret; the previous one is also valid for 24 hours.
 * @throws ApiError not_found
 */
export async function rotateHookSecret(
  { db, clock, personal, sealer, tenants }: Deps,
  tenantId: TenantId,
  id: string,
  actor: Actor,
): Promise<HookWithSecret> {
  const secret = newWebhookSecret()
  return db.transaction(async (tx) => {
    const before = await queries.selectHookForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    const now = clock.now()
    const present = sealer.open(before.sealed_secret, hooks.place('sealed_secret', before))
    const after: queries.HookRow = {
      ...before,
      sealed_secret: sealer.seal(secret, hooks.place('sealed_secret', before)),
      sealed_previous_secret: sealer.seal(present, hooks.place('sealed_previous_secret', before)),
      previous_secret_until: addMilliseconds(now, overlapMs),
      updated_at: now,
    }
    await tx.run(queries.updateHook(after))
    await invalidateTenant(tx, tenants, tenantId)
    const data = { previousUntil: after.previous_secret_until }
    await tx.run(eventStatement(clock, personal, { tenantId, type: 'hook.secret_rotated', actor, subjectId: id, data }))
    return withSecret(after, secret)
  })
}
