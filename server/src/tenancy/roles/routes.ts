import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { createRole, deleteRole, getRole, listRoles, updateRole } from './roles.ts'

export function roleRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listRoles, ({ tenantId, query }) => listRoles(deps, tenantId, query))
  handle(endpoints.createRole, ({ tenantId, input, actor }) => createRole(deps, tenantId, input, actor))
  handle(endpoints.getRole, ({ tenantId, params }) => getRole(deps, tenantId, params.id))
  handle(endpoints.updateRole, ({ tenantId, params, body, query, actor }) =>
    updateRole(deps, tenantId, params.id, body, actor, query),
  )
  handle(endpoints.deleteRole, ({ tenantId, params, actor }) => deleteRole(deps, tenantId, params.id, actor))
}
