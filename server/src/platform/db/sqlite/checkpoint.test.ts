import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSqliteFile } from '../../../../test/harness/databases/databases.ts'
import { sql } from '../sql.ts'
import { Checkpoints } from './checkpoint.ts'
import { SqliteConnection } from './connection.ts'
import { SqliteWriter } from './writer.ts'

const mebibyte = 1024 * 1024
const lookEveryMs = 10

describe('the write-ahead log beside a reader that stays', () => {
  const { options, remove } = newSqliteFile()
  let connection: SqliteConnection
  let automatic: boolean[]
  let checkpoints: Checkpoints
  let writer: SqliteWriter
  before(async () => {
    connection = new SqliteConnection(options.file, { readOnly: false })
    automatic = []
    checkpoints = new Checkpoints(
      options.file,
      {
        logBytes: () => connection.logBytes(),
        setAutomatic(isAutomatic) {
          automatic.push(isAutomatic)
          connection.setAutomatic(isAutomatic)
        },
      },
      20 * mebibyte,
    )
    writer = new SqliteWriter(connection, checkpoints, '.')
    await writer.write(() => [sql`CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)`])
  })
  after(async () => {
    await writer.close()
    connection.close()
    await remove()
  })

  const logBytes = () => statSync(`${options.file}-wal`).size
  const write = () => writer.write(() => [sql`INSERT INTO texts (text) VALUES (${'x'.repeat(mebibyte)})`])

  it('is moved by a thread once it is large, and started again and cut when the reader has gone', async () => {
    const reader = new SqliteConnection(options.file, { readOnly: true })
    reader.execute('BEGIN')
    reader.first(sql`SELECT count(*) AS count FROM texts`)
    for (let count = 0; count < 90; count++) await write()
    assert.ok(logBytes() > 80 * mebibyte)
    assert.equal(checkpoints.isRunning, true)
    assert.deepEqual(automatic, [false], 'no commit moves the log meanwhile')
    assert.deepEqual(reader.first(sql`SELECT count(*) AS count FROM texts`), { count: 0 })
    reader.close()
    while (checkpoints.isRunning) await sleep(lookEveryMs)
    assert.deepEqual(automatic, [false, true])
    // One commit moves the rest, the next restarts the log.
    for (let count = 0; count < 3; count++) await write()
    assert.ok(logBytes() <= 64 * mebibyte, `${logBytes()} bytes`)
    assert.deepEqual(connection.first(sql`SELECT count(*) AS count FROM texts`), { count: 93 })
  })
})
