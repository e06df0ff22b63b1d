import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { roles } from './tables.ts'

export type RoleRow = RowOf<typeof roles>

export const selectRole = roles.byKey
export const selectRoleForUpdate = roles.lock
export const selectRoles = roles.byIds
export const roleSource = roles.sourceOf
export const insertRole = roles.insert
export const updateRole = roles.rewrite
export const deleteRole = roles.delete

export const selectRoleByName = (db: Reader, tenantId: TenantId, nameKey: string) =>
  roles.first(db)`tenant_id = ${tenantId} AND name_key = ${nameKey}`
