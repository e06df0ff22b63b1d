// Resources in the form that the authorization server needs.
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { numberOf } from '../../platform/cache/numbered.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-directory.ts'
import { resources } from './tables.ts'

export type ResourceRow = RowOf<typeof resources>

const keptMax = 20_000
/** Keyed by the tenant's entry and the indicator. A change of a resource invalidates the tenant, and its next entry is another object. */
const kept = new LRUCache<string, ResourceRow>(entriesAtMost(keptMax))

export const findResource = (db: Reader, tenantId: TenantId, indicator: string): Promise<ResourceRow | undefined> =>
  resources.first(db)`tenant_id = ${tenantId} AND indicator = ${indicator}`

/** Returns the resource, which is kept in memory until the tenant changes. */
export async function findKeptResource(
  db: Reader,
  tenant: TenantEntry,
  indicator: string,
): Promise<ResourceRow | undefined> {
  const key = `${numberOf(tenant)} ${indicator}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const row = await findResource(db, tenant.row.id, indicator)
  if (row !== undefined) kept.set(key, row)
  return row
}
