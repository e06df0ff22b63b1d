// Values that a node keeps between requests, in bounded memory. Each kind of memory can be told what to forget: see invalidation.ts.

/**
 * Bounds the number of entries of an lru-cache. Memory for entries is allocated as they come; with `max` all of it would be allocated at
 * once.
 */
export const entriesAtMost = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 })

/** What a cache holds and how often it had the answer, since the start. */
export interface CacheUse {
  readonly entries: number
  readonly hits: number
  readonly misses: number
}

/** A cache of data about tenants. */
export interface TenantMemory {
  /** Forgets one tenant. Values that are being loaded at the moment are not kept. */
  readonly invalidate: (tenantId: string) => void
  /** Forgets everything, because invalidations may have been missed. */
  readonly clear: () => void
  /**
   * Says that `invalidate` was called for everything committed before `asOfMs` (a time of `performance.now()`). After the first call,
   * memory is used for one second after the latest such time, and then the database is asked. Before the first call, as on SQLite where no
   * other process writes, memory is always used.
   */
  readonly confirm: (asOfMs: number) => void
}

/** A cache of data about users. */
export interface UserMemory {
  /** Forgets the sessions and memberships of one user of a tenant. Values that are being loaded at the moment are not kept. */
  readonly invalidateUser: (tenantId: string, userId: string) => void
  /** Forgets everything, because invalidations may have been missed. */
  readonly clear: () => void
}

/** Everything that a node keeps in memory between requests. */
export interface Memory {
  readonly tenants: TenantMemory
  readonly sessions: UserMemory
}

let count = 0
const numbers = new WeakMap<object, number>()

/**
 * Returns a number that only this object has. Such numbers make keys of caches out of what a value was made from without keeping it alive:
 * once an object is replaced, nothing is found by its number any more.
 */
export function numberOf(object: object): number {
  const known = numbers.get(object)
  if (known !== undefined) return known
  numbers.set(object, ++count)
  return count
}
