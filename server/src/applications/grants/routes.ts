import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { deleteGrant, listApplicationGrants, listUserGrants } from './grants.ts'

export function grantRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listApplicationGrants, ({ tenantId, params, query }) =>
    listApplicationGrants(deps, tenantId, params.id, query),
  )
  handle(endpoints.listUserGrants, ({ tenantId, params, query }) =>
    listUserGrants(deps, tenantId, params.userId, query),
  )
  handle(endpoints.deleteGrant, ({ tenantId, params, actor }) => deleteGrant(deps, tenantId, params.id, actor))
}
