import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import * as resources from './resources.ts'

export function resourceRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createResource, ({ tenantId, input, actor }) =>
    resources.createResource(deps, tenantId, input, actor),
  )
  handle(endpoints.listResources, ({ tenantId, query }) => resources.listResources(deps, tenantId, query))
  handle(endpoints.getResource, ({ tenantId, params }) => resources.getResource(deps, tenantId, params.id))
  handle(endpoints.updateResource, ({ tenantId, params, body, actor }) =>
    resources.updateResource(deps, tenantId, params.id, body, actor),
  )
  handle(endpoints.deleteResource, ({ tenantId, params, actor }) =>
    resources.deleteResource(deps, tenantId, params.id, actor),
  )
}
