import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { describeOnEachEngine, type TestDatabase } from '../../../test/harness/databases/databases.ts'
import { combine, sql, type Separator, type SqlValue } from './sql.ts'

describe('sql', () => {
  it('makes a parameter of every value, in each engine’s own form', () => {
    const statement = sql`SELECT id FROM pets WHERE name = ${"O'Neill"} AND age > ${3}`
    assert.equal(statement.sqliteText, 'SELECT id FROM pets WHERE name = ? AND age > ?')
    assert.equal(statement.postgresqlText, 'SELECT id FROM pets WHERE name = $1 AND age > $2')
    assert.deepEqual(statement.values, ["O'Neill", 3])
  })

  it('splices fragments, renumbering their parameters', () => {
    const where = sql`name = ${'a'} OR name = ${'b'}`
    const statement = sql`SELECT ${1} FROM pets WHERE (${where}) AND age = ${2}${sql.forUpdate}`
    assert.equal(statement.postgresqlText, 'SELECT $1 FROM pets WHERE (name = $2 OR name = $3) AND age = $4 FOR UPDATE')
    assert.equal(statement.sqliteText, 'SELECT ? FROM pets WHERE (name = ? OR name = ?) AND age = ?')
    assert.deepEqual(statement.values, [1, 'a', 'b', 2])
  })

  it('hides the number of a LIMIT from SQLite, which would plan the statement again for each', () => {
    const limit = 20
    const inner = sql`SELECT id FROM pets LIMIT ${limit}`
    const statement = sql`SELECT id FROM (${inner}) AS p ORDER BY id LIMIT ${limit}`
    assert.equal(
      statement.sqliteText,
      'SELECT id FROM (SELECT id FROM pets LIMIT (? + 0)) AS p ORDER BY id LIMIT (? + 0)',
    )
    assert.equal(statement.postgresqlText, 'SELECT id FROM (SELECT id FROM pets LIMIT $1) AS p ORDER BY id LIMIT $2')
  })

  it('writes a limit into the text, so that PostgreSQL keeps the plan', () => {
    const statement = sql`SELECT id FROM pets WHERE name = ${'a'} ${sql.limit(21)}`
    assert.equal(statement.postgresqlText, 'SELECT id FROM pets WHERE name = $1 LIMIT 21')
    assert.equal(statement.sqliteText, 'SELECT id FROM pets WHERE name = ? LIMIT 21')
    assert.deepEqual(statement.values, ['a'])
    for (const rows of [-1, 1.5, Number.NaN, '1; DROP TABLE pets' as unknown as number]) {
      assert.throws(() => sql.limit(rows), RangeError)
    }
  })

  it('joins fragments and lists rows', () => {
    const conditions = sql.join([sql`a = ${1}`, sql`b = ${2}`, sql`c IS NULL`], ' AND ')
    assert.equal(sql`WHERE ${conditions}`.postgresqlText, 'WHERE a = $1 AND b = $2 AND c IS NULL')
    const rows = sql.values([
      [1, 'a'],
      [2, null],
    ])
    assert.equal(sql`INSERT INTO pets ${rows}`.postgresqlText, 'INSERT INTO pets VALUES ($1, $2), ($3, $4)')
    assert.deepEqual(rows.values, [1, 'a', 2, null])
  })

  it('gives the same text the same name and another text another', () => {
    const one = (value: SqlValue) => sql`SELECT ${value} FROM pets`
    const same = sql`SELECT ${sql`${5}`} FROM ${sql.identifier('pets')}`
    assert.equal(one(1).name, one('x').name)
    assert.equal(one(1).name, same.name)
    assert.notEqual(one(1).name, sql`SELECT ${1} FROM cats`.name)
    assert.ok(one(1).name.length < 64, 'PostgreSQL cuts longer names')
  })

  it('refuses everything but values and its own fragments', () => {
    const forged = { name: 'x', sqliteText: 'DROP TABLE pets', postgresqlText: 'DROP TABLE pets', values: [] }
    for (const value of [undefined, true, 1n, Number.NaN, {}, [], () => 1, forged]) {
      assert.throws(() => sql`SELECT ${value as unknown as SqlValue}`, TypeError)
    }
    assert.throws(() => sql.join([forged], ', '), TypeError)
    assert.throws(() => combine([forged]), TypeError)
    assert.throws(() => sql.join([sql`a`, sql`b`], '; DROP TABLE pets; ' as unknown as Separator), TypeError)
    for (const name of ['', 'a b', 'a"', 'A', 'a;', 'pets\n']) assert.throws(() => sql.identifier(name), TypeError)
    assert.throws(() => sql.values([[1, 2], [3]]), RangeError)
    assert.throws(() => sql.values([]), RangeError)
  })

  it('is written again from the same template when a fragment of it, or its position, changes', () => {
    const select = (...members: readonly [ReturnType<typeof sql>, ReturnType<typeof sql> | number]) =>
      sql`SELECT ${members[0]} FROM pets WHERE ${members[1]}`
    const isYoung = sql`age < ${1}`
    for (let round = 0; round < 2; round++) {
      for (const name of ['name', 'age']) {
        const column = sql.identifier(name)
        const young = select(column, isYoung)
        assert.equal(young.sqliteText, `SELECT ${name} FROM pets WHERE age < ?`)
        assert.deepEqual(young.values, [1])
        const any = select(column, 7)
        assert.equal(any.sqliteText, `SELECT ${name} FROM pets WHERE ?`)
        assert.deepEqual(any.values, [7])
      }
    }
  })

  it('writes one row of values as it writes several', () => {
    const readRows = (count: number, columns: number) =>
      sql`INSERT INTO pets ${sql.values(Array.from({ length: count }, (_row, row) => Array.from({ length: columns }, (_column, column) => row * 10 + column)))}`
    for (const columns of [1, 2]) {
      const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`
      for (const count of [1, 2, 3, 1]) {
        const statement = readRows(count, columns)
        const rows = Array.from({ length: count }, () => row).join(', ')
        assert.equal(statement.sqliteText, `INSERT INTO pets VALUES ${rows}`)
        assert.equal(statement.values.length, count * columns)
      }
    }
  })

  it('combines statements into one, with their parameters in order', () => {
    const combined = combine([sql`INSERT INTO a VALUES (${1})`, sql`DELETE FROM b`, sql`UPDATE c SET d = ${2}`])
    assert.equal(
      combined.postgresqlText,
      'WITH s1 AS (INSERT INTO a VALUES ($1)), s2 AS (DELETE FROM b) UPDATE c SET d = $2',
    )
    assert.deepEqual(combined.values, [1, 2])
    assert.throws(() => combine([sql`SELECT 1`, sql`DELETE FROM b`]), TypeError)
    assert.throws(() => combine([]), RangeError)
  })
})

describeOnEachEngine('a value of a statement', (open) => {
  let test: TestDatabase
  before(async () => {
    test = await open()
    await test.database.transaction(async (tx) => {
      const binary = sql.identifier(tx.engine === 'sqlite' ? 'blob' : 'bytea')
      await tx.run(
        sql`CREATE TABLE kept (id INTEGER PRIMARY KEY, text_value TEXT, real_value DOUBLE PRECISION, bytes ${binary})`,
      )
    })
  })

  // PostgreSQL has no NUL in text and no lone surrogates; both are refused long before the database.
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0')),
    fc.constantFrom("'", '"', "'; DROP TABLE kept; --", '$1', '?', '\\', '%_', 'ſİ\u212a', '👩‍👩‍👧', ''),
  )
  const real = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value))
  const bytes = fc.option(fc.uint8Array())

  it('comes back as it went in', async () => {
    let id = 0
    await fc.assert(
      fc.asyncProperty(text, real, bytes, async (textValue, realValue, byteValue) => {
        id++
        await test.database.write(() => [
          sql`INSERT INTO kept (id, text_value, real_value, bytes) VALUES (${id}, ${textValue}, ${realValue}, ${byteValue})`,
        ])
        const row = await test.database.first<{
          id: number
          text_value: string
          real_value: number
          bytes: Uint8Array | null
        }>(sql`SELECT * FROM kept WHERE id = ${id} AND text_value = ${textValue}`)
        assert.equal(row?.id, id)
        assert.equal(row.text_value, textValue)
        assert.equal(row.real_value, realValue)
        assert.deepEqual(row.bytes === null ? null : [...row.bytes], byteValue === null ? null : [...byteValue])
      }),
      { numRuns: 200 },
    )
  })

  it('has the same type on both engines where it is counted or compared', async () => {
    const row = await test.database.first(
      sql`SELECT COUNT(*) AS count, EXISTS (SELECT 1 FROM kept WHERE id = -1) AS found FROM kept WHERE id < ${0}`,
    )
    assert.deepEqual(row, { count: 0, found: 0 })
  })
})
