// Users by the beginning of what they are called, newest first. Each way of being found has its own index, in which matches are
// counted, up to a few thousand. Of so few the page is sorted here. What begins so common a text that there are more is met
// again soon when walking the users in the order of the list, so those are filtered there, stretch by stretch.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isId } from '@bailiwick/contract'
import type { Reader } from '../db/database.ts'
import { type Fragment, type Statement, sql } from '../db/sql.ts'
import type { PageRequest } from '../http/page.ts'
import type { TenantId } from '../ids.ts'
import { phonePrefix, prefixRange, searchKey } from './search-keys.ts'
import { type UserFilter, isWithin, listedBy, remainderOf } from './user-filter.ts'

/** What a total counts up to. */
export const matchesMax = 1000
/** So many matches cost about as much to read as it costs to pass over the users between twenty of them, among a million. */
const namesMax = 3000
const contactsMax = 2000
const stretchMax = 4000
/** More than the density found so far asks for, for it varies. */
const stretchMargin = 1.3

interface Candidate {
  readonly created_at: string
  readonly status: string
  readonly role_id: string | null
}

/** One way of being found. */
interface Source {
  /** As many rows as matches, `max + 1` at most, read from the index alone. */
  readonly matches: Fragment
  readonly candidates: Statement
  readonly max: number
  /** The same as a condition on a row of users. */
  readonly condition: Fragment
}

function sourcesOf(tenantId: TenantId, text: string, filter: UserFilter): readonly Source[] {
  // Without a filter the indexes of names answer alone.
  const isFiltered = filter.status !== undefined || filter.roleId !== undefined
  const columns = isFiltered ? sql`users.created_at, users.status, users.role_id` : sql`users.created_at`
  const { from, to } = prefixRange(searchKey(text))

  const ofUsers = (column: string, max: number): Source => {
    const key = sql.identifier(column)
    const condition = sql`(${key} >= ${from} AND ${key} < ${to})`
    return {
      matches: sql`SELECT 1 FROM users WHERE tenant_id = ${tenantId} AND ${condition} LIMIT ${max + 1}`,
      candidates: sql`SELECT ${columns} FROM users WHERE tenant_id = ${tenantId} AND ${condition} ORDER BY ${key}
        LIMIT ${max}`,
      max,
      condition,
    }
  }
  const ofContacts = (name: string, column: string, range: { from: string; to: string }): Source => {
    const [table, key] = [sql.identifier(name), sql.identifier(column)]
    const found = sql`contact.tenant_id = ${tenantId} AND contact.${key} >= ${range.from} AND contact.${key} < ${range.to}`
    return {
      matches: sql`SELECT 1 FROM ${table} AS contact WHERE ${found} LIMIT ${contactsMax + 1}`,
      candidates: sql`SELECT ${columns} FROM ${table} AS contact
        JOIN users ON users.tenant_id = contact.tenant_id AND users.id = contact.user_id
        WHERE ${found} ORDER BY contact.${key} LIMIT ${contactsMax}`,
      max: contactsMax,
      // As an expression, so that the few of one user are looked at, never all that begin so.
      condition: sql`EXISTS (SELECT 1 FROM ${table} AS contact WHERE contact.tenant_id = users.tenant_id
        AND contact.user_id = users.id AND contact.${key} || '' >= ${range.from} AND contact.${key} || '' < ${range.to})`,
    }
  }
  const id = text.trim()
  const phone = phonePrefix(text)
  return [
    ofUsers('name_key', namesMax),
    ofUsers('last_word_key', namesMax),
    ofUsers('username_key', contactsMax),
    ofContacts('email_addresses', 'email_key', { from, to }),
    ...(phone === undefined ? [] : [ofContacts('phone_numbers', 'phone', prefixRange(phone))]),
    ...(isId(id)
      ? [
          {
            matches: sql`SELECT 1 FROM users WHERE tenant_id = ${tenantId} AND id = ${id} LIMIT 1`,
            candidates: sql`SELECT ${columns} FROM users WHERE tenant_id = ${tenantId} AND id = ${id}`,
            max: 1,
            condition: sql`id = ${id}`,
          },
        ]
      : []),
  ]
}

type Direction = 'older' | 'newer'

/** The times of those who meet the condition, nearest first, from `start` on; undefined: from the newest. */
export async function walk(
  db: Reader,
  tenantId: TenantId,
  filter: UserFilter,
  condition: Fragment,
  {
    start,
    direction,
    count,
  }: { readonly start: string | undefined; readonly direction: Direction; readonly count: number },
): Promise<string[]> {
  const [order, includes, excludes] =
    direction === 'older'
      ? [sql`created_at DESC`, sql`created_at <=`, sql`created_at <`]
      : [sql`created_at`, sql`created_at >`, sql`created_at >`]
  const end = direction === 'older' ? sql`MIN(created_at)` : sql`MAX(created_at)`
  const base = listedBy(tenantId, filter)
  const found: string[] = []
  let bound = start === undefined ? sql`` : sql`AND ${includes} ${start}`
  let walked = 0
  let stretch = 4 * count
  for (;;) {
    const rows = await db.all<{ created_at: string | null; is_end: number }>(sql`
      WITH stretch AS MATERIALIZED (
        SELECT created_at, CASE WHEN ${condition} THEN 1 ELSE 0 END AS is_match FROM users
        WHERE ${base} ${bound} ORDER BY ${order} LIMIT ${stretch})
      SELECT created_at, is_end FROM (
        SELECT created_at, 0 AS is_end FROM stretch WHERE is_match = 1
        UNION ALL SELECT ${end}, 1 FROM stretch HAVING COUNT(*) = ${stretch}) AS answer
      ORDER BY is_end, ${order} LIMIT ${stretch + 1}`)
    for (const row of rows) if (row.is_end === 0 && row.created_at !== null) found.push(row.created_at)
    const last = rows.at(-1)
    if (found.length >= count || last === undefined || last.is_end === 0 || last.created_at === null) break
    bound = sql`AND ${excludes} ${last.created_at}`
    // On SQLite nothing here ever waits for the outside, so others would not get a turn.
    await nextTurn()
    walked += stretch
    const wanted = Math.ceil((walked / Math.max(found.length, 1)) * (count - found.length) * stretchMargin)
    stretch = stretchOf(wanted)
  }
  return found.slice(0, count)
}

/** Few lengths make few statements. */
function stretchOf(wanted: number): number {
  let stretch = 64
  while (stretch < Math.min(wanted, stretchMax)) stretch *= 2
  return stretch
}

/** How often the sources match, each up to one more than its `max`, in one step: nothing is read of those that do not. */
async function countMatches(db: Reader, sources: readonly Source[]): Promise<number[]> {
  const counts = sources.map(
    ({ matches }, index) =>
      sql`SELECT CAST(${index} AS INTEGER) AS source, COUNT(*) AS count FROM (${matches}) AS found`,
  )
  const rows = await db.all<{ source: number; count: number }>(sql.join(counts, ' UNION ALL '))
  const bySource = new Map(rows.map(({ source, count }) => [source, count]))
  return sources.map((_, index) => bySource.get(index) ?? 0)
}

export interface Found {
  /** The createdAt of each user on the page. */
  readonly times: readonly string[]
  readonly next: string | null
  readonly prev: string | null
  /** `matchesMax + 1` where there are more than that. */
  readonly total: number
}

/** One page of those whom the text finds. */
export async function searchUsers(
  db: Reader,
  tenantId: TenantId,
  text: string,
  filter: UserFilter,
  { from, perPage }: PageRequest,
): Promise<Found> {
  const sources = sourcesOf(tenantId, text, filter)
  const counts = await countMatches(db, sources)
  const isCommon = ({ max }: Source, index: number) => (counts[index] ?? 0) > max
  const common = sources.filter(isCommon).map(({ condition }) => condition)
  const rare = sources.filter((source, index) => !isCommon(source, index) && (counts[index] ?? 0) > 0)
  const answers = await Promise.all(rare.map(({ candidates }) => db.all<Candidate>(candidates)))
  const few = new Set(
    answers.flatMap((rows) => rows.filter((row) => isWithin(filter, row)).map((row) => row.created_at)),
  )
  const newestFirst = [...few].toSorted().toReversed()

  const nearest = async (direction: Direction, start: string | undefined, count: number) => {
    const among =
      direction === 'older'
        ? newestFirst.filter((time) => start === undefined || time <= start)
        : newestFirst.filter((time) => start !== undefined && time > start).toReversed()
    if (common.length === 0) return among.slice(0, count)
    const condition = sql`(${sql.join(common, ' OR ')}) ${remainderOf(filter)}`
    const walked = await walk(db, tenantId, filter, condition, { start, direction, count })
    const sorted = [...new Set([...among.slice(0, count), ...walked])].toSorted()
    return (direction === 'older' ? sorted.toReversed() : sorted).slice(0, count)
  }

  const page = await nearest('older', from, perPage + 1)
  const times = page.slice(0, perPage)
  const newer = from === undefined ? [] : await nearest('newer', times[0] ?? from, perPage)
  return {
    times,
    next: page[perPage] ?? null,
    prev: newer.at(-1) ?? null,
    total: common.length > 0 ? matchesMax + 1 : Math.min(few.size, matchesMax + 1),
  }
}
