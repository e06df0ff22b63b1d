// How each name or key of a tenant is found in the database, and what in the tenant's entry must agree with it.
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { whenReady } from '../../platform/maybe-promise.ts'
import { findTenantIdBySlug } from '../tenants/find-tenant.ts'
import type { TenantDirectory, TenantEntry } from '../tenants/tenant-entry.ts'
import type { Pointers } from './pointers.ts'
import * as queries from './queries.ts'

const unknownDomainsMax = 2000
/** How soon a domain that another node has verified is known here, even if its invalidation is lost. */
const unknownDomainMs = 900
/** Reading the time at each look-up costs more than the look-up itself. */
const unknownDomainResolutionMs = 100

type Follow = Pointers['follow']

/** Returns the look-ups by what a tenant is known by in public. */
export const nameLookUps = (db: Database, follow: Follow): Pick<TenantDirectory, 'byPublicKey' | 'bySlugKey'> => ({
  byPublicKey: (publicKey) =>
    follow(
      `p:${publicKey}`,
      () => queries.selectTenantIdByPublicKey(db, publicKey),
      (entry) => entry.row.public_key === publicKey,
    ),
  bySlugKey: (slugKey) =>
    follow(
      `s:${slugKey}`,
      async () => {
        const id = await findTenantIdBySlug(db, slugKey)
        return id && { id }
      },
      (entry) => entry.row.slug_key === slugKey,
    ),
})

/** Returns the look-ups by keys that authenticate a caller. A key that has expired finds nothing. */
export function keyLookUps(
  db: Database,
  clock: Clock,
  follow: Follow,
): Pick<TenantDirectory, 'bySecretKey' | 'byApiKey'> {
  const isLive = (entry: TenantEntry, hash: string) => {
    const key = entry.secretKeys.find((each) => each.hash === hash)
    return key !== undefined && (key.expires_at === null || key.expires_at > clock.now())
  }
  const liveApiKey = (entry: TenantEntry | undefined, hash: string) => {
    const key = entry?.apiKeys.find((each) => each.hash === hash)
    const expiresAt = key?.principal.expiresAt
    return expiresAt === null || (expiresAt !== undefined && expiresAt > clock.now()) ? key : undefined
  }
  return {
    bySecretKey(hash, publicKey, beforeLookUp) {
      const found = follow(
        `h:${hash}`,
        () => {
          beforeLookUp?.()
          return queries.selectTenantIdBySecretKeyHash(db, hash)
        },
        (entry) => isLive(entry, hash) && (publicKey === undefined || entry.row.public_key === publicKey),
      )
      return whenReady(found, (entry) => entry?.row.id)
    },
    byApiKey(hash, beforeLookUp, tenantId) {
      const found = follow(
        `a:${hash}`,
        () => {
          beforeLookUp?.()
          return queries.selectTenantIdByApiKeyHash(db, hash, tenantId)
        },
        (entry) => liveApiKey(entry, hash) !== undefined,
      )
      return whenReady(found, (entry) => liveApiKey(entry, hash))
    },
  }
}

/**
 * Returns the look-up by a verified domain, and what forgets the unknown ones. Names that belong to no tenant, such as that of the machine
 * or one that a caller made up, are remembered, because each request asks for them.
 * @param epoch returns a number that changes with every change of a tenant.
 */
export function domainLookUp(db: Database, follow: Follow, epoch: () => number) {
  const unknownDomains = new LRUCache<string, true>({
    ...entriesAtMost(unknownDomainsMax),
    ttl: unknownDomainMs,
    ttlResolution: unknownDomainResolutionMs,
  })
  const byDomainKey: TenantDirectory['byDomainKey'] = (domainKey) => {
    if (unknownDomains.has(domainKey)) return undefined
    const startedAt = epoch()
    const found = follow(
      `d:${domainKey}`,
      () => queries.selectTenantIdByDomainKey(db, domainKey),
      (entry) => entry.domains.some((domain) => domain.is_verified === 1 && domain.name_key === domainKey),
    )
    return whenReady(found, (entry) => {
      if (entry === undefined && startedAt === epoch()) unknownDomains.set(domainKey, true)
      return entry
    })
  }
  return { byDomainKey, forgetUnknown: () => unknownDomains.clear() }
}
