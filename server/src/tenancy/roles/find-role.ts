// Roles for callers that give or hold them, without counting who else has each. A role of an organization's own is found only by whoever looks
// for the roles of that organization: everywhere else it does not exist.
import type { Reader } from '../../platform/db/database.ts'
import type { Fragment } from '../../platform/db/sql.ts'
import type { RoleId, TenantId } from '../../platform/ids.ts'
import { type FoundRole, withEffect } from './effective-roles.ts'
import { type RoleRow, isRoleFor, selectRole, selectRoleByName, selectRoles, selectTenantRole } from './queries.ts'

export type { FoundRole, RoleRow }

/**
 * Also returns undefined for a role of another tenant or organization.
 * @param organizationId the organization whose own roles count too; null for the tenant's roles alone.
 */
export async function findRoleRow(
  db: Reader,
  tenantId: TenantId,
  organizationId: string | null,
  id: string,
): Promise<FoundRole | undefined> {
  const row = await selectRole(db, tenantId, id)
  if (row === undefined || !isRoleFor(row, organizationId)) return undefined
  const [found] = await withEffect(db, tenantId, [row])
  return found
}

/** Returns the role of the tenant whose id a statement selects. */
export async function findTenantRole(db: Reader, tenantId: TenantId, id: Fragment): Promise<FoundRole | undefined> {
  const row = await selectTenantRole(db, tenantId, id)
  return row && { ...row, all_permissions: row.permissions }
}

/**
 * Returns a role of the tenant.
 * @param nameKey the name in lower case: names that differ only in case are the same.
 */
export async function findRoleByName(db: Reader, tenantId: TenantId, nameKey: string): Promise<FoundRole | undefined> {
  const row = await selectRoleByName(db, tenantId, nameKey)
  return row && { ...row, all_permissions: row.permissions }
}

/**
 * Returns several roles at once, for lists; ids that name none are left out.
 * @param organizationId the organization whose own roles count too; null for the tenant's roles alone.
 */
export async function findRoleRows(
  db: Reader,
  tenantId: TenantId,
  organizationId: string | null,
  ids: Iterable<RoleId>,
): Promise<ReadonlyMap<RoleId, FoundRole>> {
  const named = [...new Set(ids)]
  const rows = named.length === 0 ? [] : await selectRoles(db, tenantId, named)
  const own = rows.filter((row) => isRoleFor(row, organizationId))
  return new Map((await withEffect(db, tenantId, own)).map((row) => [row.id, row]))
}
