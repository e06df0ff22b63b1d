// The tenants that are in use, in bounded memory: found by id, public key, slug or secret key without asking the database.
// An entry is dropped when its tenant changes: at once in the process that changed it, and by the invalidation feed in others.
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { TenantDirectory } from '../tenants/tenant-entry.ts'
import { createEntries } from './entries.ts'
import { domainLookUp, keyLookUps, nameLookUps } from './look-ups.ts'
import { createPointers } from './pointers.ts'
import { type Decided, readEntry } from './read-entry.ts'

export function createTenantDirectory(
  db: Database,
  clock: Clock,
  decided: Decided = { consoleSignUp: 'closed' },
): TenantDirectory {
  const entries = createEntries((tenantId, onMore) => readEntry(db, decided, tenantId, onMore))
  const { byId, confirm, isConfirmed, use: cacheUse } = entries
  const pointers = createPointers(entries)
  const { byDomainKey, forgetUnknown } = domainLookUp(db, pointers.follow, entries.epoch)
  return {
    byId,
    ...nameLookUps(db, pointers.follow),
    byDomainKey,
    ...keyLookUps(db, clock, pointers.follow),
    invalidate(tenantId) {
      entries.invalidate(tenantId)
      forgetUnknown()
    },
    clear() {
      entries.clear()
      pointers.clear()
      forgetUnknown()
    },
    confirm,
    isConfirmed,
    cacheUse,
  }
}
