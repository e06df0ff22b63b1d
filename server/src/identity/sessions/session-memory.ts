// The sessions that are kept in memory, by the hash of their token, and which of them belong to a user.
import { LRUCache } from 'lru-cache'
import { type UserMemory, entriesAtMost } from '../../platform/cache/memory.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { inTenant } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { FlagsByTenant, MadeOfUser } from './live-session.ts'
import type { SessionOfUserRow } from './queries.ts'

export interface SessionEntry {
  readonly row: SessionOfUserRow
  readonly tokenHash: string
  readonly flags: FlagsByTenant
  /** When some of the flags end. */
  readonly flagsEndAt: Timestamp | null
  readonly made: MadeOfUser
  lastActiveAt: Timestamp
  /** The time from which another use is written. */
  touchDueMs: number
  /** When the session ends if it is not used again, and the values from which that was computed. */
  end: { readonly tenant: TenantEntry; readonly lastActiveAt: Timestamp; readonly at: Timestamp } | undefined
}

export interface SessionMemory extends UserMemory {
  readonly get: (hash: string) => SessionEntry | undefined
  readonly drop: (hash: string) => void
  /** Runs a load, which keeps its entry with `keep`. It is not kept if its user was invalidated since the load began. */
  readonly whileLoading: <T>(load: (keep: (entry: SessionEntry) => void) => Promise<T>) => Promise<T>
  readonly size: () => number
}

const entriesMax = 20_000
/** How long an entry survives if its invalidation is lost after all. */
const rememberedMs = 29_000
/** Reading the time at each look-up costs more than the look-up itself. */
const rememberedResolutionMs = 1000

const userKey = ({ tenant_id: tenantId, user_id: userId }: SessionOfUserRow) => inTenant(tenantId, userId)

export function createSessionMemory(): SessionMemory {
  /** Keyed by tenant and user, because an import may have brought one id into several tenants. */
  const hashesByUser = new Map<string, Set<string>>()
  const entries = new LRUCache<string, SessionEntry>({
    ...entriesAtMost(entriesMax),
    ttl: rememberedMs,
    ttlResolution: rememberedResolutionMs,
    dispose: ({ row }, hash) => {
      const user = userKey(row)
      const hashes = hashesByUser.get(user)
      hashes?.delete(hash)
      if (hashes?.size === 0) hashesByUser.delete(user)
    },
  })
  /** The loads that are under way, each with the users who changed meanwhile. */
  const loads = new Set<{ users: Set<string>; isVoid: boolean }>()

  return {
    get: (hash) => entries.get(hash),
    drop: (hash) => void entries.delete(hash),
    async whileLoading(load) {
      const started = { users: new Set<string>(), isVoid: false }
      loads.add(started)
      try {
        return await load((entry) => {
          const user = userKey(entry.row)
          if (started.isVoid || started.users.has(user)) return
          entries.set(entry.tokenHash, entry)
          hashesByUser.set(user, (hashesByUser.get(user) ?? new Set()).add(entry.tokenHash))
        })
      } finally {
        loads.delete(started)
      }
    },
    size: () => entries.size,
    invalidateUser(tenantId, userId) {
      const user = inTenant(tenantId, userId)
      for (const each of loads) each.users.add(user)
      for (const hash of hashesByUser.get(user) ?? []) entries.delete(hash)
    },
    clear() {
      for (const each of loads) each.isVoid = true
      entries.clear()
    },
  }
}
