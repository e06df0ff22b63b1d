import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newEmptyPostgresqlDatabase } from '../../../../test/harness/databases/databases.ts'
import { type OpenDatabase, openDatabase } from '../open.ts'
import { sql } from '../sql.ts'

describe('a prepared statement', () => {
  let server: Awaited<ReturnType<typeof newEmptyPostgresqlDatabase>>
  let database: OpenDatabase
  before(async () => {
    server = await newEmptyPostgresqlDatabase()
    // One connection, so that the statement is prepared once.
    database = await openDatabase({ ...server.options, poolSize: 1 }, [])
    await database.write(() => [sql`CREATE TABLE things (id TEXT PRIMARY KEY, size BIGINT NOT NULL, picture BYTEA)`])
  })
  after(async () => {
    await database.close()
    await server.remove()
  })

  const insert = (id: string, size: number) =>
    database.write(() => [sql`INSERT INTO things VALUES (${id}, ${size}, ${new Uint8Array([0, 255])})`])
  const read = (id: string) =>
    database.all(sql`SELECT id, size, size > 0 AS is_large, CAST(NULL AS TEXT) AS nothing FROM things WHERE id = ${id}`)

  it('answers alike when its columns are asked for and when they are known, with rows and without', async () => {
    assert.deepEqual([await insert('a', 1), await insert('b', 0)], [1, 1])
    const a = { id: 'a', size: 1, is_large: 1, nothing: null }
    assert.deepEqual(await read('none'), [])
    assert.deepEqual([await read('a'), await read('a'), await read('none')], [[a], [a], []])
    assert.deepEqual(await Promise.all([read('a'), read('b')]), [[a], [{ ...a, id: 'b', size: 0, is_large: 0 }]])
    const pictures = database.all<{ picture: Buffer }>(sql`SELECT picture FROM things WHERE id = ${'a'}`)
    assert.deepEqual([...((await pictures)[0]?.picture ?? [])], [0, 255])
    const remove = () => database.write(() => [sql`DELETE FROM things WHERE id = ${'b'}`])
    assert.deepEqual([await remove(), await remove()], [1, 0])
  })

  it('is refused for a number that JavaScript does not have, and the next one is answered', async () => {
    const large = (text: string) => database.first(sql`SELECT CAST(${text} AS BIGINT) AS size`)
    assert.deepEqual(await large('1'), { size: 1 })
    await assert.rejects(large('9007199254740993'), /is too large for a number/)
    assert.deepEqual(await large('2'), { size: 2 })
  })
})
