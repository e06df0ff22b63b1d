// Counts events by day, in the transaction in which they happen, so that statistics cost the same with a million users.
import type { DayCount } from '@bailiwick/contract'
import { type Timestamp, addMilliseconds } from '../clock.ts'
import { readCounters } from '../db/counters.ts'
import type { Deps } from '../deps.ts'
import type { TenantId } from '../ids.ts'

export const dayMs = 24 * 60 * 60 * 1000
/** How many days a statistic covers, including today; it is compared with as many days before them. */
export const windowDays = 30

export const dayCountNames = [
  'users_created',
  'users_deleted',
  'sessions_created',
  'messages_queued',
  'messages_sent',
  'messages_failed',
  /** Attempts to deliver events to webhooks, by how they ended. */
  'webhook_attempts_succeeded',
  'webhook_attempts_failed',
  /** Users by the day on which they were last active. */
  'users_last_active',
  /** Users who were active for the first time, or again after a window without activity. */
  'users_activated',
  /** Users by the day on which a window without activity had passed. Counted only once they return or are deleted. */
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

/** Returns `count` days that end `endsBefore` days before that of `now`, oldest first. */
export function daysBefore(now: Timestamp, endsBefore: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    dayOf(addMilliseconds(now, -(endsBefore + count - 1 - index) * dayMs)),
  )
}

/** Returns how often it happened on each of these days. */
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

/** Returns the counters that change when a user is created. One imported with an old creation time changes none. */
export function arrivalCounts(createdAt: Timestamp, now: Timestamp): Record<string, number> {
  const days = wholeDaysBetween(createdAt, now)
  return days >= 0 && days < 2 * windowDays ? { [dayCounter('users_created', createdAt)]: 1 } : {}
}

/** Returns the counters that change when a user who was last active at `before` is active again. */
export function activityCounts(before: Timestamp | null, now: Timestamp): Record<string, number> {
  const days = before === null ? Infinity : wholeDaysBetween(before, now)
  if (days <= 0) return {}
  const counts: Record<string, number> = { [dayCounter('users_last_active', now)]: 1 }
  if (days >= windowDays) counts[dayCounter('users_activated', now)] = 1
  // No statistic covers older days.
  if (before !== null && days < 2 * windowDays) {
    counts[dayCounter('users_last_active', before)] = -1
    if (days >= windowDays) counts[dayCounter('users_lapsed', addMilliseconds(before, windowDays * dayMs))] = 1
  }
  return counts
}

/** Returns the counters that change when a user who was last active at `before` is deleted. */
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
