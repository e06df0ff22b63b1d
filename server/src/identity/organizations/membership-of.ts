// One user's membership of one organization, with the role that the membership gives.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RoleId, TenantId, UserId } from '../../platform/ids.ts'
import { type RoleRow, findRoleRow } from '../../tenancy/roles/find-role.ts'

export interface Membership {
  readonly id: string
  readonly organizationId: string
  readonly role: RoleRow | undefined
}

/** Also returns undefined for an organization that does not exist. */
export async function findMembershipOf(
  db: Reader,
  tenantId: TenantId,
  organizationId: string,
  userId: UserId,
): Promise<Membership | undefined> {
  const row = await db.first<{ id: string; role_id: RoleId | null }>(sql`SELECT id, role_id FROM organization_members
    WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} AND user_id = ${userId}`)
  if (row === undefined) return undefined
  const role = row.role_id === null ? undefined : await findRoleRow(db, tenantId, row.role_id)
  return { id: row.id, organizationId, role }
}
