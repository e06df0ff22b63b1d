import type { Tenant, TenantAuth } from '@bailiwick/contract'
import { fromJson } from '../../platform/json-text.ts'
import type { DomainRow, TenantRow } from './queries.ts'
import type { TenantEntry } from './tenant-entry.ts'

const presentDomain = (row: DomainRow) => ({ primary: row.is_primary === 1, name: row.name })

export const presentBrand = (row: TenantRow) => fromJson(row.brand)

function presentTenantAuth({ row, auth, authUpdatedAt }: TenantEntry): TenantAuth {
  return { id: row.auth_id, tenantId: row.id, ...auth, createdAt: row.created_at, updatedAt: authUpdatedAt }
}

/** Returns a tenant as lists show it: without auth and brand. */
export function presentTenantInList(row: TenantRow, domains: readonly DomainRow[]): Tenant {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    publicKey: row.public_key,
    creatorId: row.creator_id,
    projectId: row.project_id,
    logoId: row.logo_id,
    logoUri: row.logo_uri,
    iconId: row.icon_id,
    iconUri: row.icon_uri,
    environment: row.environment,
    domains: domains.map(presentDomain),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function presentTenant(entry: TenantEntry): Tenant {
  const { createdAt, updatedAt, ...rest } = presentTenantInList(entry.row, entry.domains)
  return { ...rest, auth: presentTenantAuth(entry), brand: presentBrand(entry.row), createdAt, updatedAt }
}
