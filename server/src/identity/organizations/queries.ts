import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { isCurrent, within } from '../../platform/http/ends.ts'
import type { InvitationId, MemberId, OrganizationId, RoleId, TenantId, UserId } from '../../platform/ids.ts'
import { organizationInvitations, organizationMembers, organizations } from './tables.ts'

export type OrganizationRow = RowOf<typeof organizations>
export type OrganizationMemberRow = RowOf<typeof organizationMembers>
export type OrganizationInvitationRow = RowOf<typeof organizationInvitations>

export const selectOrganization = organizations.byKey
export const selectOrganizationForUpdate = organizations.lock
export const selectOrganizations = organizations.byIds
export const organizationSource = organizations.sourceOf
export const insertOrganization = organizations.insert
/** Deletes an organization; its memberships and invitations are deleted with it. */
export const deleteOrganization = organizations.delete
export const updateOrganization = organizations.rewrite

/** Holds the organization until the transaction ends, so that users who join meanwhile wait and its limit is exact. */
export const lockOrganization = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<{ id: OrganizationId }>(
    sql`SELECT id FROM organizations WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

const rolesMax = 10_000

/** Returns how many members of an organization hold each role, with all the members held until the transaction ends. */
export const lockMemberCountsByRole = (db: Reader, tenantId: TenantId, organizationId: string) =>
  db.all<{ role_id: RoleId; count: number }>(sql`SELECT role_id, COUNT(*) AS count FROM (
      SELECT role_id FROM organization_members
      WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId}${sql.forUpdate}) AS members
    WHERE role_id IS NOT NULL GROUP BY role_id LIMIT ${rolesMax}`)

export const selectMember = organizationMembers.byKey
export const selectMemberForUpdate = organizationMembers.lock
export const insertOrganizationMember = organizationMembers.insert
export const updateMember = organizationMembers.rewrite
export const deleteMember = organizationMembers.delete

export const memberSource = (tenantId: TenantId, organizationId: string, now: Timestamp) =>
  organizationMembers.source(sql`tenant_id = ${tenantId} AND organization_id = ${organizationId} AND ${isCurrent(now)}`)

/** The memberships of one user. */
export const membershipSource = (tenantId: TenantId, userId: UserId, now: Timestamp) =>
  organizationMembers.source(sql`tenant_id = ${tenantId} AND user_id = ${userId}
    AND (expires_at IS NULL OR expires_at > ${now})`)

/** The next memberships of one user in the order of their ids, held until the transaction ends. */
export const selectMembersOfUserForUpdate = (
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  after: string,
  limit: number,
) =>
  organizationMembers.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND id > ${after} ORDER BY id
    LIMIT ${limit}${sql.forUpdate}`

/** The memberships of one user, in the order of their ids. */
export const selectMembersOfUser = (db: Reader, tenantId: TenantId, userId: UserId, after: string, limit: number) =>
  organizationMembers.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND id > ${after} ORDER BY id
    LIMIT ${limit}`

export const selectMemberOf = (db: Reader, tenantId: TenantId, organizationId: string, userId: string) =>
  db.first<{ id: MemberId; expires_at: Timestamp | null }>(sql`SELECT id, expires_at FROM organization_members
    WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} AND user_id = ${userId}`)

/** Selects memberships, of one tenant or of all, of which the whole or the role has ended. */
export const selectEndedMembers = (db: Reader, tenant: TenantId | undefined, now: Timestamp, limit: number) =>
  db.all<{ tenant_id: TenantId; id: MemberId }>(sql`SELECT tenant_id, id FROM (
      SELECT tenant_id, id FROM organization_members WHERE expires_at <= ${now} ${within(tenant)}
      UNION SELECT tenant_id, id FROM organization_members WHERE role_expires_at <= ${now} ${within(tenant)}) AS ended
    LIMIT ${limit}`)

/** Few users are in more organizations than a page holds. For a user who is in very many, the count stops here. */
export const membershipsCountedMax = 10_000

export const selectOtherMember = (db: Reader, tenantId: TenantId, organizationId: string, memberId: string) =>
  db.first<{ id: MemberId }>(sql`SELECT id FROM organization_members
    WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} AND id <> ${memberId} LIMIT 1`)

/**
 * Selects another member who may sign in and whose role has a permission, both without an end. Only roles of the tenant count.
 * Permissions are stored as a list of JSON strings.
 */
export const selectOtherMemberWith = (
  db: Reader,
  tenantId: TenantId,
  organizationId: string,
  memberId: string,
  permission: string,
) =>
  db.first<{ id: MemberId }>(sql`SELECT m.id FROM organization_members m
    JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id AND r.organization_id IS NULL
    JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id AND u.status = 'active'
    WHERE m.tenant_id = ${tenantId} AND m.organization_id = ${organizationId} AND m.id <> ${memberId}
      AND m.expires_at IS NULL AND m.role_expires_at IS NULL AND r.permissions LIKE ${`%"${permission}"%`} LIMIT 1`)

/** How many members are looked at to see whom rules would lock out. */
export const examinedMembersMax = 1000
export const manageMembers = 'org:members:manage'

/** Selects the users of the newest members, or of those whose role of the tenant has a permission. */
export async function selectNewestUsers(db: Reader, tenantId: TenantId, organizationId: string, permission?: string) {
  const withRole = sql`AND EXISTS (SELECT 1 FROM roles r WHERE r.tenant_id = m.tenant_id AND r.id = m.role_id
    AND r.organization_id IS NULL AND r.permissions LIKE ${`%"${permission ?? ''}"%`})`
  const rows = await db.all<{ user_id: UserId }>(sql`SELECT m.user_id FROM organization_members m
    WHERE m.tenant_id = ${tenantId} AND m.organization_id = ${organizationId} ${permission === undefined ? sql`` : withRole}
    ORDER BY m.created_at DESC LIMIT ${examinedMembersMax}`)
  return rows.map(({ user_id: userId }) => userId)
}

/** Whether members can sign in by a connection of the organization. */
export async function hasLiveConnection(db: Reader, tenantId: TenantId, organizationId: string): Promise<boolean> {
  const row = await db.first<{ id: string }>(sql`SELECT id FROM connections
    WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} AND state = 'live' LIMIT 1`)
  return row !== undefined
}

export const selectInvitation = organizationInvitations.byKey
export const selectInvitationForUpdate = organizationInvitations.lock
export const insertOrganizationInvitation = organizationInvitations.insert
export const updateInvitationTerms = organizationInvitations.update('role_id', 'membership_lifetime', 'updated_at')
export const updateInvitationAnswer = organizationInvitations.update('accepted_at', 'declined_at', 'updated_at')
export const updateInvitationToken = organizationInvitations.update(
  'token_hash',
  'domain_id',
  'expires_at',
  'updated_at',
)
export const deleteInvitation = organizationInvitations.delete

export const invitationSource = (tenantId: TenantId, organizationId: string) =>
  organizationInvitations.source(sql`tenant_id = ${tenantId} AND organization_id = ${organizationId}`)

export const selectInvitationByToken = (db: Reader, tenantId: TenantId, tokenHash: string) =>
  organizationInvitations.first(db)`token_hash = ${tokenHash} AND tenant_id = ${tenantId}`

/** Finds an invitation by its token and holds it until the transaction ends. */
export const selectInvitationByTokenForUpdate = (db: Reader, tenantId: TenantId, tokenHash: string) =>
  organizationInvitations.first(db)`token_hash = ${tokenHash} AND tenant_id = ${tenantId}${sql.forUpdate}`

/** Removes an expired invitation of that address, to make room for a new one. */
export const deleteExpiredInvitation = (
  tenantId: TenantId,
  organizationId: string,
  emailKey: string,
  now: Timestamp,
): Statement => sql`DELETE FROM organization_invitations
  WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} AND email_key = ${emailKey}
    AND accepted_at IS NULL AND declined_at IS NULL AND expires_at <= ${now}`

/**
 * Selects an invitation of one of the user's addresses that is open, or that was answered. It is a cross join because SQLite keeps the
 * order of one: the few addresses of a user come before the many invitations of an organization.
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

export interface ReceivedInvitationRow {
  readonly id: InvitationId
  readonly email: string
  readonly expires_at: Timestamp
  readonly created_at: Timestamp
  readonly organization_id: OrganizationId
  readonly name: string
  readonly image_uri: string | null
}

/**
 * Selects the open invitations that were sent to verified addresses of a user, newest first: not those of organizations that the user is in, nor
 * those that were sent because of a domain that is no longer proven.
 */
export const selectReceivedInvitations = (
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  now: Timestamp,
  max: number,
) =>
  db.all<ReceivedInvitationRow>(sql`SELECT i.id, i.email, i.expires_at, i.created_at, i.organization_id, o.name, o.image_uri
    FROM email_addresses e
    CROSS JOIN organization_invitations i
    JOIN organizations o ON o.tenant_id = i.tenant_id AND o.id = i.organization_id
    WHERE e.tenant_id = ${tenantId} AND e.user_id = ${userId} AND e.verified_at IS NOT NULL
      AND i.tenant_id = e.tenant_id AND i.email_key = e.email_key
      AND i.accepted_at IS NULL AND i.declined_at IS NULL AND i.expires_at > ${now}
      AND (i.domain_id IS NULL OR EXISTS (SELECT 1 FROM organization_domains d WHERE d.tenant_id = ${tenantId}
        AND d.organization_id = i.organization_id AND d.id = i.domain_id AND d.verified_at IS NOT NULL))
      AND NOT EXISTS (SELECT 1 FROM organization_members m WHERE m.tenant_id = i.tenant_id
        AND m.organization_id = i.organization_id AND m.user_id = e.user_id)
    ORDER BY i.created_at DESC LIMIT ${max}`)
