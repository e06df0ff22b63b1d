import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { countByDay, listRecentSignIns, listRecentSignUps, readStatistics } from './statistics.ts'

export function statisticRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listStatistics, ({ tenantId }) => readStatistics(deps, tenantId))
  handle(endpoints.listSignUpsByDay, ({ tenantId }) => countByDay(deps, tenantId, 'users_created'))
  handle(endpoints.listSessionsByDay, ({ tenantId }) => countByDay(deps, tenantId, 'sessions_created'))
  handle(endpoints.listRecentSignUps, ({ tenantId }) => listRecentSignUps(deps, tenantId))
  handle(endpoints.listRecentSignIns, ({ tenantId }) => listRecentSignIns(deps, tenantId))
}
