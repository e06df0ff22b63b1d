import type { Reader } from '../../platform/db/database.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'
import type { TenantEntry } from './tenant-entry.ts'

/** @throws ApiError not_found */
export async function getTenant({ tenants }: Deps, tenantId: TenantId): Promise<TenantEntry> {
  const entry = await tenants.byId(tenantId)
  if (entry === undefined) throw notFound()
  return entry
}

/** Returns whether a console user has created that many tenants which nobody has deleted. */
export const hasCreatedTenants = async (db: Reader, creatorId: string, count: number): Promise<boolean> =>
  (await queries.selectCreatedTenants(db, creatorId, count)).length >= count
