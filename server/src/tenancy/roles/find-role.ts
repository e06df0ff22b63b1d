// Roles for callers that give or hold them, without counting who else has each.
import type { Reader } from '../../platform/db/database.ts'
import type { RoleId, TenantId } from '../../platform/ids.ts'
import { type RoleRow, selectRole, selectRoleByName, selectRoles } from './queries.ts'

export type { RoleRow }

/** Also returns undefined for a role of another tenant. */
export const findRoleRow = (db: Reader, tenantId: TenantId, id: string): Promise<RoleRow | undefined> =>
  selectRole(db, tenantId, id)

/** @param nameKey the name in lower case: names that differ only in case are the same. */
export const findRoleByName = (db: Reader, tenantId: TenantId, nameKey: string): Promise<RoleRow | undefined> =>
  selectRoleByName(db, tenantId, nameKey)

/** Returns several roles at once, for lists; ids that name none are left out. */
export async function findRoleRows(db: Reader, tenantId: TenantId, ids: Iterable<RoleId>) {
  const named = [...new Set(ids)]
  const rows = named.length === 0 ? [] : await selectRoles(db, tenantId, named)
  return new Map<RoleId, RoleRow>(rows.map((row) => [row.id, row]))
}
