// Which directory of an organization manages a user, as rows of enterprise/scim say. It is asked here, because what such a directory manages
// cannot be changed elsewhere, and whom it has removed does not come back by another door.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'

interface Managed {
  readonly name: string
  readonly active: number
  readonly has_rules: number
}

/** The connections of an organization whose directory knows the user. There are at most twenty. */
const selectManaged = (db: Reader, tenantId: TenantId, organizationId: string, userId: string) =>
  db.all<Managed>(sql`SELECT connections.name, scim_users.active,
      CASE WHEN scim_directories.group_rules = '[]' THEN 0 ELSE 1 END AS has_rules
    FROM scim_users
    JOIN connections ON connections.tenant_id = scim_users.tenant_id AND connections.id = scim_users.connection_id
    JOIN scim_directories ON scim_directories.tenant_id = scim_users.tenant_id
      AND scim_directories.connection_id = scim_users.connection_id
    WHERE scim_users.tenant_id = ${tenantId} AND scim_users.user_id = ${userId}
      AND scim_users.organization_id = ${organizationId} LIMIT 20`)

/** Returns whether a directory of the organization has ended the user's membership, and none makes the user a member. */
export async function isDeprovisioned(
  db: Reader,
  tenantId: TenantId,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const rows = await selectManaged(db, tenantId, organizationId, userId)
  return rows.length > 0 && rows.every(({ active }) => active === 0)
}

/** @param what it is that only the directory changes, such as "this membership". */
const managedBy = (name: string, what: string) =>
  new ApiError('managed_by_directory', { detail: `The directory "${name}" manages ${what}. Change it there.` })

export interface MemberPlace {
  readonly tenant_id: TenantId
  readonly organization_id: string
  readonly user_id: string
}

/** @throws ApiError managed_by_directory if a directory makes the user a member. */
export async function assertMayEndMembership(db: Reader, member: MemberPlace): Promise<void> {
  const rows = await selectManaged(db, member.tenant_id, member.organization_id, member.user_id)
  const active = rows.find((row) => row.active === 1)
  if (active !== undefined) throw managedBy(active.name, 'this membership')
}

/** @throws ApiError managed_by_directory if the groups of a directory decide which role the member has. */
export async function assertMayGiveRole(db: Reader, member: MemberPlace): Promise<void> {
  const rows = await selectManaged(db, member.tenant_id, member.organization_id, member.user_id)
  const ruling = rows.find((row) => row.active === 1 && row.has_rules === 1)
  if (ruling !== undefined) throw managedBy(ruling.name, 'the role of this member')
}

/** @throws ApiError managed_by_directory if a directory has made the user: it manages the name and the addresses then. */
export async function assertMayChangeProfile(db: Reader, tenantId: TenantId, userId: string): Promise<void> {
  const row = await db.first<{ name: string }>(sql`SELECT connections.name FROM scim_users
    JOIN connections ON connections.tenant_id = scim_users.tenant_id AND connections.id = scim_users.connection_id
    WHERE scim_users.tenant_id = ${tenantId} AND scim_users.user_id = ${userId}
      AND scim_users.owns_profile = 1 AND scim_users.active = 1 LIMIT 1`)
  if (row !== undefined) throw managedBy(row.name, 'the name and the e-mail addresses of this account')
}
