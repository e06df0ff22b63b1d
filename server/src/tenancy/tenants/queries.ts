import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { isCurrent } from '../../platform/http/ends.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { secretKeys, tenants } from './tables.ts'

export type TenantRow = RowOf<typeof tenants>

export interface DomainRow {
  readonly tenant_id: TenantId
  readonly name: string
  readonly name_key: string
  readonly is_primary: number
  readonly is_verified: number
}

export const selectTenant = (db: Reader, tenantId: string) => tenants.first(db)`id = ${tenantId} AND deleted_at IS NULL`

/** Selects the row and holds it until the transaction ends. */
export const selectTenantForUpdate = (db: Reader, tenantId: TenantId) =>
  tenants.first(db)`id = ${tenantId} AND deleted_at IS NULL${sql.forUpdate}`

const isDeleted = (tenantId: string): Fragment => sql`id = ${tenantId} AND kind = 'tenant' AND deleted_at IS NOT NULL`

export const selectDeletedTenant = (db: Reader, tenantId: string) => tenants.first(db)`${isDeleted(tenantId)}`

export const selectDeletedTenantForUpdate = (db: Reader, tenantId: string) =>
  tenants.first(db)`${isDeleted(tenantId)}${sql.forUpdate}`

/** Selects the tenants that a console user has created and nobody has deleted. */
export const selectCreatedTenants = (db: Reader, creatorId: string, limit: number) =>
  db.all<{ id: TenantId }>(
    sql`SELECT id FROM tenants WHERE creator_id = ${creatorId} AND deleted_at IS NULL LIMIT ${limit}`,
  )

export const selectTenantIdBySlugKey = (db: Reader, slugKey: string) =>
  db.first<{ id: TenantId }>(sql`SELECT id FROM tenants WHERE slug_key = ${slugKey}`)

const domainsMax = 100
const domainColumns: Fragment = sql`tenant_id, name, name_key, is_primary,
  CASE WHEN verified_at IS NULL THEN 0 ELSE 1 END AS is_verified`

export const selectDomains = (db: Reader, tenantId: TenantId) =>
  db.all<DomainRow>(sql`SELECT ${domainColumns} FROM domains WHERE tenant_id = ${tenantId}
    ORDER BY is_primary DESC, created_at LIMIT ${domainsMax}`)

/** Selects the domains of several tenants at once, for lists. */
export const selectDomainsOf = (db: Reader, tenantIds: readonly TenantId[]) =>
  db.all<DomainRow>(sql`SELECT ${domainColumns} FROM domains
    WHERE tenant_id IN (${sql.list(tenantIds)})
    ORDER BY tenant_id, is_primary DESC, created_at LIMIT ${tenantIds.length * domainsMax}`)

const secretKeysMax = 10
const secretKeysInUse = secretKeys.only('id', 'hash', 'expires_at')
export type SecretKeyRow = RowOf<typeof secretKeysInUse>

export const selectSecretKeys = (db: Reader, tenantId: TenantId) =>
  secretKeysInUse.all(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${secretKeysMax}`

/** Selects the secret key that does not expire, which is shown to those who may see it. */
export const selectCurrentSecretKey = (db: Reader, tenantId: TenantId) =>
  secretKeys.first(db)`tenant_id = ${tenantId} AND expires_at IS NULL ORDER BY created_at DESC LIMIT 1`

export const updateTenantBrand = (tenantId: TenantId, brand: string, version: number, at: Timestamp): Statement =>
  sql`UPDATE tenants SET brand = ${brand}, brand_version = ${version}, updated_at = ${at}
    WHERE id = ${tenantId} AND deleted_at IS NULL`

/** Which tenants the caller may see. */
export type Visibility =
  | { readonly type: 'all' }
  | { readonly type: 'one'; readonly tenantId: TenantId }
  | {
      readonly type: 'of_member'
      readonly userTenantId: TenantId
      readonly userId: UserId
      readonly now: Timestamp
    }

export interface TenantFilter {
  readonly visibility: Visibility
  readonly text: string | undefined
  readonly environment: string | undefined
}

const likeText = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

function isVisible(visibility: Visibility): Fragment | undefined {
  switch (visibility.type) {
    case 'all':
      return undefined
    case 'one':
      return sql`id = ${visibility.tenantId}`
    case 'of_member':
      return sql`id IN (SELECT tenant_id FROM tenant_members
        WHERE user_tenant_id = ${visibility.userTenantId} AND user_id = ${visibility.userId}
          AND ${isCurrent(visibility.now)})`
  }
}

/** The source of a list of tenants, which never contains the console's own tenant. */
export function tenantSource({ visibility, text, environment }: TenantFilter) {
  const conditions: Fragment[] = [sql`kind = 'tenant'`, sql`deleted_at IS NULL`]
  const visible = isVisible(visibility)
  if (visible !== undefined) conditions.push(visible)
  if (environment !== undefined) conditions.push(sql`environment = ${environment}`)
  if (text !== undefined) {
    const like = likeText(text)
    conditions.push(
      sql`(name_key LIKE ${like} ESCAPE '\\' OR slug_key LIKE ${like} ESCAPE '\\' OR id LIKE ${like} ESCAPE '\\')`,
    )
  }
  return tenants.source(sql.join(conditions, ' AND '))
}
