import type { UserApiKey } from '@bailiwick/contract'
import { fromJson } from '../../platform/json-text.ts'
import type { UserApiKeyRow } from './queries.ts'

export const presentUserApiKey = (row: UserApiKeyRow): UserApiKey => ({
  id: row.id,
  tenantId: row.tenant_id,
  userId: row.user_id,
  organizationId: row.organization_id,
  name: row.name,
  scopes: [...fromJson(row.scopes)],
  prefix: row.prefix,
  last4: row.last4,
  creatorId: row.creator_id,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
