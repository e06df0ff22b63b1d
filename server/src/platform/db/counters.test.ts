import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { workAtOnce } from '../../../test/harness/at-once.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { addToCounters, counterShards, readCounters } from './counters.ts'
import type { Database } from './database.ts'

describeOnEachEngine('counters', (open) => {
  let database: Database
  before(async () => {
    ;({ database } = await open())
  })

  it('add up over shards, by tenant and name', async () => {
    for (const shard of [0, 1, counterShards - 1, 1]) {
      await database.write(() => [addToCounters({ shard }, 'one', { users: 3, roles: shard === 0 ? 1 : 0 })])
    }
    await database.write((context) => [addToCounters(context, 'one', { users: -2 })])
    await database.write((context) => [addToCounters(context, 'other', { users: 100 })])
    const counts = await readCounters(database, 'one', ['users', 'roles', 'domains'])
    assert.deepEqual(Object.fromEntries(counts), { users: 10, roles: 1, domains: 0 })
    assert.equal((await readCounters(database, 'one', [])).size, 0)
  })

  it('lose nothing to writers that run at the same time, whatever their order', async () => {
    const deltas = [
      { a: 1, b: 1, c: 1 },
      { c: 1, b: 1, a: 1 },
    ]
    await workAtOnce(200, (n) => database.write(() => [addToCounters({ shard: 0 }, 'busy', deltas[n % 2] ?? {})]))
    assert.deepEqual(Object.fromEntries(await readCounters(database, 'busy', ['a', 'b', 'c'])), {
      a: 200,
      b: 200,
      c: 200,
    })
  })

  it('refuse to count nothing or a part', () => {
    assert.throws(() => addToCounters({ shard: 0 }, 't', {}), RangeError)
    assert.throws(() => addToCounters({ shard: 0 }, 't', { users: 0 }), RangeError)
    assert.throws(() => addToCounters({ shard: 0 }, 't', { users: 0.5 }), RangeError)
  })
})
