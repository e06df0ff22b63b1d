import type { Webhook, WebhookDelivery } from '@bailiwick/contract'
import { fromJson } from '../../platform/json-text.ts'
import type { DeliveryRow, WebhookRow } from './queries.ts'

export const presentWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  tenantId: row.tenant_id,
  url: row.url,
  description: row.description,
  events: fromJson(row.events),
  enabled: row.enabled === 1,
  failingSince: row.failing_since,
  firstFailedAt: row.first_failed_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const presentDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  tenantId: row.tenant_id,
  webhookId: row.webhook_id,
  eventId: row.event_id,
  eventType: row.event_type,
  status: row.status,
  attempts: row.attempts,
  responseStatus: row.response_status,
  error: row.error,
  nextAttemptAt: row.next_attempt_at,
  lastAttemptAt: row.last_attempt_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
