import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { attemptsMax, retryAfterMs, retryDelayMs } from './schedule.ts'

const now = Date.parse('2026-11-20T22:49:43Z')

describe('retryDelayMs', () => {
  it('waits longer each time, up to a tenth more than the schedule says, and gives up after the tenth attempt', () => {
    const least = Array.from({ length: attemptsMax - 1 }, (_, index) => retryDelayMs(index + 1, () => 0) ?? 0)
    const most = Array.from({ length: attemptsMax - 1 }, (_, index) => retryDelayMs(index + 1, () => 1) ?? 0)
    assert.deepEqual(
      least.map((ms) => ms / 1000),
      [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    )
    for (const [index, ms] of most.entries()) assert.equal(ms, Math.round((least[index] ?? 0) * 1.1))
    assert.equal(retryDelayMs(attemptsMax), undefined)
  })
})

describe('retryAfterMs', () => {
  it('reads seconds and dates, a day at most', () => {
    assert.equal(retryAfterMs('120', now), 120_000)
    assert.equal(retryAfterMs(' 7 ', now), 7000)
    assert.equal(retryAfterMs('Fri, 20 Nov 2026 22:50:43 GMT', now), 60_000)
    assert.equal(retryAfterMs('999999999', now), 86_400_000)
  })

  it('ignores malformed and past values', () => {
    for (const value of ['', '0', '-5', 'soon', '1e9', 'Fri, 20 Nov 2026 22:48:43 GMT', undefined, ['5']]) {
      assert.equal(retryAfterMs(value, now), undefined)
    }
  })
})
