// Users who delete their own account may not leave an organization behind in which nobody may manage the members any more.
import * as members from '../../identity/organizations/members.ts'
import { lockedMembershipsOfUser } from '../../identity/organizations/memberships-of-user.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { RoleId } from '../../platform/ids.ts'
import { findRoleRow } from '../../tenancy/roles/find-role.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { permissionsOf } from './rights.ts'

const manage = 'org:members:manage'

/**
 * Runs in the transaction that deletes the signed-in user, whom it holds. An organization without other members needs no manager.
 * @throws ApiError last_manager, which names the organization; never if the tenant has organizations off, because nobody else could be made
 * a manager.
 */
export async function assertOrganizationsStayManaged(tx: Transaction, { tenant, tenantId, signedIn }: AnyCall) {
  if (!tenant.auth.organizationsEnabled) return
  const managing = new Map<RoleId | null, boolean>([[null, false]])
  const isManaging = async (roleId: RoleId | null) => {
    let is = managing.get(roleId)
    if (is === undefined) {
      const role = await findRoleRow(tx, tenantId, null, roleId ?? '')
      managing.set(roleId, (is = permissionsOf(role).includes(manage)))
    }
    return is
  }
  for await (const rows of lockedMembershipsOfUser(tx, tenantId, signedIn.row.user_id)) {
    for (const row of rows) {
      if (!(await isManaging(row.role_id))) continue
      const organization = await members.holdOrganization(tx, tenantId, row.organization_id)
      if (await members.hasOtherMemberWith(tx, row, manage)) continue
      if (!(await members.hasOtherMember(tx, row))) continue
      const detail = `You are the last member who can manage the organization “${organization.name}” (${organization.id}). Give another member that permission, or delete the organization, first.`
      throw new ApiError('last_manager', { detail })
    }
  }
}
