import { endpoint } from '../../endpoint.ts'
import { EventType } from '../../events.ts'
import { pageOf, sample } from '../../examples.ts'
import {
  array,
  createdRange,
  id,
  narrowedTotal,
  object,
  oneOf,
  optional,
  page,
  pageQuery,
  recordBasis,
} from '../../schema.ts'
import {
  CreateWebhook,
  UpdateWebhook,
  Webhook,
  WebhookAttemptDayCount,
  WebhookDelivery,
  WebhookWithSecret,
  deliveryFilters,
} from '../../shapes/messaging/webhook.ts'

// A caller who decides where events are sent can read them, including personal data, and therefore needs permission to read what they
// contain.
const receives = 'Requires events:read, or the permission to read the records that each type of event is about.'
const tag = 'Webhooks'
const params = object({ id: id() })
const paramsExample = { id: sample.webhook.id }

export const createWebhook = endpoint({
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  tag,
  summary: 'Create a webhook, which sends events to a URL',
  description: `Messages are signed as Standard Webhooks specifies. Only public https URLs are accepted, except in development. ${receives} A tenant can have at most 50 webhooks.`,
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: CreateWebhook,
  response: WebhookWithSecret,
  errors: ['not_found', 'webhook_limit_reached'],
  example: {
    body: { tenantId: sample.tenantId, url: sample.webhook.url, events: sample.webhook.events },
    response: sample.webhookWithSecret,
  },
})

export const listWebhooks = endpoint({
  id: 'listWebhooks',
  method: 'GET',
  path: '/tenants/{tenantId}/webhooks',
  tag,
  summary: "List a tenant's webhooks, newest first",
  permission: 'config:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  response: page(Webhook),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.webhook) },
})

export const getWebhook = endpoint({
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{id}',
  tag,
  summary: 'Read a webhook',
  permission: 'config:read',
  tenant: { locates: 'webhooks', by: 'params.id' },
  params,
  response: Webhook,
  errors: ['not_found'],
  example: { params: paramsExample, response: sample.webhook },
})

export const updateWebhook = endpoint({
  id: 'updateWebhook',
  method: 'PUT',
  path: '/webhooks/{id}',
  tag,
  summary: 'Change a webhook',
  description: `Properties that the body leaves out stay as they are. Deliveries wait while the webhook is disabled. With url or events in the body: ${receives}`,
  permission: 'config:write',
  tenant: { locates: 'webhooks', by: 'params.id' },
  params,
  query: object(recordBasis),
  body: UpdateWebhook,
  response: Webhook,
  errors: ['not_found', 'changed_meanwhile'],
  example: { params: paramsExample, body: { events: ['*'] }, response: { ...sample.webhook, events: ['*'] } },
})

export const deleteWebhook = endpoint({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  tag,
  summary: 'Delete a webhook',
  description: 'Events that were not delivered yet are no longer sent.',
  permission: 'config:write',
  tenant: { locates: 'webhooks', by: 'params.id' },
  params,
  response: Webhook,
  errors: ['not_found'],
  example: { params: paramsExample, response: sample.webhook },
})

export const rotateWebhookSecret = endpoint({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  tag,
  summary: "Replace a webhook's signing secret",
  description: `For 24 hours messages have two signatures, one with the new secret and one with the previous secret. ${receives}`,
  permission: 'config:write',
  tenant: { locates: 'webhooks', by: 'params.id' },
  params,
  response: WebhookWithSecret,
  errors: ['not_found'],
  example: { params: paramsExample, response: sample.webhookWithSecret },
})

export const listWebhookDeliveries = endpoint({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  tag,
  summary: "List a webhook's deliveries, newest first",
  description: `Deliveries are kept for 30 days. ${narrowedTotal}`,
  permission: 'config:read',
  tenant: { locates: 'webhooks', by: 'params.id' },
  params,
  query: object({
    ...pageQuery.properties,
    ...createdRange,
    status: optional(
      oneOf(deliveryFilters, {
        description:
          'Only deliveries with this status; `undelivered` means those that have failed so far, wait or were given up',
      }),
    ),
    eventType: optional(EventType),
  }),
  response: page(WebhookDelivery),
  errors: ['not_found'],
  example: { params: paramsExample, response: pageOf(sample.webhookDelivery) },
})

export const listWebhookAttemptsByDay = endpoint({
  id: 'listWebhookAttemptsByDay',
  method: 'GET',
  path: '/webhooks/stats/attempts-by-day',
  tag,
  summary: 'Count the attempts to deliver events that succeeded and failed on each day',
  description:
    'Counts attempts for all webhooks of the tenant. Covers the last 30 days in UTC, including today, oldest first.',
  permission: 'config:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  response: array(WebhookAttemptDayCount),
  errors: ['not_found'],
  example: {
    query: { tenantId: sample.tenantId },
    response: [{ date: '2026-11-20', succeeded: 140, failed: 2 }],
  },
})

export const retryWebhookDelivery = endpoint({
  id: 'retryWebhookDelivery',
  method: 'POST',
  path: '/webhooks/deliveries/{id}/retry',
  tag,
  summary: 'Send a delivery again now',
  description: 'This also works for a delivery that succeeded. Its schedule of attempts starts again.',
  permission: 'config:write',
  tenant: { locates: 'webhook_deliveries', by: 'params.id' },
  params,
  response: WebhookDelivery,
  errors: ['not_found', 'webhook_disabled'],
  example: { params: { id: sample.webhookDelivery.id }, response: sample.webhookDelivery },
})
