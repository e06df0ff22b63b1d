// The claims of organizations to domains. For other features only proven ones exist.
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { OrganizationDomainId, OrganizationId, TenantId, UserId } from '../../platform/ids.ts'
import { organizationDomains } from './domain-tables.ts'

export type OrganizationDomainRow = RowOf<typeof organizationDomains>

/** How many domains one organization may have. */
export const domainsMax = 20

export const selectDomains = (db: Reader, tenantId: TenantId, organizationId: string) =>
  organizationDomains.all(db)`tenant_id = ${tenantId} AND organization_id = ${organizationId} ORDER BY created_at DESC
    LIMIT ${domainsMax}`

export const selectDomain = (db: Reader, tenantId: TenantId, organizationId: string, id: string) =>
  organizationDomains.first(db)`tenant_id = ${tenantId} AND id = ${id} AND organization_id = ${organizationId}`

export const insertDomain = organizationDomains.insert
export const updateVerification = organizationDomains.update(
  'verified_at',
  'dns_verified_at',
  'verification_reason',
  'updated_at',
)
export const deleteDomain = ({ tenant_id: tenantId, id }: OrganizationDomainRow) =>
  organizationDomains.delete(tenantId, id)

/** Finds the one claim of a name that is proved. */
export const selectVerifiedDomain = (db: Reader, tenantId: TenantId, name: string) =>
  organizationDomains.first(db)`tenant_id = ${tenantId} AND name = ${name} AND verified_at IS NOT NULL`

export interface SuggestionRow {
  readonly id: OrganizationId
  readonly name: string
  readonly slug: string
  readonly image_uri: string | null
  readonly domain: string
  readonly created_at: Timestamp
}

/** Selects the organizations with these domains that the user is not a member of. */
export const selectSuggestions = (db: Reader, tenantId: TenantId, userId: UserId, names: readonly string[]) =>
  db.all<SuggestionRow>(sql`SELECT o.id, o.name, o.slug, o.image_uri, d.name AS domain, d.created_at FROM organization_domains d
    JOIN organizations o ON o.tenant_id = d.tenant_id AND o.id = d.organization_id
    WHERE d.tenant_id = ${tenantId} AND d.verified_at IS NOT NULL AND d.name IN (${sql.list(names)})
      AND NOT EXISTS (SELECT 1 FROM organization_members m
        WHERE m.tenant_id = d.tenant_id AND m.organization_id = d.organization_id AND m.user_id = ${userId})
    ORDER BY d.created_at LIMIT ${names.length}`)

/** @param name exactly as in a canonical address: a domain does not cover the domains below it. */
export const findProvenDomain = (db: Reader, tenantId: TenantId, name: string) =>
  selectVerifiedDomain(db, tenantId, name)

export async function isProvenDomain(
  db: Reader,
  tenantId: TenantId,
  organizationId: OrganizationId,
  id: OrganizationDomainId,
): Promise<boolean> {
  const row = await selectDomain(db, tenantId, organizationId, id)
  return row !== undefined && row.verified_at !== null
}

/** Returns the organizations that have proved one of these domains and that the user is not a member of. */
export const suggestedOrganizations = async (
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  names: readonly string[],
) => (names.length === 0 ? [] : selectSuggestions(db, tenantId, userId, names))
