// The tenants that are in use, in bounded memory: found by id, public key, slug or secret key without asking the database.
// An entry is dropped when its tenant changes: at once in the process that changed it, and by the invalidation feed in others.
import type { TenantAuthSettings } from '@bailiwick/contract'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { whenReady } from '../../platform/maybe-promise.ts'
import { readApiKeys } from '../api-keys/keys-in-use.ts'
import { settingsInUse } from '../auth-configuration/read-settings.ts'
import { findDomains, findSecretKeys, findTenantIdBySlug, findTenantRow } from '../tenants/find-tenant.ts'
import type { Found, TenantDirectory, TenantEntry } from '../tenants/tenant-entry.ts'
import * as queries from './queries.ts'

/** An entry takes some 5 KB. If there were fewer entries than tenants in use, most look-ups would read the database. */
const entriesMax = 20_000
const pointersMax = 80_000
const unknownDomainsMax = 2000
/** How soon a domain that another node has verified is known here, even if its invalidation is lost. */
const unknownDomainMs = 900
/** Reading the time at each look-up costs more than the look-up itself. */
const unknownDomainResolutionMs = 100

/** How soon a right that was revoked at another node ends here, whatever happens to the connection to the database. */
const confirmedMs = 1000

/** The settings that the deployment decides for the console's tenant. */
type Decided = Pick<Config, 'consoleSignUp'>

/**
 * Returns the settings in effect. The deployment decides who may sign up at the console, because a tenant that is created there can send
 * mail and use its resources. The stored setting of the console's tenant has no effect.
 */
const inEffect = (kind: TenantEntry['row']['kind'], stored: TenantAuthSettings, { consoleSignUp }: Decided) =>
  kind === 'console' ? { ...stored, signUpEnabled: consoleSignUp === 'open' } : stored

export function createTenantDirectory(
  db: Database,
  clock: Clock,
  decided: Decided = { consoleSignUp: 'closed' },
): TenantDirectory {
  const entries = new LRUCache<string, TenantEntry>(entriesAtMost(entriesMax))
  /**
   * Maps `p:` public key, `s:` slug key, `d:` domain key, `h:` secret key hash and `a:` API key hash to the tenant. These are only hints;
   * the entry decides.
   */
  const pointers = new LRUCache<string, TenantId>(entriesAtMost(pointersMax))
  /** Names that belong to no tenant, such as that of the machine or one that a caller made up, and that each request asks for. */
  const unknownDomains = new LRUCache<string, true>({
    ...entriesAtMost(unknownDomainsMax),
    ttl: unknownDomainMs,
    ttlResolution: unknownDomainResolutionMs,
  })
  const loading = new Map<string, { readonly promise: Promise<TenantEntry | undefined>; readonly startedMs: number }>()
  let epoch = 0
  let hits = 0
  let misses = 0
  let confirmedUntilMs = Infinity
  const isConfirmed = () => confirmedUntilMs === Infinity || performance.now() < confirmedUntilMs

  function forgetWhatLoads() {
    epoch++
    loading.clear()
    unknownDomains.clear()
  }

  async function read(tenantId: string): Promise<TenantEntry | undefined> {
    const row = await findTenantRow(db, tenantId)
    if (row === undefined) return undefined
    const [inUse, domains, secretKeys, apiKeys] = await Promise.all([
      settingsInUse(db, row),
      findDomains(db, row.id),
      findSecretKeys(db, row.id),
      readApiKeys(db, row.id),
    ])
    if (inUse === undefined) throw new Error(`tenant ${row.id} has no authentication configuration`)
    const { updatedAt: authUpdatedAt, hasSocialProvider } = inUse
    const auth = inEffect(row.kind, inUse.settings, decided)
    const made = { record: undefined, pages: undefined }
    return { row, auth, authUpdatedAt, hasSocialProvider, domains, secretKeys, apiKeys, ...made }
  }

  async function load(tenantId: string): Promise<TenantEntry | undefined> {
    const startedAt = epoch
    try {
      const entry = await read(tenantId)
      if (entry !== undefined && startedAt === epoch) entries.set(tenantId, entry)
      return entry
    } finally {
      if (startedAt === epoch) loading.delete(tenantId)
    }
  }

  function byId(tenantId: string): Found<TenantEntry> {
    const kept = entries.get(tenantId)
    if (kept !== undefined && isConfirmed()) {
      hits++
      return kept
    }
    misses++
    const startedMs = performance.now()
    const underWay = loading.get(tenantId)
    // A query that hangs may return a state that is this old.
    if (underWay !== undefined && underWay.startedMs > startedMs - confirmedMs) return underWay.promise
    const promise = load(tenantId)
    loading.set(tenantId, { promise, startedMs })
    return promise
  }

  /** Follows a known pointer, otherwise asks the database for it; `isRight` checks the entry itself. */
  function follow(
    pointer: string,
    select: () => Promise<{ id: TenantId } | undefined>,
    isRight: (entry: TenantEntry) => boolean,
  ): Found<TenantEntry> {
    const tenantId = pointers.get(pointer)
    if (tenantId !== undefined) {
      const entry = entries.get(tenantId)
      if (entry !== undefined && isRight(entry) && isConfirmed()) {
        hits++
        return entry
      }
    }
    misses++
    return select().then(async (found) => {
      if (found === undefined) return undefined
      pointers.set(pointer, found.id)
      const known = await byId(found.id)
      if (known === undefined || isRight(known)) return known
      // The entry may be older than what the database has just returned, such as a key that another node made a moment ago.
      if (entries.get(found.id) === known) entries.delete(found.id)
      const entry = await byId(found.id)
      return entry !== undefined && isRight(entry) ? entry : undefined
    })
  }

  function byDomainKey(domainKey: string): Found<TenantEntry> {
    if (unknownDomains.has(domainKey)) return undefined
    const startedAt = epoch
    const found = follow(
      `d:${domainKey}`,
      () => queries.selectTenantIdByDomainKey(db, domainKey),
      (entry) => entry.domains.some((domain) => domain.is_verified === 1 && domain.name_key === domainKey),
    )
    return whenReady(found, (entry) => {
      if (entry === undefined && startedAt === epoch) unknownDomains.set(domainKey, true)
      return entry
    })
  }

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
    byId,
    cacheUse: () => ({ entries: entries.size, hits, misses }),
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
    byDomainKey,
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
    byApiKey(hash, beforeLookUp) {
      const found = follow(
        `a:${hash}`,
        () => {
          beforeLookUp?.()
          return queries.selectTenantIdByApiKeyHash(db, hash)
        },
        (entry) => liveApiKey(entry, hash) !== undefined,
      )
      return whenReady(found, (entry) => liveApiKey(entry, hash))
    },
    invalidate(tenantId) {
      forgetWhatLoads()
      entries.delete(tenantId)
    },
    clear() {
      forgetWhatLoads()
      entries.clear()
      pointers.clear()
    },
    confirm(asOfMs) {
      confirmedUntilMs = asOfMs + confirmedMs
    },
    isConfirmed,
  }
}
