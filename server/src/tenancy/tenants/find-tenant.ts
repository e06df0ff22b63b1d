// A tenant's row as the caller's transaction sees it, for other features. Requests get what they need of a tenant from the directory.
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import {
  type TenantRow,
  selectDomains,
  selectSecretKeys,
  selectTenant,
  selectTenantForUpdate,
  selectTenantIdBySlugKey,
} from './queries.ts'

export type { TenantRow }

/** Returns undefined for a tenant that is deleted or does not exist. */
export const findTenantRow = (db: Reader, tenantId: string): Promise<TenantRow | undefined> =>
  selectTenant(db, tenantId)

export const findDomains = selectDomains

/** Finds the newest secret keys, including those that have expired. */
export const findSecretKeys = selectSecretKeys

/**
 * Holds the tenant until the transaction ends, so that changes of what a tenant has happen one after the other.
 * @throws ApiError not_found
 */
export async function lockTenant(tx: Transaction, tenantId: TenantId): Promise<TenantRow> {
  const row = await selectTenantForUpdate(tx, tenantId)
  if (row === undefined) throw notFound()
  return row
}

/** Returns the tenant that has the slug, even if it is deleted: until it is erased no other tenant can have the slug. */
export async function findTenantIdBySlug(db: Reader, slugKey: string): Promise<TenantId | undefined> {
  return (await selectTenantIdBySlugKey(db, slugKey))?.id
}
