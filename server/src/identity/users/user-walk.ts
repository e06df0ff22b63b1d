// Walks users in the order of the list until enough matches are found, or many users have been passed over; frequent matches are found soon.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type UserFilter, listedBy } from './user-filter.ts'

const stretchMax = 4000
const shortMax = 128
/** Reads more than the density found so far asks for, because it varies. */
const stretchMargin = 1.3

export type Direction = 'older' | 'newer'

export interface Way {
  /** undefined means from the newest. */
  readonly start: string | undefined
  readonly direction: Direction
  readonly count: number
}

const ways = {
  older: { order: sql`created_at DESC`, from: sql`created_at <=`, after: sql`created_at <`, end: sql`MIN(created_at)` },
  newer: { order: sql`created_at`, from: sql`created_at >`, after: sql`created_at >`, end: sql`MAX(created_at)` },
} as const

/** Few different lengths make few statements. */
function stretchOf(wanted: number): number {
  let stretch = 64
  while (stretch < Math.min(wanted, stretchMax)) stretch *= 2
  return stretch
}

interface Stretch {
  /** The times of the users who match the condition. */
  readonly times: readonly string[]
  /** Where the next stretch continues; undefined if there are no users beyond. */
  readonly last: string | undefined
}

/** So short a stretch is read as a whole faster than the engine filters it. */
async function shortStretch(db: Reader, condition: Fragment, within: Fragment, length: number): Promise<Stretch> {
  const rows = await db.all<{ created_at: string; is_match: number }>(
    sql`SELECT created_at, CASE WHEN ${condition} THEN 1 ELSE 0 END AS is_match ${within} LIMIT ${length}`,
  )
  const times = rows.filter((row) => row.is_match === 1).map((row) => row.created_at)
  return { times, last: rows[length - 1]?.created_at }
}

async function longStretch(
  db: Reader,
  condition: Fragment,
  within: Fragment,
  length: number,
  { order, end }: (typeof ways)[Direction],
): Promise<Stretch> {
  const rows = await db.all<{ created_at: string | null; is_end: number }>(sql`
    WITH stretch AS MATERIALIZED (
      SELECT created_at, CASE WHEN ${condition} THEN 1 ELSE 0 END AS is_match ${within} LIMIT ${length})
    SELECT created_at, is_end FROM (
      SELECT created_at, 0 AS is_end FROM stretch WHERE is_match = 1
      UNION ALL SELECT ${end}, 1 FROM stretch HAVING COUNT(*) = ${length}) AS answer
    ORDER BY is_end, ${order} LIMIT ${length + 1}`)
  const times = rows.flatMap((row) => (row.is_end === 0 && row.created_at !== null ? [row.created_at] : []))
  const last = rows.at(-1)
  return { times, last: last?.is_end === 1 ? (last.created_at ?? undefined) : undefined }
}

/** So many users are passed over for one page at most, so that no search costs more however many users there are. */
export const walkedMax = 20_000

export interface Walked {
  /** The times of the users who match the condition, nearest first. */
  readonly times: readonly string[]
  /** The last user who was passed over, if there may be more matches beyond. */
  readonly stoppedAt?: string
}

interface Limits {
  /** The walk stops once it has passed over so many users. */
  readonly walkedMax: number
  /** The walk gives up if, by the matches so far, it would have to pass over more. */
  readonly expectedMax?: number
}

/** Walks from `start` on until the page is full. Returns undefined if it has given up. */
export async function walk(
  db: Reader,
  { tenantId, filter }: { readonly tenantId: TenantId; readonly filter: UserFilter },
  condition: Fragment,
  { start, direction, count }: Way,
  { walkedMax: rowsMax, expectedMax = Number.POSITIVE_INFINITY }: Limits,
): Promise<Walked | undefined> {
  const way = ways[direction]
  const base = listedBy(tenantId, filter)
  const found: string[] = []
  let bound = start === undefined ? sql`` : sql`AND ${way.from} ${start}`
  let walked = 0
  let length = Math.min(4 * count, rowsMax)
  for (;;) {
    const within = sql`FROM users WHERE ${base} ${bound} ORDER BY ${way.order}`
    const { times, last } = await (length <= shortMax
      ? shortStretch(db, condition, within, length)
      : longStretch(db, condition, within, length, way))
    found.push(...times)
    if (found.length >= count || last === undefined) return { times: found.slice(0, count) }
    bound = sql`AND ${way.after} ${last}`
    walked += length
    const wanted = Math.ceil((walked / Math.max(found.length, 1)) * (count - found.length) * stretchMargin)
    if (wanted > expectedMax) return undefined
    if (walked >= rowsMax) return { times: found, stoppedAt: last }
    // On SQLite nothing here ever waits for I/O, so other requests would not get a turn.
    await nextTurn()
    length = Math.min(stretchOf(wanted), rowsMax - walked)
  }
}

/** Walks until the page is full, for conditions that nearly all users meet. */
export const walkAll = async (
  db: Reader,
  tenantId: TenantId,
  filter: UserFilter,
  condition: Fragment,
  way: Way,
): Promise<readonly string[]> => {
  const walked = await walk(db, { tenantId, filter }, condition, way, { walkedMax: Number.POSITIVE_INFINITY })
  return walked?.times ?? []
}
