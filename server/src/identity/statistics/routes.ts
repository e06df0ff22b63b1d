import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { countByDay, listRecentSignIns, listRecentSignUps, readStatistics } from './statistics.ts'

export function statisticRoutes(router: Router, deps: Deps) {
  route(router, endpoints.listStatistics, async (call) => readStatistics(deps, call.enter(call.query.tenantId)))

  route(router, endpoints.listSignUpsByDay, async (call) =>
    countByDay(deps, call.enter(call.query.tenantId), 'users_created'),
  )

  route(router, endpoints.listSessionsByDay, async (call) =>
    countByDay(deps, call.enter(call.query.tenantId), 'sessions_created'),
  )

  route(router, endpoints.listRecentSignUps, async (call) => listRecentSignUps(deps, call.enter(call.query.tenantId)))

  route(router, endpoints.listRecentSignIns, async (call) => listRecentSignIns(deps, call.enter(call.query.tenantId)))
}
