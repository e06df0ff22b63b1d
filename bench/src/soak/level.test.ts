import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type SoakSample, findProblems } from './level.ts'

const flat = { perSecond: 500, medianMs: 2, p99Ms: 20, residentMb: 200, ownMb: 150, handles: 40, walMb: 8 }
const run = (at: (index: number) => Partial<SoakSample>) =>
  Array.from({ length: 18 }, (_, index) => ({ seconds: index * 10, ...flat, ...at(index) }))

describe('a long run', () => {
  it('has levelled off if it grows only while it warms up', () => {
    const warmedUp = run((index) => ({ ownMb: 80 + Math.min(index, 6) * 20, medianMs: index < 6 ? 1 : 2 }))
    assert.deepEqual(findProblems(warmedUp, 'sqlite'), [])
  })

  it('has not levelled off if memory, handles or latency keep growing', () => {
    const growing = run((index) => ({
      ownMb: 100 + index * 20,
      handles: 40 + index * 5,
      medianMs: 2 * 1.3 ** index,
      p99Ms: 20 * 1.3 ** index,
    }))
    assert.deepEqual(
      findProblems(growing, 'postgresql').map((problem) => problem.split(':')[0]),
      ['own memory in MB', 'handles', 'median latency in ms', 'p99 of latency in ms'],
    )
  })

  it('has not levelled off if the WAL exceeds its limit once', () => {
    const once = run((index) => ({ walMb: index === 2 ? 600 : 8 }))
    assert.deepEqual(findProblems(once, 'sqlite'), ['WAL: 600 MB, of 128 at most'])
    assert.deepEqual(findProblems(once, 'postgresql'), [])
  })

  it('is not judged from a few samples', () => {
    assert.match(findProblems(run(() => ({})).slice(0, 8), 'sqlite').join(), /too few/)
  })
})
