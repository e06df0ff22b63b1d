// Which tenant a name or key leads to.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

export const selectTenantIdByPublicKey = (db: Reader, publicKey: string) =>
  db.first<{ id: TenantId }>(sql`SELECT id FROM tenants WHERE public_key = ${publicKey}`)

export const selectTenantIdBySecretKeyHash = (db: Reader, hash: string) =>
  db.first<{ id: TenantId }>(sql`SELECT tenant_id AS id FROM secret_keys WHERE hash = ${hash}`)

/** Selects the one tenant, if any, that has verified it. */
export const selectTenantIdByDomainKey = (db: Reader, nameKey: string) =>
  db.first<{ id: TenantId }>(
    sql`SELECT tenant_id AS id FROM domains WHERE name_key = ${nameKey} AND verified_at IS NOT NULL`,
  )

/** @param tenantId the only tenant that can have the key, if it is known. */
export const selectTenantIdByApiKeyHash = (db: Reader, hash: string, tenantId: string | undefined) => {
  const ofTenant = tenantId === undefined ? sql`` : sql`AND tenant_id = ${tenantId}`
  return db.first<{ id: TenantId }>(sql`SELECT tenant_id AS id FROM api_keys WHERE hash = ${hash} ${ofTenant}`)
}
