import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId, WebhookId } from '../../platform/ids.ts'
import { webhookDeliveries, webhooks } from './tables.ts'

export type WebhookRow = RowOf<typeof webhooks>
export type DeliveryRow = RowOf<typeof webhookDeliveries>

export const webhookSource = webhooks.sourceOf
export const selectWebhook = webhooks.byKey
export const selectWebhookForUpdate = webhooks.lock
export const insertWebhook = webhooks.insert
export const deleteWebhook = webhooks.delete
export const updateWebhook = webhooks.rewrite

export const selectAnyEnabledWebhook = (db: Reader) =>
  db.first<{ id: string }>(sql`SELECT id FROM webhooks WHERE enabled = 1 LIMIT 1`)

const subscriptions = webhooks.only('tenant_id', 'id', 'events')
export type Subscription = RowOf<typeof subscriptions>

export const selectSubscriptions = (db: Reader, tenantIds: readonly TenantId[], perTenantMax: number) =>
  subscriptions.all(db)`enabled = 1 AND tenant_id IN (${sql.list(tenantIds)}) LIMIT ${tenantIds.length * perTenantMax}`

export const deliverySource = (tenantId: TenantId, webhookId: string) =>
  webhookDeliveries.source(sql`tenant_id = ${tenantId} AND webhook_id = ${webhookId}`)

export const insertDeliveries = webhookDeliveries.insertAll
export const selectDeliveryForUpdate = webhookDeliveries.lock

/** Deliveries that are due, the longest waiting first. */
export const selectDueDeliveries = (
  db: Reader,
  tenantId: TenantId,
  webhookId: WebhookId,
  now: Timestamp,
  limit: number,
) =>
  webhookDeliveries.all(db)`tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND status = 'pending'
    AND next_attempt_at <= ${now}
    ORDER BY next_attempt_at LIMIT ${limit}`

export async function selectNextAttempt(
  db: Reader,
  tenantId: TenantId,
  webhookId: WebhookId,
): Promise<Timestamp | undefined> {
  const row = await db.first<{ next_attempt_at: Timestamp }>(sql`SELECT next_attempt_at FROM webhook_deliveries
    WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND status = 'pending'
    ORDER BY next_attempt_at LIMIT 1`)
  return row?.next_attempt_at
}

const setDelivery = webhookDeliveries.set(
  'status',
  'step',
  'attempts',
  'response_status',
  'error',
  'next_attempt_at',
  'last_attempt_at',
  'updated_at',
)

/** Changes the delivery only if it is still as it was read, so that the result of an attempt is recorded once. */
export const updateDelivery = (before: DeliveryRow, after: DeliveryRow): Statement =>
  sql`${setDelivery(after)} WHERE tenant_id = ${before.tenant_id} AND id = ${before.id} AND status = ${before.status}
    AND attempts = ${before.attempts} AND step = ${before.step}`

/** Counts, for each webhook, the deliveries older than that among the oldest `limit` of all. */
export const selectOldDeliveries = (db: Reader, before: Timestamp, limit: number) =>
  db.all<Pick<DeliveryRow, 'tenant_id' | 'id' | 'webhook_id'>>(sql`SELECT tenant_id, id, webhook_id
    FROM webhook_deliveries WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}`)

/** Returns the position of the event of the tenant's oldest delivery, whatever its status: each can be repeated as long as it exists. */
export async function selectOldestDelivered(db: Reader, tenantId: TenantId): Promise<number | undefined> {
  const row = await db.first<{ event_position: number }>(sql`SELECT event_position FROM webhook_deliveries
    WHERE tenant_id = ${tenantId} ORDER BY created_at LIMIT 1`)
  return row?.event_position
}

export const deleteDeliveries = (tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`DELETE FROM webhook_deliveries WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)})`
