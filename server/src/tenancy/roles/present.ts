import type { Role, RoleDetails } from '@bailiwick/contract'
import { fromJson } from '../../platform/json-text.ts'
import type { RoleRow } from './queries.ts'

/** A role and how many hold it, as users of the tenant and as members of its organizations. */
export interface RoleRecord {
  readonly row: RoleRow
  readonly users: number
  readonly members: number
}

export const presentRole = ({ row, users, members }: RoleRecord): Role => ({
  id: row.id,
  name: row.name,
  description: row.description,
  permissions: fromJson(row.permissions),
  tenantId: row.tenant_id,
  _count: { users, members },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** With what the operations on one role show in addition. */
export const presentRoleDetails = (record: RoleRecord): RoleDetails => ({
  ...presentRole(record),
  assignableBy: record.row.assignable_by,
  requiresSecondFactor: record.row.requires_second_factor === 1,
})
