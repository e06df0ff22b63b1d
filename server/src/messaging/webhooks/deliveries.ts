// Deliveries to a webhook, and repeating them.
import { type DeliveryFilter, type EventType, type WebhookAttemptDayCount, deliveryStatuses } from '@bailiwick/contract'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import { sql } from '../../platform/db/sql.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import {
  type CreatedRange,
  type ListIndex,
  narrowed,
  narrowedByParts,
  totalOf,
} from '../../platform/http/lists/list-filter.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { daysBefore, readDays, windowDays } from '../../platform/statistics/day-counters.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { presentDelivery } from './present.ts'
import * as queries from './queries.ts'
import { deliverJob } from './schedule.ts'
import { deliveryCounter } from './tables.ts'

const keptMs = 30 * 24 * 60 * 60 * 1000
const removedAtOnce = 1000

export interface DeliveryQuery extends PageQuery, CreatedRange {
  readonly status?: DeliveryFilter
  readonly eventType?: EventType
}

const listIndexes: readonly ListIndex[] = [
  { name: 'webhook_deliveries_type', columns: { event_type: null, status: deliveryStatuses } },
  { name: 'webhook_deliveries_status', columns: { status: null } },
]

/** What has not reached the receiver is two ranges of either index. */
const undelivered = deliveryStatuses.filter((each) => each !== 'succeeded').map((each) => sql`status = ${each}`)

function deliveryList(tenantId: TenantId, webhookId: string, query: DeliveryQuery) {
  const { status, eventType: event_type } = query
  const list = queries.deliverySource(tenantId, webhookId)
  if (status === 'undelivered') {
    const name = event_type === undefined ? 'webhook_deliveries_status' : 'webhook_deliveries_type'
    return narrowedByParts(list, { event_type }, { name, parts: undelivered }, query)
  }
  return narrowed(list, { event_type, status }, listIndexes, query, 'webhook_deliveries_list')
}

/** @throws ApiError not_found */
export async function listWebhookDeliveries({ db }: Deps, tenantId: TenantId, webhookId: string, query: DeliveryQuery) {
  if ((await queries.selectWebhook(db, tenantId, webhookId)) === undefined) throw notFound()
  const request = pageRequest(query)
  const list = deliveryList(tenantId, webhookId, query)
  const { page, total } = await selectPageAndTotal(
    db,
    list,
    totalOf(tenantId, list, deliveryCounter(webhookId)),
    request,
  )
  return pageEnvelope(page, page.rows.map(presentDelivery), total, request.perPage)
}

/** Returns the last 30 days, with zeros for days without attempts. @throws ApiError not_found */
export async function countAttemptsByDay(deps: Deps, tenantId: TenantId): Promise<WebhookAttemptDayCount[]> {
  await getTenant(deps, tenantId)
  const days = daysBefore(deps.clock.now(), 0, windowDays)
  const [succeeded, failed] = await Promise.all([
    readDays(deps, tenantId, 'webhook_attempts_succeeded', days),
    readDays(deps, tenantId, 'webhook_attempts_failed', days),
  ])
  return succeeded.map(({ date, count }, index) => ({ date, succeeded: count, failed: failed[index]?.count ?? 0 }))
}

/**
 * Repeats the delivery at once, whatever its status; its schedule starts again.
 * @throws ApiError not_found, webhook_disabled
 */
export async function retryWebhookDelivery({ db, clock }: Deps, tenantId: TenantId, id: string) {
  return db.transaction(async (tx) => {
    const before = await queries.selectDeliveryForUpdate(tx, tenantId, id)
    const webhook = before && (await queries.selectWebhook(tx, tenantId, before.webhook_id))
    if (before === undefined || webhook === undefined) throw notFound()
    if (webhook.enabled === 0) throw new ApiError('webhook_disabled')
    const now: Timestamp = clock.now()
    const after: queries.DeliveryRow = { ...before, status: 'pending', step: 0, next_attempt_at: now, updated_at: now }
    await tx.run(queries.updateDelivery(before, after))
    await tx.run(deliverJob(clock, tenantId, webhook.id))
    return presentDelivery(after)
  })
}

/**
 * Removes deliveries that are older than thirty days, a thousand at a time.
 * @returns whether there are more.
 */
export async function removeOldDeliveries({ db, clock }: Deps): Promise<boolean> {
  const old = await queries.selectOldDeliveries(db, addMilliseconds(clock.now(), -keptMs), removedAtOnce)
  for (const [tenantId, own] of Map.groupBy(old, (row) => row.tenant_id)) {
    const byWebhook = Map.groupBy(own, (row) => row.webhook_id)
    await db.transaction(async (tx) => {
      for (const [webhookId, rows] of byWebhook) {
        const removed = await tx.run(
          queries.deleteDeliveries(
            tenantId,
            rows.map((row) => row.id),
          ),
        )
        if (removed > 0) await tx.run(addToCounters(tx, tenantId, { [deliveryCounter(webhookId)]: -removed }))
      }
    })
  }
  return old.length === removedAtOnce
}
