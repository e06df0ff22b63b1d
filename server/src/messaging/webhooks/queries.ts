import type { DeliveryStatus } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId, WebhookDeliveryId, WebhookId } from '../../platform/ids.ts'

export interface WebhookRow {
  readonly tenant_id: TenantId
  readonly id: WebhookId
  readonly url: string
  readonly description: string | null
  readonly events: string
  readonly enabled: number
  readonly sealed_secret: string
  readonly sealed_previous_secret: string | null
  readonly previous_secret_until: Timestamp | null
  readonly first_failed_at: Timestamp | null
  readonly failing_since: Timestamp | null
  readonly held_until: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface DeliveryRow {
  readonly tenant_id: TenantId
  readonly id: WebhookDeliveryId
  readonly webhook_id: WebhookId
  readonly event_position: number
  readonly event_id: string
  readonly event_type: string
  readonly status: DeliveryStatus
  /** Failures since the schedule began. */
  readonly step: number
  readonly attempts: number
  readonly response_status: number | null
  readonly error: string | null
  readonly next_attempt_at: Timestamp | null
  readonly last_attempt_at: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const webhookColumns: Fragment = sql`tenant_id, id, url, description, events, enabled, sealed_secret,
  sealed_previous_secret, previous_secret_until, first_failed_at, failing_since, held_until, created_at, updated_at`
const deliveryColumns: Fragment = sql`tenant_id, id, webhook_id, event_position, event_id, event_type, status, step,
  attempts, response_status, error, next_attempt_at, last_attempt_at, created_at, updated_at`

export const webhookSource = (tenantId: TenantId) => ({
  columns: webhookColumns,
  table: sql`webhooks`,
  where: sql`tenant_id = ${tenantId}`,
})

export const deliverySource = (tenantId: TenantId, webhookId: string) => ({
  columns: deliveryColumns,
  table: sql`webhook_deliveries`,
  where: sql`tenant_id = ${tenantId} AND webhook_id = ${webhookId}`,
})

export const selectWebhook = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<WebhookRow>(sql`SELECT ${webhookColumns} FROM webhooks WHERE tenant_id = ${tenantId} AND id = ${id}`)

export const selectWebhookForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<WebhookRow>(
    sql`SELECT ${webhookColumns} FROM webhooks WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const insertWebhook = (row: WebhookRow): Statement => sql`INSERT INTO webhooks
  (tenant_id, id, url, description, events, enabled, sealed_secret, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.url}, ${row.description}, ${row.events}, ${row.enabled},
    ${row.sealed_secret}, ${row.created_at}, ${row.updated_at})`

export const updateWebhook = (row: WebhookRow): Statement => sql`UPDATE webhooks SET url = ${row.url},
    description = ${row.description}, events = ${row.events}, enabled = ${row.enabled},
    sealed_secret = ${row.sealed_secret}, sealed_previous_secret = ${row.sealed_previous_secret},
    previous_secret_until = ${row.previous_secret_until}, first_failed_at = ${row.first_failed_at},
    failing_since = ${row.failing_since}, held_until = ${row.held_until}, updated_at = ${row.updated_at}
  WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

export const deleteWebhook = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM webhooks WHERE tenant_id = ${tenantId} AND id = ${id}`

export const selectAnyEnabledWebhook = (db: Reader) =>
  db.first<{ id: string }>(sql`SELECT id FROM webhooks WHERE enabled = 1 LIMIT 1`)

export type Subscription = Pick<WebhookRow, 'tenant_id' | 'id' | 'events'>

export const selectSubscriptions = (db: Reader, tenantIds: readonly TenantId[], perTenantMax: number) =>
  db.all<Subscription>(
    sql`SELECT tenant_id, id, events FROM webhooks WHERE enabled = 1 AND tenant_id IN (${sql.join(
      tenantIds.map((id) => sql`${id}`),
      ', ',
    )}) LIMIT ${tenantIds.length * perTenantMax}`,
  )

const insertedColumns = sql`tenant_id, id, webhook_id, event_position, event_id, event_type, status, next_attempt_at,
  created_at, updated_at`

export const insertDeliveries = (rows: readonly DeliveryRow[]): Statement =>
  sql`INSERT INTO webhook_deliveries (${insertedColumns}) ${sql.values(
    rows.map((row) => [
      row.tenant_id,
      row.id,
      row.webhook_id,
      row.event_position,
      row.event_id,
      row.event_type,
      row.status,
      row.next_attempt_at,
      row.created_at,
      row.updated_at,
    ]),
  )}`

export const selectDelivery = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<DeliveryRow>(
    sql`SELECT ${deliveryColumns} FROM webhook_deliveries WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )

export const selectDeliveryForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<DeliveryRow>(
    sql`SELECT ${deliveryColumns} FROM webhook_deliveries WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

/** Those whose time has come, the longest waiting first. */
export const selectDueDeliveries = (
  db: Reader,
  tenantId: TenantId,
  webhookId: WebhookId,
  now: Timestamp,
  limit: number,
) =>
  db.all<DeliveryRow>(sql`SELECT ${deliveryColumns} FROM webhook_deliveries
    WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND status = 'pending' AND next_attempt_at <= ${now}
    ORDER BY next_attempt_at LIMIT ${limit}`)

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

/** Only of the delivery as it was read: a second account of the same attempt changes nothing. */
export const updateDelivery = (before: DeliveryRow, after: DeliveryRow): Statement => sql`UPDATE webhook_deliveries
  SET status = ${after.status}, step = ${after.step}, attempts = ${after.attempts},
    response_status = ${after.response_status}, error = ${after.error}, next_attempt_at = ${after.next_attempt_at},
    last_attempt_at = ${after.last_attempt_at}, updated_at = ${after.updated_at}
  WHERE tenant_id = ${before.tenant_id} AND id = ${before.id} AND status = ${before.status}
    AND attempts = ${before.attempts} AND step = ${before.step}`

/** How many deliveries older than that each webhook has among the oldest `limit` of them all. */
export const selectOldDeliveries = (db: Reader, before: Timestamp, limit: number) =>
  db.all<Pick<DeliveryRow, 'tenant_id' | 'id' | 'webhook_id'>>(sql`SELECT tenant_id, id, webhook_id
    FROM webhook_deliveries WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}`)

export const deleteDeliveries = (tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`DELETE FROM webhook_deliveries WHERE tenant_id = ${tenantId} AND id IN (${sql.join(
    ids.map((id) => sql`${id}`),
    ', ',
  )})`
