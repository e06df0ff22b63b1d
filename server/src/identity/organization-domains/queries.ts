import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { OrganizationDomainId, OrganizationId, TenantId, UserId } from '../../platform/ids.ts'

export interface OrganizationDomainRow {
  readonly tenant_id: TenantId
  readonly id: OrganizationDomainId
  readonly organization_id: OrganizationId
  /** As it stands in canonical addresses. */
  readonly name: string
  readonly verified_at: Timestamp | null
  readonly verification_token: string
  readonly verification_reason: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** Domains that one organization may have. */
export const domainsMax = 20

const columns: Fragment = sql`tenant_id, id, organization_id, name, verified_at, verification_token, verification_reason,
  created_at, updated_at`

export const selectDomains = (db: Reader, tenantId: TenantId, organizationId: string) =>
  db.all<OrganizationDomainRow>(sql`SELECT ${columns} FROM organization_domains
    WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} ORDER BY created_at DESC LIMIT ${domainsMax}`)

export const selectDomain = (db: Reader, tenantId: TenantId, organizationId: string, id: string) =>
  db.first<OrganizationDomainRow>(sql`SELECT ${columns} FROM organization_domains
    WHERE tenant_id = ${tenantId} AND id = ${id} AND organization_id = ${organizationId}`)

export const insertDomain = (row: OrganizationDomainRow): Statement => sql`INSERT INTO organization_domains
  (tenant_id, id, organization_id, name, verified_at, verification_token, verification_reason, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.organization_id}, ${row.name}, ${row.verified_at}, ${row.verification_token},
    ${row.verification_reason}, ${row.created_at}, ${row.updated_at})`

export const updateVerification = (row: OrganizationDomainRow): Statement => sql`UPDATE organization_domains SET
  verified_at = ${row.verified_at}, verification_reason = ${row.verification_reason}, updated_at = ${row.updated_at}
  WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

export const deleteDomain = ({ tenant_id: tenantId, id }: OrganizationDomainRow): Statement =>
  sql`DELETE FROM organization_domains WHERE tenant_id = ${tenantId} AND id = ${id}`

interface VerifiedDomain {
  readonly id: OrganizationDomainId
  readonly organization_id: OrganizationId
}

/** The one claim of a name that is proved. */
export const selectVerifiedDomain = (db: Reader, tenantId: TenantId, name: string) =>
  db.first<VerifiedDomain>(sql`SELECT id, organization_id FROM organization_domains
    WHERE tenant_id = ${tenantId} AND name = ${name} AND verified_at IS NOT NULL`)

export interface SuggestionRow {
  readonly id: OrganizationId
  readonly name: string
  readonly slug: string
  readonly image_uri: string | null
  readonly domain: string
  readonly created_at: Timestamp
}

/** The organizations with these domains that the user is no member of. */
export const selectSuggestions = (db: Reader, tenantId: TenantId, userId: UserId, names: readonly string[]) =>
  db.all<SuggestionRow>(sql`SELECT o.id, o.name, o.slug, o.image_uri, d.name AS domain, d.created_at FROM organization_domains d
    JOIN organizations o ON o.tenant_id = d.tenant_id AND o.id = d.organization_id
    WHERE d.tenant_id = ${tenantId} AND d.verified_at IS NOT NULL AND d.name IN (${sql.join(
      names.map((name) => sql`${name}`),
      ', ',
    )})
      AND NOT EXISTS (SELECT 1 FROM organization_members m
        WHERE m.tenant_id = d.tenant_id AND m.organization_id = d.organization_id AND m.user_id = ${userId})
    ORDER BY d.created_at LIMIT ${names.length}`)
