// The audit log as lists.
import type { Deps } from '../deps.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPage } from '../http/page.ts'
import type { TenantId } from '../ids.ts'
import { getTenant } from '../tenants/tenants.ts'
import { type EventRow, eventColumns } from './feed.ts'
import { presentEvents } from './present.ts'

/** What a request counts by itself at most; what is sealed was counted in the background. */
const countMax = 10_000

export interface EventQuery extends PageQuery {
  readonly type?: string
  readonly subject?: string
}

export const eventCounter = (type?: string) => (type === undefined ? 'events' : `events:${type}`)

async function countUpTo(db: Deps['db'], where: Fragment): Promise<number> {
  const row = await db.first<{ total: number }>(
    sql`SELECT COUNT(*) AS total FROM (SELECT 1 AS one FROM events WHERE ${where} LIMIT ${countMax}) AS counted`,
  )
  return row?.total ?? 0
}

/** The sealed ones from their counter, and the few that are newer one by one, both as of the same moment. */
async function countOfType(db: Deps['db'], tenantId: TenantId, type: string | undefined, where: Fragment) {
  const row = await db.first<{ total: number }>(sql`SELECT
    (SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT) FROM counters
      WHERE tenant_id = ${tenantId} AND name = ${eventCounter(type)}) +
    (SELECT COUNT(*) FROM (SELECT 1 AS one FROM events WHERE ${where} AND created_at >
      COALESCE((SELECT newest_created_at FROM event_checkpoints WHERE tenant_id = ${tenantId}), '')
      LIMIT ${countMax}) AS fresh) AS total`)
  return row?.total ?? 0
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listEvents(deps: Deps, tenantId: TenantId, query: EventQuery) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const { type, subject } = query
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(subject === undefined ? [] : [sql`subject_id = ${subject}`]),
  ]
  const where = sql.join(conditions, ' AND ')
  const request = pageRequest(query)
  const [page, total] = await Promise.all([
    selectPage<EventRow>(db, { columns: eventColumns, table: sql`events`, where }, request),
    subject === undefined ? countOfType(db, tenantId, type, where) : countUpTo(db, where),
  ])
  return pageEnvelope(page, await presentEvents(deps, tenantId, page.rows), total, request.perPage)
}
