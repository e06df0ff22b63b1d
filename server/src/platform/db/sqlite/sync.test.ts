// A commit counts once the disk has it. The disk is a fake here, because nothing else can be made to wait or fail on demand.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, afterEach, before, beforeEach, describe, it, mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSqliteFile } from '../../../../test/harness/databases/databases.ts'
import { DatabaseUnavailable } from '../database.ts'
import { type OpenDatabase, openDatabase } from '../open.ts'
import { sql } from '../sql.ts'

type Done = (error: NodeJS.ErrnoException | null) => void

const add = (id: number) => sql`INSERT INTO numbers (id) VALUES (${id})`

describe('the sync of the SQLite writer', () => {
  let waiting: Done[]
  let calls = 0
  let store: ReturnType<typeof newSqliteFile>
  let database: OpenDatabase

  const settle = (error: NodeJS.ErrnoException | null = null) => {
    for (const done of waiting.splice(0)) done(error)
  }

  before(() => {
    mock.method(fs, 'fdatasync', (_file: number, done: Done) => {
      calls++
      waiting.push(done)
    })
  })
  beforeEach(async () => {
    waiting = []
    store = newSqliteFile()
    database = await openDatabase(store.options)
    const created = database.write(() => [sql`CREATE TABLE numbers (id INTEGER PRIMARY KEY)`])
    while (waiting.length === 0) await sleep(1)
    settle()
    await created
  })
  afterEach(async () => {
    await database.close()
    await store.remove()
  })
  after(() => mock.restoreAll())

  it('acknowledges a write, and what waits for its commit, only when the disk has it', async () => {
    const done: string[] = []
    const all = Promise.all([
      database.write(() => [add(1)]).then(() => done.push('write')),
      database.transaction(async (tx) => {
        tx.afterCommit(() => done.push('after commit'))
        await tx.run(add(2))
      }),
    ])
    while (waiting.length === 0) await sleep(1)
    assert.deepEqual(done, [])
    settle()
    await all
    assert.deepEqual(done, ['after commit', 'write'])
  })

  it('syncs once for a group, and not at all for one that is provisional throughout', async () => {
    const syncs = calls
    assert.equal(await database.write(() => [add(1)], { isProvisional: true }), 1)
    assert.equal(calls, syncs)
    const group = Promise.all([
      database.write(() => [add(2)], { isProvisional: true }),
      database.write(() => [add(3)]),
      database.write(() => [add(4)]),
    ])
    while (waiting.length === 0) await sleep(1)
    assert.equal(calls, syncs + 1)
    settle()
    await group
  })

  it('refuses what the disk did not confirm, and everything after it', async () => {
    const group = Promise.allSettled([database.write(() => [add(1)]), database.transaction((tx) => tx.run(add(2)))])
    while (waiting.length === 0) await sleep(1)
    const queued = database.write(() => [add(3)])
    queued.catch(() => undefined)
    settle(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
    for (const result of await group) {
      assert.equal(result.status, 'rejected')
      assert.ok(result.reason instanceof DatabaseUnavailable, String(result.reason))
    }
    await assert.rejects(queued, DatabaseUnavailable)
    await assert.rejects(
      database.write(() => [add(4)]),
      DatabaseUnavailable,
    )
    await assert.rejects(database.check(), DatabaseUnavailable)
    assert.deepEqual(await database.all(sql`SELECT id FROM numbers WHERE id > 2 ORDER BY id`), [])
  })
})
