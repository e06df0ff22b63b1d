import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Timestamp, fromMs } from '../clock.ts'
import { activityCounts, arrivalCounts, dayMs, dayOf, daysBefore, departureCounts, windowDays } from './day-counters.ts'

const start = Date.parse('2026-01-01T12:00:00Z')
const dayAt = (day: number): Timestamp => fromMs(start + day * dayMs)

/** The days on which one user is active, and the day on which the user is deleted, if ever. */
const life = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 0, max: 140 }), { maxLength: 12 }),
  leavesAfter: fc.option(fc.integer({ min: 0, max: 70 }), { nil: undefined }),
})

function add(counters: Map<string, number>, counts: Readonly<Record<string, number>>) {
  for (const [name, count] of Object.entries(counts)) counters.set(name, (counters.get(name) ?? 0) + count)
}

/** The counters on a day, from each user's life up to then, and the number of active users, counted one by one. */
function reckon(lives: readonly { days: readonly number[]; leavesAfter: number | undefined }[], today: number) {
  const counters = new Map<string, number>()
  const isActiveOn = (days: readonly number[], leftOn: number | undefined, day: number) =>
    (leftOn === undefined || leftOn > day) && days.some((each) => each <= day && each > day - windowDays)
  let activeNow = 0
  let activeThen = 0
  for (const { days: all, leavesAfter } of lives) {
    const sorted = [...all].toSorted((a, b) => a - b)
    const last = sorted.at(-1)
    const leftOn = leavesAfter === undefined || last === undefined ? undefined : last + leavesAfter
    const days = sorted.filter((day) => day <= today)
    let before: Timestamp | null = null
    for (const day of days) {
      add(counters, activityCounts(before, dayAt(day)))
      before = dayAt(day)
    }
    if (leftOn !== undefined && leftOn <= today) add(counters, departureCounts(before, dayAt(leftOn)))
    if (isActiveOn(days, leftOn, today)) activeNow++
    if (isActiveOn(days, leftOn, today - windowDays)) activeThen++
  }
  return { counters, activeNow, activeThen }
}

describe('the counters of a day', () => {
  it('tell how many users are active, and how many were 30 days ago, for any sequence of visits', () => {
    fc.assert(
      fc.property(fc.array(life, { maxLength: 8 }), fc.integer({ min: 60, max: 150 }), (lives, today) => {
        const { counters, activeNow, activeThen } = reckon(lives, today)
        const now = dayAt(today)
        const sum = (name: string, days: readonly string[]) =>
          days.reduce((total, day) => total + (counters.get(`${name}:${day}`) ?? 0), 0)
        const current = daysBefore(now, 0, windowDays)
        const active = sum('users_last_active', current)
        assert.equal(active, activeNow)
        const idle = sum('users_last_active', daysBefore(now, windowDays, windowDays))
        assert.equal(active - sum('users_activated', current) + idle + sum('users_lapsed', current), activeThen)
      }),
    )
  })

  it('move once a day for one user', () => {
    assert.deepEqual(activityCounts(dayAt(3), fromMs(start + 3 * dayMs + 60_000)), {})
    assert.deepEqual(activityCounts(dayAt(3), dayAt(4)), {
      'users_last_active:2026-01-04': -1,
      'users_last_active:2026-01-05': 1,
    })
  })

  it('count a user on the day of creation, unless no statistic covers that day', () => {
    assert.deepEqual(arrivalCounts(dayAt(5), dayAt(5)), { 'users_created:2026-01-06': 1 })
    assert.deepEqual(arrivalCounts(dayAt(5), dayAt(64)), { 'users_created:2026-01-06': 1 })
    assert.deepEqual(arrivalCounts(dayAt(5), dayAt(65)), {})
    assert.deepEqual(arrivalCounts(dayAt(5), dayAt(4)), {})
  })

  it('belong to whole days in UTC, listed oldest first', () => {
    const now = fromMs(Date.parse('2026-03-01T00:00:00.000Z'))
    assert.deepEqual(daysBefore(now, 0, 3), ['2026-02-27', '2026-02-28', '2026-03-01'])
    assert.deepEqual(daysBefore(now, 3, 2), ['2026-02-25', '2026-02-26'])
    assert.equal(dayOf(fromMs(Date.parse('2026-03-01T00:00:00.000Z') - 1)), '2026-02-28')
  })
})
