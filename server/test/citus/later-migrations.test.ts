// A table that a later version creates on a sharded database comes to its place, with its foreign keys and what was written into it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { migrations } from '../../src/platform/db/migrations/index.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { shardedTables } from '../../src/service/deployment/layout.ts'
import { newPostgresqlDatabase } from '../harness/databases/databases.ts'

const text = 'TEXT COLLATE "C" NOT NULL'
const statements = [
  `CREATE TABLE notes (tenant_id ${text}, id ${text}, user_id ${text}, token_hash ${text}, CONSTRAINT notes_pkey PRIMARY KEY (id, tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE)`,
  'CREATE UNIQUE INDEX notes_token_key ON notes (token_hash)',
  'ALTER TABLE users ADD COLUMN note_id TEXT',
  'CREATE INDEX users_note ON users (tenant_id, note_id) WHERE note_id IS NOT NULL',
]
const later = { id: '9999-notes', migration: { sqlite: statements, postgresql: statements } }

it('a table of a later migration is distributed, and one run after another changes nothing', async () => {
  const { options, remove } = await newPostgresqlDatabase()
  const db = await openDatabase(options, [...migrations, later])
  try {
    assert.deepEqual(await db.migrate(), ['9999-notes'])
    const tables = [...shardedTables(), { name: 'notes', sharding: 'tenant' } as const]
    const first = await db.distribute?.(tables)
    assert.deepEqual(first, { tables: [{ name: 'notes', sharding: 'tenant' }], droppedKeys: [] })
    assert.deepEqual(await db.distribute?.(tables), { tables: [], droppedKeys: [] })
    const keys = await db.all<{ definition: string }>(
      sql`SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conrelid = CAST('notes' AS regclass) LIMIT 10`,
    )
    assert.deepEqual(keys.map(({ definition }) => definition.slice(0, 45)).toSorted(), [
      'FOREIGN KEY (tenant_id) REFERENCES tenants(id',
      'FOREIGN KEY (tenant_id, user_id) REFERENCES u',
      'PRIMARY KEY (id, tenant_id)',
    ])
    const [index] = await db.all<{ definition: string }>(
      sql`SELECT pg_get_indexdef(CAST('notes_token_key' AS regclass)) AS definition LIMIT 1`,
    )
    assert.match(index?.definition ?? '', /\(token_hash, tenant_id\)$/)
  } finally {
    await db.close()
    await remove()
  }
})
