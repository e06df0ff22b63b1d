import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { domains } from './tables.ts'

export type DomainRow = RowOf<typeof domains>

/** How many domains one tenant may have. */
export const domainsMax = 100

export const selectDomains = (db: Reader, tenantId: TenantId) =>
  domains.all(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${domainsMax}`

export const selectDomain = domains.byKey
export const insertDomain = domains.insert
export const updateVerification = domains.update('verified_at', 'verification_reason', 'updated_at')
export const deleteDomain = domains.delete

/** These are two statements, because a tenant must not have two primary domains at any moment. */
export const updatePrimary = (tenantId: TenantId, id: string, at: Timestamp): readonly Statement[] => [
  sql`UPDATE domains SET is_primary = 0, updated_at = ${at} WHERE tenant_id = ${tenantId} AND is_primary = 1`,
  sql`UPDATE domains SET is_primary = 1, updated_at = ${at} WHERE tenant_id = ${tenantId} AND id = ${id}`,
]

/** At most one tenant has verified a name. */
export const selectVerifiedDomainOwner = (db: Reader, nameKey: string) =>
  db.first<{ tenant_id: TenantId }>(
    sql`SELECT tenant_id FROM domains WHERE name_key = ${nameKey} AND verified_at IS NOT NULL`,
  )
