// The contents of a database, for tests that show that a refused request wrote nothing, and that no secret is stored in the clear.
import assert from 'node:assert/strict'
import type { Database } from '../../../src/platform/db/database.ts'
import { tableNames } from '../../../src/platform/db/schema.ts'
import { type Statement, sql } from '../../../src/platform/db/sql.ts'

/** Returns each table's rows as JSON, in an order that does not depend on where they are stored. */
export type Dump = Readonly<Record<string, readonly string[]>>

export async function dumpTables(db: Database): Promise<Dump> {
  const tables: [string, string[]][] = []
  for (const name of await tableNames(db)) {
    const rows = await db.all(sql`SELECT * FROM ${sql.identifier(name)}`)
    tables.push([name, rows.map((row) => JSON.stringify(row)).toSorted()])
  }
  return Object.fromEntries(tables)
}

/** Runs `action`, and fails if any table has changed afterwards. What was written and undone meanwhile does not count. */
export async function assertLeavesNothing(db: Database, action: () => Promise<unknown>): Promise<void> {
  const held = await dumpTables(db)
  await action()
  assert.deepEqual(await dumpTables(db), held)
}

/**
 * Runs `action`, and fails if a transaction has changed anything meanwhile. It compares what the engines themselves count, because the
 * tests call this thousands of times and reading every row would take most of their time. On PostgreSQL it does not notice a row that is
 * inserted and deleted again within the action.
 */
export async function assertWritesNothing(db: Database, action: () => Promise<unknown>): Promise<void> {
  const before = await changesOf(db)
  await action()
  assert.deepEqual(await changesOf(db), before, 'something was written')
}

const statements = new WeakMap<Database, Statement>()
/** Grows with each commit of another connection. So it does not begin with SELECT, which the connection that writes would answer. */
const commitsOfOthers = sql`WITH version AS (SELECT data_version FROM pragma_data_version) SELECT data_version FROM version`

/**
 * Returns what differs after every change of a row: for SQLite the number of its commits, for PostgreSQL each table's latest transaction.
 */
async function changesOf(db: Database): Promise<unknown> {
  let statement = statements.get(db)
  if (statement === undefined) {
    const tables = (await tableNames(db)).map((name) =>
      db.engine === 'sqlite'
        ? sql`SELECT ${name} AS name, count(*) AS count, 0 AS latest FROM ${sql.identifier(name)}`
        : sql`SELECT CAST(${name} AS text) AS name, count(*) AS count, max(CAST(CAST(xmin AS text) AS bigint)) AS latest
            FROM ${sql.identifier(name)}`,
    )
    statement = sql.join(tables, ' UNION ALL ')
    statements.set(db, statement)
  }
  const tables = await db.all(statement)
  return db.engine === 'sqlite' ? [await db.all(commitsOfOthers), tables] : tables
}
