import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { countAttemptsByDay, listWebhookDeliveries, retryWebhookDelivery } from './deliveries.ts'
import * as webhooks from './webhooks.ts'

export function webhookRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createWebhook, ({ tenantId, input, principal, actor }) =>
    webhooks.createWebhook(deps, tenantId, input, principal, actor),
  )
  handle(endpoints.listWebhooks, ({ tenantId, query }) => webhooks.listWebhooks(deps, tenantId, query))
  handle(endpoints.getWebhook, ({ tenantId, params }) => webhooks.getWebhook(deps, tenantId, params.id))
  handle(endpoints.updateWebhook, ({ tenantId, params, body, query, principal, actor }) =>
    webhooks.updateWebhook(deps, tenantId, params.id, body, { caller: principal, actor }, query),
  )
  handle(endpoints.deleteWebhook, ({ tenantId, params, actor }) =>
    webhooks.deleteWebhook(deps, tenantId, params.id, actor),
  )
  handle(endpoints.rotateWebhookSecret, ({ tenantId, params, principal, actor }) =>
    webhooks.rotateWebhookSecret(deps, tenantId, params.id, principal, actor),
  )
  handle(endpoints.listWebhookDeliveries, ({ tenantId, params, query }) =>
    listWebhookDeliveries(deps, tenantId, params.id, query),
  )
  handle(endpoints.listWebhookAttemptsByDay, ({ tenantId }) => countAttemptsByDay(deps, tenantId))
  handle(endpoints.retryWebhookDelivery, ({ tenantId, params }) => retryWebhookDelivery(deps, tenantId, params.id))
}
