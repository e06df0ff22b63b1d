// What a node remembers between requests, in bounded memory. Each kind can be told what to forget: see invalidation.ts.

/** Bounds the entries of an lru-cache: room for them is made as they come, where its `max` would make all of it at once. */
export const entriesAtMost = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 })

/** What a node remembers of tenants. */
export interface TenantMemory {
  /** Forgets one tenant; what is being loaded meanwhile is not kept. */
  readonly invalidate: (tenantId: string) => void
  /** Forgets all, when invalidations may have been missed. */
  readonly clear: () => void
  /**
   * Says that everything which was committed before `asOfMs` (of `performance.now()`) has been told by `invalidate`. From the first
   * time on memory is used for a second after the latest such moment, and the database asked beyond; before, as on SQLite where
   * nobody else writes, memory is always used.
   */
  readonly confirm: (asOfMs: number) => void
}

/** What a node remembers of users. */
export interface UserMemory {
  /** Forgets the sessions and memberships of one user of a tenant; what is being loaded meanwhile is not kept. */
  readonly invalidateUser: (tenantId: string, userId: string) => void
  /** Forgets all, when invalidations may have been missed. */
  readonly clear: () => void
}

/** What a node remembers between requests. */
export interface Memory {
  readonly tenants: TenantMemory
  readonly sessions: UserMemory
}
