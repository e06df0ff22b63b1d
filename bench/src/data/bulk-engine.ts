// The SQL expressions that differ between the engines when millions of rows are inserted.
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { Store } from './store.ts'

export interface BulkEngine {
  readonly randomHex: string
  /** A source of rows `n(i)` with i from 0 to below `count`. */
  readonly rows: (count: number) => string
  /** An integer expression as digits with leading zeros. */
  readonly padded: (expression: string, width: number) => string
  /** An expression of seconds since 1970 as a stored time. */
  readonly time: (seconds: string) => string
  run(text: string): Promise<void>
  columnsOf(table: string): Promise<string[]>
  value(text: string): Promise<string>
  /** Brings the database into the state of one that has been in use: with planner statistics, and written to its files. */
  finish(): Promise<void>
}

function sqliteEngine(file: string): BulkEngine {
  const database = new DatabaseSync(file)
  // The file is not in use and can be created again, so it need not survive a loss of power.
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA foreign_keys = ON')
  return {
    randomHex: 'substr(lower(hex(randomblob(8))), 1, 15)',
    rows: (count) =>
      `(WITH RECURSIVE s (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM s WHERE i + 1 < ${count}) SELECT i FROM s) n`,
    padded: (expression, width) => `printf('%0${width}d', ${expression})`,
    time: (seconds) => `strftime('%Y-%m-%dT%H:%M:%S', ${seconds}, 'unixepoch') || '.000000Z'`,
    run: async (text) => database.exec(text),
    columnsOf: async (table) =>
      database
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map((row) => String(row['name'])),
    value: async (text) => String(Object.values(database.prepare(text).get() ?? {})[0]),
    async finish() {
      database.exec('PRAGMA optimize = 0x10002; PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
    },
  }
}

async function postgresqlEngine(url: string): Promise<BulkEngine> {
  const client = new Client(url)
  await client.connect()
  await client.query('SET synchronous_commit = off; SET maintenance_work_mem = 262144')
  return {
    randomHex: 'substr(md5(CAST(random() AS text)), 1, 15)',
    rows: (count) => `generate_series(0, ${count - 1}) AS n (i)`,
    padded: (expression, width) => `lpad(CAST(${expression} AS text), ${width}, '0')`,
    time: (seconds) => `to_char(to_timestamp(${seconds}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '.000000Z'`,
    run: async (text) => void (await client.query(text)),
    async columnsOf(table) {
      const { rows } = await client.query<{ name: string }>(
        'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position',
        [table],
      )
      return rows.map(({ name }) => name)
    },
    async value(text) {
      const { rows } = await client.query<Record<string, unknown>>(text)
      return String(Object.values(rows[0] ?? {})[0])
    },
    async finish() {
      await client.query('VACUUM (ANALYZE)')
      await client.query('CHECKPOINT')
      await client.end()
    },
  }
}

export const openBulkEngine = async (store: Store): Promise<BulkEngine> =>
  store.databaseUrl === undefined ? sqliteEngine(store.sqliteFile) : postgresqlEngine(store.databaseUrl)
