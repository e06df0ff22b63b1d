// The indexes of a table are dropped while millions of rows are inserted and made again at the end, which takes a fraction of the time.
import type { BulkEngine } from './bulk-engine.ts'
import type { EngineName } from './store.ts'

const separator = ';;'

/** The definitions of a table's indexes, without those of constraints. */
const definitions: Readonly<Record<EngineName, (table: string) => string>> = {
  sqlite: (table) => `SELECT group_concat(sql, '${separator}') FROM sqlite_master
    WHERE type = 'index' AND tbl_name = '${table}' AND sql IS NOT NULL`,
  postgresql: (table) => `SELECT string_agg(indexdef, '${separator}') FROM pg_indexes
    WHERE schemaname = current_schema() AND tablename = '${table}' AND indexname NOT IN
      (SELECT conname FROM pg_constraint WHERE conrelid = to_regclass('${table}'))`,
}

const indexName = (definition: string) => /INDEX (\w+) ON/.exec(definition)?.[1] ?? ''

/** Runs what inserts rows into the table, in a transaction, while the table has no indexes but those of its constraints. */
export async function withoutIndexes(
  engine: BulkEngine,
  engineName: EngineName,
  table: string,
  insert: () => Promise<void>,
): Promise<void> {
  const indexes = (await engine.value(definitions[engineName](table))).split(separator)
  await engine.run('BEGIN')
  for (const index of indexes) await engine.run(`DROP INDEX ${indexName(index)}`)
  await insert()
  for (const index of indexes) await engine.run(index)
  await engine.run('COMMIT')
}
