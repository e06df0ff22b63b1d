// Narrows a list to rows with given column values, created in a given period.
import { parseCursor } from '@bailiwick/contract'
import { sumOfCounter } from '../../db/counters.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type ListSource, type ListedRows, selectFrom } from '../../db/table.ts'
import type { TenantId } from '../../ids.ts'

/** Rows of a narrowed list are counted up to this number. If there are more, the total is one more than this. */
const countMax = 1000

export interface CreatedRange {
  readonly createdAfter?: string
  readonly createdBefore?: string
}

/** An index on the list's own columns, followed by these and created_at. */
export interface ListIndex {
  readonly name: string
  /** Each column with all its possible values, or null if they are not known in advance. */
  readonly columns: Readonly<Record<string, readonly string[] | null>>
}

export interface NarrowedList<Row extends object = object> extends ListSource<Row> {
  readonly isNarrowed: boolean
}

/** Returns the conditions for rows created at `createdAfter` or later and before `createdBefore`. */
function createdWithin({ createdAfter, createdBefore }: CreatedRange): Fragment[] {
  const start = createdAfter === undefined ? undefined : parseCursor(createdAfter)?.from
  const end = createdBefore === undefined ? undefined : parseCursor(createdBefore)?.from
  return [
    ...(start === undefined ? [] : [sql`created_at >= ${start}`]),
    ...(end === undefined ? [] : [sql`created_at < ${end}`]),
  ]
}

type Asked = Readonly<Record<string, string | undefined>>

/** Whether the index can be used with the requested columns, taking every possible value for its other columns. */
const leadsToRows = ({ columns }: ListIndex, asked: Asked) => {
  const names = Object.keys(columns)
  return (
    names.some((name) => asked[name] !== undefined) &&
    names.every((name) => asked[name] !== undefined || columns[name] !== null)
  )
}

const equals = (column: string, value: string) => sql`${sql.identifier(column)} = ${value}`

/** Returns one condition for each combination of values of the columns that were not requested. */
function partsOf({ columns }: ListIndex, asked: Asked): Fragment[] | undefined {
  let parts: Fragment[] | undefined
  for (const [column, values] of Object.entries(columns)) {
    if (values === null || asked[column] !== undefined) continue
    const each = values.map((value) => equals(column, value))
    parts = parts === undefined ? each : parts.flatMap((part) => each.map((one) => sql.join([part, one], ' AND ')))
  }
  return parts
}

const readConditions = (asked: Asked, range: CreatedRange): Fragment[] => [
  ...Object.entries(asked).flatMap(([column, value]) => (value === undefined ? [] : [equals(column, value)])),
  ...createdWithin(range),
]

/** Returns the part of a list that one of several conditions selects, each of which is a range of the same index. */
export const narrowedByParts = <Row extends object>(
  list: ListSource<Row>,
  asked: Asked,
  { name, parts }: { readonly name: string; readonly parts: readonly Fragment[] },
  range: CreatedRange,
): NarrowedList<Row> => ({
  ...list,
  table: sql`${list.table}${sql.indexedBy(name)}`,
  where: sql.join([list.where, ...readConditions(asked, range)], ' AND '),
  parts,
  isNarrowed: true,
})

/**
 * Returns the part of a list that has the given values and was created in the given period.
 * @param asked the required column values, if any.
 * @param indexes the most selective first. The first usable one is read, because SQLite has no statistics to choose by, and prefers the
 * index of all creation times when a period is given. An index with a column that was not requested is read once for each value of that
 * column, so that a list that can be narrowed by either of two columns, or both, needs only one index.
 * @param indexOfList used if no column value is required; without it SQLite chooses.
 */
export function narrowed<Row extends object>(
  list: ListSource<Row>,
  asked: Asked,
  indexes: readonly ListIndex[],
  range: CreatedRange,
  indexOfList?: string,
): NarrowedList<Row> {
  const conditions = readConditions(asked, range)
  if (conditions.length === 0) return { ...list, isNarrowed: false }
  const index = indexes.find((each) => leadsToRows(each, asked))
  const name = index?.name ?? indexOfList
  const parts = index && partsOf(index, asked)
  return {
    ...list,
    table: name === undefined ? list.table : sql`${list.table}${sql.indexedBy(name)}`,
    where: sql.join([list.where, ...conditions], ' AND '),
    ...(parts && { parts }),
    isNarrowed: true,
  }
}

/** Returns how many rows a part of a list has, or `max` if there are more, as an expression. */
export const countUpTo = (list: ListedRows, max: number): Fragment =>
  sql`(SELECT COUNT(*) FROM (${selectFrom(list, sql`1 AS one`)} LIMIT ${max}) AS found)`

/** Returns how many rows a narrowed list has, counted up to 1,001, as an expression. */
export const countNarrowed = (list: ListedRows): Fragment => countUpTo(list, countMax + 1)

/** Returns how many rows a list has, as an expression: its counter's value, or if it is narrowed the number of rows found. */
export const totalOf = (tenantId: TenantId, list: NarrowedList, counter: string): Fragment =>
  list.isNarrowed ? countNarrowed(list) : sumOfCounter(tenantId, counter)
