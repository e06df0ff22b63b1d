import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { createRole, deleteRole, getRole, listRoles, updateRole } from './roles.ts'

export function roleRoutes(router: Router, deps: Deps) {
  route(router, endpoints.listRoles, async (call) => listRoles(deps, call.enter(call.params.tenantId), call.query))

  route(router, endpoints.createRole, async (call) => {
    const { tenantId, ...input } = call.body
    return createRole(deps, call.enter(tenantId), input, call.actor)
  })

  route(router, endpoints.getRole, async (call) => {
    const { id } = call.params
    return getRole(deps, call.enter(await locate(deps.db, call, 'roles', id)), id)
  })

  route(router, endpoints.updateRole, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'roles', id))
    return updateRole(deps, tenantId, id, call.body, call.actor)
  })

  route(router, endpoints.deleteRole, async (call) => {
    const { id } = call.params
    return deleteRole(deps, call.enter(await locate(deps.db, call, 'roles', id)), id, call.actor)
  })
}
