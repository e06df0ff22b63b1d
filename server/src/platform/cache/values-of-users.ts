// What was read about users lately, in bounded memory. A value is dropped when its user changes: at once at the node that changes the user,
// within a second at others, as long as the directory of tenants says that memory is confirmed.
import { LRUCache } from 'lru-cache'
import { inTenant } from '../ids.ts'
import { type UserMemory, entriesAtMost } from './memory.ts'

export interface ValuesOfUsers<Value> extends UserMemory {
  readonly get: (key: string) => Value | undefined
  /** Runs a load; what it returns is kept unless a user has changed meanwhile. */
  readonly load: (read: () => Promise<Value | undefined>) => Promise<Value | undefined>
}

/** Under which key a value is found, and the key of its user as `inTenant` returns it. */
interface Place {
  readonly key: string
  readonly user: string
}

const valuesMax = 20_000
/** How long a value survives if its invalidation is lost after all. */
const rememberedMs = 29_000

/** @param findPlace returns undefined for a value that cannot be kept. */
export function createValuesOfUsers<Value extends object>(
  findPlace: (value: Value) => Place | undefined,
): ValuesOfUsers<Value> {
  let epoch = 0
  const keysByUser = new Map<string, Set<string>>()
  const values = new LRUCache<string, { readonly value: Value; readonly user: string }>({
    ...entriesAtMost(valuesMax),
    ttl: rememberedMs,
    ttlResolution: 1000,
    dispose: ({ user }, key) => {
      const keys = keysByUser.get(user)
      keys?.delete(key)
      if (keys?.size === 0) keysByUser.delete(user)
    },
  })
  return {
    get: (key) => values.get(key)?.value,
    async load(read) {
      const startedAt = epoch
      const value = await read()
      const place = value === undefined || startedAt !== epoch ? undefined : findPlace(value)
      if (value === undefined || place === undefined) return value
      const { key, user } = place
      values.set(key, { value, user })
      keysByUser.set(user, (keysByUser.get(user) ?? new Set()).add(key))
      return value
    },
    invalidateUser(tenantId, userId) {
      epoch++
      for (const key of keysByUser.get(inTenant(tenantId, userId)) ?? []) values.delete(key)
    },
    clear() {
      epoch++
      values.clear()
    },
  }
}
