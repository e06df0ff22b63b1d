import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { newSqliteFile } from '../../../../test/harness/databases/databases.ts'
import { ConstraintError, DatabaseUnavailable } from '../database.ts'
import { openDatabase, type OpenDatabase } from '../open.ts'
import { sql } from '../sql.ts'

const add = (id: number) => sql`INSERT INTO numbers (id) VALUES (${id})`

describe('the SQLite writer', () => {
  const { options, remove } = newSqliteFile()
  let database: OpenDatabase

  before(async () => {
    database = await openDatabase(options)
    await database.write(() => [
      sql`CREATE TABLE numbers (id INTEGER PRIMARY KEY)`,
      sql`CREATE TABLE late (id INTEGER REFERENCES numbers (id) DEFERRABLE INITIALLY DEFERRED)`,
    ])
  })
  beforeEach(() => database.write(() => [sql`DELETE FROM late`, sql`DELETE FROM numbers`]))
  after(async () => {
    await database.close()
    await remove()
  })

  const ids = async () =>
    (await database.all<{ id: number }>(sql`SELECT id FROM numbers ORDER BY id`)).map(({ id }) => id)

  it('refuses what writes without a transaction, also while nothing else is open', async () => {
    for (const text of [sql`INSERT INTO numbers (id) VALUES (1) RETURNING id`, sql`DELETE FROM numbers RETURNING id`]) {
      await assert.rejects(database.all(text), /readonly/)
      await assert.rejects(database.first(text), /readonly/)
    }
    assert.deepEqual(await ids(), [])
  })

  it('runs at most 256 transactions under one commit, and acknowledges none before it', async () => {
    let acknowledged = 0
    const acknowledgedBefore = await Promise.all(
      Array.from({ length: 600 }, (_, id) =>
        database.transaction(async (tx) => {
          tx.afterCommit(() => acknowledged++)
          const seen = acknowledged
          await tx.run(add(id))
          return seen
        }),
      ),
    )
    const groups = Map.groupBy(acknowledgedBefore, (seen) => seen)
    assert.deepEqual(
      [...groups].map(([seen, members]) => [seen, members.length]),
      [
        [0, 256],
        [256, 256],
        [512, 88],
      ],
    )
    assert.equal((await ids()).length, 600)
  })

  it('completes every write of a group once, except the refused one', async () => {
    for (let round = 0; round < 20; round++) {
      const from = round * 10
      const results = await Promise.allSettled([
        database.write(() => [add(from + 1), add(from + 2)]),
        database.write(() => [add(from + 3), add(from + 1)]),
        database.write(() => [add(from + 4)]),
      ])
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
    }
    const kept = Array.from({ length: 20 }, (_, round) => [1, 2, 4].map((id) => round * 10 + id))
    assert.deepEqual(await ids(), kept.flat())
  })

  it('rejects every transaction of a group whose commit fails', async () => {
    const results = await Promise.allSettled([
      database.write(() => [add(1)]),
      // A deferred foreign key is only checked by COMMIT.
      database.write(() => [sql`INSERT INTO late (id) VALUES (${99})`]),
      database.transaction((tx) => tx.run(add(2))),
    ])
    for (const result of results) {
      assert.equal(result.status, 'rejected')
      assert.ok(result.reason instanceof ConstraintError)
    }
    assert.deepEqual(await ids(), [])
    await database.write(() => [add(3)])
    assert.deepEqual(await ids(), [3])
  })

  it('fails a body that awaits something else, and only that one', async () => {
    let lateStatement: unknown
    const foreign = database.transaction(async (tx) => {
      await tx.run(add(2))
      await sleep(5)
      await tx.run(add(3)).catch((error: unknown) => {
        lateStatement = error
      })
    })
    const results = await Promise.allSettled([
      database.write(() => [add(1)]),
      foreign,
      database.transaction((tx) => tx.run(add(4))),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    await assert.rejects(foreign, /awaited something other than its own statements/)
    assert.deepEqual(await ids(), [1, 4])
    await sleep(20)
    assert.match(String(lateStatement), /has ended/)
    assert.deepEqual(await ids(), [1, 4])
  })

  it('fails a body that never ends, and one that waits for another transaction', async () => {
    const never = database.transaction(() => new Promise(() => undefined))
    const nested = database.transaction(() => database.write(() => [add(1)]))
    await assert.rejects(never, /awaited something other/)
    await assert.rejects(nested, /awaited something other/)
    await database.write(() => [add(2)])
    assert.deepEqual(await ids(), [1, 2])
  })

  it('lets bodies await promises that need no turn of the event loop', async () => {
    await database.transaction(async (tx) => {
      for (let id = 0; id < 50; id++) {
        await Promise.resolve()
        await new Promise<void>((resolve) => {
          process.nextTick(resolve)
        })
        await tx.run(add(id))
      }
    })
    assert.equal((await ids()).length, 50)
  })

  /** Takes several slices. */
  const addSlowly = (id: number) => sql`
    INSERT INTO numbers (id)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT ${id} + 0 * max(i) FROM n`

  /** Reads in each turn of the event loop until the work is done. */
  async function readDuring<Read>(work: Promise<unknown>, read: () => Promise<Read>): Promise<Read[]> {
    const reads: Read[] = []
    const state = { isDone: false }
    const end = () => {
      state.isDone = true
    }
    void work.then(end, end)
    while (!state.isDone) {
      await nextTurn()
      reads.push(await read())
    }
    await work
    return reads
  }

  it('leaves turns to others within a long transaction, of which they see nothing before it is committed', async () => {
    let run = 0
    const work = database.transaction(async (tx) => {
      for (const id of [1, 2, 3]) {
        await tx.run(addSlowly(id))
        run = id
      }
    })
    const reads = await readDuring(work, async () => ({ run, seen: await ids() }))
    for (const id of [1, 2]) assert.ok(reads.some((read) => read.run === id && read.seen.length === 0))
    assert.ok(reads.every(({ seen }) => seen.length === 0 || seen.length === 3))
    assert.deepEqual(await ids(), [1, 2, 3])
  })

  it('leaves turns to others between the writes of a group, with savepoints and without', async () => {
    for (const body of [undefined, async () => undefined]) {
      let run = 0
      const writes = [1, 2, 3].map((id) =>
        database.write(() => {
          run = id
          return [addSlowly(id)]
        }),
      )
      const work = Promise.all([...writes, ...(body === undefined ? [] : [database.transaction(body)])])
      const reads = await readDuring(work, async () => ({ run, seen: await ids() }))
      for (const id of [1, 2]) assert.ok(reads.some((read) => read.run === id && read.seen.length === 0))
      await database.write(() => [sql`DELETE FROM numbers`])
    }
  })

  it('leaves turns to others after a few statements of a patient transaction', async () => {
    const all = Array.from({ length: 2000 }, (_, id) => id)
    let run = 0
    const work = database.transaction(
      async (tx) => {
        for (run of all) await tx.run(add(run))
      },
      { isPatient: true },
    )
    const reads = await readDuring(work, async () => run)
    assert.ok(new Set(reads).size > 5, `${new Set(reads).size} turns`)
    assert.deepEqual(await ids(), all)
  })

  it('runs what is asked for during a turn in that order, and refuses a body that awaits something else after it', async () => {
    const seen = await database.transaction(async (tx) => {
      const asked = [
        tx.run(addSlowly(1)),
        tx.run(add(2)),
        tx.runAll([add(3), add(4)]),
        tx.all(sql`SELECT id FROM numbers`),
      ]
      return (await Promise.all(asked)).at(-1)
    })
    assert.deepEqual(seen, [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])
    const foreign = database.transaction(async (tx) => {
      await tx.run(addSlowly(5))
      await tx.run(add(6))
      await sleep(5)
    })
    await assert.rejects(foreign, /awaited something other than its own statements/)
    const early = database.transaction(async (tx) => {
      const asked = Promise.allSettled([tx.run(addSlowly(5)), tx.run(add(6))])
      tx.runLast([add(7)])
      await asked
    })
    await assert.rejects(early, /was not awaited/)
    assert.deepEqual(await ids(), [1, 2, 3, 4])
  })

  it('is unavailable while another process locks the file', async () => {
    const other = new DatabaseSync(options.file)
    other.exec('BEGIN IMMEDIATE')
    try {
      await assert.rejects(
        database.write(() => [add(1)]),
        DatabaseUnavailable,
      )
    } finally {
      other.close()
    }
    await database.write(() => [add(2)])
    assert.deepEqual(await ids(), [2])
  })

  it('is unavailable when there is no room, and works again when there is', async () => {
    const pages = await database.transaction((tx) => tx.first<{ page_count: number }>(sql`PRAGMA page_count`))
    const limit = (count: number) =>
      database.transaction((tx) =>
        tx.first(count === 0 ? sql`PRAGMA max_page_count = 1000000` : sql`PRAGMA max_page_count = 1`),
      )
    assert.ok(pages)
    await limit(1)
    const large = sql`INSERT INTO numbers (id) WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 90000) SELECT i FROM n`
    const results = await Promise.allSettled([
      database.write(() => [add(1)]),
      database.write(() => [large]),
      database.transaction((tx) => tx.run(large)),
    ])
    for (const result of results.slice(1)) {
      assert.equal(result.status, 'rejected')
      assert.ok(result.reason instanceof DatabaseUnavailable, String(result.reason))
    }
    await limit(0)
    await database.write(() => [add(2)])
    assert.deepEqual(
      await ids(),
      results[0].status === 'fulfilled' ? [1, 2] : [2],
      'a write is kept exactly when it was acknowledged',
    )
  })
})

describe('closing a SQLite database', () => {
  it('finishes what is queued, refuses what comes later and leaves one file', async () => {
    const { options, remove } = newSqliteFile()
    const database = await openDatabase(options)
    await database.write(() => [sql`CREATE TABLE numbers (id INTEGER PRIMARY KEY)`])
    const queued = Array.from({ length: 600 }, (_, id) => database.write(() => [add(id)]))
    const closed = database.close()
    await assert.rejects(
      database.write(() => [add(1000)]),
      DatabaseUnavailable,
    )
    await Promise.all([...queued, closed, database.close()])
    assert.equal(statSync(`${options.file}-wal`, { throwIfNoEntry: false }), undefined)
    assert.equal(statSync(options.file).mode & 0o777, 0o600)
    const reopened = await openDatabase(options)
    assert.deepEqual(await reopened.first(sql`SELECT COUNT(*) AS count FROM numbers`), { count: 600 })
    await reopened.close()
    await remove()
  })

  it('refuses unique indexes that SQLite could not tell apart', async () => {
    const { options, remove } = newSqliteFile()
    const database = await openDatabase(options)
    await database.write(() => [
      sql`CREATE TABLE pets (name TEXT, alive INTEGER)`,
      sql`CREATE UNIQUE INDEX pets_name_key ON pets (name)`,
      sql`CREATE UNIQUE INDEX pets_alive_key ON pets (name) WHERE alive = 1`,
    ])
    await database.close()
    await assert.rejects(openDatabase(options), /pets_alive_key and pets_name_key have the same columns/)
    await remove()
  })
})
