// A tenant's API keys as the directory keeps them, found by their hashes.
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { ApiKeyEntry } from '../tenants/tenant-entry.ts'
import { type ApiKeyInUseRow, selectApiKeys } from './queries.ts'

const apiKeyEntry = (tenantId: TenantId, row: ApiKeyInUseRow): ApiKeyEntry => ({
  tenantId,
  id: row.id,
  hash: row.hash,
  principal: {
    type: 'api_key',
    tenantId,
    id: row.id,
    scopes: new Set(fromJson(row.scopes)),
    expiresAt: row.expires_at,
  },
  lastUsedAt: row.last_used_at,
})

/** Returns all keys of a tenant, including those that have expired. */
export async function readApiKeys(db: Reader, tenantId: TenantId): Promise<ApiKeyEntry[]> {
  const rows = await selectApiKeys(db, tenantId)
  return rows.map((row) => apiKeyEntry(tenantId, row))
}
