import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type RateLimit, createRateLimiter, limitFactor } from './rate-limit.ts'
import { type AllowedUses, absorbUses, shareLimits } from './shared-limits.ts'

/** A limiter, and the clock that the test moves. */
function limiterOf(limit: Partial<RateLimit> = {}) {
  let ms = 1_000_000
  const limiter = createRateLimiter({ name: 'test', count: 10, windowSeconds: 1, clock: { nowMs: () => ms }, ...limit })
  return { limiter, advance: (by: number) => void (ms += by) }
}

describe('a rate limiter', () => {
  it('allows a whole burst at once, and refuses the next use until its time', () => {
    const { limiter, advance } = limiterOf()
    const taken = Array.from({ length: 10 }, () => limiter.take('a'))
    assert.deepEqual(
      taken.map(({ ok, remaining }) => [ok, remaining]),
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((left) => [true, left]),
    )
    assert.deepEqual(limiter.take('a'), { ok: false, retryAfterSeconds: 1, remaining: 0 })
    advance(99)
    assert.equal(limiter.take('a').ok, false)
    advance(1)
    assert.equal(limiter.take('a').ok, true)
    assert.equal(limiter.take('a').ok, false)
  })

  it('tells after how many seconds a refused use would be allowed, and allows it then', () => {
    for (const [count, windowSeconds, burst] of [
      [1, 30, 1],
      [5, 3600, 5],
      [600, 60, 20],
      [3, 7, 2],
    ] as const) {
      const { limiter, advance } = limiterOf({ count, windowSeconds, burst })
      for (let taken = 0; taken < burst; taken++) assert.equal(limiter.take('a').ok, true)
      const { ok, retryAfterSeconds } = limiter.take('a')
      assert.equal(ok, false)
      assert.equal(retryAfterSeconds, Math.max(1, Math.ceil(windowSeconds / count)))
      advance(retryAfterSeconds * 1000)
      assert.equal(limiter.take('a').ok, true)
    }
  })

  it('never allows more in any period than the burst and what the period restores', () => {
    for (const count of [1, 7, 60, 999]) {
      const { limiter, advance } = limiterOf({ count, windowSeconds: 60, burst: Math.ceil(count / 2) })
      let passed = 0
      let elapsedMs = 0
      for (let step = 0; step < 5000; step++) {
        const ms = Math.floor(Math.random() * 40)
        advance(ms)
        elapsedMs += ms
        if (limiter.take('a').ok) passed++
        assert.ok(
          passed <= Math.ceil(count / 2) + (elapsedMs * count) / 60_000 + 1e-6,
          `${passed} after ${elapsedMs} ms`,
        )
      }
      assert.ok(passed > 0)
    }
  })

  it('counts each key by itself', () => {
    const { limiter } = limiterOf({ count: 1 })
    assert.equal(limiter.take('a').ok, true)
    assert.equal(limiter.take('a').ok, false)
    assert.equal(limiter.take('b').ok, true)
  })

  it('takes nothing when it refuses or is only asked', () => {
    const { limiter, advance } = limiterOf({ count: 2, windowSeconds: 2 })
    for (let asked = 0; asked < 5; asked++) assert.equal(limiter.peek('a', 2).ok, true)
    assert.equal(limiter.take('a', 2).ok, true)
    for (let asked = 0; asked < 5; asked++) assert.equal(limiter.take('a').ok, false)
    assert.equal(limiter.peek('a').ok, false)
    advance(1000)
    assert.equal(limiter.take('a').ok, true)
  })

  it('counts what another process has allowed, also beyond the limit', () => {
    shareLimits(() => undefined)
    const { limiter, advance } = limiterOf({ name: 'shared' })
    absorbUses([
      ['shared', 'a', 9],
      ['another', 'a', 9],
    ])
    assert.deepEqual(limiter.take('a'), { ok: true, retryAfterSeconds: 0, remaining: 0 })
    absorbUses([['shared', 'a', 10]])
    advance(1000)
    assert.equal(limiter.take('a').ok, false)
    advance(100)
    assert.equal(limiter.take('a').ok, true)
    assert.equal(limiter.take('b').ok, true)
  })

  it('tells other processes within milliseconds once a quarter of a limit is used, and of many uses in one message', (t) => {
    const messages: AllowedUses[] = []
    shareLimits(() => undefined)
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    shareLimits((uses) => messages.push(uses))
    const { limiter } = limiterOf({ name: 'told' })
    for (let count = 0; count < 2; count++) limiter.take('a')
    t.mock.timers.tick(100)
    assert.deepEqual(messages, [])
    limiter.take('a')
    t.mock.timers.tick(25)
    assert.deepEqual(messages, [[['told', 'a', 3]]])
    for (const key of ['b', 'c', 'b']) limiter.take(key)
    t.mock.timers.tick(250)
    assert.deepEqual(messages.slice(1), [
      [
        ['told', 'b', 2],
        ['told', 'c', 1],
      ],
    ])
  })

  it('takes several at once or none of them', () => {
    const { limiter } = limiterOf()
    assert.equal(limiter.take('a', 8).remaining, 2)
    assert.deepEqual(limiter.take('a', 3), { ok: false, retryAfterSeconds: 1, remaining: 2 })
    assert.equal(limiter.take('a', 2).ok, true)
    assert.throws(() => limiter.take('a', 11), RangeError)
  })

  it('works when the clock is set back', () => {
    const { limiter, advance } = limiterOf({ count: 1, windowSeconds: 1 })
    assert.equal(limiter.take('a').ok, true)
    advance(-500)
    const { ok, retryAfterSeconds } = limiter.take('a')
    assert.equal(ok, false)
    assert.ok(retryAfterSeconds <= 2)
  })

  it('remembers the keys in use, however many others there are', () => {
    const { limiter } = limiterOf({ count: 1, windowSeconds: 3600, keysMax: 100 })
    assert.equal(limiter.take('in use').ok, true)
    for (let other = 0; other < 49; other++) limiter.take(`other ${other}`)
    assert.equal(limiter.take('in use').ok, false)
  })

  it('describes its policy in the form of the RateLimit headers', () => {
    assert.equal(limiterOf({ name: 'sign-in', count: 10, windowSeconds: 60 }).limiter.policy, '"sign-in";q=10;w=60')
  })

  it('refuses limits that make no sense', () => {
    for (const wrong of [{ count: 0 }, { windowSeconds: 0 }, { count: NaN }, { burst: 0 }, { name: 'a"b' }]) {
      assert.throws(() => limiterOf(wrong), RangeError, JSON.stringify(wrong))
    }
  })
})

describe('the factor of limits', () => {
  it('is 1 in production and 100 in development', () => {
    assert.equal(limitFactor({ env: 'production' }), 1)
    assert.equal(limitFactor({ env: 'development' }), 100)
  })
})
