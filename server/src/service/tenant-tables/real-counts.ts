// The values that a tenant's counters must have, counted from the rows: to check them, and to create them after an import.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { CountedRows } from '../../platform/db/table.ts'
import { tenantTables } from './tenant-tables.ts'

const batch = 1000

/** Reads group by group in the order of the values, so that a tenant with a million organizations does not need a million in memory. */
async function* countOne(db: Reader, tenantId: string, table: string, { where, by, counter, sumOf }: CountedRows) {
  const nameOf = (value: string) => (typeof counter === 'string' ? counter : counter(value))
  const condition = where === undefined ? sql`` : sql` AND ${where}`
  const from = sql`FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId}${condition}`
  if (by === undefined) {
    const amount = sumOf === undefined ? sql`COUNT(*)` : sql`CAST(COALESCE(SUM(${sql.identifier(sumOf)}), 0) AS BIGINT)`
    const row = await db.first<{ count: number }>(sql`SELECT ${amount} AS count ${from}`)
    if (row !== undefined && row.count > 0) yield [nameOf(''), row.count] as const
    return
  }
  const column = sql.identifier(by)
  let after = ''
  for (;;) {
    const rows = await db.all<{ value: string; count: number }>(sql`SELECT ${column} AS value, COUNT(*) AS count ${from}
      AND ${column} > ${after} GROUP BY ${column} ORDER BY ${column} LIMIT ${batch}`)
    for (const { value, count } of rows) yield [nameOf(value), count] as const
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch) return
    after = last.value
  }
}

/**
 * Yields each counter that is not 0, with the value that it must have. Counters of days and of events are history, and not counted here.
 */
export async function* realCounts(db: Reader, tenantId: string): AsyncGenerator<readonly [string, number]> {
  for (const { name, options } of tenantTables) {
    for (const rows of options.counted ?? []) yield* countOne(db, tenantId, name, rows)
  }
}

/** The beginnings of names of counters that cannot be computed from rows: those of days and of events. */
const history = /^(?:events(?::|$)|[a-z_]+:\d{4}-\d\d-\d\d$)/

export const isHistory = (counter: string): boolean => history.test(counter)
/** The counters of past days from which a statistic is made; an export contains them. */
export const isDayCounter = (counter: string): boolean => /:\d{4}-\d\d-\d\d$/.test(counter)

export interface WrongCounter {
  readonly name: string
  readonly value: number
  readonly rows: number
}

const wrongMax = 20

/** Returns the tenant's first counters that differ from the rows. */
export async function findWrongCounters(db: Reader, tenantId: string): Promise<WrongCounter[]> {
  const wrong: WrongCounter[] = []
  const real = new Map<string, number>()
  for await (const [name, rows] of realCounts(db, tenantId)) real.set(name, rows)
  let after = ''
  for (;;) {
    const rows = await db.all<{ name: string; value: number }>(sql`SELECT name, CAST(SUM(value) AS BIGINT) AS value
      FROM counters WHERE tenant_id = ${tenantId} AND name > ${after} GROUP BY name ORDER BY name LIMIT ${batch}`)
    for (const { name, value } of rows) {
      if (!isHistory(name) && value !== (real.get(name) ?? 0)) wrong.push({ name, value, rows: real.get(name) ?? 0 })
      real.delete(name)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch) break
    after = last.name
  }
  for (const [name, rows] of real) wrong.push({ name, value: 0, rows })
  return wrong.slice(0, wrongMax)
}
