// Resources in the form that the authorization server needs.
import { isWellFormedText } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { keptWithTenant } from '../../tenancy/tenants/kept-with-tenant.ts'
import { resources } from './tables.ts'

export type ResourceRow = RowOf<typeof resources>

/** @param indicator as a client has sent it: text that no database stores is none. */
export async function findResource(
  db: Reader,
  tenantId: TenantId,
  indicator: string,
): Promise<ResourceRow | undefined> {
  if (!isWellFormedText(indicator)) return undefined
  return resources.first(db)`tenant_id = ${tenantId} AND indicator = ${indicator}`
}

/** Finds a resource in memory, where it is kept until the tenant changes, or in the database. */
export const findKeptResource = keptWithTenant('resource', findResource)
