// Values of a tenant that are looked up by name and kept in memory with the tenant's entry. A change of what they are read from has to
// invalidate the tenant: its next entry is another object, for which nothing is found.
import { LRUCache } from 'lru-cache'
import { entriesAtMost, numberOf } from '../../platform/cache/memory.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from './tenant-entry.ts'

type Read<Value> = (db: Reader, tenantId: TenantId, name: string) => Promise<Value | undefined>

/**
 * Returns `read` with a memory for what it finds.
 * @param keptMax how many values are kept, of all tenants together.
 */
export function keptWithTenant<Value extends object>(keptMax: number, read: Read<Value>) {
  const kept = new LRUCache<string, Value>(entriesAtMost(keptMax))
  return async (db: Reader, tenant: TenantEntry, name: string): Promise<Value | undefined> => {
    const key = `${numberOf(tenant)} ${name}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const found = await read(db, tenant.row.id, name)
    if (found !== undefined) kept.set(key, found)
    return found
  }
}
