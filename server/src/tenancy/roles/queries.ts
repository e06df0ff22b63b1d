import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { roles } from './tables.ts'

export type RoleRow = RowOf<typeof roles>

export const selectRole = roles.byKey
export const selectRoleForUpdate = roles.lock
export const selectRoles = roles.byIds
export const insertRole = roles.insert
export const updateRole = roles.rewrite
export const deleteRole = roles.delete

/** Whether a role can be held in an organization or, with null, in the tenant as a whole. */
export const isRoleFor = ({ organization_id: own }: Pick<RoleRow, 'organization_id'>, organizationId: string | null) =>
  own === null || own === organizationId

/** The roles of the tenant, without those of its organizations. */
export const roleSource = (tenantId: TenantId) => roles.source(sql`tenant_id = ${tenantId} AND organization_id IS NULL`)

export const selectTenantRole = (db: Reader, tenantId: TenantId, id: Fragment) =>
  roles.first(db)`tenant_id = ${tenantId} AND id = (${id}) AND organization_id IS NULL`

export const selectRoleByName = (db: Reader, tenantId: TenantId, nameKey: string) =>
  roles.first(db)`tenant_id = ${tenantId} AND name_key = ${nameKey} AND organization_id IS NULL`
