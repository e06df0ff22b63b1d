// Changes of a member's role as part of a caller's transaction.
import { addToCounters } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { RoleId, TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { findRoleRow } from '../../tenancy/roles/find-role.ts'
import { roleMembersCounter } from '../../tenancy/roles/roles.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'

const manage = queries.manageMembers

/** Returns how a change of role changes the counts of members by role. */
export function roleDeltas(before: string | null, after: string | null): Record<string, number> {
  if (before === after) return {}
  return {
    ...(before === null ? {} : { [roleMembersCounter(before)]: -1 }),
    ...(after === null ? {} : { [roleMembersCounter(after)]: 1 }),
  }
}

/** Only roles of the tenant count, because the organization itself can change and the tenant can limit all others. */
async function isManaging(tx: Transaction, tenantId: TenantId, roleId: RoleId | null): Promise<boolean> {
  const role = roleId === null ? undefined : await findRoleRow(tx, tenantId, null, roleId)
  return role !== undefined && fromJson(role.permissions).includes(manage)
}

/** Returns the membership of a user, held until the transaction ends. */
export async function holdMembership(
  tx: Transaction,
  tenantId: TenantId,
  organizationId: string,
  userId: string,
): Promise<queries.OrganizationMemberRow | undefined> {
  const row = await queries.selectMemberOf(tx, tenantId, organizationId, userId)
  return row === undefined ? undefined : queries.selectMemberForUpdate(tx, tenantId, row.id)
}

/** Whether nobody could manage the members any more if this member could not. */
export async function isLastManager(
  tx: Transaction,
  { tenant_id: tenantId, organization_id: organizationId, id, role_id: roleId }: queries.OrganizationMemberRow,
): Promise<boolean> {
  if (!(await isManaging(tx, tenantId, roleId))) return false
  await queries.lockOrganization(tx, tenantId, organizationId)
  return (await queries.selectOtherMemberWith(tx, tenantId, organizationId, id, manage)) === undefined
}

/**
 * Gives a member another role, but leaves the role of the last member who can manage the organization.
 * @returns the role that the member has then.
 */
export async function giveRoleUnlessLastManager(
  { clock, personal }: Deps,
  tx: Transaction,
  tenantId: TenantId,
  id: string,
  roleId: RoleId | null,
  actor: Actor,
): Promise<RoleId | null> {
  const before = await queries.selectMemberForUpdate(tx, tenantId, id)
  if (before === undefined || before.role_id === roleId) return before?.role_id ?? null
  if (!(await isManaging(tx, tenantId, roleId)) && (await isLastManager(tx, before))) return before.role_id
  await tx.run(queries.updateMember({ ...before, role_id: roleId, role_expires_at: null, updated_at: clock.now() }))
  await tx.run(addToCounters(tx, tenantId, roleDeltas(before.role_id, roleId)))
  await tx.run(
    eventStatement(clock, personal, {
      tenantId,
      type: 'organization_membership.updated',
      actor,
      subjectId: id,
      data: { before: { roleId: before.role_id }, after: { roleId }, userId: before.user_id },
    }),
  )
  return roleId
}
