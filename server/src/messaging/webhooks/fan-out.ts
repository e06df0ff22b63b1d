// Reads the event log forward and writes a delivery for each webhook that subscribes to an event. Events of tenants without webhooks only
// have to be skipped.
import { addToCounters } from '../../platform/db/counters.ts'
import type { NewRowOf } from '../../platform/db/table.ts'
import {
  type EventRow,
  type FeedCursor,
  PlaceMoved,
  cursorOf,
  feedEnd,
  movePlace,
  readFeed,
  readPlace,
} from '../../platform/events/feed.ts'
import { type TenantId, type WebhookId, newId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'
import { deliverJob } from './schedule.ts'
import { deliveryCounter, webhookDeliveries } from './tables.ts'
import { webhooksPerTenantMax } from './webhooks.ts'

const eventsMax = 500
/** Without this limit, fifty webhooks in a tenant and five hundred events would make a transaction of twenty-five thousand rows. */
const deliveriesMax = 1000

interface Wanted {
  readonly webhookId: WebhookId
  readonly event: EventRow
}

const wants = (subscription: queries.Subscription, event: EventRow) => {
  const types = fromJson(subscription.events)
  return subscription.tenant_id === event.tenant_id && (types.includes('*') || types.includes(event.type))
}

/** Takes as many events as the limit of deliveries allows, but at least one. */
function match(events: readonly EventRow[], subscriptions: readonly queries.Subscription[]) {
  const byTenant = Map.groupBy(subscriptions, (each) => each.tenant_id)
  const wanted: Wanted[] = []
  let last: EventRow | undefined
  for (const event of events) {
    const own = (byTenant.get(event.tenant_id) ?? []).filter((each) => wants(each, event))
    if (last !== undefined && wanted.length + own.length > deliveriesMax) break
    for (const { id } of own) wanted.push({ webhookId: id, event })
    last = event
  }
  return { wanted, last }
}

function deliveryRow({ clock }: Deps, { webhookId, event }: Wanted): NewRowOf<typeof webhookDeliveries> {
  const at = clock.next()
  return {
    tenant_id: event.tenant_id,
    id: newId<'WebhookDeliveryId'>(),
    webhook_id: webhookId,
    event_position: event.position,
    event_id: event.id,
    event_type: event.type,
    status: 'pending',
    next_attempt_at: clock.now(),
    created_at: at,
    updated_at: at,
  }
}

/** The same order of keys everywhere, so that no two nodes wait for each other. */
const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1)

async function write(deps: Deps, from: FeedCursor, to: FeedCursor, wanted: readonly Wanted[]): Promise<boolean> {
  const { db, clock } = deps
  const counts = Map.groupBy(wanted, (each) => each.webhookId)
  const webhooks = [...counts]
    .map(([id, each]) => ({ id, tenantId: each[0]?.event.tenant_id as TenantId, count: each.length }))
    .toSorted(byId)
  try {
    await db.transaction(async (tx) => {
      if (!(await movePlace(tx, 'events.webhooks', from, to))) throw new PlaceMoved()
      if (wanted.length === 0) return
      await tx.run(queries.insertDeliveries(wanted.map((each) => deliveryRow(deps, each))))
      for (const { id, tenantId, count } of webhooks) {
        await tx.run(addToCounters(tx, tenantId, { [deliveryCounter(id)]: count }))
        await tx.run(deliverJob(clock, tenantId, id))
      }
    })
    return true
  } catch (error) {
    // Another node has written these deliveries.
    if (error instanceof PlaceMoved) return false
    throw error
  }
}

export interface FanOut {
  /** How many deliveries were written. */
  readonly deliveries: number
  readonly hasMore: boolean
}

/** Fans out the next events. */
export async function fanOutNext(deps: Deps): Promise<FanOut> {
  const { db } = deps
  const place = await readPlace(db, 'events.webhooks')
  // Read before the webhooks: a webhook that is not found after this was created after all events up to this end.
  const end = await feedEnd(db)
  const isWanted = (await queries.selectAnyEnabledWebhook(db)) !== undefined
  // Without webhooks it only matters whether there is any event.
  const events = await readFeed(db, place, isWanted ? eventsMax : 1)
  if (events.length === 0) return { deliveries: 0, hasMore: false }
  if (!isWanted) {
    await write(deps, place, end, [])
    return { deliveries: 0, hasMore: false }
  }
  const tenantIds = [...new Set(events.map((event) => event.tenant_id))]
  const subscriptions = await queries.selectSubscriptions(db, tenantIds, webhooksPerTenantMax)
  const { wanted, last } = match(events, subscriptions)
  if (last === undefined) return { deliveries: 0, hasMore: false }
  const isWritten = await write(deps, place, cursorOf(last), wanted)
  return { deliveries: isWritten ? wanted.length : 0, hasMore: last !== events.at(-1) || events.length === eventsMax }
}

/** Fans out all events, for tests. */
export async function fanOutAll(deps: Deps): Promise<void> {
  while ((await fanOutNext(deps)).hasMore);
}
