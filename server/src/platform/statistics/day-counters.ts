// What happens is counted by day, in the transaction in which it happens: statistics cost the same at a million users.
import type { DayCount } from '@bailiwick/contract'
import { type Timestamp, addMilliseconds } from '../clock.ts'
import { readCounters } from '../db/counters.ts'
import type { Deps } from '../deps.ts'
import type { TenantId } from '../ids.ts'

export const dayMs = 24 * 60 * 60 * 1000
/** The days that a statistic looks at, today included; it is compared with as many before them. */
export const windowDays = 30

export const dayCountNames = [
  'users_created',
  'users_deleted',
  'sessions_created',
  'messages_queued',
  'messages_sent',
  'messages_failed',
  /** Users by the day on which they were last active. */
  'users_last_active',
  /** Users who were active again, or for the first time, after a window without. */
  'users_activated',
  /** Users for whom a window without activity had passed, by the day on which it had; only of those who came back or went away. */
  'users_lapsed',
  'files_created',
  'files_deleted',
  'file_bytes_created',
  'file_bytes_deleted',
] as const
export type DayCountName = (typeof dayCountNames)[number]

/** A day in UTC: `2026-11-20`. */
export const dayOf = (at: Timestamp): string => at.slice(0, '2026-11-20'.length)

export const dayCounter = (name: DayCountName, at: Timestamp): string => `${name}:${dayOf(at)}`

/** `count` days that end `endsBefore` days before that of `now`, oldest first. */
export function daysBefore(now: Timestamp, endsBefore: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    dayOf(addMilliseconds(now, -(endsBefore + count - 1 - index) * dayMs)),
  )
}

/** How often it happened on each of these days. */
export async function readDays(
  { db }: Pick<Deps, 'db'>,
  tenantId: TenantId,
  name: DayCountName,
  days: readonly string[],
) {
  const counters = await readCounters(
    db,
    tenantId,
    days.map((day) => `${name}:${day}`),
  )
  return days.map((date): DayCount => ({ date, count: counters.get(`${name}:${date}`) ?? 0 }))
}

function wholeDaysBetween(from: Timestamp, to: Timestamp): number {
  const [first, last] = [dayOf(from), dayOf(to)]
  return first === last ? 0 : (Date.parse(last) - Date.parse(first)) / dayMs
}

/** The counters that move when a user comes; one who is brought along from long ago moves none. */
export function arrivalCounts(createdAt: Timestamp, now: Timestamp): Record<string, number> {
  const days = wholeDaysBetween(createdAt, now)
  return days >= 0 && days < 2 * windowDays ? { [dayCounter('users_created', createdAt)]: 1 } : {}
}

/** The counters that move when a user who was last active at `before` is active again. */
export function activityCounts(before: Timestamp | null, now: Timestamp): Record<string, number> {
  const days = before === null ? Infinity : wholeDaysBetween(before, now)
  if (days <= 0) return {}
  const counts: Record<string, number> = { [dayCounter('users_last_active', now)]: 1 }
  if (days >= windowDays) counts[dayCounter('users_activated', now)] = 1
  // Nobody looks at older days any more.
  if (before !== null && days < 2 * windowDays) {
    counts[dayCounter('users_last_active', before)] = -1
    if (days >= windowDays) counts[dayCounter('users_lapsed', addMilliseconds(before, windowDays * dayMs))] = 1
  }
  return counts
}

/** The counters that move when a user who was last active at `before` goes away for good. */
export function departureCounts(before: Timestamp | null, now: Timestamp): Record<string, number> {
  const counts: Record<string, number> = { [dayCounter('users_deleted', now)]: 1 }
  const days = before === null ? Infinity : wholeDaysBetween(before, now)
  if (before !== null && days < 2 * windowDays) {
    counts[dayCounter('users_last_active', before)] = -1
    const lapsedAt = days < windowDays ? now : addMilliseconds(before, windowDays * dayMs)
    counts[dayCounter('users_lapsed', lapsedAt)] = 1
  }
  return counts
}
