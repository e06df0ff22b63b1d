import assert from 'node:assert/strict'
import { before, beforeEach, it } from 'node:test'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { ConstraintError, type Database, NothingChanged, type Transaction } from './database.ts'
import { joinedReads } from './joined-reads.ts'
import { sql, type Statement } from './sql.ts'

const addPet = (id: string, name = id, createdAt = id): Statement =>
  sql`INSERT INTO pets (tenant_id, id, name, created_at, age) VALUES (${'t'}, ${id}, ${name}, ${createdAt}, ${1})`

async function createTables(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`CREATE TABLE owners (id TEXT NOT NULL PRIMARY KEY)`)
    await tx.run(sql`CREATE TABLE pets (
      tenant_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, created_at TEXT NOT NULL,
      age INTEGER NOT NULL CONSTRAINT pets_age_check CHECK (age > 0), owner_id TEXT REFERENCES owners (id), nick TEXT,
      PRIMARY KEY (tenant_id, id))`)
    await tx.run(sql`CREATE UNIQUE INDEX pets_name_key ON pets (tenant_id, name)`)
    await tx.run(sql`CREATE UNIQUE INDEX pets_created_key ON pets (tenant_id, created_at)`)
    await tx.run(sql`CREATE UNIQUE INDEX pets_nick_key ON pets (nick) WHERE nick IS NOT NULL`)
  })
}

describeOnEachEngine('Database', (open) => {
  let database: Database
  before(async () => {
    ;({ database } = await open())
    await createTables(database)
  })
  beforeEach(() => database.write(() => [sql`DELETE FROM pets`]))

  const names = async () =>
    (await database.all<{ name: string }>(sql`SELECT name FROM pets ORDER BY name`)).map((row) => row.name)
  const refusal = (constraint: string) => (error: unknown) => {
    assert.ok(error instanceof ConstraintError, String(error))
    assert.equal(error.constraint, constraint)
    return true
  }

  it('keeps everything that a transaction wrote and returns its value', async () => {
    const value = await database.transaction(async (tx) => {
      assert.equal(await tx.run(addPet('a')), 1)
      assert.equal(await tx.run(sql`UPDATE pets SET age = ${2} WHERE id = ${'nobody'}`), 0)
      await tx.runAll([addPet('b'), addPet('c')])
      return tx.all<{ id: string }>(sql`SELECT id FROM pets ORDER BY id`)
    })
    assert.deepEqual(value, [{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    assert.deepEqual(await names(), ['a', 'b', 'c'])
  })

  it('runs statements that are not waited for in the order in which they were given', async () => {
    const seen = await database.transaction((tx) => {
      const select = () => tx.all<{ id: string }>(sql`SELECT id FROM pets ORDER BY id`)
      return Promise.all([select(), select(), tx.run(addPet('a')), select(), tx.run(addPet('b')), select()])
    })
    assert.deepEqual(seen, [[], [], 1, [{ id: 'a' }], 1, [{ id: 'a' }, { id: 'b' }]])
  })

  // Guards: whole-exchanges
  it('writes nothing where the last statement must change a row and finds none, whatever else is written meanwhile', async () => {
    const rename = (id: string) =>
      sql`UPDATE pets SET nick = ${id} WHERE tenant_id = ${'t'} AND id = ${id} AND nick IS NULL`
    const writes = ['a', 'nobody', 'b'].map((id, n) =>
      database.write(() => [addPet(`new ${n}`), rename(id)], { mustChange: true }),
    )
    assert.deepEqual(
      (await Promise.allSettled(writes)).map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    )
    assert.deepEqual(await names(), [])
    await database.write(() => [addPet('a'), addPet('b')])
    const again = ['a', 'nobody', 'b', 'a'].map((id, n) =>
      database.write(() => [addPet(`new ${n}`), rename(id)], { mustChange: true }),
    )
    const outcomes = (await Promise.allSettled(again)).map((each) =>
      each.status === 'fulfilled' ? each.value : each.reason instanceof NothingChanged,
    )
    assert.deepEqual(outcomes.slice(1, 3), [true, 1])
    // One of the two for the same row is first.
    assert.deepEqual(new Set([outcomes[0], outcomes[3]]), new Set([true, 1]))
    assert.equal((await names()).length, 4)
    assert.equal(await database.write(() => [rename('new 2')], { mustChange: true }), 1)
    await assert.rejects(
      database.write(() => [rename('nobody')], { mustChange: true }),
      NothingChanged,
    )
  })

  it('reads at the same moment what is asked together, each with its own rows', async () => {
    await database.write(() => [addPet('a'), addPet('b')])
    await database.write(() => [sql`UPDATE pets SET age = ${7}, nick = ${'"é\\'} WHERE id = ${'b'}`])
    const reader = joinedReads(database)
    const read = await Promise.all([
      reader.all(sql`SELECT id, age FROM pets ORDER BY id DESC LIMIT ${10}`),
      reader.first(sql`SELECT nick, owner_id FROM pets WHERE id = ${'b'}`),
      reader.first(sql`SELECT id FROM pets WHERE id = ${'nobody'}`),
      reader.all(sql`SELECT id FROM pets WHERE id = ${'nobody'}`),
    ])
    assert.deepEqual(read, [
      [
        { id: 'b', age: 7 },
        { id: 'a', age: 1 },
      ],
      { nick: '"é\\', owner_id: null },
      undefined,
      [],
    ])
    await assert.rejects(Promise.all([reader.all(sql`SELECT id FROM pets`), reader.all(sql`SELECT id FROM nothing`)]))
    assert.equal((await reader.all(sql`SELECT id FROM pets`)).length, 2)
  })

  it('tells how many rows the last of several statements changed', async () => {
    const all = sql`UPDATE pets SET age = age + 1 WHERE tenant_id = ${'t'}`
    assert.equal(await database.write(() => [addPet('a'), addPet('b')]), 1)
    assert.equal(
      await database.write(() => [addPet('c'), sql`UPDATE pets SET age = age + 1 WHERE id IN ('a', 'b')`]),
      2,
    )
    assert.equal(await database.write(() => []), 0)
    const inOne = (...statements: Statement[]) => database.transaction((tx) => tx.runAll(statements))
    assert.equal(await inOne(addPet('d'), sql`UPDATE pets SET age = age + 1 WHERE id = ${'nobody'}`), 0)
    assert.equal(await inOne(all), 4)
  })

  it('runs the last statements of a transaction with everything before them, and none after', async () => {
    const selectIds = sql`SELECT id FROM pets ORDER BY id`
    const seen = await database.transaction(async (tx) => {
      await tx.run(addPet('a'))
      const ids = await tx.all<{ id: string }>(selectIds)
      tx.runLast([addPet('b'), addPet('c')])
      return ids
    })
    assert.deepEqual(seen, [{ id: 'a' }])
    assert.deepEqual(await names(), ['a', 'b', 'c'])
    await database.transaction(async (tx) => tx.runLast([addPet('d')]))
    await database.transaction(async (tx) => tx.runLast([]))
    assert.deepEqual(await names(), ['a', 'b', 'c', 'd'])
    for (const another of [(tx: Transaction) => tx.run(addPet('f')), async (tx: Transaction) => tx.runLast([])]) {
      await assert.rejects(
        database.transaction(async (tx) => {
          tx.runLast([addPet('e')])
          await another(tx)
        }),
        /the last statements of the transaction were given before/,
      )
    }
    assert.deepEqual(await names(), ['a', 'b', 'c', 'd'])
  })

  it('keeps nothing of a transaction whose last statements fail, or whose body throws after them', async () => {
    await database.write(() => [addPet('a')])
    const colliding = database.transaction(async (tx) => {
      await tx.run(addPet('b'))
      tx.runLast([addPet('c'), addPet('d', 'a')])
    })
    await assert.rejects(colliding, refusal('pets_name_key'))
    const throwing = database.transaction(async (tx) => {
      tx.runLast([addPet('e')])
      throw new RangeError('no')
    })
    await assert.rejects(throwing, RangeError)
    assert.deepEqual(await names(), ['a'])
  })

  it('runs a transaction again whose last statements collide in their time', async () => {
    await database.write(() => [addPet('a')])
    let tries = 0
    await database.transaction(async (tx) => tx.runLast([addPet('b', 'b', ++tries === 1 ? 'a' : 'b')]))
    assert.equal(tries, 2)
    assert.deepEqual(await names(), ['a', 'b'])
  })

  it('keeps nothing of a transaction that throws', async () => {
    const failing = database.transaction(async (tx) => {
      await tx.run(addPet('a'))
      throw new RangeError('no')
    })
    await assert.rejects(failing, RangeError)
    assert.deepEqual(await names(), [])
  })

  it('keeps nothing of a transaction that ignores the error of a statement', async () => {
    const swallowing = database.transaction(async (tx) => {
      await tx.run(addPet('a'))
      await tx.run(addPet('b', 'a')).catch(() => undefined)
    })
    await assert.rejects(swallowing, refusal('pets_name_key'))
    assert.deepEqual(await names(), [])
  })

  it('keeps nothing of a write if one of its statements is refused', async () => {
    await database.write(() => [addPet('a')])
    await assert.rejects(
      database.write(() => [addPet('b'), addPet('c', 'a')]),
      refusal('pets_name_key'),
    )
    assert.deepEqual(await names(), ['a'])
  })

  it('accepts a write and a transaction without statements', async () => {
    await database.write(() => [])
    assert.equal(await database.transaction(async () => 5), 5)
  })

  it('lets one failing transaction harm none that run at the same time', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => {
        const id = `p${String(index).padStart(2, '0')}`
        if (index % 3 === 0) return database.write(() => [addPet(id), addPet(`${id}x`, id)])
        return database.transaction(async (tx) => {
          await tx.run(addPet(id))
          if (index % 3 === 1) throw new RangeError('no')
        })
      }),
    )
    const kept = results.flatMap(({ status }, index) =>
      status === 'fulfilled' ? [`p${String(index).padStart(2, '0')}`] : [],
    )
    assert.equal(kept.length, 20)
    assert.deepEqual(await names(), kept)
  })

  it('names a refused row’s constraint alike on both engines', async () => {
    await database.write(() => [addPet('a')])
    await database.write(() => [sql`UPDATE pets SET nick = ${'n'}`])
    const row = (...values: (string | number | null)[]) =>
      sql`INSERT INTO pets (tenant_id, id, name, created_at, age, owner_id, nick) ${sql.values([values])}`
    const refused: [string, Statement][] = [
      ['pets_pkey', row('t', 'a', 'other', 'other', 1, null, null)],
      ['pets_name_key', row('t', 'z', 'a', 'other', 1, null, null)],
      ['pets_nick_key', row('t', 'z', 'z', 'other', 1, null, 'n')],
      ['foreign_key', row('t', 'z', 'z', 'other', 1, 'nobody', null)],
      ['pets_age_check', row('t', 'z', 'z', 'other', 0, null, null)],
      ['pets.name_check', row('t', 'z', null, 'other', 1, null, null)],
    ]
    for (const [constraint, statement] of refused) {
      await assert.rejects(
        database.write(() => [statement]),
        refusal(constraint),
      )
      await assert.rejects(
        database.transaction((tx) => tx.run(statement)),
        refusal(constraint),
      )
    }
  })

  it('runs a body again, with new values, when its time is taken', async () => {
    await database.write(() => [addPet('a', 'a', 'time 1')])
    let tries = 0
    const body = async (tx: Transaction) => {
      tries++
      await tx.run(addPet('b', 'b', `time ${tries}`))
    }
    await database.transaction(body)
    assert.equal(tries, 2)
    let builds = 0
    await database.write(() => [addPet('c', 'c', `time ${++builds}`)])
    assert.equal(builds, 3)
    assert.deepEqual(await names(), ['a', 'b', 'c'])
  })

  it('gives up after five more tries if the time stays taken', async () => {
    await database.write(() => [addPet('a', 'a', 'taken')])
    let tries = 0
    const body = async (tx: Transaction) => {
      tries++
      await tx.run(addPet('b', 'b', 'taken'))
    }
    await assert.rejects(database.transaction(body), refusal('pets_created_key'))
    assert.equal(tries, 6)
  })

  it('runs what waits for the commit after it, and never when there is none', async () => {
    const seen: string[] = []
    await database.write(() => [addPet('a', 'a', 'taken')])
    let tries = 0
    await database.transaction(async (tx) => {
      const attempt = ++tries
      tx.afterCommit(() => seen.push(`try ${attempt}`))
      await tx.run(addPet('b', 'b', attempt === 1 ? 'taken' : 'free'))
      seen.push('body')
    })
    assert.deepEqual(seen, ['body', 'try 2'])
    const failing = database.transaction(async (tx) => {
      tx.afterCommit(() => seen.push('never'))
      await tx.run(addPet('c', 'a'))
    })
    await assert.rejects(failing)
    assert.deepEqual(seen, ['body', 'try 2'])
  })

  it('shows outside only what is committed', async () => {
    await database.transaction(async (tx) => {
      await tx.run(addPet('a'))
      assert.deepEqual(await names(), [])
    })
    assert.deepEqual(await names(), ['a'])
  })

  it('refuses a statement of a transaction that has ended', async () => {
    let leaked: Transaction | undefined
    await database.transaction(async (tx) => {
      leaked = tx
      await tx.run(addPet('a'))
    })
    await assert.rejects(async () => leaked?.run(addPet('b')), /has ended/)
    assert.throws(() => leaked?.afterCommit(() => undefined), /has ended/)
    assert.deepEqual(await names(), ['a'])
  })

  it('carries out statements in the order in which they were started', async () => {
    await database.transaction(async (tx) => {
      await Promise.all([
        tx.run(addPet('a')),
        tx.run(sql`UPDATE pets SET age = age + ${6} WHERE id = ${'a'}`),
        tx.run(sql`UPDATE pets SET age = age * ${3} WHERE id = ${'a'}`),
      ])
    })
    assert.deepEqual(await database.first(sql`SELECT age FROM pets`), { age: 21 })
  })
})
