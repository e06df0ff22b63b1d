import { CreateRole, type RoleAssigner, foldCase } from '@bailiwick/contract'
import { derived, fieldsOf } from '../../platform/db/accepted.ts'
import { flag, id, json, record, text } from '../../platform/db/columns.ts'
import { sql } from '../../platform/db/sql.ts'
import { table } from '../../platform/db/table.ts'
import type { OrganizationId, RoleId } from '../../platform/ids.ts'

/** The counters of the holders of a role. */
export const roleUsersCounter = (roleId: string) => `role_users:${roleId}`
export const roleMembersCounter = (roleId: string) => `role_members:${roleId}`

export const roles = table(
  'roles',
  {
    ...record<RoleId>(),
    name: text(),
    /** Names that differ only in case are the same. */
    name_key: text(),
    description: text().nullable(),
    permissions: json<string[]>(),
    assignable_by: text<RoleAssigner>().default('covering_role'),
    requires_second_factor: flag().default(0),
    /** The organization whose own role it is, which nobody else can have; null for a role of the tenant. */
    organization_id: id<OrganizationId>().nullable(),
  },
  {
    refusals: { roles_name_key: 'role_name_taken', roles_own_name_key: 'role_name_taken' },
    counted: [{ where: sql`organization_id IS NULL`, counter: 'roles' }],
    accepts: { ...fieldsOf(CreateRole), name_key: derived('name', foldCase) },
  },
)
