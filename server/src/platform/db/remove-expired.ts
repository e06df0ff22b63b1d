// Removes rows that have expired, in small steps: a table that has become long must hold up nobody.
import type { Database } from './database.ts'
import { type Statement, sql } from './sql.ts'

const batchSize = 500

const columnsOf = (key: readonly string[]) =>
  sql.join(
    key.map((name) => sql.identifier(name)),
    ', ',
  )

export interface Expired {
  readonly table: string
  /** The columns of its primary key. */
  readonly key: readonly string[]
  /** The column with the time; it needs an index. */
  readonly column: string
  /** Rows whose time is earlier are removed. */
  readonly before: string
}

function removal({ table, key, column, before }: Expired): Statement {
  const [name, time] = [sql.identifier(table), sql.identifier(column)]
  return sql`DELETE FROM ${name} WHERE (${columnsOf(key)}) IN (SELECT ${columnsOf(key)} FROM ${name}
    WHERE ${time} < ${before} ORDER BY ${time} LIMIT ${batchSize})`
}

/** Removes up to 500 rows of each table; returns whether there may be more. */
export async function removeExpired(db: Database, expired: readonly Expired[]): Promise<boolean> {
  let hasMore = false
  for (const each of expired) {
    const count = await db.write(() => [removal(each)])
    if (count >= batchSize) hasMore = true
  }
  return hasMore
}
