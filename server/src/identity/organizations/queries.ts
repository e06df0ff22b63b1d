import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type {
  InvitationId,
  MemberId,
  OrganizationDomainId,
  OrganizationId,
  RoleId,
  TenantId,
  UserId,
} from '../../platform/ids.ts'

export interface OrganizationRow {
  readonly tenant_id: TenantId
  readonly id: OrganizationId
  readonly creator_id: UserId | null
  readonly name: string
  readonly slug: string
  readonly image_uri: string | null
  readonly public_meta: string
  readonly private_meta: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface OrganizationMemberRow {
  readonly tenant_id: TenantId
  readonly id: MemberId
  readonly organization_id: OrganizationId
  readonly user_id: UserId
  readonly role_id: RoleId | null
  readonly public_meta: string
  readonly private_meta: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface OrganizationInvitationRow {
  readonly tenant_id: TenantId
  readonly id: InvitationId
  readonly organization_id: OrganizationId
  readonly email: string
  readonly email_key: string
  readonly role_id: RoleId | null
  /** The organization's domain that it was sent because of; null for one that somebody sent. */
  readonly domain_id: OrganizationDomainId | null
  readonly expires_at: Timestamp
  readonly accepted_at: Timestamp | null
  readonly declined_at: Timestamp | null
  readonly public_meta: string
  readonly private_meta: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const organizationColumns: Fragment = sql`tenant_id, id, creator_id, name, slug, image_uri, public_meta, private_meta,
  created_at, updated_at`

export const selectOrganization = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<OrganizationRow>(
    sql`SELECT ${organizationColumns} FROM organizations WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )

/** Holds the organization until the transaction ends: those who join it meanwhile wait, so that its limit is exact. */
export const lockOrganization = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<{ id: OrganizationId }>(
    sql`SELECT id FROM organizations WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const organizationSource = (tenantId: TenantId) => ({
  columns: organizationColumns,
  table: sql`organizations`,
  where: sql`tenant_id = ${tenantId}`,
})

/** The row, held until the transaction ends. */
export const selectOrganizationForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<OrganizationRow>(
    sql`SELECT ${organizationColumns} FROM organizations WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const updateOrganization = (row: OrganizationRow, slugKey: string): Statement => sql`UPDATE organizations SET
  name = ${row.name}, slug = ${row.slug}, slug_key = ${slugKey}, image_uri = ${row.image_uri},
  public_meta = ${row.public_meta}, private_meta = ${row.private_meta}, updated_at = ${row.updated_at}
  WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

/** Its memberships and invitations go with it. */
export const deleteOrganization = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM organizations WHERE tenant_id = ${tenantId} AND id = ${id}`

const rolesMax = 10_000

/** How many of an organization's members hold each role, all of them held until the transaction ends. */
export const lockMemberCountsByRole = (db: Reader, tenantId: TenantId, organizationId: string) =>
  db.all<{ role_id: RoleId; count: number }>(sql`SELECT role_id, COUNT(*) AS count FROM (
      SELECT role_id FROM organization_members
      WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId}${sql.forUpdate}) AS members
    WHERE role_id IS NOT NULL GROUP BY role_id LIMIT ${rolesMax}`)

export const insertOrganization = (row: OrganizationRow, slugKey: string): Statement => sql`INSERT INTO organizations
  (tenant_id, id, creator_id, name, slug, slug_key, image_uri, public_meta, private_meta, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.creator_id}, ${row.name}, ${row.slug}, ${slugKey}, ${row.image_uri},
    ${row.public_meta}, ${row.private_meta}, ${row.created_at}, ${row.updated_at})`

export const insertOrganizationMember = (row: OrganizationMemberRow): Statement => sql`INSERT INTO organization_members
  (tenant_id, id, organization_id, user_id, role_id, public_meta, private_meta, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.organization_id}, ${row.user_id}, ${row.role_id}, ${row.public_meta},
    ${row.private_meta}, ${row.created_at}, ${row.updated_at})`

const memberColumns: Fragment = sql`tenant_id, id, organization_id, user_id, role_id, public_meta, private_meta,
  created_at, updated_at`

export const memberSource = (tenantId: TenantId, organizationId: string) => ({
  columns: memberColumns,
  table: sql`organization_members`,
  where: sql`tenant_id = ${tenantId} AND organization_id = ${organizationId}`,
})

export const selectMember = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<OrganizationMemberRow>(
    sql`SELECT ${memberColumns} FROM organization_members WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )

/** The row, held until the transaction ends. */
export const selectMemberForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<OrganizationMemberRow>(
    sql`SELECT ${memberColumns} FROM organization_members WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const updateMember = (row: OrganizationMemberRow): Statement => sql`UPDATE organization_members SET
  role_id = ${row.role_id}, public_meta = ${row.public_meta}, private_meta = ${row.private_meta},
  updated_at = ${row.updated_at} WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

export const deleteMember = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM organization_members WHERE tenant_id = ${tenantId} AND id = ${id}`

/** The next memberships of one user in the order of their ids, held until the transaction ends. */
export const selectMembersOfUserForUpdate = (
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  after: string,
  limit: number,
) =>
  db.all<OrganizationMemberRow>(sql`SELECT ${memberColumns} FROM organization_members
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}${sql.forUpdate}`)

/** The memberships of one user, in the order of their ids. */
export const selectMembersOfUser = (db: Reader, tenantId: TenantId, userId: UserId, after: string, limit: number) =>
  db.all<OrganizationMemberRow>(sql`SELECT ${memberColumns} FROM organization_members
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`)

export const selectMemberOf = (db: Reader, tenantId: TenantId, organizationId: string, userId: string) =>
  db.first<{ id: MemberId }>(sql`SELECT id FROM organization_members
    WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} AND user_id = ${userId}`)

export const insertOrganizationInvitation = (
  row: OrganizationInvitationRow,
  tokenHash: string,
): Statement => sql`INSERT INTO organization_invitations
  (tenant_id, id, organization_id, email, email_key, role_id, domain_id, token_hash, expires_at, accepted_at, declined_at,
   public_meta, private_meta, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.organization_id}, ${row.email}, ${row.email_key}, ${row.role_id},
    ${row.domain_id}, ${tokenHash}, ${row.expires_at}, ${row.accepted_at}, ${row.declined_at}, ${row.public_meta},
    ${row.private_meta}, ${row.created_at}, ${row.updated_at})`

/** An open invitation of that address whose time has passed makes room for a new one. */
export const deleteExpiredInvitation = (
  tenantId: TenantId,
  organizationId: string,
  emailKey: string,
  now: Timestamp,
): Statement => sql`DELETE FROM organization_invitations
  WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} AND email_key = ${emailKey}
    AND accepted_at IS NULL AND declined_at IS NULL AND expires_at <= ${now}`

const invitationColumns: Fragment = sql`tenant_id, id, organization_id, email, email_key, role_id, domain_id, expires_at,
  accepted_at, declined_at, public_meta, private_meta, created_at, updated_at`

export const invitationSource = (tenantId: TenantId, organizationId: string) => ({
  columns: invitationColumns,
  table: sql`organization_invitations`,
  where: sql`tenant_id = ${tenantId} AND organization_id = ${organizationId}`,
})

export const selectInvitation = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<OrganizationInvitationRow>(
    sql`SELECT ${invitationColumns} FROM organization_invitations WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )

/** The row, held until the transaction ends. */
export const selectInvitationForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<OrganizationInvitationRow>(
    sql`SELECT ${invitationColumns} FROM organization_invitations
      WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const updateInvitationRole = (tenantId: TenantId, id: string, roleId: RoleId | null, at: Timestamp): Statement =>
  sql`UPDATE organization_invitations SET role_id = ${roleId}, updated_at = ${at}
    WHERE tenant_id = ${tenantId} AND id = ${id}`

export const deleteInvitation = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM organization_invitations WHERE tenant_id = ${tenantId} AND id = ${id}`

/** The memberships of one user. */
export const membershipSource = (tenantId: TenantId, userId: UserId) => ({
  columns: memberColumns,
  table: sql`organization_members`,
  where: sql`tenant_id = ${tenantId} AND user_id = ${userId}`,
})

/** Few people are in more organizations than a page holds; of somebody who is in very many, not all are counted. */
const countedMax = 10_000

export async function countMembershipsOf(db: Reader, tenantId: TenantId, userId: UserId): Promise<number> {
  const row = await db.first<{ count: number }>(sql`SELECT CAST(COUNT(*) AS INTEGER) AS count FROM (
    SELECT id FROM organization_members WHERE tenant_id = ${tenantId} AND user_id = ${userId} LIMIT ${countedMax}) AS counted`)
  return row?.count ?? 0
}

export const selectOrganizations = (db: Reader, tenantId: TenantId, ids: readonly string[]) =>
  db.all<OrganizationRow>(sql`SELECT ${organizationColumns} FROM organizations WHERE tenant_id = ${tenantId}
    AND id IN (${sql.join(
      ids.map((id) => sql`${id}`),
      ', ',
    )}) LIMIT ${ids.length}`)

export const selectOtherMember = (db: Reader, tenantId: TenantId, organizationId: string, memberId: string) =>
  db.first<{ id: MemberId }>(sql`SELECT id FROM organization_members
    WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} AND id <> ${memberId} LIMIT 1`)

/** Another member than that one who may sign in and whose role holds a permission; permissions are stored as a list of JSON strings. */
export const selectOtherMemberWith = (
  db: Reader,
  tenantId: TenantId,
  organizationId: string,
  memberId: string,
  permission: string,
) =>
  db.first<{ id: MemberId }>(sql`SELECT m.id FROM organization_members m
    JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
    JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id AND u.status = 'active'
    WHERE m.tenant_id = ${tenantId} AND m.organization_id = ${organizationId} AND m.id <> ${memberId}
      AND r.permissions LIKE ${`%"${permission}"%`} LIMIT 1`)

export const selectInvitationByToken = (db: Reader, tenantId: TenantId, tokenHash: string) =>
  db.first<OrganizationInvitationRow>(sql`SELECT ${invitationColumns} FROM organization_invitations
    WHERE token_hash = ${tokenHash} AND tenant_id = ${tenantId}`)

/** By its token; held until the transaction ends. */
export const selectInvitationByTokenForUpdate = (db: Reader, tenantId: TenantId, tokenHash: string) =>
  db.first<OrganizationInvitationRow>(sql`SELECT ${invitationColumns} FROM organization_invitations
    WHERE token_hash = ${tokenHash} AND tenant_id = ${tenantId}${sql.forUpdate}`)

export const updateInvitationAnswer = (
  { tenant_id: tenantId, id }: OrganizationInvitationRow,
  answer: 'accepted' | 'declined',
  at: Timestamp,
): Statement =>
  sql`UPDATE organization_invitations SET ${sql.identifier(`${answer}_at`)} = ${at}, updated_at = ${at}
    WHERE tenant_id = ${tenantId} AND id = ${id}`

export const updateInvitationToken = (row: OrganizationInvitationRow, tokenHash: string): Statement =>
  sql`UPDATE organization_invitations SET token_hash = ${tokenHash}, domain_id = ${row.domain_id},
      expires_at = ${row.expires_at}, updated_at = ${row.updated_at}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

/**
 * An invitation of one of the user's addresses that is open, or that was answered. A cross join, for SQLite keeps its order: the few
 * addresses of a user come before the many invitations of an organization.
 */
export const selectInvitationOfUser = (
  db: Reader,
  tenantId: TenantId,
  organizationId: string,
  userId: UserId,
  now: Timestamp,
) =>
  db.first<{ id: InvitationId }>(sql`SELECT i.id FROM email_addresses e
    CROSS JOIN organization_invitations i
    WHERE e.tenant_id = ${tenantId} AND e.user_id = ${userId}
      AND i.tenant_id = e.tenant_id AND i.organization_id = ${organizationId} AND i.email_key = e.email_key
      AND (i.accepted_at IS NOT NULL OR i.declined_at IS NOT NULL OR i.expires_at > ${now}) LIMIT 1`)
