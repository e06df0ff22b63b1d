import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { InvitationId, MemberId, TenantId, UserId } from '../../platform/ids.ts'
import type { FlagColumns } from './flags.ts'

export interface TenantMemberRow extends FlagColumns {
  readonly tenant_id: TenantId
  readonly id: MemberId
  readonly user_tenant_id: TenantId
  readonly user_id: UserId
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface TenantInvitationRow extends FlagColumns {
  readonly tenant_id: TenantId
  readonly id: InvitationId
  readonly email: string
  readonly email_key: string
  readonly expires_at: Timestamp
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const flagNames: Fragment = sql`role_admin, role_edit_organizations, role_edit_users, role_edit_config, role_view_users,
  role_view_organizations, role_view_config, role_view_billing, role_edit_billing`

const flagValues = (row: FlagColumns): Fragment =>
  sql`${row.role_admin}, ${row.role_edit_organizations}, ${row.role_edit_users}, ${row.role_edit_config},
    ${row.role_view_users}, ${row.role_view_organizations}, ${row.role_view_config}, ${row.role_view_billing},
    ${row.role_edit_billing}`

const memberColumns: Fragment = sql`tenant_id, id, user_tenant_id, user_id, ${flagNames}, created_at, updated_at`

const invitationColumns: Fragment = sql`tenant_id, id, email, email_key, expires_at, ${flagNames}, created_at, updated_at`

export const memberSource = (tenantId: TenantId) => ({
  columns: memberColumns,
  table: sql`tenant_members`,
  where: sql`tenant_id = ${tenantId}`,
})

export const invitationSource = (tenantId: TenantId) => ({
  columns: invitationColumns,
  table: sql`tenant_invitations`,
  where: sql`tenant_id = ${tenantId}`,
})

export const selectMember = (db: Reader, tenantId: TenantId, userId: UserId) =>
  db.first<{ id: MemberId }>(sql`SELECT id FROM tenant_members WHERE tenant_id = ${tenantId} AND user_id = ${userId}`)

export const insertMember = (row: TenantMemberRow): Statement => sql`INSERT INTO tenant_members
  (tenant_id, id, user_tenant_id, user_id, ${flagNames}, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.user_tenant_id}, ${row.user_id}, ${flagValues(row)}, ${row.created_at},
    ${row.updated_at})`

export const insertInvitation = (
  row: TenantInvitationRow,
  tokenHash: string,
): Statement => sql`INSERT INTO tenant_invitations
  (tenant_id, id, email, email_key, token_hash, expires_at, ${flagNames}, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.email}, ${row.email_key}, ${tokenHash}, ${row.expires_at}, ${flagValues(row)},
    ${row.created_at}, ${row.updated_at})`

/** An invitation whose time has passed makes room for a new one of the same address. */
export const deleteExpiredInvitation = (tenantId: TenantId, emailKey: string, now: Timestamp): Statement =>
  sql`DELETE FROM tenant_invitations WHERE tenant_id = ${tenantId} AND email_key = ${emailKey} AND expires_at <= ${now}`

/** The memberships of one console user, in the order of their ids. */
export const selectMembershipsOfUser = (
  db: Reader,
  userTenantId: TenantId,
  userId: UserId,
  after: string,
  limit: number,
) =>
  db.all<TenantMemberRow>(sql`SELECT ${memberColumns} FROM tenant_members
    WHERE user_tenant_id = ${userTenantId} AND user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`)

/**
 * Two of a tenant's members with roleAdmin who may sign in, or fewer where there are fewer, held until the transaction ends. Everybody
 * holds them in the same order.
 */
export const lockTwoAdmins = (db: Reader, tenantId: TenantId) =>
  db.all<{ id: MemberId }>(sql`SELECT m.id FROM tenant_members m WHERE m.tenant_id = ${tenantId} AND m.role_admin = 1
    AND EXISTS (SELECT 1 FROM users u WHERE u.tenant_id = m.user_tenant_id AND u.id = m.user_id AND u.status = 'active')
    ORDER BY m.id LIMIT 2${sql.forUpdate}`)

/** The row, held until the transaction ends. */
export const selectMemberForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<TenantMemberRow>(
    sql`SELECT ${memberColumns} FROM tenant_members WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const selectMemberById = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<TenantMemberRow>(
    sql`SELECT ${memberColumns} FROM tenant_members WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )

const assignedFlags = (row: FlagColumns): Fragment =>
  sql`role_admin = ${row.role_admin}, role_edit_organizations = ${row.role_edit_organizations},
    role_edit_users = ${row.role_edit_users}, role_edit_config = ${row.role_edit_config},
    role_view_users = ${row.role_view_users}, role_view_organizations = ${row.role_view_organizations},
    role_view_config = ${row.role_view_config}, role_view_billing = ${row.role_view_billing},
    role_edit_billing = ${row.role_edit_billing}`

export const updateMemberFlags = (row: TenantMemberRow): Statement =>
  sql`UPDATE tenant_members SET ${assignedFlags(row)}, updated_at = ${row.updated_at}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

export const deleteMember = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM tenant_members WHERE tenant_id = ${tenantId} AND id = ${id}`

/** The invitation, held until the transaction ends. */
export const selectInvitationForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<TenantInvitationRow>(
    sql`SELECT ${invitationColumns} FROM tenant_invitations WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const updateInvitationFlags = (row: TenantInvitationRow): Statement =>
  sql`UPDATE tenant_invitations SET ${assignedFlags(row)}, updated_at = ${row.updated_at}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

export const deleteInvitation = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM tenant_invitations WHERE tenant_id = ${tenantId} AND id = ${id}`

const keysOf = (emailKeys: readonly string[]) =>
  sql.join(
    emailKeys.map((key) => sql`${key}`),
    ', ',
  )

/** The invitation of any tenant that a token was sent with; none whose time has passed. */
export const selectInvitationByToken = (db: Reader, tokenHash: string, now: Timestamp) =>
  db.first<TenantInvitationRow>(
    sql`SELECT ${invitationColumns} FROM tenant_invitations WHERE token_hash = ${tokenHash} AND expires_at > ${now}`,
  )

/** Those of any tenant to these addresses that can still be accepted, newest first. */
export const selectInvitationsTo = (db: Reader, emailKeys: readonly string[], now: Timestamp, limit: number) =>
  db.all<TenantInvitationRow>(sql`SELECT ${invitationColumns} FROM tenant_invitations
    WHERE email_key IN (${keysOf(emailKeys)}) AND expires_at > ${now} ORDER BY created_at DESC LIMIT ${limit}`)

/** The one to these addresses, held until the transaction ends; none whose time has passed. */
export const selectInvitationToForUpdate = (db: Reader, id: string, emailKeys: readonly string[], now: Timestamp) =>
  db.first<TenantInvitationRow>(sql`SELECT ${invitationColumns} FROM tenant_invitations
    WHERE id = ${id} AND email_key IN (${keysOf(emailKeys)}) AND expires_at > ${now}${sql.forUpdate}`)
