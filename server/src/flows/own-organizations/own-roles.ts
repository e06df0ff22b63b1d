// The roles of an organization's own, as one of its members manages them: none can give more than the member has.
import { frontendEndpoints } from '@bailiwick/contract'
import * as roles from '../../identity/organization-roles/organization-roles.ts'
import type { RolePlace } from '../../identity/organization-roles/place.ts'
import { pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import type { AnyCall } from '../frontend/flow.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'
import { type ActingDeps, enterOrganization } from './rights.ts'

const membersPlace = ({ clock }: Pick<ActingDeps, 'clock'>, call: AnyCall, organizationId: string): RolePlace => ({
  tenantId: call.tenantId,
  organizationId,
  actor: call.actor(),
  async enter(db) {
    const member = await enterOrganization({ db, clock }, call, organizationId, 'org:roles:manage')
    roles.assertRolesEnabled(call.tenant.auth)
    const needsSecondFactor = member.roles.some((role) => role.requires_second_factor === 1)
    return { permissions: member.permissions, needsSecondFactor }
  },
})

type RoleCall = AnyCall & { readonly params: { readonly id: string } }

export function ownRoleRoutes({ deps, handle }: Frontend) {
  const toPlace = (call: RoleCall) => membersPlace(deps, call, call.params.id)
  handle(frontendEndpoints.listOwnRoles, async (call) => {
    const { roles: items, permissions } = await roles.listWithPermissions(deps, toPlace(call), call.tenant.auth)
    return { ...pageOfWhole('roles', { items, order: 'newest first' }, call.query), permissions }
  })
  handle(frontendEndpoints.createOwnRole, async (call) => ({
    role: await roles.createOrganizationRole(deps, toPlace(call), call.body),
  }))
  handle(frontendEndpoints.updateOwnRole, async (call) => ({
    role: await roles.updateOrganizationRole(deps, toPlace(call), call.params.roleId, call.body),
  }))
  handle(frontendEndpoints.deleteOwnRole, async (call) => ({
    role: await roles.deleteOrganizationRole(deps, toPlace(call), call.params.roleId),
  }))
}
