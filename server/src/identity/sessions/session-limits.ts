// How long a session lasts: as the tenant's configuration says at this moment, and no longer than its kind may.
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs
/** If the tenant sets no limit, a session that nobody uses still ends. */
const abandonedMs = 366 * 24 * hourMs
const impersonationMs = 10 * minuteMs
/** Console users hold the keys to their tenants. */
const consoleMaximumMs = 12 * hourMs
const consoleInactivityMs = 30 * minuteMs

export interface SessionTimes {
  readonly created_at: Timestamp
  readonly last_active_at: Timestamp
  /** Set if somebody acts in the user's place. */
  readonly actor_type: string | null
}

/** Returns when the session ends unless it is used before. */
export function endOfSession({ row, auth }: TenantEntry, session: SessionTimes): Timestamp {
  const isConsole = row.kind === 'console'
  const maximumMs = Math.min(
    auth.sessionMaximumLifetimeEnabled ? auth.sessionMaximumLifetime * 1000 : Infinity,
    isConsole ? consoleMaximumMs : Infinity,
    session.actor_type === null ? Infinity : impersonationMs,
  )
  const inactivityMs = Math.min(
    auth.sessionInactivityTimeoutEnabled ? auth.sessionInactivityTimeout * 1000 : abandonedMs,
    isConsole ? consoleInactivityMs : Infinity,
  )
  const idle = addMilliseconds(session.last_active_at, inactivityMs)
  if (maximumMs === Infinity) return idle
  const last = addMilliseconds(session.created_at, maximumMs)
  return last < idle ? last : idle
}
