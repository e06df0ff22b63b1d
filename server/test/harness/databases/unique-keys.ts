import type { OpenDatabase } from '../../../src/platform/db/open.ts'
import { sql } from '../../../src/platform/db/sql.ts'

/** Returns the columns of each unique index of the table that covers all its rows. */
export async function uniqueKeys(db: OpenDatabase, table: string): Promise<string[][]> {
  const rows = await (db.engine === 'sqlite'
    ? db.all<{ key: string; name: string }>(sql`SELECT l.name AS key, c.name AS name
        FROM pragma_index_list(${table}) AS l, pragma_index_info(l.name) AS c WHERE l."unique" = 1 AND l.partial = 0
        ORDER BY l.name, c.seqno`)
    : db.all<{
        key: string
        name: string
      }>(sql`SELECT CAST(i.indexrelid AS text) AS key, CAST(a.attname AS text) AS name
        FROM pg_index AS i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
        WHERE i.indrelid = CAST(CAST(${table} AS text) AS regclass) AND i.indisunique AND i.indpred IS NULL
        ORDER BY i.indexrelid, k.place`))
  const keys = new Map<string, string[]>()
  for (const { key, name } of rows) keys.set(key, [...(keys.get(key) ?? []), name])
  return [...keys.values()]
}
