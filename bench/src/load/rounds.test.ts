import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { percentile } from './load.ts'
import { type Contestant, compare, median, p99s, rates, takeTurns } from './rounds.ts'

describe('taking turns', () => {
  it('runs the contestants one after the other in every round, and leaves the first round out', async () => {
    const order: string[] = []
    const contestant = (name: string): Contestant => ({
      async run(seconds) {
        order.push(name)
        return { perSecond: order.length * seconds, p99: order.length }
      },
    })
    const samples = await takeTurns([contestant('a'), contestant('b')], {
      rounds: 2,
      secondsPerRound: 10,
      warmUpRounds: 1,
    })
    assert.deepEqual(order, ['a', 'b', 'a', 'b', 'a', 'b'])
    assert.deepEqual(samples.map(rates), [
      [30, 50],
      [40, 60],
    ])
    assert.deepEqual(samples.map(p99s), [
      [3, 5],
      [4, 6],
    ])
  })
})

describe('comparing', () => {
  it('takes the ratio within each round, then the median of the ratios', () => {
    // The medians' own ratio would be 1.
    assert.deepEqual(compare([10, 20, 90], [20, 10, 100]), { ours: 20, reference: 20, ratio: 0.9, range: [0.5, 2] })
  })

  it('refuses contestants that did not meet in every round', () => {
    assert.throws(() => compare([1, 2], [1]), RangeError)
    assert.throws(() => p99s([{ perSecond: 1, p99: undefined }]), TypeError)
  })

  it('takes the middle value, or the mean of the two in the middle', () => {
    assert.equal(median([3, 1, 2]), 2)
    assert.equal(median([4, 1, 3, 2]), 2.5)
    assert.throws(() => median([]), RangeError)
  })

  it('returns the least value that the given share of the values does not exceed', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index)
    assert.equal(percentile(values, 0.99), 99)
    assert.equal(percentile(values, 0.5), 50)
    assert.equal(percentile([7], 0.99), 7)
    assert.throws(() => percentile([], 0.99), RangeError)
  })
})
