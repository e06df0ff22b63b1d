import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Timestamp, addMilliseconds, createClock, fromMs, toMs } from './clock.ts'

const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const lastMsOf9999 = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const anyMs = fc.integer({ min: Date.UTC(1970, 0, 1), max: lastMsOf9999 - 10 })

describe('clock', () => {
  it('gives rows strictly increasing fixed-width timestamps under a source that jumps, stands still and goes back', () => {
    fc.assert(
      fc.property(fc.array(anyMs, { minLength: 1, maxLength: 200 }), (readings) => {
        let index = 0
        const clock = createClock(() => readings[index % readings.length] ?? 0)
        let previous = ''
        for (; index < readings.length * 3; index++) {
          if (index % 3 === 0) clock.now()
          const timestamp = clock.next()
          assert.match(timestamp, shape)
          assert.ok(timestamp > previous, `${timestamp} after ${previous}`)
          previous = timestamp
        }
      }),
    )
  })

  it('follows its source when that is set back, and gives rows later times all the same', () => {
    const hourMs = 60 * 60_000
    let ms = Date.UTC(2026, 10, 20)
    const clock = createClock(() => ms)
    const before = clock.next()
    ms -= hourMs
    const wall = clock.now()
    assert.equal(toMs(wall), ms)
    assert.equal(clock.nowMs(), ms)
    const row = clock.next()
    assert.ok(row > before)
    assert.ok(clock.now() > wall)
    assert.equal(toMs(clock.now()), ms)
    ms += 2 * hourMs
    assert.equal(toMs(clock.next()), ms)
  })

  it('gives increasing times of the wall clock as long as it goes forward, also where rows ask in between', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3000 }), (steps) => {
        let ms = Date.UTC(2026, 10, 20)
        const clock = createClock(() => ms)
        let previous = ''
        for (const [index, step] of steps.entries()) {
          ms += step
          const timestamp = index % 2 === 0 ? clock.now() : clock.next()
          assert.ok(timestamp > previous)
          assert.ok(clock.nowMs() >= toMs(timestamp))
          previous = timestamp
        }
      }),
      { numRuns: 20 },
    )
  })

  it('starts a millisecond below its half and runs on into the next one when it overflows', () => {
    const ms = Date.UTC(2026, 10, 20)
    const clock = createClock(() => ms)
    const first = clock.now()
    assert.equal(toMs(first), ms)
    assert.ok(Number(first.slice(-4, -1)) < 500)
    let last = first
    for (let count = 0; count < 1000; count++) last = clock.now()
    assert.equal(toMs(last), ms + 1)
    assert.equal(last.slice(-4), first.slice(-4))
  })

  it('follows the source when it catches up with a millisecond that was run into', () => {
    let ms = 1000
    const clock = createClock(() => ms)
    // It begins below half of a millisecond, so a thousand steps later it is below half of the next: there is room for one more.
    for (let count = 0; count < 1000; count++) clock.now()
    const before = clock.now()
    assert.equal(toMs(before), 1001)
    ms = 1001
    const after = clock.now()
    assert.ok(after > before)
    assert.equal(toMs(after), 1001)
    ms = 5000
    assert.equal(toMs(clock.now()), 5000)
  })

  it('refuses a source that has no time, instead of writing a broken one', () => {
    for (const ms of [Number.POSITIVE_INFINITY, Date.UTC(10_000, 0, 1)]) {
      assert.throws(() => createClock(() => ms).now(), RangeError)
    }
  })

  it('uses the system time by default', () => {
    const before = Date.now()
    const ms = toMs(createClock().now())
    assert.ok(ms >= before && ms <= Date.now())
  })
})

describe('timestamp arithmetic', () => {
  it('goes to milliseconds and back', () => {
    fc.assert(fc.property(anyMs, (ms) => toMs(fromMs(ms)) === ms))
    assert.equal(fromMs(0), '1970-01-01T00:00:00.000000Z')
  })

  it('adds milliseconds and keeps the microseconds', () => {
    const timestamp = '2026-11-20T22:49:43.018932Z' as Timestamp
    assert.equal(toMs(timestamp), Date.UTC(2026, 10, 20, 22, 49, 43, 18))
    assert.equal(addMilliseconds(timestamp, 60_000), '2026-11-20T22:50:43.018932Z')
    assert.equal(addMilliseconds(timestamp, -19), '2026-11-20T22:49:42.999932Z')
  })

  it('refuses a time outside four-digit years', () => {
    assert.throws(() => fromMs(lastMsOf9999 + 1), RangeError)
    assert.throws(() => fromMs(Number.NaN), RangeError)
    assert.throws(() => addMilliseconds(fromMs(lastMsOf9999), 1), RangeError)
    assert.throws(() => addMilliseconds('junk' as Timestamp, 1), RangeError)
  })
})
