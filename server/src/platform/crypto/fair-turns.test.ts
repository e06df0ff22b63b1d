import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import fc from 'fast-check'
import { TurnsSaturated, type Work, createFairTurns } from './fair-turns.ts'

interface Bounds {
  readonly concurrency: number
  readonly queueMax: number
  readonly ownerQueueMs?: number
}

/** Turns whose tasks end only when the test says so, and which record the order of starts. */
function controlled(options: Bounds) {
  const turns = createFairTurns({ ownerQueueMs: 1e9, ...options })
  const started: string[] = []
  const under: { readonly label: string; readonly end: () => void }[] = []
  const refused: string[] = []
  const finished: string[] = []
  const submit = (owner: string, label = owner, work: Partial<Work> = {}) => {
    turns
      .run(owner, { ms: 1, isHeavy: false, ...work }, () => {
        started.push(label)
        return new Promise<void>((end) => under.push({ label, end }))
      })
      .then(() => finished.push(label))
      .catch((error: unknown) => {
        assert.ok(error instanceof TurnsSaturated)
        refused.push(label)
      })
  }
  /** Ends the oldest that is under way, or the oldest of that label. */
  const endOne = async (label?: string) => {
    const index = label === undefined ? 0 : under.findIndex((each) => each.label === label)
    for (const { end } of under.splice(index, 1)) end()
    await nextTick()
  }
  return { submit, endOne, started, refused, finished, running: () => under.length }
}

describe('fair turns', () => {
  it('run no more at once than the concurrency and let no more wait than the queue holds', async () => {
    const { submit, endOne, started, refused, finished, running } = controlled({ concurrency: 2, queueMax: 3 })
    for (const label of ['1', '2', '3', '4', '5', '6', '7']) submit('owner', label)
    await nextTick()
    assert.deepEqual(started, ['1', '2'])
    assert.deepEqual(refused, ['6', '7'])
    while (running() > 0) {
      assert.ok(running() <= 2)
      await endOne()
    }
    assert.deepEqual(finished, ['1', '2', '3', '4', '5'])
  })

  it('delay an owner by no more than the running tasks during a flood from another', async () => {
    const { submit, endOne, started } = controlled({ concurrency: 1, queueMax: 64 })
    for (let count = 0; count < 50; count++) submit('storm')
    submit('quiet')
    submit('quiet')
    submit('other')
    for (let count = 0; count < 6; count++) await endOne()
    assert.deepEqual(started, ['storm', 'quiet', 'other', 'storm', 'quiet', 'storm', 'storm'])
  })

  it('let an owner in although another has filled the queue, at the cost of that other', async () => {
    const { submit, endOne, started, refused } = controlled({ concurrency: 1, queueMax: 4 })
    for (const label of ['s0', 's1', 's2', 's3', 's4', 's5']) submit('storm', label)
    submit('quiet', 'q1')
    submit('quiet', 'q2')
    submit('quiet', 'q3')
    await nextTick()
    assert.deepEqual(refused.toSorted(), ['q3', 's3', 's4', 's5'])
    for (let count = 0; count < 4; count++) await endOne()
    assert.deepEqual(started, ['s0', 'q1', 's1', 'q2', 's2'])
  })

  it('refuse at once when every place is taken by as many owners', async () => {
    const { submit, refused } = controlled({ concurrency: 1, queueMax: 2 })
    for (const owner of ['a', 'b', 'c', 'd']) submit(owner)
    await nextTick()
    assert.deepEqual(refused, ['d'])
  })

  // Guards: slow-hashes
  it('are shared by work, not by number: an owner of long tasks gets fewer', async () => {
    const { submit, endOne, started } = controlled({ concurrency: 1, queueMax: 64 })
    submit('first')
    for (let count = 0; count < 5; count++) submit('long', 'long', { ms: 1000 })
    for (let count = 0; count < 25; count++) submit('short', 'short', { ms: 100 })
    for (let count = 0; count < 23; count++) await endOne()
    assert.deepEqual(
      started
        .slice(1)
        .map((label, index) => (label === 'long' ? index : undefined))
        .filter((index) => index !== undefined),
      [0, 11, 22],
    )
  })

  // Guards: slow-hashes
  it('run one heavy task at a time, and let light ones pass those that wait', async () => {
    const { submit, endOne, started, running } = controlled({ concurrency: 3, queueMax: 64 })
    for (const label of ['h1', 'h2', 'h3']) submit('a', label, { isHeavy: true })
    submit('b', 'h4', { isHeavy: true })
    assert.deepEqual(started, ['h1'])
    for (const label of ['l1', 'l2', 'l3']) submit('a', label)
    assert.deepEqual([started, running()], [['h1', 'l1', 'l2'], 3])
    await endOne()
    assert.deepEqual(started.slice(3), ['h4'], 'b has had nothing yet')
    await endOne()
    assert.deepEqual(started.slice(4), ['l3'], 'h4 is running')
  })

  // Guards: slow-hashes
  it('give nobody credit for having waited for the heavy place', async () => {
    const { submit, endOne, started } = controlled({ concurrency: 2, queueMax: 64 })
    submit('other', 'heavy', { ms: 10, isHeavy: true })
    for (let count = 0; count < 2; count++) submit('a', 'heavy of a', { ms: 10, isHeavy: true })
    for (let count = 0; count < 60; count++) submit('b', 'b', { ms: 10 })
    for (let count = 0; count < 30; count++) await endOne('b')
    await endOne('heavy')
    assert.equal(started.at(-1), 'heavy of a')
    for (let count = 0; count < 10; count++) submit('a', 'a', { ms: 10 })
    const before = started.length
    for (let count = 0; count < 10; count++) await endOne(started.at(-1) === 'a' ? 'a' : 'b')
    const ofA = started.slice(before).filter((label) => label === 'a').length
    assert.ok(ofA >= 4 && ofA <= 6, started.slice(before).join())
  })

  // Guards: slow-hashes
  it('limit the waiting work of one owner, except for a single task, without affecting other owners', async () => {
    const { submit, refused, started } = controlled({ concurrency: 1, queueMax: 64, ownerQueueMs: 30 })
    submit('a', 'a0', { ms: 100 })
    for (const label of ['a1', 'a2', 'a3', 'a4']) submit('a', label, { ms: 10 })
    submit('b', 'b1', { ms: 100 })
    submit('b', 'b2', { ms: 1 })
    await nextTick()
    assert.deepEqual([started, refused], [['a0'], ['a4', 'b2']])
  })

  it('remember how much an owner has had, even if it wants nothing for a moment', async () => {
    const { submit, endOne, started } = controlled({ concurrency: 1, queueMax: 64 })
    submit('other')
    submit('greedy', 'greedy', { ms: 100 })
    for (let count = 0; count < 9; count++) submit('other', 'other', { ms: 10 })
    await endOne()
    await endOne()
    // Its only task has ended.
    submit('greedy', 'greedy', { ms: 100 })
    for (let count = 0; count < 9; count++) await endOne()
    assert.deepEqual(started, ['other', 'greedy', ...Array.from({ length: 9 }, () => 'other'), 'greedy'])
  })

  it('settle as their task does, and go on after one that throws', async () => {
    const turns = createFairTurns({ concurrency: 1, queueMax: 10, ownerQueueMs: 1000 })
    const work = { ms: 1, isHeavy: false }
    const outcomes = await Promise.allSettled([
      turns.run('a', work, () => Promise.reject(new Error('broken'))),
      turns.run('a', work, () => {
        throw new Error('broken at once')
      }),
      turns.run('b', work, () => Promise.resolve(42)),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason))),
      ['Error: broken', 'Error: broken at once', 42],
    )
    assert.equal(await turns.run('c', work, () => Promise.resolve('free')), 'free')
  })

  it('keep their bounds and lose no task, whatever is requested', async () => {
    const task = fc.record({
      owner: fc.constantFrom('a', 'b', 'c'),
      ms: fc.integer({ min: 1, max: 9 }),
      isHeavy: fc.boolean(),
    })
    const step = fc.oneof({ weight: 3, arbitrary: task }, { weight: 1, arbitrary: fc.constant(undefined) })
    const options = fc.record({ concurrency: fc.integer({ min: 1, max: 3 }), queueMax: fc.integer({ min: 0, max: 5 }) })
    await fc.assert(
      fc.asyncProperty(options, fc.array(step, { maxLength: 40 }), async (bounds, steps) => {
        const { submit, endOne, started, refused, finished, running } = controlled(bounds)
        let submitted = 0
        for (const each of steps) {
          if (each === undefined) await endOne()
          else {
            submit(each.owner, each.isHeavy ? 'heavy' : 'light', each)
            submitted++
          }
          await nextTick()
          assert.ok(running() <= bounds.concurrency)
          const waiting = submitted - started.length - refused.length
          assert.ok(waiting >= 0 && waiting <= bounds.queueMax)
          // If a place is free, all waiting tasks are heavy and another heavy one runs.
          assert.ok(waiting === 0 || running() > 0)
        }
        while (running() > 0) await endOne()
        assert.equal(finished.length + refused.length, submitted)
      }),
    )
  })

  it('refuse bounds that make no sense', () => {
    for (const concurrency of [0, -1, 1.5, Number.NaN]) {
      assert.throws(() => createFairTurns({ concurrency, queueMax: 1, ownerQueueMs: 1 }), RangeError)
    }
    assert.throws(() => createFairTurns({ concurrency: 1, queueMax: -1, ownerQueueMs: 1 }), RangeError)
    assert.throws(() => createFairTurns({ concurrency: 1, queueMax: 1, ownerQueueMs: Number.NaN }), RangeError)
  })
})
