import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.ts'

export function apiKeyRoutes(router: Router, deps: Deps) {
  route(router, endpoints.createApiKey, async (call) => {
    const { tenantId, ...input } = call.body
    return createApiKey(deps, call.enter(tenantId), input, call.principal, call.actor)
  })

  route(router, endpoints.listApiKeys, async (call) => listApiKeys(deps, call.enter(call.params.tenantId), call.query))

  route(router, endpoints.deleteApiKey, async (call) => {
    const { id } = call.params
    return deleteApiKey(deps, call.enter(await locate(deps.db, call, 'api_keys', id)), id, call.actor)
  })
}
