import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { withUser } from '../users/with-users.ts'
import * as sessions from './sessions.ts'

export function sessionRoutes(router: Router, deps: Deps) {
  const { db } = deps

  route(router, endpoints.listTenantSessions, async (call) =>
    sessions.listTenantSessions(deps, call.enter(call.params.tenantId), call.query),
  )

  route(router, endpoints.listUserSessions, async (call) => {
    const { userId } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', userId))
    return sessions.listUserSessions(deps, tenantId, userId, call.query)
  })

  route(router, endpoints.getSession, async (call) => {
    const { id } = call.params
    return sessions.getSession(deps, call.enter(await locate(db, call, 'sessions', id)), id)
  })

  route(router, endpoints.deleteSession, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'sessions', id))
    return withUser(db, tenantId, await sessions.endSession(deps, tenantId, id, call.actor))
  })

  route(router, endpoints.impersonateUser, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', id))
    return sessions.impersonateUser(deps, tenantId, id, call.body.reason, call.actor)
  })
}
