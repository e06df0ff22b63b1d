import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { DomainId, TenantId } from '../../platform/ids.ts'

export interface DomainRow {
  readonly tenant_id: TenantId
  readonly id: DomainId
  readonly name: string
  readonly name_key: string
  readonly is_primary: number
  readonly type: 'protocol' | 'external'
  readonly verified_at: Timestamp | null
  readonly verification_token: string
  readonly verification_reason: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** Domains that one tenant may have. */
export const domainsMax = 100

const columns: Fragment = sql`tenant_id, id, name, name_key, is_primary, type, verified_at, verification_token,
  verification_reason, created_at, updated_at`

export const selectDomains = (db: Reader, tenantId: TenantId) =>
  db.all<DomainRow>(
    sql`SELECT ${columns} FROM domains WHERE tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${domainsMax}`,
  )

export const selectDomain = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<DomainRow>(sql`SELECT ${columns} FROM domains WHERE tenant_id = ${tenantId} AND id = ${id}`)

export const insertDomain = (row: DomainRow): Statement => sql`INSERT INTO domains
  (tenant_id, id, name, name_key, is_primary, type, verified_at, verification_token, verification_reason, created_at,
   updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.name}, ${row.name_key}, ${row.is_primary}, ${row.type}, ${row.verified_at},
    ${row.verification_token}, ${row.verification_reason}, ${row.created_at}, ${row.updated_at})`

export const deleteDomain = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM domains WHERE tenant_id = ${tenantId} AND id = ${id}`

export const updateVerification = (
  tenantId: TenantId,
  id: string,
  verifiedAt: Timestamp | null,
  reason: string | null,
  at: Timestamp,
): Statement => sql`UPDATE domains SET verified_at = ${verifiedAt}, verification_reason = ${reason}, updated_at = ${at}
  WHERE tenant_id = ${tenantId} AND id = ${id}`

/** Two statements, for no two domains of a tenant are primary at any moment. */
export const updatePrimary = (tenantId: TenantId, id: string, at: Timestamp): readonly Statement[] => [
  sql`UPDATE domains SET is_primary = 0, updated_at = ${at} WHERE tenant_id = ${tenantId} AND is_primary = 1`,
  sql`UPDATE domains SET is_primary = 1, updated_at = ${at} WHERE tenant_id = ${tenantId} AND id = ${id}`,
]

/** One tenant at most has verified a name. */
export const selectVerifiedDomainOwner = (db: Reader, nameKey: string) =>
  db.first<{ tenant_id: TenantId }>(
    sql`SELECT tenant_id FROM domains WHERE name_key = ${nameKey} AND verified_at IS NOT NULL`,
  )
