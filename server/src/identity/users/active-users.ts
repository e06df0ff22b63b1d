// Pages of a tenant's active users, or of those who are not anonymous, newest first. Nearly all users are, so that a page is found among the
// nearest users in one statement. Where they are not, the others are passed over stretch by stretch.
import type { Database, Reader } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { PageAndTotal, PageRequest } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type UserFilter, listedBy, remaining } from './user-filter.ts'
import { type UserRow, selectUsersCreatedAt, userSource } from './user-records.ts'
import { walkAll } from './user-walk.ts'

/** How many users are looked at for each that is wanted. */
const nearPerWanted = 4

interface List {
  readonly tenantId: TenantId
  readonly filter: UserFilter
  /** The number of users in it, as an expression. */
  readonly total: Fragment
}

interface NearRow extends Omit<UserRow, 'created_at'> {
  /** Null in the only row if there is no active user among the nearest. */
  readonly created_at: string | null
  readonly list_total: number
  readonly page_prev: string | null
  readonly older_count: number
  readonly newer_count: number
  readonly newer_active: number
}

function selectNear({ tenantId, filter, total }: List, { from, perPage }: PageRequest, length: number): Fragment {
  const base = listedBy(tenantId, filter)
  const older = sql`SELECT created_at, status, is_anonymous FROM users
    WHERE ${base} ${from === undefined ? sql`` : sql`AND created_at <= ${from}`} ORDER BY created_at DESC LIMIT ${length}`
  const newer = sql`SELECT created_at, status, is_anonymous FROM users
    WHERE ${base} AND ${from === undefined ? sql`1 = 0` : sql`created_at > ${from}`} ORDER BY created_at LIMIT ${length}`
  const isWanted = remaining(filter)
  return sql`WITH older AS MATERIALIZED (${older}), newer AS MATERIALIZED (${newer}), page AS (
      SELECT ${userSource(base).columns} FROM users WHERE tenant_id = ${tenantId} AND created_at IN (
        SELECT created_at FROM older WHERE ${isWanted} ORDER BY created_at DESC LIMIT ${perPage + 1})),
    around AS (SELECT ${total} AS list_total, (SELECT COUNT(*) FROM older) AS older_count,
      (SELECT COUNT(*) FROM newer) AS newer_count, (SELECT COUNT(*) FROM newer WHERE ${isWanted}) AS newer_active,
      (SELECT MAX(created_at) FROM (
        SELECT created_at FROM newer WHERE ${isWanted} ORDER BY created_at LIMIT ${perPage}) AS near) AS page_prev)
    SELECT * FROM around LEFT JOIN page ON 1 = 1 ORDER BY created_at DESC`
}

/** Returns undefined if more users must be looked at. */
async function nearPage(reader: Reader, list: List, request: PageRequest): Promise<PageAndTotal<UserRow> | undefined> {
  const { perPage } = request
  const length = nearPerWanted * (perPage + 1)
  const found = await reader.all<NearRow>(selectNear(list, request, length))
  const rows = found.filter((row): row is NearRow & UserRow => row.created_at !== null)
  const [around] = found
  if (around === undefined) return undefined
  const isWhole = rows.length > perPage || around.older_count < length
  const isPrevKnown = around.newer_active >= perPage || around.newer_count < length
  if (!isWhole || !isPrevKnown) return undefined
  const page = { rows: rows.slice(0, perPage), next: rows[perPage]?.created_at ?? null, prev: around.page_prev }
  return { page, total: around.list_total }
}

async function walkedPage(
  reader: Reader,
  { tenantId, filter, total }: List,
  { from, perPage }: PageRequest,
): Promise<PageAndTotal<UserRow>> {
  const isWanted = remaining(filter)
  const counted = await reader.first<{ total: number }>(sql`SELECT ${total} AS total`)
  const times = await walkAll(reader, tenantId, filter, isWanted, {
    start: from,
    direction: 'older',
    count: perPage + 1,
  })
  const start = times[0] ?? from
  const newer =
    from === undefined
      ? []
      : await walkAll(reader, tenantId, filter, isWanted, { start, direction: 'newer', count: perPage })
  const visible = times.slice(0, perPage)
  const rows = visible.length === 0 ? [] : await selectUsersCreatedAt(reader, tenantId, visible)
  return { page: { rows, next: times[perPage] ?? null, prev: newer.at(-1) ?? null }, total: counted?.total ?? 0 }
}

/** Returns a page and the number of such users, both of one moment. */
export const selectActiveUsers = async (
  db: Pick<Database, 'all' | 'first' | 'snapshot'>,
  list: List,
  request: PageRequest,
): Promise<PageAndTotal<UserRow>> =>
  (await nearPage(db, list, request)) ?? db.snapshot((reader) => walkedPage(reader, list, request))
