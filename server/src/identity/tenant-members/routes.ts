import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { deleteTenantInvitation, updateTenantInvitation } from './invitation-changes.ts'
import { inviteTenantMember, listTenantInvitations } from './invitations.ts'
import { deleteTenantMember, updateTenantMember } from './member-changes.ts'
import { createTenantMember, listTenantMembers } from './tenant-members.ts'

export function tenantMemberRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listTenantMembers, ({ tenantId, query }) => listTenantMembers(deps, tenantId, query))
  handle(endpoints.createTenantMember, ({ tenantId, input, actor }) => createTenantMember(deps, tenantId, input, actor))
  handle(endpoints.updateTenantMember, ({ tenantId, params, body, query, actor }) =>
    updateTenantMember(deps, tenantId, params.id, body, actor, query),
  )
  handle(endpoints.deleteTenantMember, ({ tenantId, params, actor }) =>
    deleteTenantMember(deps, tenantId, params.id, actor),
  )

  handle(endpoints.listTenantInvitations, ({ tenantId, query }) => listTenantInvitations(deps, tenantId, query))
  handle(endpoints.inviteTenantMember, ({ tenantId, input, actor }) => inviteTenantMember(deps, tenantId, input, actor))
  handle(endpoints.updateTenantInvitation, ({ tenantId, params, body, actor }) =>
    updateTenantInvitation(deps, tenantId, params.id, body, actor),
  )
  handle(endpoints.deleteTenantInvitation, ({ tenantId, params, actor }) =>
    deleteTenantInvitation(deps, tenantId, params.id, actor),
  )
}
