// What users have allowed applications, in the form that the authorization server and the user's own operations need.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { ApplicationId, OrganizationId, TenantId, UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { grants } from './tables.ts'

export type GrantRow = RowOf<typeof grants>

export interface GrantParties {
  readonly userId: UserId
  readonly applicationId: ApplicationId
  readonly organizationId: OrganizationId | null
}

/** The constraints that refuse a second grant of one user for one application and organization. */
export const grantKeys: readonly string[] = ['grants_user_key', 'grants_organization_key']

const organizationGrantsMax = 20

const forOrganization = (id: OrganizationId | null) =>
  id === null ? sql`organization_id IS NULL` : sql`organization_id = ${id}`

export const findGrant = (db: Reader, tenantId: TenantId, { userId, applicationId, organizationId }: GrantParties) =>
  grants.first(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND application_id = ${applicationId}
    AND ${forOrganization(organizationId)}`

/** Holds it until the transaction ends, so that a concurrent addition is not lost. */
export async function lockGrant(tx: Reader, tenantId: TenantId, parties: GrantParties): Promise<GrantRow | undefined> {
  const found = await findGrant(tx, tenantId, parties)
  return found && grants.lock(tx, tenantId, found.id)
}

/** The grants that the user has given the application for organizations, the last changed one first. */
export const findOrganizationGrants = (
  db: Reader,
  tenantId: TenantId,
  { userId, applicationId }: Omit<GrantParties, 'organizationId'>,
) =>
  grants.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND application_id = ${applicationId}
    AND organization_id IS NOT NULL ORDER BY updated_at DESC LIMIT ${organizationGrantsMax}`

/** Writes a changed grant, unless another request has changed or withdrawn it since it was read. */
export const rewriteUnchanged = (before: GrantRow, after: GrantRow) =>
  sql`${grants.rewrite(after)} AND scopes = ${before.scopes} AND resource_scopes = ${before.resource_scopes}
    AND claims = ${before.claims}`

export const grantEventData = (row: GrantRow) => ({
  userId: row.user_id,
  applicationId: row.application_id,
  organizationId: row.organization_id,
  scopes: fromJson(row.scopes) as string[],
  resources: Object.entries(fromJson(row.resource_scopes)).map(([indicator, scopes]) => ({
    indicator,
    scopes: [...scopes],
  })),
  claims: [...fromJson(row.claims)],
})
