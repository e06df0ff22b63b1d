// From a name or a key to a tenant. A pointer in memory is only a hint; the tenant's entry decides whether it is right.
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Found, TenantEntry } from '../tenants/tenant-entry.ts'
import type { Entries } from './entries.ts'

const pointersMax = 80_000

export interface Pointers {
  /**
   * Follows a known pointer, otherwise asks the database for it.
   * @param pointer `p:` public key, `s:` slug key, `d:` domain key, `h:` secret key hash or `a:` API key hash.
   * @param isRight checks the entry itself.
   */
  readonly follow: (
    pointer: string,
    select: () => Promise<{ id: TenantId } | undefined>,
    isRight: (entry: TenantEntry) => boolean,
  ) => Found<TenantEntry>
  readonly clear: () => void
}

export function createPointers(entries: Entries): Pointers {
  const pointers = new LRUCache<string, TenantId>(entriesAtMost(pointersMax))

  /** Returns the entry that the database has named, read again if the one in memory does not agree. */
  async function confirmed(id: TenantId, isRight: (entry: TenantEntry) => boolean): Promise<TenantEntry | undefined> {
    const known = await entries.byId(id)
    if (known === undefined || isRight(known)) return known
    // The entry may be older than what the database has just returned, such as a key that another node made a moment ago.
    entries.drop(known)
    const entry = await entries.byId(id)
    return entry !== undefined && isRight(entry) ? entry : undefined
  }

  return {
    follow(pointer, select, isRight) {
      const tenantId = pointers.get(pointer)
      const entry = tenantId && entries.inMemory(tenantId, isRight)
      if (entry !== undefined) return entry
      entries.countMiss()
      return select().then((found) => {
        if (found === undefined) return undefined
        pointers.set(pointer, found.id)
        return confirmed(found.id, isRight)
      })
    },
    clear: () => pointers.clear(),
  }
}
