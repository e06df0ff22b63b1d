// PostgreSQL behind PgBouncer in transaction mode, where each transaction may run over another connection to the server.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type PrivatePooler, startPrivatePooler } from '../../../../../scripts/private-pooler.ts'
import { newPostgresqlDatabase } from '../../../../test/harness/databases/databases.ts'
import { isInstalled } from '../../../../test/harness/installed.ts'
import { DatabaseUnavailable } from '../database.ts'
import { openDatabase, type OpenDatabase } from '../open.ts'
import { sql } from '../sql.ts'

const isMissing = !isInstalled('pgbouncer') && process.env['CI'] !== 'true'

describe('PostgreSQL behind PgBouncer', { skip: isMissing && 'pgbouncer is not installed' }, () => {
  let server: Awaited<ReturnType<typeof newPostgresqlDatabase>>
  let direct: string
  let pooler: PrivatePooler
  let database: OpenDatabase
  before(async () => {
    server = await newPostgresqlDatabase()
    direct = server.options.directUrl ?? server.options.url
    pooler = await startPrivatePooler(direct)
    database = await openPooled(pooler)
  })
  after(async () => {
    await database.close()
    await pooler.stop()
    await server.remove()
  })

  const openPooled = (through: PrivatePooler) =>
    openDatabase({ kind: 'postgresql', url: through.pooled(direct), directUrl: direct, poolSize: 8 })
  const setting = (name: string, value: string) => sql`INSERT INTO deployment (name, value) VALUES (${name}, ${value})`
  const readValue = async (name: string) =>
    (await database.first<{ value: string }>(sql`SELECT value FROM deployment WHERE name = ${name}`))?.value

  it('is migrated over a connection of its own, and its schema found current', async () => {
    assert.deepEqual(await database.migrate(), [])
    await database.check()
  })

  it('runs the same statements again and again, at once, over whatever connections the pooler has', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `many-${n}`)
    await Promise.all(
      names.map((name, n) =>
        database
          .transaction(async (tx) => {
            await tx.first(sql`SELECT value FROM deployment WHERE name = ${name} FOR UPDATE`)
            await tx.run(setting(name, String(n)))
            if (n % 10 === 9) throw new Error('rolled back')
          })
          .catch((error: unknown) => assert.equal((error as Error).message, 'rolled back')),
      ),
    )
    const values = await Promise.all(names.map(readValue))
    assert.deepEqual(
      values,
      names.map((_, n) => (n % 10 === 9 ? undefined : String(n))),
    )
    const prepared = await database.first<{ count: number }>(sql`SELECT count(*) AS count FROM pg_prepared_statements
      WHERE name <> ''`)
    assert.equal(prepared?.count, 0)
  })

  it('hears notifications, which are sent within transactions through the pooler', async () => {
    const { promise: heard, resolve } = Promise.withResolvers<string>()
    const listening = await database.listen?.('pooler_test', resolve)
    await database.write(() => [sql`SELECT pg_notify('pooler_test', ${'hello'})`])
    assert.equal(await heard, 'hello')
    const rows = await listening?.all<{ one: number }>(sql`SELECT 1 AS one`)
    assert.deepEqual(rows, [{ one: 1 }])
    await listening?.stop()
  })

  it('reads one moment over a whole snapshot', async () => {
    await database.snapshot(async (reader) => {
      assert.equal(await reader.first(sql`SELECT value FROM deployment WHERE name = ${'later'}`), undefined)
      await database.write(() => [setting('later', 'written')])
      assert.equal(await reader.first(sql`SELECT value FROM deployment WHERE name = ${'later'}`), undefined)
    })
    assert.equal(await readValue('later'), 'written')
  })

  it('says which timeouts are missing, and how to set them', async () => {
    const bare = await startPrivatePooler(direct, { connectQuery: 'SET lock_timeout = 2000' })
    const behind = await openPooled(bare)
    try {
      await assert.rejects(behind.migrate(), (error: Error) => {
        assert.match(error.message, /ALTER ROLE CURRENT_USER SET statement_timeout = 5000/)
        assert.match(error.message, /idle_in_transaction_session_timeout = 10000/)
        assert.doesNotMatch(error.message, /SET lock_timeout/)
        return true
      })
    } finally {
      await behind.close()
      await bare.stop()
    }
  })

  it('is unavailable without the pooler, and gives up what was under way', async () => {
    const doomed = await startPrivatePooler(direct)
    const behind = await openPooled(doomed)
    try {
      const slow = behind.all(sql`SELECT pg_sleep(30)`)
      slow.catch(() => undefined)
      await behind.first(sql`SELECT 1`)
      await doomed.stop()
      await assert.rejects(slow, DatabaseUnavailable)
      await assert.rejects(behind.first(sql`SELECT 1`), DatabaseUnavailable)
    } finally {
      await behind.close()
    }
  })
})
