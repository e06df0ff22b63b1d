import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { emailAddressRoutes, phoneNumberRoutes } from './contact-routes.ts'
import { presentUser } from './present.ts'
import { transferRoutes } from './transfer-routes.ts'
import * as changes from './user-changes.ts'
import { deleteUser } from './user-deletion.ts'
import { listUsers } from './user-list.ts'
import { createUser, getUser } from './users.ts'

export function userRoutes(router: Router, deps: Deps) {
  const { db } = deps

  route(router, endpoints.createUser, async (call) => {
    const { tenantId, ...input } = call.body
    return presentUser(await createUser(deps, call.enter(tenantId), input, call.actor))
  })

  route(router, endpoints.listUsers, async (call) => {
    const { tenantId, ...query } = call.query
    return listUsers(deps, call.enter(tenantId), query)
  })

  route(router, endpoints.getUser, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', id))
    return { status: 'success' as const, data: presentUser(await getUser(deps, tenantId, id)) }
  })

  route(router, endpoints.updateUser, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', id))
    return presentUser(await changes.updateUser(deps, tenantId, id, call.body, call.actor))
  })

  route(router, endpoints.deleteUser, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', id))
    await deleteUser(deps, tenantId, id, call.actor)
    return { id }
  })

  route(router, endpoints.changeUserPassword, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', id))
    return presentUser(await changes.changeUserPassword(deps, tenantId, id, call.body.password, call.actor))
  })

  route(router, endpoints.suspendUser, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', id))
    return presentUser(await changes.suspendUser(deps, tenantId, id, call.actor))
  })

  route(router, endpoints.unsuspendUser, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', id))
    return presentUser(await changes.unsuspendUser(deps, tenantId, id, call.actor))
  })

  route(router, endpoints.unlockUser, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', id))
    return presentUser(await changes.unlockUser(deps, tenantId, id, call.actor))
  })

  emailAddressRoutes(router, deps)
  phoneNumberRoutes(router, deps)
  transferRoutes(router, deps)
}
