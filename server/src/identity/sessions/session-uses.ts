// When a session was last used: in memory at once, in the database at most once a minute.
import type { Logger } from 'pino'
import { type Clock, type Timestamp, toMs } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Database } from '../../platform/db/database.ts'
import { activityCounts } from '../../platform/statistics/day-counters.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { lockUser } from '../users/find-user.ts'
import { touchSession, touchUser } from './queries.ts'
import { endOfSession } from './session-limits.ts'
import type { SessionEntry } from './session-memory.ts'

const touchEveryMs = 60_000

/** Returns when the next use of a session has to be written. */
export const touchDueMs = (lastActiveAt: Timestamp) => toMs(lastActiveAt) + touchEveryMs

/** Returns whether a session may be used now. Computes its end only if it may have moved. */
export function isLive(entry: SessionEntry, tenant: TenantEntry, clock: Clock): boolean {
  const { row, lastActiveAt } = entry
  if (row.user_status !== 'active') return false
  const now = clock.now()
  if (entry.flagsEndAt !== null && entry.flagsEndAt <= now) return false
  // An impersonation keeps the end that it was given, however it is used.
  if (row.actor_type !== null && row.expires_at <= now) return false
  if (entry.end?.tenant !== tenant || entry.end.lastActiveAt !== lastActiveAt) {
    entry.end = { tenant, lastActiveAt, at: endOfSession(tenant, { ...row, last_active_at: lastActiveAt }) }
  }
  return entry.end.at > now
}

export interface SessionUses {
  /** Notes that a session is used. Does not wait until that is written. */
  readonly note: (entry: SessionEntry, tenant: TenantEntry) => void
  /** Resolves when all uses that are being written are written. */
  readonly settle: () => Promise<void>
}

export function createSessionUses(db: Database, clock: Clock, log: Logger): SessionUses {
  const writing = new Set<Promise<void>>()

  async function write({ row, lastActiveAt: at }: SessionEntry, tenant: TenantEntry): Promise<void> {
    const { tenant_id: tenantId, user_id: userId } = row
    const expiresAt = endOfSession(tenant, { ...row, last_active_at: at })
    await db.transaction(async (tx) => {
      // The user is locked first, in the order in which ending all sessions of a user takes the two.
      const user = await lockUser(tx, tenantId, userId)
      if (user === undefined || (await tx.run(touchSession(row, at, expiresAt))) === 0) return
      if (row.actor_type !== null || (user.last_active_at !== null && user.last_active_at >= at)) return
      await tx.run(touchUser(tenantId, userId, at))
      const counts = activityCounts(user.last_active_at, at)
      if (Object.keys(counts).length > 0) await tx.run(addToCounters(tx, tenantId, counts))
    })
  }

  return {
    note(entry, tenant) {
      if (clock.nowMs() < entry.touchDueMs) return
      entry.lastActiveAt = clock.now()
      entry.touchDueMs = touchDueMs(entry.lastActiveAt)
      const written = write(entry, tenant).catch((err: unknown) => {
        log.warn({ err }, 'cannot write that a session was used')
      })
      writing.add(written)
      void written.then(() => writing.delete(written))
    },
    async settle() {
      await Promise.all(writing)
    },
  }
}
