// Everything that a database holds, as text: to show that a refused request wrote nothing, and that no secret stands in the
// clear.
import assert from 'node:assert/strict'
import type { Database } from '../src/platform/db/database.ts'
import { tableNames } from '../src/platform/db/schema.ts'
import { sql } from '../src/platform/db/sql.ts'

/** Each table's rows as JSON, in an order that does not depend on where they are stored. */
export type Dump = Readonly<Record<string, readonly string[]>>

export async function dumpTables(db: Database): Promise<Dump> {
  const tables: [string, string[]][] = []
  for (const name of await tableNames(db)) {
    const rows = await db.all(sql`SELECT * FROM ${sql.identifier(name)}`)
    tables.push([name, rows.map((row) => JSON.stringify(row)).toSorted()])
  }
  return Object.fromEntries(tables)
}

/** Runs `action`, and fails if any table holds anything else afterwards. */
export async function assertWritesNothing(db: Database, action: () => Promise<unknown>): Promise<void> {
  const held = await dumpTables(db)
  await action()
  assert.deepEqual(await dumpTables(db), held)
}
