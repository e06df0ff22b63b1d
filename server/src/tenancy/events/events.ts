// Lists of the audit log.
import { type Fragment, sql } from '../../platform/db/sql.ts'
import { eventCounter, isUnread, shownEvents } from '../../platform/events/feed.ts'
import { presentEvents } from '../../platform/events/present.ts'
import { countUpTo, type CreatedRange, type ListIndex, narrowed } from '../../platform/http/lists/list-filter.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { getTenant } from '../tenants/tenants.ts'
import { readNames } from '../tenants/versions/record-names.ts'

/** How many events of one subject or of one moment a request counts at most. */
const countMax = 10_000
/** How many unsealed events a request counts at most: many more than a tenant writes while the sealer is behind. */
const unsealedMax = 1_000_000

export interface EventQuery extends PageQuery, CreatedRange {
  readonly type?: string
  readonly subject?: string
  readonly actor?: string
}

/**
 * Adds the counter of the sealed events to the number of unsealed ones. Both are read in one snapshot and divided by the sealer's place in
 * the log. Times could not divide them, because clocks are set back and transactions overtake each other.
 */
function countOfType(db: Deps['db'], tenantId: TenantId, type: string | undefined): Fragment {
  const ofType = type === undefined ? sql`` : sql`WHERE type = ${type}`
  return sql`(
    (SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT) FROM counters
      WHERE tenant_id = ${tenantId} AND name = ${eventCounter(type)}) +
    (SELECT COUNT(*) FROM (SELECT type FROM events
      WHERE tenant_id = ${tenantId} AND ${isUnread(db.engine, 'events.seals')} LIMIT ${unsealedMax}) AS unsealed ${ofType}))`
}

const listIndexes: readonly ListIndex[] = [
  { name: 'events_actor', columns: { actor_id: null } },
  { name: 'events_subject', columns: { subject_id: null } },
  { name: 'events_type', columns: { type: null } },
]

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listEvents(deps: Deps, tenantId: TenantId, query: EventQuery) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const { type, subject, actor, createdAfter, createdBefore } = query
  const isOfAll = [subject, actor, createdAfter, createdBefore].every((each) => each === undefined)
  const asked = { actor_id: actor, subject_id: subject, type }
  // The condition is that of the index.
  const byActor = actor === undefined ? sql`` : sql` AND actor_type IN ('console_user', 'api_key')`
  const list = narrowed(shownEvents.source(sql`tenant_id = ${tenantId}${byActor}`), asked, listIndexes, query)
  const request = pageRequest(query)
  const total = isOfAll ? countOfType(db, tenantId, type) : countUpTo(list, countMax)
  const { page, total: counted } = await selectPageAndTotal(db, list, total, request)
  const events = await presentEvents(deps, tenantId, page.rows)
  const findName = await readNames(
    db,
    tenantId,
    events.flatMap((event) => [event.actor, event.subject]),
  )
  const named = events.map((event) => ({
    ...event,
    actorName: findName(event.actor),
    subjectName: findName(event.subject),
  }))
  return pageEnvelope(page, named, counted, request.perPage)
}
