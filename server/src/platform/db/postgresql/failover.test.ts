// The server that takes writes changes: it is demoted, promoted, killed, or silent. The servers are real and belong to this test.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CuttableProxy, cuttableProxy } from '../../../../test/nodes/database-proxy.ts'
import { type PostgresPair, askServer, severalHosts, startPostgresPair } from '../../../../test/nodes/postgres-pair.ts'
import { DatabaseUnavailable } from '../database.ts'
import { type OpenDatabase, openDatabase } from '../open.ts'
import { sql } from '../sql.ts'

const waitMsMax = 60_000
const poolSize = 4
/** The other connections are left to reads. */
const writersMax = 3

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + waitMsMax
  while (!(await isSo())) {
    if (performance.now() > deadline) assert.fail(`waited in vain until ${what}`)
    await sleep(10)
  }
}

const succeeds = (asked: Promise<unknown>) =>
  asked.then(
    () => true,
    () => false,
  )

describe('PostgreSQL with a standby', () => {
  let pair: PostgresPair
  const ends: (() => unknown)[] = []
  beforeEach(async () => {
    pair = await startPostgresPair()
    ends.push(() => pair.stop())
    await askServer(pair.primary.url, 'CREATE TABLE notes (id TEXT PRIMARY KEY)')
    await askServer(pair.primary.url, 'CREATE TABLE schema_migrations (id TEXT NOT NULL PRIMARY KEY)')
    await until('the standby has it', async () => {
      const [row] = await askServer(pair.standby.url, `SELECT to_regclass('schema_migrations') IS NOT NULL AS is_there`)
      return row?.['is_there'] === true
    })
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  async function open(url: string, isReadOnly = false): Promise<OpenDatabase> {
    const database = await openDatabase({ kind: 'postgresql', url, poolSize, isReadOnly }, [])
    ends.push(() => database.close())
    return database
  }

  async function proxy(url: string): Promise<CuttableProxy> {
    const made = await cuttableProxy(url)
    ends.push(() => made.close())
    return made
  }

  /** Uses another id each time, because a failed one may have taken effect. */
  let notes = 0
  const writeOnce = (database: OpenDatabase) => write(database, `note ${++notes}`)
  const write = (database: OpenDatabase, id: string) => database.write(() => [sql`INSERT INTO notes VALUES (${id})`])

  const isReady = (database: OpenDatabase) => succeeds(database.check())

  /** Opens as many connections as allowed, all of them idle afterwards. */
  async function fill(database: OpenDatabase): Promise<void> {
    await Promise.all(Array.from({ length: poolSize }, () => database.all(sql`SELECT pg_sleep(0.05)`)))
  }

  const connectionsAt = async (url: string) => {
    const rows = await askServer(url, `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'bailiwick%'`)
    return rows.length
  }

  it('is found among several hosts, wherever it stands', async () => {
    const backwards = await open(severalHosts(pair.standby.url, pair.primary.url))
    await write(backwards, 'one')
    assert.equal(await connectionsAt(pair.standby.url), 0)
  })

  it('is not ready where the only host is a standby, which readers alone may use', async () => {
    const database = await open(pair.standby.url)
    await assert.rejects(database.check(), /a standby/)
    await assert.rejects(database.first(sql`SELECT 1`), DatabaseUnavailable)
    const reader = await open(pair.standby.url, true)
    assert.deepEqual(await reader.all(sql`SELECT id FROM notes`), [])
    await reader.check()
  })

  // Guards: one-primary
  it('is used no more, nor ready, once it takes no writes, though its connections live on', async () => {
    const database = await open(pair.primary.url)
    await fill(database)
    await askServer(pair.primary.url, `ALTER SYSTEM SET default_transaction_read_only = on`)
    await askServer(pair.primary.url, 'SELECT pg_reload_conf()')
    await until('a write is refused', async () => !(await succeeds(writeOnce(database))))
    await assert.rejects(database.first(sql`SELECT 1`), /read-only/)
    assert.equal(await isReady(database), false)
    await until('no connection is left', async () => (await connectionsAt(pair.primary.url)) === 0)
  })

  // Guards: one-primary
  it('is not ready once the database refuses writes, even without a write', async () => {
    const database = await open(pair.primary.url)
    await fill(database)
    await askServer(pair.primary.url, `ALTER SYSTEM SET default_transaction_read_only = on`)
    await askServer(pair.primary.url, 'SELECT pg_reload_conf()')
    await until('it is not ready', async () => !(await isReady(database)))
    await askServer(pair.primary.url, 'ALTER SYSTEM RESET default_transaction_read_only')
    await askServer(pair.primary.url, 'SELECT pg_reload_conf()')
    await until('it is ready again', () => isReady(database))
    await write(database, 'again')
  })

  // Guards: one-primary
  it('changes with it when it is demoted and the standby promoted, all connections at once', async () => {
    const database = await open(pair.url)
    await fill(database)
    await write(database, 'before')
    await pair.primary.demote()
    await pair.standby.promote()
    await until('writes are taken again', () => succeeds(writeOnce(database)))
    await fill(database)
    assert.equal(await connectionsAt(pair.primary.url), 0)
    assert.equal(await connectionsAt(pair.standby.url), poolSize)
    const kept = await database.all<{ id: string }>(sql`SELECT id FROM notes`)
    assert.ok(['before', `note ${notes}`].every((id) => kept.some((row) => row.id === id)))
    assert.equal(await isReady(database), true)
  })

  it('is followed from a primary that is killed, also by what listens', async () => {
    const database = await open(pair.url)
    const heard: string[] = []
    const listening = await database.listen?.('changes', (payload) => heard.push(payload))
    ends.push(() => listening?.stop())
    await fill(database)
    await pair.primary.kill()
    await pair.standby.promote()
    await until('writes are taken again', () => succeeds(writeOnce(database)))
    await until('it hears of what is told there', async () => {
      await askServer(pair.standby.url, `SELECT pg_notify('changes', 'told')`)
      return heard.includes('told')
    })
  })

  // Guards: one-primary
  it('is never used beside another: what is under way at the old one is lost once another is used', async () => {
    const first = await proxy(pair.primary.url)
    const database = await open(severalHosts(first.url, pair.standby.url))
    const lost = database.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO notes VALUES ('at the old one')`)
      first.refuseOthers()
      await pair.standby.promote()
      await until('the other one is used', () => succeeds(writeOnce(database)))
      await tx.run(sql`INSERT INTO notes VALUES ('at the old one, too')`)
    })
    await assert.rejects(lost, DatabaseUnavailable)
    await until('the old server has no connection left', async () => (await connectionsAt(pair.primary.url)) === 0)
    assert.deepEqual(await askServer(pair.primary.url, 'SELECT id FROM notes'), [])
  })

  // Guards: one-primary
  it('is followed from a primary that only falls silent, whose connections are given up with what is under way', async () => {
    const first = await proxy(pair.primary.url)
    const second = await proxy(pair.standby.url)
    const database = await open(severalHosts(first.url, second.url))
    const listening = await database.listen?.('changes', () => undefined)
    ends.push(() => listening?.stop())
    await fill(database)
    first.silence()
    const lost = assert.rejects(database.first(sql`SELECT 1`), DatabaseUnavailable)
    await pair.standby.promote()
    // The code that follows other nodes' changes repeats such queries all the time.
    const asking = setInterval(() => void listening?.all(sql`SELECT 1`).catch(() => undefined), 50)
    ends.push(() => clearInterval(asking))
    await until('writes are taken again', () => succeeds(writeOnce(database)))
    await lost
    first.restore()
    await fill(database)
    await until('the old server has no connection left', async () => (await connectionsAt(pair.primary.url)) === 0)
    const acknowledged = await askServer(pair.standby.url, 'SELECT 1 FROM notes WHERE id = $1', [`note ${notes}`])
    assert.equal(acknowledged.length, 1)
  })

  it('is used again, by as many connections as before, where all those to it were silently lost', async () => {
    const first = await proxy(pair.primary.url)
    const database = await open(first.url)
    const listening = await database.listen?.('changes', () => undefined)
    ends.push(() => listening?.stop())
    await fill(database)
    first.silence()
    const lost = Array.from({ length: poolSize }, () =>
      assert.rejects(database.first(sql`SELECT 1`), DatabaseUnavailable),
    )
    await Promise.all(lost)
    first.restoreForOthers()
    const asking = setInterval(() => void listening?.all(sql`SELECT 1`).catch(() => undefined), 50)
    ends.push(() => clearInterval(asking))
    await until('writes are taken again', () => succeeds(writeOnce(database)))
    await fill(database)
    await until('the server has no more than these', async () => {
      const [row] = await askServer(
        pair.primary.url,
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'bailiwick'`,
      )
      return Number(row?.['n']) <= poolSize
    })
  })
})

describe('PostgreSQL whose synchronous standby is away', () => {
  let pair: PostgresPair
  let database: OpenDatabase
  beforeEach(async () => {
    pair = await startPostgresPair()
    await askServer(pair.primary.url, 'CREATE TABLE notes (id TEXT PRIMARY KEY)')
    await pair.setSynchronous(true)
    await until('commits wait for the standby', async () => {
      const [row] = await askServer(pair.primary.url, `SELECT sync_state FROM pg_stat_replication`)
      return row?.['sync_state'] === 'sync'
    })
    database = await openDatabase({ kind: 'postgresql', url: pair.primary.url, poolSize }, [])
  })
  afterEach(async () => {
    pair.standby.resume()
    await database.close()
    await pair.stop()
  })

  const insert = (id: string) => database.write(() => [sql`INSERT INTO notes VALUES (${id})`])
  const backends = () =>
    askServer(
      pair.primary.url,
      `SELECT pid, wait_event FROM pg_stat_activity WHERE application_name = 'bailiwick' ORDER BY pid`,
    )

  const commitsThatWait = async () => (await backends()).filter((row) => row['wait_event'] === 'SyncRep').length

  // Guards: synchronous-commits
  it('has no more connections than the pool may open, however many commits are given up, and goes on reading', async () => {
    // Opened beforehand: on a busy machine, a connection may take longer to open than a commit waits for it.
    await Promise.all(Array.from({ length: poolSize }, () => database.all(sql`SELECT pg_sleep(0.05)`)))
    pair.standby.pause()
    const inserted = Array.from({ length: 3 * poolSize }, (_, n) => insert(`first ${n}`))
    const outcomes = Promise.allSettled(inserted)
    await until('writers have all that they may have', async () => (await commitsThatWait()) === writersMax)
    const read = () => database.first<{ n: number }>(sql`SELECT CAST(count(*) AS integer) AS n FROM notes`)
    assert.equal((await read())?.n, 0)
    for (const { status } of await outcomes) assert.equal(status, 'rejected')
    // The server still holds the abandoned connections, so no others are opened in their place.
    await assert.rejects(insert('second'), DatabaseUnavailable)
    assert.deepEqual(await Promise.all([read(), read(), read()]), [{ n: 0 }, { n: 0 }, { n: 0 }])
    assert.equal(await commitsThatWait(), writersMax)
    assert.ok((await backends()).length <= poolSize)
    pair.standby.resume()
    await until('writes are taken again', () => succeeds(insert(`third ${performance.now()}`)))
    await until('what was given up has left', async () =>
      (await backends()).every((row) => row['wait_event'] !== 'SyncRep'),
    )
    // Committed after all, each once: an unconfirmed commit is neither undone nor repeated.
    const [row] = await askServer(pair.primary.url, `SELECT count(*) AS n FROM notes WHERE id LIKE 'first%'`)
    assert.equal(row?.['n'], String(writersMax))
  })

  // Guards: synchronous-commits
  it('acknowledges no commit whose wait is cancelled', async () => {
    pair.standby.pause()
    const alone = insert('alone')
    const inTransaction = database.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO notes VALUES ('in a transaction')`)
    })
    const outcomes = Promise.allSettled([alone, inTransaction])
    await until('both wait', async () => (await commitsThatWait()) === 2)
    await askServer(
      pair.primary.url,
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'bailiwick'`,
    )
    for (const outcome of await outcomes) {
      assert.equal(outcome.status, 'rejected')
      assert.ok(outcome.reason instanceof DatabaseUnavailable)
    }
  })
})
