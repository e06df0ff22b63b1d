import { endpoints } from '@bailiwick/contract'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import * as members from './group-members.ts'
import * as groups from './organization-groups.ts'
import { tenantsGroups } from './place.ts'

interface Called {
  readonly tenantId: TenantId
  readonly params: { readonly organizationId: string }
  readonly actor: Actor
}
const toPlace = ({ tenantId, params, actor }: Called) => tenantsGroups(tenantId, params.organizationId, actor)

export function organizationGroupRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createOrganizationGroup, (call) => groups.createOrganizationGroup(deps, toPlace(call), call.body))
  handle(endpoints.listOrganizationGroups, (call) => groups.listOrganizationGroups(deps, toPlace(call)))
  handle(endpoints.getOrganizationGroup, (call) => groups.getOrganizationGroup(deps, toPlace(call), call.params.id))
  handle(endpoints.updateOrganizationGroup, (call) =>
    groups.updateOrganizationGroup(deps, toPlace(call), call.params.id, call.body),
  )
  handle(endpoints.deleteOrganizationGroup, (call) =>
    groups.deleteOrganizationGroup(deps, toPlace(call), call.params.id),
  )
  handle(endpoints.listMembersOfGroup, (call) =>
    members.listGroupMembers(deps, toPlace(call), call.params.id, call.query),
  )
  handle(endpoints.addMemberToGroup, (call) => members.addGroupMember(deps, toPlace(call), call.params.id, call.body))
  handle(endpoints.removeMemberFromGroup, (call) =>
    members.removeGroupMember(deps, toPlace(call), call.params.id, call.params.memberId),
  )
}
