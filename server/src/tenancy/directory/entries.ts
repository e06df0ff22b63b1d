// The entries of tenants in memory, by id. A tenant is loaded once for all who ask at the same time, and what was loaded before a change
// is not kept after it.
import { LRUCache } from 'lru-cache'
import type { CacheUse, TenantMemory } from '../../platform/cache/memory.ts'
import type { Found, TenantEntry } from '../tenants/tenant-entry.ts'

/** Room for some 10,000 tenants whose authorization servers are used, or 20,000 others. */
const entriesBytesMax = 80 * 1024 * 1024

/** How soon a right that was revoked at another node ends here, whatever happens to the connection to the database. */
const confirmedMs = 1000

export interface Entries extends TenantMemory {
  readonly byId: (tenantId: string) => Found<TenantEntry>
  /** Returns the entry if memory has it, may be used at this moment, and the entry is right. Counts a hit. */
  readonly inMemory: (tenantId: string, isRight?: (entry: TenantEntry) => boolean) => TenantEntry | undefined
  readonly countMiss: () => void
  /** Drops an entry, unless another one has taken its place. */
  readonly drop: (entry: TenantEntry) => void
  readonly isConfirmed: () => boolean
  /** Returns a number that changes with every change of a tenant. */
  readonly epoch: () => number
  readonly use: () => CacheUse
}

/** Reads a tenant once for all who ask at the same time, and passes it on to `keep` unless a tenant has changed meanwhile. */
function createLoads(read: (tenantId: string) => Promise<TenantEntry | undefined>, keep: (entry: TenantEntry) => void) {
  const loading = new Map<string, { readonly promise: Promise<TenantEntry | undefined>; readonly startedMs: number }>()
  let epoch = 0

  async function start(tenantId: string): Promise<TenantEntry | undefined> {
    const startedAt = epoch
    try {
      const entry = await read(tenantId)
      if (entry !== undefined && startedAt === epoch) keep(entry)
      return entry
    } finally {
      if (startedAt === epoch) loading.delete(tenantId)
    }
  }

  return {
    load(tenantId: string) {
      const startedMs = performance.now()
      const underWay = loading.get(tenantId)
      // A query that hangs may return a state that is this old.
      if (underWay !== undefined && underWay.startedMs > startedMs - confirmedMs) return underWay.promise
      const promise = start(tenantId)
      loading.set(tenantId, { promise, startedMs })
      return promise
    },
    forget() {
      epoch++
      loading.clear()
    },
    epoch: () => epoch,
  }
}

interface KeptEntry {
  readonly entry: TenantEntry
  /** The size of the entry without what was read of the tenant since. */
  readonly bytes: number
}

/** Keeps the entries that were used last, with what was read of their tenants since. */
function createMemory(bytesMax: number) {
  const kept = new LRUCache<string, KeptEntry>({
    maxSize: bytesMax,
    sizeCalculation: ({ entry, bytes }) => bytes + entry.kept.bytes,
  })
  return {
    get: (tenantId: string) => kept.get(tenantId)?.entry,
    set: (entry: TenantEntry): void => {
      const { kept: _kept, ...own } = entry
      kept.set(entry.row.id, { entry, bytes: JSON.stringify(own).length })
    },
    /** The entry takes more memory than before. */
    resize: (entry: TenantEntry): void => {
      const { id } = entry.row
      const known = kept.peek(id)
      // The cache measures only what is another object.
      if (known?.entry === entry) kept.set(id, { ...known })
    },
    delete: (tenantId: string) => kept.delete(tenantId),
    clear: () => kept.clear(),
    count: () => kept.size,
  }
}

/** @param bytesMax how much memory the entries take. */
export function createEntries(
  read: (tenantId: string, onMore: (entry: TenantEntry) => void) => Promise<TenantEntry | undefined>,
  bytesMax = entriesBytesMax,
): Entries {
  const entries = createMemory(bytesMax)
  const loads = createLoads((tenantId) => read(tenantId, entries.resize), entries.set)
  let hits = 0
  let misses = 0
  let confirmedUntilMs = Infinity
  const isConfirmed = () => confirmedUntilMs === Infinity || performance.now() < confirmedUntilMs

  const inMemory: Entries['inMemory'] = (tenantId, isRight) => {
    const entry = entries.get(tenantId)
    if (entry === undefined || isRight?.(entry) === false || !isConfirmed()) return undefined
    hits++
    return entry
  }

  return {
    byId(tenantId) {
      const entry = inMemory(tenantId)
      if (entry !== undefined) return entry
      misses++
      return loads.load(tenantId)
    },
    inMemory,
    countMiss: () => void misses++,
    drop(entry) {
      if (entries.get(entry.row.id) === entry) entries.delete(entry.row.id)
    },
    isConfirmed,
    epoch: loads.epoch,
    use: () => ({ entries: entries.count(), hits, misses }),
    invalidate(tenantId) {
      loads.forget()
      entries.delete(tenantId)
    },
    clear() {
      loads.forget()
      entries.clear()
    },
    confirm(asOfMs) {
      confirmedUntilMs = asOfMs + confirmedMs
    },
  }
}
