import type { ApiKey } from '@bailiwick/contract'
import { fromJson } from '../../platform/json-text.ts'
import type { ApiKeyRow } from './queries.ts'

export const presentApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  scopes: fromJson(row.scopes),
  last4: row.last4,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
