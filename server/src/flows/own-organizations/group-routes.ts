import { frontendEndpoints } from '@bailiwick/contract'
import * as members from '../../identity/organization-groups/group-members.ts'
import * as groups from '../../identity/organization-groups/organization-groups.ts'
import type { GroupPlace } from '../../identity/organization-groups/place.ts'
import { listAnswer, pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import { findRoleRow } from '../../tenancy/roles/find-role.ts'
import type { AnyCall } from '../frontend/flow.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'
import { type ActingDeps, assertMayGive, enterOrganization } from './rights.ts'

/** The groups of an organization, as one of its members manages them. Joining a group gives its role, so only that of one's own reach. */
function membersPlace({ clock }: Pick<ActingDeps, 'clock'>, call: AnyCall, organizationId: string): GroupPlace {
  const enter = (db: ActingDeps['db']) => enterOrganization({ db, clock }, call, organizationId, 'org:groups:manage')
  return {
    tenantId: call.tenantId,
    organizationId,
    actor: call.actor(),
    enter: async (db) => void (await enter(db)),
    async assertMayGive(db, roleId) {
      if (roleId !== null) assertMayGive(await enter(db), await findRoleRow(db, call.tenantId, organizationId, roleId))
    },
  }
}

type GroupCall = AnyCall & { readonly params: { readonly id: string } }

export function ownGroupRoutes({ deps, handle }: Frontend) {
  const toPlace = (call: GroupCall) => membersPlace(deps, call, call.params.id)
  handle(frontendEndpoints.listOwnOrganizationGroups, async (call) => {
    const items = await groups.listOrganizationGroups(deps, toPlace(call))
    return pageOfWhole('groups', { items, order: 'newest first' }, call.query)
  })
  handle(frontendEndpoints.createOwnOrganizationGroup, async (call) => ({
    group: await groups.createOrganizationGroup(deps, toPlace(call), call.body),
  }))
  handle(frontendEndpoints.getOwnOrganizationGroup, async (call) => ({
    group: await groups.getOrganizationGroup(deps, toPlace(call), call.params.groupId),
  }))
  handle(frontendEndpoints.updateOwnOrganizationGroup, async (call) => ({
    group: await groups.updateOrganizationGroup(deps, toPlace(call), call.params.groupId, call.body),
  }))
  handle(frontendEndpoints.deleteOwnOrganizationGroup, async (call) => ({
    group: await groups.deleteOrganizationGroup(deps, toPlace(call), call.params.groupId),
  }))
  handle(frontendEndpoints.listFellowsOfGroup, async (call) =>
    listAnswer('members', await members.listGroupMembers(deps, toPlace(call), call.params.groupId, call.query)),
  )
  handle(frontendEndpoints.addFellowToGroup, async (call) => ({
    member: await members.addGroupMember(deps, toPlace(call), call.params.groupId, call.body),
  }))
  handle(frontendEndpoints.removeFellowFromGroup, async (call) => ({
    member: await members.removeGroupMember(deps, toPlace(call), call.params.groupId, call.params.memberId),
  }))
}
