// Changes and removes members. The row of the tenant is the lock: if two administrators demote each other at the same moment, one stays an
// administrator.
import type { TenantFlags } from '@bailiwick/contract'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type RecordBasis, isUnchanged } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { lockTenant } from '../../tenancy/tenants/find-tenant.ts'
import type { Deps } from '../deps.ts'
import { presentUserSummary } from '../users/present.ts'
import { findUser } from '../users/users.ts'
import { flagColumns, presentFlags } from './flags.ts'
import { presentTenantMember } from './present.ts'
import * as queries from './queries.ts'

/** Returns the member, with the tenant held. */
async function hold(tx: Transaction, tenantId: TenantId, id: string): Promise<queries.TenantMemberRow> {
  await lockTenant(tx, tenantId)
  const member = await queries.selectMemberById(tx, tenantId, id)
  if (member === undefined) throw notFound()
  return member
}

async function presentMember(tx: Transaction, row: queries.TenantMemberRow) {
  const user = await findUser(tx, row.user_tenant_id, row.user_id)
  if (user === undefined) throw notFound()
  return presentTenantMember(row, presentUserSummary(user))
}

/**
 * A tenant that never had an administrator among its members belongs to the operator, and may stay without one. A suspended administrator
 * does not count as one. A suspension itself does not require another administrator, because the creator of a tenant is alone at first.
 */
async function keepAnAdmin(tx: Transaction, row: queries.TenantMemberRow) {
  if (row.role_admin === 0) return
  const admins = await queries.lockTwoAdmins(tx, row.tenant_id, row.user_tenant_id)
  if (admins.every((admin) => admin.id === row.id)) throw new ApiError('last_admin')
}

/**
 * Sets all nine flags of a member; they take effect with the next request, within a second on other nodes.
 * @throws ApiError not_found, last_admin; changed_meanwhile with the present member, because no operation reads a single one.
 */
export async function updateTenantMember(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  flags: TenantFlags,
  actor: Actor,
  basis: RecordBasis = {},
) {
  const { db, clock, personal, sessions } = deps
  return db.transaction(async (tx) => {
    const before = await hold(tx, tenantId, id)
    if (!isUnchanged(before, basis))
      throw new ApiError('changed_meanwhile', { current: await presentMember(tx, before) })
    const after = { ...before, ...flagColumns(flags), updated_at: clock.now() }
    if (after.role_admin === 0) await keepAnAdmin(tx, before)
    if ((await tx.run(queries.updateMemberFlags(after))) === 0) throw notFound()
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant_membership.updated',
        actor,
        subjectId: id,
        data: { userId: after.user_id, before: presentFlags(before), after: presentFlags(after) },
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
  const { db, clock, personal, sessions } = deps
  await db.transaction(async (tx) => {
    const row = await hold(tx, tenantId, id)
    await keepAnAdmin(tx, row)
    if ((await tx.run(queries.deleteMember(tenantId, id))) === 0) throw notFound()
    await tx.run(addToCounters(tx, tenantId, { members: -1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant_membership.deleted',
        actor,
        subjectId: id,
        data: { userId: row.user_id, flags: presentFlags(row) },
      }),
    )
    await invalidateUser(tx, sessions, row.user_tenant_id, row.user_id)
  })
  return true
}
