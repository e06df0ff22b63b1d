// The roles of an organization's own, for the operations on them. Only that organization's members, invitations and groups can have them.
import { tenantAuthSettings } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type FoundRole, withEffect } from './effective-roles.ts'
import type { RoleRow } from './queries.ts'
import { roles } from './tables.ts'

const ownRolesMax = tenantAuthSettings.organizationRoleLimit.maximum

export const lockOwnRole = roles.lock
export const insertOwnRole = roles.insert
export const updateOwnRole = roles.rewrite
export const deleteOwnRole = roles.delete

/** Selects the roles of an organization's own as they are stored, newest first. */
export const selectOwnRoles = (db: Reader, tenantId: TenantId, organizationId: string): Promise<RoleRow[]> =>
  roles.all(db)`tenant_id = ${tenantId} AND organization_id = ${organizationId} ORDER BY created_at DESC
    LIMIT ${ownRolesMax}`

/** Belongs after the deletion of the organization, with which those who have the roles are gone. */
export const deleteOwnRoles = (tenantId: TenantId, organizationId: string): Statement =>
  sql`DELETE FROM roles WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId}`

const tenantRolesMax = 100

/** Returns the roles that members of an organization can have: those of the tenant, a hundred at most, and its own; newest first. */
export async function rolesForOrganization(
  db: Reader,
  tenantId: TenantId,
  organizationId: string,
): Promise<FoundRole[]> {
  const [ofTenant, own] = await Promise.all([
    roles.all(db)`tenant_id = ${tenantId} AND organization_id IS NULL ORDER BY created_at DESC LIMIT ${tenantRolesMax}`,
    selectOwnRoles(db, tenantId, organizationId),
  ])
  const newestFirst = [...ofTenant, ...own].toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1))
  return withEffect(db, tenantId, newestFirst)
}
