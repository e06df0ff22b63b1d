import type { Role } from '@bailiwick/contract'
import type { RoleRow } from './queries.ts'

/** A role and how many hold it: as users of the tenant, and as members of its organizations. */
export interface RoleRecord {
  readonly row: RoleRow
  readonly users: number
  readonly members: number
}

export const presentRole = ({ row, users, members }: RoleRecord): Role => ({
  id: row.id,
  name: row.name,
  description: row.description,
  permissions: JSON.parse(row.permissions) as string[],
  tenantId: row.tenant_id,
  _count: { users, members },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
