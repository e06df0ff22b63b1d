// What narrows a list: the values that columns must have, and the time in which its rows were created.
import { parseCursor } from '@bailiwick/contract'
import { readCounters } from '../db/counters.ts'
import type { Reader } from '../db/database.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { TenantId } from '../ids.ts'
import type { ListSource } from '../db/table.ts'

/** Rows of a narrowed list are counted up to this number. If there are more, the total is one more than it. */
const countMax = 1000

export interface CreatedRange {
  readonly createdAfter?: string
  readonly createdBefore?: string
}

/** A column, the value that it must have if there is one, and the index on the list's own columns, this one and created_at. */
export type ColumnFilter = readonly [column: string, value: string | undefined, index: string]

export interface NarrowedList<Row extends object = object> extends ListSource<Row> {
  readonly isNarrowed: boolean
}

/** Returns the conditions of rows that were created at `createdAfter` or later and before `createdBefore`. */
function createdWithin({ createdAfter, createdBefore }: CreatedRange): Fragment[] {
  const start = createdAfter === undefined ? undefined : parseCursor(createdAfter)?.from
  const end = createdBefore === undefined ? undefined : parseCursor(createdBefore)?.from
  return [
    ...(start === undefined ? [] : [sql`created_at >= ${start}`]),
    ...(end === undefined ? [] : [sql`created_at < ${end}`]),
  ]
}

/**
 * Returns the part of a list that has the given values and was created in the given time.
 * @param columns those that leave fewer rows come first: the index of the first one that has a value is read, for SQLite has no statistics
 * to choose by, and prefers the index of all times if a time is asked for too.
 * @param indexOfList is read if no column has a value; SQLite's choice unless said.
 */
export function narrowed<Row extends object>(
  list: ListSource<Row>,
  columns: readonly ColumnFilter[],
  range: CreatedRange,
  indexOfList?: string,
): NarrowedList<Row> {
  const given = columns.filter(([, value]) => value !== undefined)
  const conditions = [
    ...given.map(([column, value]) => sql`${sql.identifier(column)} = ${value ?? null}`),
    ...createdWithin(range),
  ]
  if (conditions.length === 0) return { ...list, isNarrowed: false }
  const index = given[0]?.[2] ?? indexOfList
  return {
    ...list,
    table: index === undefined ? list.table : sql`${list.table}${sql.indexedBy(index)}`,
    where: sql.join([list.where, ...conditions], ' AND '),
    isNarrowed: true,
  }
}

/** Returns how many rows a part of a list has, or `max` if there are more. */
export async function countUpTo(
  db: Reader,
  { table, where }: Pick<ListSource<object>, 'table' | 'where'>,
  max: number,
): Promise<number> {
  const row = await db.first<{ total: number }>(
    sql`SELECT COUNT(*) AS total FROM (SELECT 1 AS one FROM ${table} WHERE ${where} LIMIT ${max}) AS found`,
  )
  return row?.total ?? 0
}

/** Returns how many rows a narrowed list has, counted up to 1,001. */
export const countNarrowed = (db: Reader, list: Pick<ListSource<object>, 'table' | 'where'>): Promise<number> =>
  countUpTo(db, list, countMax + 1)

/** Returns how many rows a list has: what its counter says, or how many are found if it is narrowed. */
export async function totalOf(db: Reader, tenantId: TenantId, list: NarrowedList, counter: string): Promise<number> {
  if (list.isNarrowed) return countNarrowed(db, list)
  return (await readCounters(db, tenantId, [counter])).get(counter) ?? 0
}
