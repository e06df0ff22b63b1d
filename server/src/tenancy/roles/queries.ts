import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { RoleId, TenantId } from '../../platform/ids.ts'

export interface RoleRow {
  readonly tenant_id: TenantId
  readonly id: RoleId
  readonly name: string
  readonly description: string | null
  readonly permissions: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const roleColumns: Fragment = sql`tenant_id, id, name, description, permissions, created_at, updated_at`

export const selectRole = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<RoleRow>(sql`SELECT ${roleColumns} FROM roles WHERE tenant_id = ${tenantId} AND id = ${id}`)

/** By the key of its name: names are unique in whatever case. */
export const selectRoleByName = (db: Reader, tenantId: TenantId, nameKey: string) =>
  db.first<RoleRow>(sql`SELECT ${roleColumns} FROM roles WHERE tenant_id = ${tenantId} AND name_key = ${nameKey}`)

export const selectRoles = (db: Reader, tenantId: TenantId, ids: readonly string[]) =>
  db.all<RoleRow>(sql`SELECT ${roleColumns} FROM roles WHERE tenant_id = ${tenantId}
    AND id IN (${sql.join(
      ids.map((id) => sql`${id}`),
      ', ',
    )}) LIMIT ${ids.length}`)

export const roleSource = (tenantId: TenantId) => ({
  columns: roleColumns,
  table: sql`roles`,
  where: sql`tenant_id = ${tenantId}`,
})

export const insertRole = (row: RoleRow, nameKey: string): Statement => sql`INSERT INTO roles
  (tenant_id, id, name, name_key, description, permissions, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.name}, ${nameKey}, ${row.description}, ${row.permissions}, ${row.created_at},
    ${row.updated_at})`

/** The row, held until the transaction ends. */
export const selectRoleForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<RoleRow>(sql`SELECT ${roleColumns} FROM roles WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`)

export const updateRole = (row: RoleRow, nameKey: string): Statement => sql`UPDATE roles SET
  name = ${row.name}, name_key = ${nameKey}, description = ${row.description}, permissions = ${row.permissions},
  updated_at = ${row.updated_at} WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

export const deleteRole = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM roles WHERE tenant_id = ${tenantId} AND id = ${id}`
