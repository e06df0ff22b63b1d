// Who erases the own account leaves no organization behind whose members nobody may manage any more.
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { RoleId } from '../../platform/ids.ts'
import * as members from '../../identity/organizations/members.ts'
import { lockedMembershipsOfUser } from '../../identity/organizations/memberships-of-user.ts'
import { findRole } from '../../tenancy/roles/roles.ts'
import type { AnyCall } from '../sign-in/flow.ts'
import { permissionsOf } from './rights.ts'

const manage = 'org:members:manage'

/**
 * Part of the transaction that erases the signed-in user, whom it holds. An organization in which nobody else is has nobody to manage.
 * @throws ApiError last_manager, which names the organization; where the tenant has organizations off nobody could be asked to follow.
 */
export async function assertOrganizationsStayManaged(tx: Transaction, { tenant, tenantId, signedIn }: AnyCall) {
  if (!tenant.auth.organizationsEnabled) return
  const managing = new Map<RoleId | null, boolean>([[null, false]])
  const isManaging = async (roleId: RoleId | null) => {
    let is = managing.get(roleId)
    if (is === undefined) {
      const role = await findRole(tx, tenantId, roleId ?? '')
      managing.set(roleId, (is = permissionsOf(role?.row).includes(manage)))
    }
    return is
  }
  for await (const rows of lockedMembershipsOfUser(tx, tenantId, signedIn.row.user_id)) {
    for (const row of rows) {
      if (!(await isManaging(row.role_id))) continue
      const organization = await members.holdOrganization(tx, tenantId, row.organization_id)
      if (await members.hasOtherMemberWith(tx, row, manage)) continue
      if (!(await members.hasOtherMember(tx, row))) continue
      const detail = `Nobody else may manage the members of the organization “${organization.name}” (${organization.id}); let somebody follow, or delete it, first.`
      throw new ApiError('last_manager', { detail })
    }
  }
}
