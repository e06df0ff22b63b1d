// Live sessions by the hash of their token, kept in memory because nearly every request of a signed-in user asks for one. An entry is
// dropped when its user changes: at once in the process that changed the user, by the invalidation feed in others.
import type { RoleFlag } from '@bailiwick/contract'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { type CacheUse, type UserMemory, entriesAtMost } from '../../platform/cache/memory.ts'
import { type Clock, type Timestamp, toMs } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Serialized } from '../../platform/http/answer.ts'
import { type TenantId, inTenant } from '../../platform/ids.ts'
import { type MaybePromise, isReady } from '../../platform/maybe-promise.ts'
import { activityCounts } from '../../platform/statistics/day-counters.ts'
import type { TenantDirectory, TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { flagSet } from '../tenant-members/flags.ts'
import { tenantMembershipsOfUser } from '../tenant-members/memberships-of-user.ts'
import { lockUser } from '../users/find-user.ts'
import { type SessionOfUserRow, selectSessionByToken, selectTokenHash, touchSession, touchUser } from './queries.ts'
import { endOfSession } from './session-limits.ts'

export type FlagsByTenant = ReadonlyMap<TenantId, ReadonlySet<RoleFlag>>

export interface LiveSession {
  readonly row: SessionOfUserRow
  /** The hash of the token that the request came with. */
  readonly tokenHash: string
  readonly tenant: TenantEntry
  /** The tenants that a console user administers; empty for any other user. */
  readonly flags: FlagsByTenant
  /** What was derived from the user; kept as long as neither user nor tenant changes. */
  readonly made: MadeOfUser
}

/** A holder that belongs to the entry: what is put into a holder whose entry was dropped meanwhile is lost with it. */
export interface MadeOfUser {
  profile: { readonly tenant: TenantEntry; readonly answer: Serialized } | undefined
  /** Where and in which language the user reads. */
  reader?: { readonly locale: string | null; readonly timezone: string }
}

type Found<T> = MaybePromise<T | undefined>

export interface SessionDirectory extends UserMemory {
  /**
   * Returns the session of a token, unless it has ended or its user is not active. Asking for it counts as a use.
   * @param beforeLookUp called before the database is asked.
   */
  readonly find: (tokenHash: string, beforeLookUp?: () => void) => Found<LiveSession>
  /** Does the same by the session's id. */
  readonly findById: (tenantId: TenantId, id: string) => Promise<LiveSession | undefined>
  readonly cacheUse: () => CacheUse
  /** Resolves when all uses that are being written are written. */
  readonly settle: () => Promise<void>
}

interface Entry {
  readonly row: SessionOfUserRow
  readonly tokenHash: string
  readonly flags: FlagsByTenant
  readonly made: MadeOfUser
  lastActiveAt: Timestamp
  /** The time from which another use is written. */
  touchDueMs: number
  /** When the session ends if it is not used again, and the values from which that was computed. */
  end: { readonly tenant: TenantEntry; readonly lastActiveAt: Timestamp; readonly at: Timestamp } | undefined
}

const entriesMax = 20_000
/** How long an entry survives if its invalidation is lost after all. */
const rememberedMs = 29_000
/** Reading the time at each look-up costs more than the look-up itself. */
const rememberedResolutionMs = 1000
const touchEveryMs = 60_000
const nobody: FlagsByTenant = new Map()

const userOf = ({ tenant_id: tenantId, user_id: userId }: SessionOfUserRow) => inTenant(tenantId, userId)

export function createSessionDirectory(
  db: Database,
  tenants: TenantDirectory,
  clock: Clock,
  log: Logger,
): SessionDirectory {
  /** Keyed by tenant and user, because an import may have brought one id into several tenants. */
  const hashesByUser = new Map<string, Set<string>>()
  const entries = new LRUCache<string, Entry>({
    ...entriesAtMost(entriesMax),
    ttl: rememberedMs,
    ttlResolution: rememberedResolutionMs,
    dispose: ({ row }, hash) => {
      const user = userOf(row)
      const hashes = hashesByUser.get(user)
      hashes?.delete(hash)
      if (hashes?.size === 0) hashesByUser.delete(user)
    },
  })
  /** The loads that are under way, each with the users who changed meanwhile. */
  const loads = new Set<{ users: Set<string>; isVoid: boolean }>()
  const touches = new Set<Promise<void>>()
  let hits = 0
  let misses = 0

  function keep(hash: string, entry: Entry) {
    entries.set(hash, entry)
    const user = userOf(entry.row)
    hashesByUser.set(user, (hashesByUser.get(user) ?? new Set()).add(hash))
  }

  async function flagsOf({ tenant_id: tenantId, user_id: userId }: SessionOfUserRow): Promise<FlagsByTenant> {
    const flags = new Map<TenantId, ReadonlySet<RoleFlag>>()
    for await (const rows of tenantMembershipsOfUser(db, tenantId, userId)) {
      for (const row of rows) flags.set(row.tenant_id, flagSet(row))
    }
    return flags
  }

  async function load(hash: string): Promise<LiveSession | undefined> {
    const started = { users: new Set<string>(), isVoid: false }
    loads.add(started)
    try {
      const row = await selectSessionByToken(db, hash)
      const tenant = row && (await tenants.byId(row.tenant_id))
      if (row === undefined || tenant === undefined) return undefined
      const flags = tenant.row.kind === 'console' ? await flagsOf(row) : nobody
      const entry: Entry = {
        row,
        tokenHash: hash,
        flags,
        made: { profile: undefined },
        lastActiveAt: row.last_active_at,
        touchDueMs: toMs(row.last_active_at) + touchEveryMs,
        end: undefined,
      }
      if (!isLive(entry, tenant)) return undefined
      if (!started.isVoid && !started.users.has(userOf(row))) keep(hash, entry)
      return use(entry, tenant)
    } finally {
      loads.delete(started)
    }
  }

  function isLive(entry: Entry, tenant: TenantEntry): boolean {
    const { row, lastActiveAt } = entry
    if (row.user_status !== 'active') return false
    const now = clock.now()
    // An impersonation keeps the end that it was given, however it is used.
    if (row.actor_type !== null && row.expires_at <= now) return false
    if (entry.end?.tenant !== tenant || entry.end.lastActiveAt !== lastActiveAt) {
      entry.end = { tenant, lastActiveAt, at: endOfSession(tenant, { ...row, last_active_at: lastActiveAt }) }
    }
    return entry.end.at > now
  }

  function use(entry: Entry, tenant: TenantEntry): LiveSession {
    if (clock.nowMs() >= entry.touchDueMs) {
      entry.lastActiveAt = clock.now()
      entry.touchDueMs = toMs(entry.lastActiveAt) + touchEveryMs
      const touch = writeUse(entry, tenant).catch((err: unknown) => {
        log.warn({ err }, 'cannot write that a session was used')
      })
      touches.add(touch)
      void touch.then(() => touches.delete(touch))
    }
    return { row: entry.row, tokenHash: entry.tokenHash, tenant, flags: entry.flags, made: entry.made }
  }

  async function writeUse({ row, lastActiveAt: at }: Entry, tenant: TenantEntry): Promise<void> {
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

  const find: SessionDirectory['find'] = (tokenHash, beforeLookUp) => {
    const entry = tenants.isConfirmed() ? entries.get(tokenHash) : undefined
    const tenant = entry && tenants.byId(entry.row.tenant_id)
    if (entry !== undefined && tenant !== undefined && isReady(tenant) && isLive(entry, tenant)) {
      hits++
      return use(entry, tenant)
    }
    misses++
    // A session that looks idle may have been used on another node.
    entries.delete(tokenHash)
    beforeLookUp?.()
    return load(tokenHash)
  }

  return {
    find,
    cacheUse: () => ({ entries: entries.size, hits, misses }),
    async findById(tenantId, id) {
      const tokenHash = await selectTokenHash(db, tenantId, id)
      return tokenHash === undefined ? undefined : find(tokenHash)
    },
    invalidateUser(tenantId, userId) {
      const user = inTenant(tenantId, userId)
      for (const each of loads) each.users.add(user)
      for (const hash of hashesByUser.get(user) ?? []) entries.delete(hash)
    },
    clear() {
      for (const each of loads) each.isVoid = true
      entries.clear()
    },
    async settle() {
      await Promise.all(touches)
    },
  }
}
