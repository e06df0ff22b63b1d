import type { ProviderKey } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { SocialProviderId, TenantId } from '../../platform/ids.ts'

export interface SocialProviderRow {
  readonly tenant_id: TenantId
  readonly id: SocialProviderId
  readonly provider_key: ProviderKey
  readonly enabled: number
  readonly use_custom_credentials: number | null
  readonly client_id: string | null
  readonly sealed_client_secret: string | null
  readonly redirect_uri: string | null
  readonly additional_scopes: string | null
  readonly authenticatable: number | null
  readonly auto_connect_accounts: number | null
  readonly config: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const columns: Fragment = sql`tenant_id, id, provider_key, enabled, use_custom_credentials, client_id,
  sealed_client_secret, redirect_uri, additional_scopes, authenticatable, auto_connect_accounts, config, created_at,
  updated_at`

/** The row, held until the transaction ends. */
export const selectSocialProviderForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<SocialProviderRow>(
    sql`SELECT ${columns} FROM social_providers WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const selectSocialProvider = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<SocialProviderRow>(sql`SELECT ${columns} FROM social_providers WHERE tenant_id = ${tenantId} AND id = ${id}`)

/** Those that sign people in; the keys are five. */
export const selectEnabledProviders = (db: Reader, tenantId: TenantId) =>
  db.all<SocialProviderRow>(sql`SELECT ${columns} FROM social_providers
    WHERE tenant_id = ${tenantId} AND enabled = 1 AND (authenticatable IS NULL OR authenticatable = 1)
    ORDER BY provider_key LIMIT 5`)

export const selectSocialProviderByKey = (db: Reader, tenantId: TenantId, key: ProviderKey) =>
  db.first<SocialProviderRow>(
    sql`SELECT ${columns} FROM social_providers WHERE tenant_id = ${tenantId} AND provider_key = ${key}`,
  )

/** One of each key at most, so the bound is never met. */
export const selectSocialProviders = (db: Reader, tenantId: TenantId) =>
  db.all<SocialProviderRow>(
    sql`SELECT ${columns} FROM social_providers WHERE tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT 100`,
  )

export const deleteSocialProvider = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM social_providers WHERE tenant_id = ${tenantId} AND id = ${id}`

export const insertSocialProvider = (row: SocialProviderRow): Statement => sql`INSERT INTO social_providers
  (tenant_id, id, provider_key, enabled, use_custom_credentials, client_id, sealed_client_secret, redirect_uri,
   additional_scopes, authenticatable, auto_connect_accounts, config, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.provider_key}, ${row.enabled}, ${row.use_custom_credentials}, ${row.client_id},
    ${row.sealed_client_secret}, ${row.redirect_uri}, ${row.additional_scopes}, ${row.authenticatable},
    ${row.auto_connect_accounts}, ${row.config}, ${row.created_at}, ${row.updated_at})`

export const updateSocialProvider = (row: SocialProviderRow): Statement => sql`UPDATE social_providers SET
  enabled = ${row.enabled}, use_custom_credentials = ${row.use_custom_credentials}, client_id = ${row.client_id},
  sealed_client_secret = ${row.sealed_client_secret}, redirect_uri = ${row.redirect_uri},
  additional_scopes = ${row.additional_scopes}, authenticatable = ${row.authenticatable},
  auto_connect_accounts = ${row.auto_connect_accounts}, config = ${row.config}, updated_at = ${row.updated_at}
  WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`
