import assert from 'node:assert/strict'
import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { PoolSaturated, createPasswordPool } from './password-pool.ts'

/** A pool whose tasks end only when the test says so, and which notes who started. */
function controlled(options: { concurrency: number; queueMax: number }) {
  const pool = createPasswordPool(options)
  const started: string[] = []
  const ends: (() => void)[] = []
  const refused: string[] = []
  const finished: string[] = []
  const submit = (tenantId: string, label = tenantId) => {
    pool
      .run(tenantId, () => {
        started.push(label)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
      .then(() => finished.push(label))
      .catch((error: unknown) => {
        assert.ok(error instanceof PoolSaturated)
        refused.push(label)
      })
  }
  const endOne = async () => {
    ends.shift()?.()
    await nextTick()
  }
  return { pool, submit, endOne, started, refused, finished, running: () => ends.length }
}

describe('password pool', () => {
  it('runs no more at once than its concurrency and lets no more wait than its queue', async () => {
    const { submit, endOne, started, refused, finished, running } = controlled({ concurrency: 2, queueMax: 3 })
    for (const label of ['1', '2', '3', '4', '5', '6', '7']) submit('tenant', label)
    await nextTick()
    assert.deepEqual(started, ['1', '2'])
    assert.deepEqual(refused, ['6', '7'])
    while (running() > 0) {
      assert.ok(running() <= 2)
      await endOne()
    }
    assert.deepEqual(finished, ['1', '2', '3', '4', '5'])
  })

  it('gives tenants turns: a storm of one delays another by one task', async () => {
    const { submit, endOne, started } = controlled({ concurrency: 1, queueMax: 64 })
    for (let count = 0; count < 50; count++) submit('storm')
    submit('quiet')
    submit('quiet')
    submit('other')
    for (let count = 0; count < 6; count++) await endOne()
    assert.deepEqual(started, ['storm', 'storm', 'quiet', 'other', 'storm', 'quiet', 'storm'])
  })

  it('lets a tenant in although another has filled the queue, at the cost of that other', async () => {
    const { submit, endOne, started, refused } = controlled({ concurrency: 1, queueMax: 4 })
    for (const label of ['s0', 's1', 's2', 's3', 's4', 's5']) submit('storm', label)
    submit('quiet', 'q1')
    submit('quiet', 'q2')
    submit('quiet', 'q3')
    await nextTick()
    assert.deepEqual(refused.toSorted(), ['q3', 's3', 's4', 's5'])
    for (let count = 0; count < 4; count++) await endOne()
    assert.deepEqual(started, ['s0', 's1', 'q1', 's2', 'q2'])
  })

  it('refuses at once when every place is taken by as many tenants', async () => {
    const { submit, refused } = controlled({ concurrency: 1, queueMax: 2 })
    for (const tenantId of ['a', 'b', 'c', 'd']) submit(tenantId)
    await nextTick()
    assert.deepEqual(refused, ['d'])
  })

  it('settles as its task does, and goes on after one that throws', async () => {
    const pool = createPasswordPool({ concurrency: 1, queueMax: 10 })
    const outcomes = await Promise.allSettled([
      pool.run('a', () => Promise.reject(new Error('broken'))),
      pool.run('a', () => {
        throw new Error('broken at once')
      }),
      pool.run('b', () => Promise.resolve(42)),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason))),
      ['Error: broken', 'Error: broken at once', 42],
    )
    assert.equal(await pool.run('c', () => Promise.resolve('free')), 'free')
  })

  it('keeps its bounds and loses no task, whatever is asked of it', async () => {
    const step = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constant(undefined))
    const options = fc.record({ concurrency: fc.integer({ min: 1, max: 3 }), queueMax: fc.integer({ min: 0, max: 5 }) })
    await fc.assert(
      fc.asyncProperty(options, fc.array(step, { maxLength: 40 }), async (bounds, steps) => {
        const { submit, endOne, started, refused, finished, running } = controlled(bounds)
        let submitted = 0
        for (const tenantId of steps) {
          if (tenantId === undefined) await endOne()
          else {
            submit(tenantId)
            submitted++
          }
          await nextTick()
          assert.ok(running() <= bounds.concurrency)
          const waiting = submitted - started.length - refused.length
          assert.ok(waiting >= 0 && waiting <= bounds.queueMax)
          assert.ok(waiting === 0 || running() === bounds.concurrency)
        }
        while (running() > 0) await endOne()
        assert.equal(finished.length + refused.length, submitted)
      }),
    )
  })

  it('refuses bounds that make no sense', () => {
    for (const concurrency of [0, -1, 1.5, Number.NaN]) {
      assert.throws(() => createPasswordPool({ concurrency, queueMax: 1 }), RangeError)
    }
    assert.throws(() => createPasswordPool({ concurrency: 1, queueMax: -1 }), RangeError)
  })
})
