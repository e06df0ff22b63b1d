// Keys of users that were checked lately, in bounded memory. An entry is dropped when its user changes, and is right only for the tenant that
// it was made with, which a change of a role, a resource or a setting replaces. Keys of organizations, and those with which users act in one,
// are read each time: memory is not told of their members.
import { LRUCache } from 'lru-cache'
import { type UserMemory, entriesAtMost } from '../../platform/cache/memory.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { inTenant } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { UserApiKeyRow } from './queries.ts'

export interface KnownKey {
  readonly row: UserApiKeyRow
  readonly tenant: TenantEntry
  /** What the key may do now. */
  readonly scopes: readonly string[]
  /** When the owner's rights change by themselves, because a role or a membership ends; null for never. */
  readonly endsAt: Timestamp | null
  /** The time from which another use is written. */
  touchDueMs: number
}

export interface KeyMemory extends UserMemory {
  readonly get: (hash: string, tenant: TenantEntry) => KnownKey | undefined
  /** Runs a load; what it returns is kept unless a user has changed meanwhile. */
  readonly load: (read: () => Promise<KnownKey | undefined>) => Promise<KnownKey | undefined>
}

const entriesMax = 20_000
/** How long an entry survives if its invalidation is lost after all. */
const rememberedMs = 29_000

export function createKeyMemory(): KeyMemory {
  let epoch = 0
  const hashesByUser = new Map<string, Set<string>>()
  const ownerKey = ({ row: { tenant_id: tenantId, user_id: userId } }: KnownKey) => inTenant(tenantId, userId ?? '')
  const entries = new LRUCache<string, KnownKey>({
    ...entriesAtMost(entriesMax),
    ttl: rememberedMs,
    ttlResolution: 1000,
    dispose: (entry, hash) => {
      const hashes = hashesByUser.get(ownerKey(entry))
      hashes?.delete(hash)
      if (hashes?.size === 0) hashesByUser.delete(ownerKey(entry))
    },
  })
  const canBeKept = ({ row: { user_id: userId, organization_id: organizationId } }: KnownKey) =>
    userId !== null && organizationId === null

  return {
    get(hash, tenant) {
      const entry = entries.get(hash)
      return entry?.tenant === tenant ? entry : undefined
    },
    async load(read) {
      const startedAt = epoch
      const entry = await read()
      if (entry !== undefined && startedAt === epoch && canBeKept(entry)) {
        const { hash } = entry.row
        entries.set(hash, entry)
        const user = ownerKey(entry)
        hashesByUser.set(user, (hashesByUser.get(user) ?? new Set()).add(hash))
      }
      return entry
    },
    invalidateUser(tenantId, userId) {
      epoch++
      for (const hash of hashesByUser.get(inTenant(tenantId, userId)) ?? []) entries.delete(hash)
    },
    clear() {
      epoch++
      entries.clear()
    },
  }
}
