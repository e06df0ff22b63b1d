import { type Endpoint, endpoints } from '@bailiwick/contract'
import type { Call } from '../../platform/http/call.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import * as invitations from './invitations.ts'
import * as members from './members.ts'
import {
  getOrganizationSecurity,
  previewOrganizationSecurity,
  updateOrganizationSecurity,
} from './organization-security.ts'
import * as organizations from './organizations.ts'

export function organizationRoutes(management: Management, deps: Deps) {
  const { handle } = management
  handle(endpoints.createOrganization, ({ tenantId, input, actor }) =>
    organizations.createOrganization(deps, tenantId, input, actor),
  )
  handle(endpoints.listOrganizations, ({ tenantId, query }) => organizations.listOrganizations(deps, tenantId, query))
  handle(endpoints.getOrganization, ({ tenantId, params }) => organizations.getOrganization(deps, tenantId, params.id))
  handle(endpoints.updateOrganization, ({ tenantId, params, body, query, actor }) =>
    organizations.updateOrganization(deps, tenantId, params.id, body, actor, query),
  )
  handle(endpoints.deleteOrganization, ({ tenantId, params, actor }) =>
    organizations.deleteOrganization(deps, tenantId, params.id, actor),
  )
  handle(endpoints.getOrganizationSecurity, ({ tenantId, params }) =>
    getOrganizationSecurity(deps, tenantId, params.id),
  )
  handle(endpoints.updateOrganizationSecurity, ({ tenantId, params, body, actor }) =>
    updateOrganizationSecurity(deps, tenantId, params.id, body, actor),
  )
  handle(endpoints.previewOrganizationSecurity, ({ tenantId, params, body }) =>
    previewOrganizationSecurity(deps, tenantId, params.id, body),
  )
  memberRoutes(management, deps)
  invitationRoutes(management, deps)
}

function memberRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createOrganizationMember, ({ tenantId, body, actor }) =>
    members.createOrganizationMember(deps, tenantId, body, actor),
  )
  handle(endpoints.listOrganizationMembers, ({ tenantId, params, query }) =>
    members.listOrganizationMembers(deps, tenantId, params.organizationId, query),
  )
  handle(endpoints.getOrganizationMember, ({ tenantId, params }) =>
    members.getOrganizationMember(deps, tenantId, params.id),
  )
  handle(endpoints.updateOrganizationMember, ({ tenantId, params, body, actor }) =>
    members.updateOrganizationMember(deps, tenantId, params.id, body, actor),
  )
  handle(endpoints.deleteOrganizationMember, ({ tenantId, params, actor }) =>
    members.deleteOrganizationMember(deps, tenantId, params.id, actor),
  )
}

/** What the caller may see in addition to the invitation itself. */
const seenBy = (call: Pick<Call<Endpoint>, 'may'> & { readonly tenantId: TenantId }) => ({
  users: call.may('users:read', call.tenantId),
})

function invitationRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createOrganizationInvitation, (call) =>
    invitations.createOrganizationInvitation(deps, call.tenantId, call.body, call.actor, seenBy(call)),
  )
  handle(endpoints.listOrganizationInvitations, (call) =>
    invitations.listOrganizationInvitations(deps, call.tenantId, call.params.organizationId, call.query, seenBy(call)),
  )
  handle(endpoints.getOrganizationInvitation, (call) =>
    invitations.getOrganizationInvitation(deps, call.tenantId, call.params.id, seenBy(call)),
  )
  handle(endpoints.updateOrganizationInvitation, (call) =>
    invitations.updateOrganizationInvitation(deps, call.tenantId, call.params.id, call.body, call.actor, seenBy(call)),
  )
  handle(endpoints.deleteOrganizationInvitation, (call) =>
    invitations.deleteOrganizationInvitation(deps, call.tenantId, call.params.id, call.actor, seenBy(call)),
  )
}
