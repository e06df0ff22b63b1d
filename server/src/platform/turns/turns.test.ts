import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TooManyWaiting, createTurns } from './turns.ts'

/** A task that begins when its owner's turn comes, and ends when the test says so. */
function task(name: string, begun: string[]) {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  return {
    run: async () => {
      begun.push(name)
      await promise
    },
    end: () => resolve(undefined),
  }
}
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('turns', () => {
  const settings = { atOnceMax: 4, atOnceOfOwnerMax: 3, waitingMax: 20, waitingOfOwnerMax: 10 }

  // Guards: slow-checks
  it('leave a place to others, and serve those who wait by owner, not by arrival', async () => {
    const inTurn = createTurns(settings)
    const begun: string[] = []
    const names = [...Array.from({ length: 8 }, (_, n) => `a${n}`), 'b0', 'b1', 'b2', 'c0']
    const tasks = new Map(names.map((name) => [name, task(name, begun)]))
    const all = [...tasks].map(([name, { run }]) => inTurn(name.charAt(0), run))
    const end = async (name: string) => {
      tasks.get(name)?.end()
      await settled()
    }
    await settled()
    assert.deepEqual(begun, ['a0', 'a1', 'a2', 'b0'], 'no owner has more than three places')
    await end('b0')
    assert.deepEqual(begun.slice(4), ['b1'], 'a has three already')
    await end('a0')
    assert.deepEqual(begun.slice(5), ['a3'])
    await end('b1')
    assert.deepEqual(begun.slice(6), ['c0'])
    for (const name of names) await end(name)
    await Promise.all(all)
    assert.deepEqual(begun.toSorted(), names.toSorted())
    // Every place is free again.
    const later: string[] = []
    const again = ['x', 'y', 'z', 'v'].map((name) => task(name, later))
    const ends = again.map(({ run }, n) => inTurn(`${n}`, run))
    await settled()
    assert.equal(later.length, 4)
    for (const each of again) each.end()
    await Promise.all(ends)
  })

  it('give a place back when a task fails', async () => {
    const inTurn = createTurns({ ...settings, atOnceMax: 1, atOnceOfOwnerMax: 1 })
    await assert.rejects(
      inTurn('a', () => Promise.reject(new Error('broken'))),
      /broken/,
    )
    assert.equal(await inTurn('a', async () => 1), 1)
  })

  // Guards: slow-checks
  it('refuse one owner that has too many waiting, and all once too many wait altogether', async () => {
    const inTurn = createTurns(settings)
    const begun: string[] = []
    const tasks = Array.from({ length: 34 }, (_, n) => task(`${n}`, begun))
    const start = (owner: string, count: number) =>
      tasks.splice(0, count).map(({ run, end }) => [inTurn(owner, run), end] as const)
    const ofA = start('a', 13)
    await assert.rejects(
      inTurn('a', async () => 1),
      TooManyWaiting,
    )
    const ofB = start('b', 11)
    await assert.rejects(
      inTurn('c', async () => 1),
      TooManyWaiting,
    )
    const started = [...ofA, ...ofB]
    for (const [, end] of started) end()
    await Promise.all(started.map(([done]) => done))
    assert.equal(begun.length, 24)
  })
})
