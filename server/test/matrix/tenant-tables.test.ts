// Checks the declarations of the tables against the schema that the migrations make: every table is declared, and each declaration names
// the existing columns. What works on every table of a tenant uses the declarations, so a new table fails here until it has one.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ColumnKind } from '../../src/platform/db/columns.ts'
import type { OpenDatabase } from '../../src/platform/db/open.ts'
import { tableNames } from '../../src/platform/db/schema.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { TableFacts } from '../../src/platform/db/table.ts'
import { otherTables, tenantTables } from '../../src/service/tenant-tables/tenant-tables.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { uniqueKeys } from '../harness/databases/unique-keys.ts'

const declared = [...tenantTables, ...otherTables]

const kinds: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  xid8: 'text',
  'timestamp with time zone': 'text',
  integer: 'integer',
  bigint: 'integer',
  'double precision': 'real',
}

interface SchemaColumn {
  readonly name: string
  readonly type: string
  readonly required: number
}

const schemaColumns = (db: OpenDatabase, table: string) =>
  db.all<SchemaColumn>(
    db.engine === 'sqlite'
      ? sql`SELECT name, type, CASE WHEN "notnull" = 1 OR pk > 0 THEN 1 ELSE 0 END AS required
          FROM pragma_table_info(${table})`
      : sql`SELECT CAST(column_name AS text) AS name, CAST(data_type AS text) AS type,
          CASE WHEN is_nullable = 'NO' THEN 1 ELSE 0 END AS required FROM information_schema.columns
          WHERE table_schema = current_schema() AND CAST(table_name AS text) = ${table}`,
  )

const shown = (name: string, kind: string | undefined, isNullable: boolean) => `${name} ${kind}${isNullable ? '?' : ''}`

const isOn = (db: OpenDatabase, { options: { onlyOnPostgresql } }: TableFacts) =>
  db.engine === 'postgresql' || onlyOnPostgresql !== true

function declaredColumns(db: OpenDatabase, { declared: columns, options: { onlyOnPostgresql } }: TableFacts) {
  const left = db.engine === 'sqlite' && Array.isArray(onlyOnPostgresql) ? onlyOnPostgresql : []
  return Object.entries(columns)
    .filter(([name]) => !left.includes(name))
    .map(([name, { kind, isNullable }]) => shown(name, kind, isNullable))
}

describeOnEachEngine('the declared tables', (open) => {
  it('are those of the schema, each once', async () => {
    const { database } = await open()
    assert.deepEqual(
      declared
        .filter((table) => isOn(database, table))
        .map(({ name }) => name)
        .toSorted(),
      await tableNames(database),
    )
  })

  it('have the columns of the schema, with the same kinds and nullability', async () => {
    const { database } = await open()
    for (const table of declared.filter((each) => isOn(database, each))) {
      const columns = await schemaColumns(database, table.name)
      assert.deepEqual(
        declaredColumns(database, table).toSorted(),
        columns.map(({ name, type, required }) => shown(name, kinds[type.toLowerCase()], required === 0)).toSorted(),
        table.name,
      )
    }
  })

  it('name each column that is called sealed, and count only by their own columns', () => {
    for (const { name, declared: columns, sealed, options } of declared) {
      const names = Object.keys(columns)
      const known = sealed.map(({ column }) => column)
      assert.deepEqual(
        names.filter((column) => column.includes('sealed') && !known.includes(column)),
        [],
        name,
      )
      for (const column of [...known, ...(options.counted ?? []).flatMap(({ by, sumOf }) => [by, sumOf])]) {
        assert.ok(column === undefined || names.includes(column), `${name} has no ${column}`)
      }
    }
  })
})

describeOnEachEngine('the tables of a tenant', (open) => {
  it('are all tables with a tenant id, except the feed of the caches', () => {
    const withTenant = declared.filter((table) => 'tenant_id' in table.declared).map(({ name }) => name)
    assert.deepEqual([...tenantTables.map(({ name }) => name), 'cache_invalidations'].toSorted(), withTenant.toSorted())
  })

  it('have an index that begins with tenant_id and continues with the columns by which they are read', async () => {
    const { database } = await open()
    for (const { name, walkedBy } of tenantTables) {
      const wanted = walkedBy[0] === 'tenant_id' ? walkedBy : ['tenant_id', ...walkedBy]
      assert.ok(
        (await uniqueKeys(database, name)).some((columns) => columns.join() === wanted.join()),
        `${name} has no unique key (${wanted.join()})`,
      )
    }
  })
})
