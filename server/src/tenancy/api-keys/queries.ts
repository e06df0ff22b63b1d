import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { ApiKeyId, TenantId } from '../../platform/ids.ts'

export interface ApiKeyRow {
  readonly tenant_id: TenantId
  readonly id: ApiKeyId
  readonly name: string
  readonly scopes: string
  readonly last4: string
  readonly expires_at: Timestamp | null
  readonly last_used_at: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** How many a tenant has at most. */
export const apiKeysMax = 100

export interface ApiKeyInUseRow {
  readonly id: ApiKeyId
  readonly hash: string
  readonly scopes: string
  readonly expires_at: Timestamp | null
  readonly last_used_at: Timestamp | null
}

export const selectApiKeys = (db: Reader, tenantId: TenantId) =>
  db.all<ApiKeyInUseRow>(sql`SELECT id, hash, scopes, expires_at, last_used_at FROM api_keys
    WHERE tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${apiKeysMax}`)

const apiKeyColumns: Fragment = sql`tenant_id, id, name, scopes, last4, expires_at, last_used_at, created_at, updated_at`

export const apiKeySource = (tenantId: TenantId) => ({
  columns: apiKeyColumns,
  table: sql`api_keys`,
  where: sql`tenant_id = ${tenantId}`,
})

export const insertApiKey = (row: ApiKeyRow, hash: string): Statement => sql`INSERT INTO api_keys
  (tenant_id, id, name, hash, scopes, last4, expires_at, last_used_at, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.name}, ${hash}, ${row.scopes}, ${row.last4}, ${row.expires_at},
    ${row.last_used_at}, ${row.created_at}, ${row.updated_at})`

/** The row, held until the transaction ends. */
export const selectApiKeyForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<ApiKeyRow>(
    sql`SELECT ${apiKeyColumns} FROM api_keys WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const deleteApiKey = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM api_keys WHERE tenant_id = ${tenantId} AND id = ${id}`

/** Unless it has been written since `before`, perhaps by another node. */
export const touchApiKey = (tenantId: TenantId, id: string, at: Timestamp, before: Timestamp): Statement =>
  sql`UPDATE api_keys SET last_used_at = ${at} WHERE tenant_id = ${tenantId} AND id = ${id}
    AND (last_used_at IS NULL OR last_used_at <= ${before})`
