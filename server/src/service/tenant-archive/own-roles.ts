// No foreign key keeps a role of an organization's own within that organization, and what somebody has written into an archive may give it to
// others. Then the organization could not be deleted, so such an archive is refused.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { ArchiveError } from './archive-error.ts'

const inOrganizations = ['organization_members', 'organization_invitations', 'organization_groups']

/** Whether a role `r` is given to a row that does not belong to its organization, by table. */
const givenOutside = [
  { table: 'users', exists: sql`SELECT 1 FROM users h WHERE h.tenant_id = r.tenant_id AND h.role_id = r.id` },
  ...inOrganizations.map((table) => ({
    table,
    exists: sql`SELECT 1 FROM ${sql.identifier(table)} h
      WHERE h.tenant_id = r.tenant_id AND h.role_id = r.id AND h.organization_id <> r.organization_id`,
  })),
]

/** @throws ArchiveError for an own role of an organization that there is not, or that anything outside its organization has. */
export async function assertOwnRolesAtHome(db: Reader, tenantId: string): Promise<void> {
  const find = (condition: ReturnType<typeof sql>) =>
    db.first<{ id: string }>(sql`SELECT r.id FROM roles r
      WHERE r.tenant_id = ${tenantId} AND r.organization_id IS NOT NULL AND ${condition} LIMIT 1`)
  const homeless = await find(sql`NOT EXISTS (SELECT 1 FROM organizations o
    WHERE o.tenant_id = r.tenant_id AND o.id = r.organization_id)`)
  if (homeless !== undefined) {
    throw new ArchiveError(`the file holds the role ${homeless.id} of an organization that it does not hold`)
  }
  for (const { table, exists } of givenOutside) {
    const role = await find(sql`EXISTS (${exists})`)
    if (role === undefined) continue
    throw new ArchiveError(`the file gives the role ${role.id} of an organization in ${table} to others than its own`)
  }
}
