import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.ts'

export function apiKeyRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createApiKey, ({ tenantId, input, principal, actor }) =>
    createApiKey(deps, tenantId, input, principal, actor),
  )
  handle(endpoints.listApiKeys, ({ tenantId, query }) => listApiKeys(deps, tenantId, query))
  handle(endpoints.deleteApiKey, ({ tenantId, params, actor }) => deleteApiKey(deps, tenantId, params.id, actor))
}
