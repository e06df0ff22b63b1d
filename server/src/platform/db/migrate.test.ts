import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { newEmptyPostgresqlDatabase, newSqliteFile, engines } from '../../../test/harness/databases/databases.ts'
import { SchemaNewerThanCode, type RegisteredMigration } from './migrate.ts'
import { migrations as allMigrations } from './migrations/index.ts'
import { openDatabase, type DatabaseOptions } from './open.ts'
import { sql } from './sql.ts'

function step(id: string, ...statements: string[]): RegisteredMigration {
  return { id, migration: { sqlite: statements, postgresql: statements } }
}

const first = step('0001-pets', 'CREATE TABLE pets (id TEXT NOT NULL PRIMARY KEY)')
const second = step(
  '0002-names',
  'ALTER TABLE pets ADD COLUMN name TEXT',
  'CREATE UNIQUE INDEX pets_name_key ON pets (name)',
)
const broken = step('0003-broken', 'CREATE TABLE half (id TEXT)', 'CREATE TABLE nonsense (')

for (const engine of engines) {
  describe(`migrate (${engine})`, () => {
    const removals: (() => Promise<void>)[] = []
    after(async () => {
      for (const remove of removals) await remove()
    })

    const newDatabase = async (): Promise<DatabaseOptions> => {
      const { options, remove } = engine === 'sqlite' ? newSqliteFile() : await newEmptyPostgresqlDatabase()
      removals.push(remove)
      return options
    }
    const migrate = async (options: DatabaseOptions, migrations: readonly RegisteredMigration[]) => {
      const database = await openDatabase(options, migrations)
      try {
        return await database.migrate()
      } finally {
        await database.close()
      }
    }

    it('applies missing migrations once, and returns their ids', async () => {
      const options = await newDatabase()
      assert.deepEqual(await migrate(options, [first]), ['0001-pets'])
      assert.deepEqual(await migrate(options, [first, second]), ['0002-names'])
      assert.deepEqual(await migrate(options, [first, second]), [])
    })

    it('leaves a failed migration’s database as it was', async () => {
      const options = await newDatabase()
      await assert.rejects(
        migrate(options, [first, second, broken]),
        /0003-broken failed and was rolled back: (?:incomplete input|syntax error)/,
      )
      const repaired = step('0003-repaired', 'CREATE TABLE half (id TEXT)')
      assert.deepEqual(await migrate(options, [first, second, repaired]), ['0003-repaired'])
    })

    it('lets an earlier version work on the schema that later migrations leave', async () => {
      const options = await newDatabase()
      await migrate(options, [first, second])
      assert.deepEqual(await migrate(options, [first]), [])
    })

    it('refuses a schema that a version has to know more for', async () => {
      const options = await newDatabase()
      const removing = { ...step('0003-no-names', 'DROP INDEX pets_name_key'), requires: second.id }
      await migrate(options, [first, second, removing])
      assert.deepEqual(await migrate(options, [first, second]), [])
      await assert.rejects(migrate(options, [first]), (error) => {
        assert.ok(error instanceof SchemaNewerThanCode)
        assert.match(error.message, /newer than this code.*know 0003-no-names/)
        return true
      })
    })

    it('refuses a newer schema whose migrations recorded no requirements', async () => {
      const options = await newDatabase()
      await migrate(options, [first, second])
      const database = await openDatabase(options, [first, second])
      await database.write(() => [sql`DELETE FROM schema_requirements WHERE migration_id = ${second.id}`])
      await database.close()
      await assert.rejects(migrate(options, [first]), SchemaNewerThanCode)
    })

    it('lets two processes migrate the same database at once', async () => {
      const options = await newDatabase()
      const applied = await Promise.all([1, 2, 3].map(() => migrate(options, [first, second])))
      assert.deepEqual(applied.flat().toSorted(), ['0001-pets', '0002-names'])
    })

    it('refuses migrations that are out of order', async () => {
      await assert.rejects(migrate(await newDatabase(), [second, first]), /out of order/)
      await assert.rejects(migrate(await newDatabase(), [step('pets')]), /not named like/)
    })

    it('decides whether the database is ready', async () => {
      const options = await newDatabase()
      const database = await openDatabase(options, [first, second])
      try {
        await assert.rejects(database.check())
        await migrate(options, [first])
        await assert.rejects(database.check(), /lacks migrations: 0002-names/)
        await database.migrate()
        await database.check()
        await database.write(() => [sql`INSERT INTO pets (id, name) VALUES (${'a'}, ${'a'})`])
        await assert.rejects(
          database.write(() => [sql`INSERT INTO pets (id, name) VALUES (${'b'}, ${'a'})`]),
          { constraint: 'pets_name_key' },
        )
      } finally {
        await database.close()
      }
    })

    it('makes the product’s own schema', async () => {
      const options = await newDatabase()
      assert.deepEqual(
        await migrate(options, allMigrations),
        allMigrations.map(({ id }) => id),
      )
    })
  })
}

describe('migrate (postgresql)', () => {
  it('tries again when a node holds a lock for longer than others may wait for it', async () => {
    const { options, remove } = await newEmptyPostgresqlDatabase()
    const database = await openDatabase(options, [first, second])
    const node = new Client({ connectionString: options.directUrl ?? options.url })
    await node.connect()
    try {
      await openDatabase(options, [first]).then(async (earlier) => {
        await earlier.migrate()
        await earlier.close()
      })
      await node.query('BEGIN')
      await node.query('SELECT id FROM pets')
      const migrated = database.migrate()
      // Until the server has refused the lock to the migration once.
      await sleep(2500)
      await node.query('COMMIT')
      assert.deepEqual(await migrated, ['0002-names'])
    } finally {
      await node.end()
      await database.close()
      await remove()
    }
  })
})

describe('migrate (sqlite)', () => {
  it('refuses a migration that leaves dangling references', async () => {
    const { options, remove } = newSqliteFile()
    const orphan = step(
      '0002-orphan',
      'CREATE TABLE toys (pet_id TEXT REFERENCES pets (id))',
      "INSERT INTO toys VALUES ('nobody')",
    )
    const database = await openDatabase(options, [first, orphan])
    await assert.rejects(database.migrate(), /0002-orphan/)
    await database.close()
    await remove()
  })
})

// Regression: the service started, and then refused what the encoding lacks with an error that named nothing.
describe('migrate', () => {
  it('refuses a PostgreSQL database whose encoding is not UTF8, and says what to do', async () => {
    const { options, remove } = await newEmptyPostgresqlDatabase()
    const client = new Client(options.directUrl ?? options.url)
    await client.connect()
    const name = `latin_${process.pid}`
    try {
      await client.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
      const url = new URL(options.directUrl ?? options.url)
      url.pathname = name
      const database = await openDatabase({ kind: 'postgresql', url: url.href }, [first])
      await assert.rejects(database.migrate(), /the encoding of the database latin_\d+ is LATIN1, and must be UTF8/)
      await database.close()
    } finally {
      await client.query(`DROP DATABASE IF EXISTS ${name}`)
      await client.end()
      await remove()
    }
  })
})
