// Counts that move with what they count. Each is spread over shards, so that writers of one tenant do not queue behind one row.
import type { Reader, WriteContext } from './database.ts'
import { sql, type SqlValue, type Statement } from './sql.ts'

/** How many rows a counter may have; it never changes, for nothing folds rows of other shards in. */
export const counterShards = 64

const namesMax = 100

/**
 * The statement that adds each delta to the tenant's counter of that name; zeros are dropped.
 * @throws RangeError when no delta is left or one is not a whole number.
 */
export function addToCounters(
  context: WriteContext,
  tenantId: string,
  deltas: Readonly<Record<string, number>>,
): Statement {
  // Every writer takes its rows in the same order, so that no two wait for each other.
  const names = Object.keys(deltas).toSorted()
  const rows: SqlValue[][] = []
  for (const name of names) {
    const delta = deltas[name] ?? 0
    if (delta !== 0) rows.push([tenantId, name, context.shard, wholeNumber(delta)])
  }
  if (rows.length === 0) throw new RangeError('there is nothing to count')
  return sql`INSERT INTO counters (tenant_id, name, shard, value) ${sql.values(rows)}
    ON CONFLICT (tenant_id, name, shard) DO UPDATE SET value = counters.value + excluded.value`
}

/** The tenant's counters of these names, 0 where nothing was counted. */
export async function readCounters(
  reader: Reader,
  tenantId: string,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length > namesMax) throw new RangeError(`at most ${namesMax} counters can be read at once`)
  const counts = new Map(names.map((name) => [name, 0]))
  if (names.length === 0) return counts
  const listed = sql.join(
    names.map((name) => sql`${name}`),
    ', ',
  )
  const rows = await reader.all<{ name: string; value: number }>(
    sql`SELECT name, CAST(SUM(value) AS BIGINT) AS value FROM counters
      WHERE tenant_id = ${tenantId} AND name IN (${listed}) GROUP BY name`,
  )
  for (const { name, value } of rows) counts.set(name, value)
  return counts
}

function wholeNumber(delta: number): number {
  if (!Number.isSafeInteger(delta)) throw new RangeError('a counter moves by whole numbers')
  return delta
}
