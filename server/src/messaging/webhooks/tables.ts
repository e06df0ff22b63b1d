import { CreateWebhook, type DeliveryStatus } from '@bailiwick/contract'
import { fieldsOf, listOf, matching } from '../../platform/db/accepted.ts'
import { flag, id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { WebhookDeliveryId, WebhookId } from '../../platform/ids.ts'

export const deliveryCounter = (webhookId: string) => `webhook_deliveries:${webhookId}`

const secret = matching(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'must be the secret of a webhook')

export const webhooks = table(
  'webhooks',
  {
    ...record<WebhookId>(),
    ...many(text(), 'url', 'sealed_secret'),
    ...many(text().nullable(), 'description', 'sealed_previous_secret'),
    events: json<string[]>(),
    enabled: flag().default(0),
    ...many(time().nullable(), 'previous_secret_until', 'first_failed_at', 'failing_since', 'held_until'),
  },
  {
    counted: [{ counter: 'webhooks' }],
    sealed: { sealed_secret: 'secret', sealed_previous_secret: 'previous_secret' },
    accepts: {
      ...fieldsOf(CreateWebhook),
      // An earlier version may have stored types that no longer exist.
      events: listOf(/^(?:\*|[a-z_.]{1,64})$/, 100),
      sealed_secret: secret,
      sealed_previous_secret: secret,
    },
  },
)

export const webhookDeliveries = table(
  'webhook_deliveries',
  {
    ...record<WebhookDeliveryId>(),
    webhook_id: id<WebhookId>(),
    event_position: integer(),
    ...many(text(), 'event_id', 'event_type'),
    status: text<DeliveryStatus>(),
    /** Failures since the schedule began. */
    step: integer().default(0),
    attempts: integer().default(0),
    response_status: integer().nullable(),
    error: text().nullable(),
    ...many(time().nullable(), 'next_attempt_at', 'last_attempt_at'),
  },
  {
    counted: [{ by: 'webhook_id', counter: deliveryCounter }],
    notExported: 'what was sent stays with who sent it',
  },
)
