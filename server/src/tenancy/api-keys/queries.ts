import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { apiKeys } from './tables.ts'

export type ApiKeyRow = RowOf<typeof apiKeys>

/** How many keys a tenant may have. */
export const apiKeysMax = 100

const apiKeysInUse = apiKeys.only('id', 'hash', 'scopes', 'expires_at', 'last_used_at')
export type ApiKeyInUseRow = RowOf<typeof apiKeysInUse>

export const selectApiKeys = (db: Reader, tenantId: TenantId) =>
  apiKeysInUse.all(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${apiKeysMax}`

export const apiKeySource = apiKeys.sourceOf
export const insertApiKey = apiKeys.insert
export const selectApiKeyForUpdate = apiKeys.lock
export const deleteApiKey = apiKeys.delete

/** Changes nothing if it was written since `before`, perhaps by another node. */
export const touchApiKey = (tenantId: TenantId, id: string, at: Timestamp, before: Timestamp): Statement =>
  sql`UPDATE api_keys SET last_used_at = ${at} WHERE tenant_id = ${tenantId} AND id = ${id}
    AND (last_used_at IS NULL OR last_used_at <= ${before})`
