import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSqliteFile } from '../../../../test/harness/databases/databases.ts'
import { sql } from '../sql.ts'
import { Checkpoints, copiedPages } from './checkpoint.ts'
import { SqliteConnection } from './connection.ts'
import { SqliteWriter } from './writer.ts'

const mebibyte = 1024 * 1024
const lookEveryMs = 10

describe('the write-ahead log', () => {
  const { options, remove } = newSqliteFile()
  let connection: SqliteConnection
  let automatic: boolean[]
  let checkpoints: Checkpoints
  let writer: SqliteWriter

  function open(file = options.file) {
    automatic = []
    const control = {
      logProgress: () => connection.logProgress(),
      setAutomatic(isAutomatic: boolean) {
        automatic.push(isAutomatic)
        connection.setAutomatic(isAutomatic)
      },
    }
    checkpoints = new Checkpoints(file, control)
    writer = new SqliteWriter(connection, checkpoints, '.')
  }
  before(async () => {
    connection = new SqliteConnection(options.file, { readOnly: false })
    open()
    await writer.write(() => [sql`CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)`])
  })
  after(async () => {
    connection.close()
    await remove()
  })

  const logBytes = () => statSync(`${options.file}-wal`).size
  const write = () => writer.write(() => [sql`INSERT INTO texts (text) VALUES (${'x'.repeat(mebibyte)})`])
  async function writeTexts(count: number) {
    for (let written = 0; written < count; written++) await write()
  }
  async function copied() {
    while (checkpoints.isRunning) await sleep(lookEveryMs)
  }

  it('is copied by a thread while others write, and begins again', async () => {
    for (let round = 0; round < 2; round++) {
      while (!checkpoints.isRunning) await write()
      await Promise.all([writeTexts(5), copied()])
      assert.deepEqual(automatic.splice(0), [false, true], 'no commit copies the log meanwhile')
      await write()
      assert.ok(connection.logProgress().log < copiedPages, 'the log has begun again')
    }
  })

  it('pauses the writer while its last pages are copied', async () => {
    await copied()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    checkpoints.holding = promise
    const pages = connection.logProgress().log
    const written = write()
    await sleep(lookEveryMs)
    assert.equal(connection.logProgress().log, pages)
    checkpoints.holding = undefined
    resolve(undefined)
    await written
    assert.ok(connection.logProgress().log > pages)
  })

  it('waits for a reader that needs it, and is cut when the reader has gone', async () => {
    await copied()
    automatic = []
    const count = () => connection.first<{ count: number }>(sql`SELECT count(*) AS count FROM texts`)?.count ?? 0
    const earlier = count()
    const reader = new SqliteConnection(options.file, { readOnly: true })
    reader.execute('BEGIN')
    reader.first(sql`SELECT count(*) AS count FROM texts`)
    await writeTexts(90)
    assert.ok(logBytes() > 80 * mebibyte)
    assert.equal(checkpoints.isRunning, true)
    assert.deepEqual(automatic, [false])
    assert.deepEqual(reader.first(sql`SELECT count(*) AS count FROM texts`), { count: earlier })
    reader.close()
    await copied()
    assert.deepEqual(automatic, [false, true])
    await write()
    assert.ok(logBytes() <= 64 * mebibyte, `${logBytes()} bytes`)
    assert.equal(count(), earlier + 91)
  })

  it('delays no close while a reader needs it', async () => {
    const reader = new SqliteConnection(options.file, { readOnly: true })
    reader.execute('BEGIN')
    reader.first(sql`SELECT count(*) AS count FROM texts`)
    while (!checkpoints.isRunning) await write()
    await writer.close()
    assert.equal(checkpoints.isRunning, false)
    reader.close()
  })

  it('is copied by the writer if the thread fails', async () => {
    open(`${options.file}-in/no/folder`)
    while (!checkpoints.isRunning) await write()
    await copied()
    await write()
    assert.deepEqual(automatic, [false, true])
    while (connection.logProgress().checkpointed === 0) await write()
    await writer.close()
  })
})
