// Changes and removes members. The row of the tenant is the lock: if two administrators demote each other at the same moment, one stays an
// administrator.
import type { UpdateTenantMember } from '@bailiwick/contract'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { machineTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type RecordBasis, isUnchanged } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { isPast, readEnd } from '../../platform/http/ends.ts'
import type { TenantId } from '../../platform/ids.ts'
import { lockTenant } from '../../tenancy/tenants/find-tenant.ts'
import type { Deps } from '../deps.ts'
import { presentUserSummary } from '../users/present.ts'
import { findUserWithContacts } from '../users/users.ts'
import { flagColumns, presentFlags } from './flags.ts'
import { presentTenantMember } from './present.ts'
import * as queries from './queries.ts'
import { remove, removeIfEnded } from './tenant-members.ts'

/** Returns the member, with the tenant held. */
async function hold(
  { clock }: Deps,
  tx: Transaction,
  tenantId: TenantId,
  id: string,
): Promise<queries.TenantMemberRow> {
  await lockTenant(tx, tenantId)
  const member = await queries.selectMemberById(tx, tenantId, id)
  if (member === undefined || isPast(member.expires_at, machineTime(clock))) throw notFound()
  return member
}

async function presentMember(tx: Transaction, row: queries.TenantMemberRow) {
  const user = await findUserWithContacts(tx, row.user_tenant_id, row.user_id)
  if (user === undefined) throw notFound()
  return presentTenantMember(row, presentUserSummary(user))
}

/**
 * An end comes when nobody is looking, so a member with one does not count. A tenant that never had an administrator among its members belongs to the operator, and may stay without one. A suspended administrator
 * does not count as one. A suspension itself does not require another administrator, because the creator of a tenant is alone at first.
 */
async function keepAnAdmin(tx: Transaction, row: queries.TenantMemberRow) {
  if (row.role_admin === 0 || row.expires_at !== null) return
  const admins = await queries.lockTwoAdmins(tx, row.tenant_id, row.user_tenant_id)
  if (admins.every((admin) => admin.id === row.id)) throw new ApiError('last_admin')
}

/**
 * Sets all nine flags of a member, and when they end; they take effect with the next request, within a second on other nodes.
 * @throws ApiError not_found, last_admin; validation_failed for an end that is not in the future; changed_meanwhile with the present member, because no operation reads a single one.
 */
export async function updateTenantMember(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  { expiresAt, ...flags }: UpdateTenantMember,
  actor: Actor,
  basis: RecordBasis = {},
) {
  const { db, clock, personal, sessions } = deps
  return db.transaction(async (tx) => {
    const before = await hold(deps, tx, tenantId, id)
    if (!isUnchanged(before, basis))
      throw new ApiError('changed_meanwhile', { current: await presentMember(tx, before) })
    const end = expiresAt === undefined ? before.expires_at : readEnd(machineTime(clock), '/expiresAt', expiresAt)
    const after = { ...before, ...flagColumns(flags), expires_at: end, updated_at: clock.now() }
    if (after.role_admin === 0 || end !== null) await keepAnAdmin(tx, before)
    if ((await tx.run(queries.updateMember(after))) === 0) throw notFound()
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant_membership.updated',
        actor,
        subjectId: id,
        data: { userId: after.user_id, before: presentFlags(before), after: presentFlags(after), expiresAt: end },
      }),
    )
    await invalidateUser(tx, sessions, after.user_tenant_id, after.user_id)
    return presentMember(tx, after)
  })
}

/**
 * Removes a member, who stays a console user.
 * @throws ApiError not_found, last_admin
 */
export async function deleteTenantMember(deps: Deps, tenantId: TenantId, id: string, actor: Actor): Promise<true> {
  await deps.db.transaction(async (tx) => {
    const row = await hold(deps, tx, tenantId, id)
    await keepAnAdmin(tx, row)
    if (!(await remove(deps, tx, row, 'tenant_membership.deleted', actor))) throw notFound()
  })
  return true
}

const batchSize = 200

/** Does one bounded piece of work; returns whether there is more. */
export async function endExpiredTenantMembers(deps: Deps): Promise<boolean> {
  const { db, clock } = deps
  const rows = await queries.selectEndedMembers(db, machineTime(clock), batchSize)
  for (const { tenant_id: tenantId, user_id: userId } of rows)
    await db.transaction((tx) => removeIfEnded(deps, tx, tenantId, userId))
  return rows.length >= batchSize
}
