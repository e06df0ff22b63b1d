import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { locate } from '../../platform/http/locate.ts'
import { type Call, type Router, route } from '../../platform/http/route.ts'
import { listWebhookDeliveries, retryWebhookDelivery } from './deliveries.ts'
import * as webhooks from './webhooks.ts'

type WithId = { readonly id: string }

export function webhookRoutes(router: Router, deps: Deps) {
  const enter = async (
    call: Pick<Call<typeof endpoints.getWebhook>, 'principal' | 'permission' | 'enter'> & { readonly params: WithId },
    table: 'webhooks' | 'webhook_deliveries' = 'webhooks',
  ) => call.enter(await locate(deps.db, call, table, call.params.id))

  route(router, endpoints.createWebhook, async (call) => {
    const { tenantId, ...input } = call.body
    return webhooks.createWebhook(deps, call.enter(tenantId), input, call.principal, call.actor)
  })

  route(router, endpoints.listWebhooks, async (call) =>
    webhooks.listWebhooks(deps, call.enter(call.params.tenantId), call.query),
  )

  route(router, endpoints.getWebhook, async (call) => webhooks.getWebhook(deps, await enter(call), call.params.id))

  route(router, endpoints.updateWebhook, async (call) =>
    webhooks.updateWebhook(deps, await enter(call), call.params.id, call.body, call.principal, call.actor),
  )

  route(router, endpoints.deleteWebhook, async (call) =>
    webhooks.deleteWebhook(deps, await enter(call), call.params.id, call.actor),
  )

  route(router, endpoints.rotateWebhookSecret, async (call) =>
    webhooks.rotateWebhookSecret(deps, await enter(call), call.params.id, call.principal, call.actor),
  )

  route(router, endpoints.listWebhookDeliveries, async (call) =>
    listWebhookDeliveries(deps, await enter(call), call.params.id, call.query),
  )

  route(router, endpoints.retryWebhookDelivery, async (call) =>
    retryWebhookDelivery(deps, await enter(call, 'webhook_deliveries'), call.params.id),
  )
}
