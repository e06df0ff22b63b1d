// Live sessions by the hash of their token, kept in memory because nearly every request of a signed-in user asks for one. An entry is
// dropped when its user changes: at once in the process that changed the user, by the invalidation feed in others.
import type { RoleFlag } from '@bailiwick/contract'
import type { Logger } from 'pino'
import type { CacheUse, UserMemory } from '../../platform/cache/memory.ts'
import { type Clock, type Timestamp, machineTime } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { isPast } from '../../platform/http/ends.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type MaybePromise, isReady } from '../../platform/maybe-promise.ts'
import type { TenantDirectory, TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { flagSet } from '../tenant-members/flags.ts'
import { tenantMembershipsOfUser } from '../tenant-members/memberships-of-user.ts'
import type { FlagsByTenant, LiveSession } from './live-session.ts'
import { type SessionOfUserRow, selectSessionByToken, selectTokenHash } from './queries.ts'
import { type SessionEntry, createSessionMemory } from './session-memory.ts'
import { createSessionUses, isLive, touchDueMs } from './session-uses.ts'

type Found<T> = MaybePromise<T | undefined>

export interface SessionDirectory extends UserMemory {
  /**
   * Returns the session of a token, unless it has ended or its user is not active. Asking for it counts as a use.
   * @param beforeLookUp called before the database is asked.
   * @param tenantId the tenant whose sessions are asked for in the database, if it is known. It has them together on one shard.
   */
  readonly find: (tokenHash: string, beforeLookUp?: () => void, tenantId?: TenantId) => Found<LiveSession>
  /** Does the same by the session's id. */
  readonly findById: (tenantId: TenantId, id: string) => Promise<LiveSession | undefined>
  /** Tells another memory of data about users what to forget, as this one is told. */
  readonly alsoForgets: (memory: UserMemory) => void
  readonly cacheUse: () => CacheUse
  /** Resolves when all uses that are being written are written. */
  readonly settle: () => Promise<void>
}

interface Flags {
  readonly flags: FlagsByTenant
  /** The first end of what gives them. */
  readonly flagsEndAt: Timestamp | null
}

const noFlags: Flags = { flags: new Map(), flagsEndAt: null }

async function readFlags(
  db: Database,
  { tenant_id: tenantId, user_id: userId }: SessionOfUserRow,
  now: Timestamp,
): Promise<Flags> {
  const flags = new Map<TenantId, ReadonlySet<RoleFlag>>()
  let flagsEndAt: Timestamp | null = null
  for await (const rows of tenantMembershipsOfUser(db, tenantId, userId)) {
    for (const row of rows) {
      const { expires_at: end } = row
      if (isPast(end, now)) continue
      flags.set(row.tenant_id, flagSet(row))
      if (end !== null && (flagsEndAt === null || end < flagsEndAt)) flagsEndAt = end
    }
  }
  return { flags, flagsEndAt }
}

function newEntry(
  row: SessionOfUserRow,
  tokenHash: string,
  flags: Awaited<ReturnType<typeof readFlags>>,
): SessionEntry {
  const lastActiveAt = row.last_active_at
  const made = { profile: undefined }
  return { row, tokenHash, ...flags, made, lastActiveAt, touchDueMs: touchDueMs(lastActiveAt), end: undefined }
}

export function createSessionDirectory(
  db: Database,
  tenants: TenantDirectory,
  clock: Clock,
  log: Logger,
): SessionDirectory {
  const memory = createSessionMemory()
  const memories: UserMemory[] = [memory]
  const uses = createSessionUses(db, clock, log)
  let hits = 0
  let misses = 0

  function use(entry: SessionEntry, tenant: TenantEntry): LiveSession {
    uses.note(entry, tenant)
    return { row: entry.row, tokenHash: entry.tokenHash, tenant, flags: entry.flags, made: entry.made }
  }

  const load = (tokenHash: string, tenantId: TenantId | undefined): Promise<LiveSession | undefined> =>
    memory.whileLoading(async (keep) => {
      const row = await selectSessionByToken(db, tokenHash, tenantId)
      const tenant = row && (await tenants.byId(row.tenant_id))
      if (row === undefined || tenant === undefined) return undefined
      const flags = tenant.row.kind === 'console' ? await readFlags(db, row, machineTime(clock)) : noFlags
      const entry = newEntry(row, tokenHash, flags)
      if (!isLive(entry, tenant, clock)) return undefined
      keep(entry)
      return use(entry, tenant)
    })

  const find: SessionDirectory['find'] = (tokenHash, beforeLookUp, tenantId) => {
    const entry = tenants.isConfirmed() ? memory.get(tokenHash) : undefined
    const tenant = entry && tenants.byId(entry.row.tenant_id)
    if (entry !== undefined && tenant !== undefined && isReady(tenant) && isLive(entry, tenant, clock)) {
      hits++
      return use(entry, tenant)
    }
    misses++
    // A session that looks idle may have been used on another node.
    memory.drop(tokenHash)
    beforeLookUp?.()
    return load(tokenHash, tenantId)
  }

  return {
    find,
    cacheUse: () => ({ entries: memory.size(), hits, misses }),
    async findById(tenantId, id) {
      const tokenHash = await selectTokenHash(db, tenantId, id)
      return tokenHash === undefined ? undefined : find(tokenHash, undefined, tenantId)
    },
    alsoForgets: (other) => void memories.push(other),
    invalidateUser(tenantId, userId) {
      for (const each of memories) each.invalidateUser(tenantId, userId)
    },
    clear() {
      for (const each of memories) each.clear()
    },
    settle: uses.settle,
  }
}
