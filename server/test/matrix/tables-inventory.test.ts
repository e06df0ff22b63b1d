// The schema of both engines: every table belongs to a tenant or is on a short list, and the engines do not diverge.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { EngineName } from '../../src/platform/db/database.ts'
import type { OpenDatabase } from '../../src/platform/db/open.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { describeOnEachEngine } from '../harness/databases.ts'
import { tableNames } from '../../src/platform/db/schema.ts'
import { uniqueKeys } from '../harness/unique-keys.ts'

/** Tables of the deployment as a whole. */
const ofNoTenant = [
  'cache_invalidations',
  'deployment',
  'recipient_quotas',
  'schema_migrations',
  'schema_requirements',
  'tenants',
]
/** What only one engine needs. */
const onlyOn: Readonly<Record<EngineName, readonly string[]>> = {
  sqlite: [],
  postgresql: ['cache_invalidations', 'events.transaction_id'],
}

const columnsOf = async (db: OpenDatabase, table: string): Promise<string[]> => {
  const rows = await (db.engine === 'sqlite'
    ? db.all<{ name: string; required: number }>(
        sql`SELECT name, CASE WHEN "notnull" = 1 OR pk > 0 THEN 1 ELSE 0 END AS required FROM pragma_table_info(${table})`,
      )
    : db.all<{ name: string; required: number }>(sql`SELECT CAST(column_name AS text) AS name,
        CASE WHEN is_nullable = 'NO' THEN 1 ELSE 0 END AS required FROM information_schema.columns
        WHERE table_schema = current_schema() AND CAST(table_name AS text) = ${table}`))
  return rows.map(({ name, required }) => `${table}.${name}${required === 1 ? '' : '?'}`)
}

const shapes = new Map<EngineName, readonly string[]>()

describeOnEachEngine('the tables', (open) => {
  let db: OpenDatabase
  let engine: EngineName
  before(async () => {
    ;({ database: db, engine } = await open())
    const columns = await Promise.all((await tableNames(db)).map((table) => columnsOf(db, table)))
    shapes.set(engine, columns.flat())
  })

  it('have a unique key that begins with tenant_id, except those of the deployment as a whole', async () => {
    const tables = await tableNames(db)
    assert.ok(tables.length > 20)
    for (const table of tables.filter((name) => !ofNoTenant.includes(name))) {
      const keys = await uniqueKeys(db, table)
      assert.ok(
        keys.some(([first]) => first === 'tenant_id'),
        `${table} has the unique keys ${JSON.stringify(keys)}`,
      )
      assert.ok((await columnsOf(db, table)).includes(`${table}.tenant_id`), `${table}.tenant_id can be null`)
    }
  })
})

describe('the two engines', () => {
  it('have the same tables and columns, with the same ones required', () => {
    const [sqlite, postgresql] = (['sqlite', 'postgresql'] as const).map((engine) => {
      const columns = shapes.get(engine)
      assert.ok(columns !== undefined)
      return columns
        .filter((name) => !onlyOn[engine].some((own) => name === own || name.startsWith(`${own}.`)))
        .toSorted()
    })
    assert.deepEqual(sqlite, postgresql)
  })
})
