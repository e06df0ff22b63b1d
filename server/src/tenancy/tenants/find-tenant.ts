// A tenant's row as of the caller's transaction, for other features. What a request needs of a tenant comes from the directory.
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type TenantRow, selectTenant, selectTenantForUpdate, selectTenantIdBySlugKey } from './queries.ts'

export type { TenantRow }

/** Returns undefined for a tenant that is deleted or does not exist. */
export const findTenantRow = (db: Reader, tenantId: string): Promise<TenantRow | undefined> =>
  selectTenant(db, tenantId)

/**
 * Holds the tenant until the transaction ends: changes of what a tenant has come one after the other.
 * @throws ApiError not_found
 */
export async function lockTenant(tx: Transaction, tenantId: TenantId): Promise<TenantRow> {
  const row = await selectTenantForUpdate(tx, tenantId)
  if (row === undefined) throw notFound()
  return row
}

/** Returns who has the slug, a deleted tenant included: until it is erased nobody else can have it. */
export async function findTenantIdBySlug(db: Reader, slugKey: string): Promise<TenantId | undefined> {
  return (await selectTenantIdBySlugKey(db, slugKey))?.id
}
