import type { Resource } from '@bailiwick/contract'
import { fromJson } from '../../platform/json-text.ts'
import type { ResourceRow } from './queries.ts'

export const presentResource = (row: ResourceRow): Resource => ({
  id: row.id,
  tenantId: row.tenant_id,
  indicator: row.indicator,
  name: row.name,
  scopes: fromJson(row.scopes).map(({ name, description }) => ({ name, description })),
  accessTokenFormat: row.access_token_format,
  accessTokenTtl: row.access_token_ttl,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
