import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { withUser } from '../users/with-users.ts'
import * as sessions from './sessions.ts'

export function sessionRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listTenantSessions, ({ tenantId, query }) => sessions.listTenantSessions(deps, tenantId, query))
  handle(endpoints.listUserSessions, ({ tenantId, params, query }) =>
    sessions.listUserSessions(deps, tenantId, params.userId, query),
  )
  handle(endpoints.getSession, ({ tenantId, params }) => sessions.getSession(deps, tenantId, params.id))
  handle(endpoints.deleteSession, async ({ tenantId, params, actor }) =>
    withUser(deps.db, tenantId, await sessions.endSession(deps, tenantId, params.id, actor)),
  )
  handle(endpoints.impersonateUser, ({ tenantId, params, body, actor }) =>
    sessions.impersonateUser(deps, tenantId, params.id, body.reason, actor),
  )
}
