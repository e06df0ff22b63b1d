import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { type LocatedTable, type Locating, locate } from '../../platform/http/locate.ts'
import { type Call, type Router, route } from '../../platform/http/route.ts'
import type { TenantId } from '../../platform/ids.ts'
import * as invitations from './invitations.ts'
import * as members from './members.ts'
import * as organizations from './organizations.ts'

interface NamingOne extends Locating {
  readonly params: { readonly id: string }
}

export function organizationRoutes(router: Router, deps: Deps) {
  const { db } = deps
  /** In which tenant the record of that id would have to be. */
  const tenantOf = (call: NamingOne, table: LocatedTable) => locate(db, call, table, call.params.id)

  route(router, endpoints.createOrganization, async (call) => {
    const { tenantId, ...input } = call.body
    return organizations.createOrganization(deps, call.enter(tenantId), input, call.actor)
  })

  route(router, endpoints.listOrganizations, async (call) =>
    organizations.listOrganizations(deps, call.enter(call.params.tenantId), call.query),
  )

  route(router, endpoints.getOrganization, async (call) =>
    organizations.getOrganization(deps, call.enter(await tenantOf(call, 'organizations')), call.params.id),
  )

  route(router, endpoints.updateOrganization, async (call) => {
    const tenantId = call.enter(await tenantOf(call, 'organizations'))
    return organizations.updateOrganization(deps, tenantId, call.params.id, call.body, call.actor)
  })

  route(router, endpoints.deleteOrganization, async (call) => {
    const tenantId = call.enter(await tenantOf(call, 'organizations'))
    return organizations.deleteOrganization(deps, tenantId, call.params.id, call.actor)
  })

  memberRoutes(router, deps, tenantOf)
  invitationRoutes(router, deps, tenantOf)
}

type TenantOf = (call: NamingOne, table: LocatedTable) => ReturnType<typeof locate>

function memberRoutes(router: Router, deps: Deps, tenantOf: TenantOf) {
  const { db } = deps

  route(router, endpoints.createOrganizationMember, async (call) => {
    const tenantId = call.enter(await locate(db, call, 'organizations', call.body.organizationId))
    return members.createOrganizationMember(deps, tenantId, call.body, call.actor)
  })

  route(router, endpoints.listOrganizationMembers, async (call) => {
    const { organizationId } = call.params
    const tenantId = call.enter(await locate(db, call, 'organizations', organizationId))
    return members.listOrganizationMembers(deps, tenantId, organizationId, call.query)
  })

  route(router, endpoints.getOrganizationMember, async (call) =>
    members.getOrganizationMember(deps, call.enter(await tenantOf(call, 'organization_members')), call.params.id),
  )

  route(router, endpoints.updateOrganizationMember, async (call) => {
    const tenantId = call.enter(await tenantOf(call, 'organization_members'))
    return members.updateOrganizationMember(deps, tenantId, call.params.id, call.body, call.actor)
  })

  route(router, endpoints.deleteOrganizationMember, async (call) => {
    const tenantId = call.enter(await tenantOf(call, 'organization_members'))
    return members.deleteOrganizationMember(deps, tenantId, call.params.id, call.actor)
  })
}

function invitationRoutes(router: Router, deps: Deps, tenantOf: TenantOf) {
  const { db } = deps
  const seenBy = (call: Pick<Call<typeof endpoints.getOrganizationInvitation>, 'may'>, tenantId: TenantId) => ({
    users: call.may('users:read', tenantId),
  })

  route(router, endpoints.createOrganizationInvitation, async (call) => {
    const tenantId = call.enter(await locate(db, call, 'organizations', call.body.organizationId))
    return invitations.createOrganizationInvitation(deps, tenantId, call.body, call.actor, seenBy(call, tenantId))
  })

  route(router, endpoints.listOrganizationInvitations, async (call) => {
    const { organizationId } = call.params
    const tenantId = call.enter(await locate(db, call, 'organizations', organizationId))
    return invitations.listOrganizationInvitations(deps, tenantId, organizationId, call.query, seenBy(call, tenantId))
  })

  route(router, endpoints.getOrganizationInvitation, async (call) => {
    const tenantId = call.enter(await tenantOf(call, 'organization_invitations'))
    return invitations.getOrganizationInvitation(deps, tenantId, call.params.id, seenBy(call, tenantId))
  })

  route(router, endpoints.updateOrganizationInvitation, async (call) => {
    const tenantId = call.enter(await tenantOf(call, 'organization_invitations'))
    return invitations.updateOrganizationInvitation(
      deps,
      tenantId,
      call.params.id,
      call.body,
      call.actor,
      seenBy(call, tenantId),
    )
  })

  route(router, endpoints.deleteOrganizationInvitation, async (call) => {
    const tenantId = call.enter(await tenantOf(call, 'organization_invitations'))
    return invitations.deleteOrganizationInvitation(deps, tenantId, call.params.id, call.actor, seenBy(call, tenantId))
  })
}
