import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { deleteTenantInvitation, updateTenantInvitation } from './invitation-changes.ts'
import { inviteTenantMember, listTenantInvitations } from './invitations.ts'
import { deleteTenantMember, updateTenantMember } from './member-changes.ts'
import { createTenantMember, listTenantMembers } from './tenant-members.ts'

export function tenantMemberRoutes(router: Router, deps: Deps) {
  route(router, endpoints.listTenantMembers, async (call) =>
    listTenantMembers(deps, call.enter(call.params.tenantId), call.query),
  )

  route(router, endpoints.createTenantMember, async (call) => {
    const { tenantId, ...input } = call.body
    return createTenantMember(deps, call.enter(tenantId), input, call.actor)
  })

  route(router, endpoints.listTenantInvitations, async (call) =>
    listTenantInvitations(deps, call.enter(call.params.tenantId), call.query),
  )

  route(router, endpoints.inviteTenantMember, async (call) => {
    const { tenantId, ...input } = call.body
    return inviteTenantMember(deps, call.enter(tenantId), input, call.actor)
  })

  route(router, endpoints.updateTenantMember, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'tenant_members', id))
    return updateTenantMember(deps, tenantId, id, call.body, call.actor)
  })

  route(router, endpoints.deleteTenantMember, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'tenant_members', id))
    return deleteTenantMember(deps, tenantId, id, call.actor)
  })

  route(router, endpoints.updateTenantInvitation, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'tenant_invitations', id))
    return updateTenantInvitation(deps, tenantId, id, call.body, call.actor)
  })

  route(router, endpoints.deleteTenantInvitation, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'tenant_invitations', id))
    return deleteTenantInvitation(deps, tenantId, id, call.actor)
  })
}
