// Keeps counts up to date as rows change. Each counter is spread over shards, so that writers of one tenant do not queue behind one row.
import type { Reader, WriteContext } from './database.ts'
import { rowBatches } from './row-batches.ts'
import { type Fragment, sql, type SqlValue, type Statement } from './sql.ts'

/** How many rows a counter may have. It must never change, because nothing merges rows of other shards. */
export const counterShards = 64

const namesMax = 100

/**
 * Returns the statement that adds each delta to the tenant's counter of that name; zeros are dropped.
 * @throws RangeError when no delta is left or one is not a whole number.
 */
export function addToCounters(
  context: WriteContext,
  tenantId: string,
  deltas: Readonly<Record<string, number>>,
): Statement {
  const rows = rowsOf(context, tenantId, deltas)
  if (rows.length === 0) throw new RangeError('there is nothing to count')
  return addRows(rows)
}

/** Returns the statements that add to the counters of many tenants. Their number does not grow with the number of tenants. */
export function addToCountersOfMany(
  context: WriteContext,
  deltasByTenant: ReadonlyMap<string, Readonly<Record<string, number>>>,
): Statement[] {
  const tenants = [...deltasByTenant].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const rows = tenants.flatMap(([tenantId, deltas]) => rowsOf(context, tenantId, deltas))
  return rowBatches(rows).map(addRows)
}

/** All writers update rows in the same order, so that no two wait for each other. */
function rowsOf(context: WriteContext, tenantId: string, deltas: Readonly<Record<string, number>>): SqlValue[][] {
  const rows: SqlValue[][] = []
  for (const name of Object.keys(deltas).toSorted()) {
    const delta = deltas[name] ?? 0
    if (delta !== 0) rows.push([tenantId, name, context.shard, wholeNumber(delta)])
  }
  return rows
}

const addRows = (rows: readonly SqlValue[][]): Statement =>
  sql`INSERT INTO counters (tenant_id, name, shard, value) ${sql.values(rows)}
    ON CONFLICT (tenant_id, name, shard) DO UPDATE SET value = counters.value + excluded.value`

/** Returns the tenant's counters of these names, 0 if nothing was counted. */
export async function readCounters(
  reader: Reader,
  tenantId: string,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length > namesMax) throw new RangeError(`at most ${namesMax} counters can be read at once`)
  const counts = new Map(names.map((name) => [name, 0]))
  if (names.length === 0) return counts
  const rows = await reader.all<{ name: string; value: number }>(
    sql`SELECT name, CAST(SUM(value) AS BIGINT) AS value FROM counters
      WHERE tenant_id = ${tenantId} AND name IN (${sql.list(names)}) GROUP BY name`,
  )
  for (const { name, value } of rows) counts.set(name, value)
  return counts
}

/** Returns one counter as an expression, null if nothing was counted. */
export const sumOfCounter = (tenantId: string, name: string): Fragment =>
  sql`(SELECT CAST(SUM(value) AS BIGINT) FROM counters WHERE tenant_id = ${tenantId} AND name = ${name})`

function wholeNumber(delta: number): number {
  if (!Number.isSafeInteger(delta)) throw new RangeError('a counter moves by whole numbers')
  return delta
}
