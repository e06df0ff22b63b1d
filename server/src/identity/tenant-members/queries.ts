import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { isCurrent } from '../../platform/http/ends.ts'
import type { MemberId, TenantId, UserId } from '../../platform/ids.ts'
import { flagNames, tenantInvitations, tenantMembers } from './tables.ts'

export type TenantMemberRow = RowOf<typeof tenantMembers>
export type TenantInvitationRow = RowOf<typeof tenantInvitations>

export const memberSource = (tenantId: TenantId, now: Timestamp) =>
  tenantMembers.source(sql`tenant_id = ${tenantId} AND ${isCurrent(now)}`)
export const selectMemberById = tenantMembers.byKey
export const selectMemberForUpdate = tenantMembers.lock
export const insertMember = tenantMembers.insert
export const updateMember = tenantMembers.update(...flagNames, 'expires_at', 'updated_at')
export const deleteMember = tenantMembers.delete

export const invitationSource = tenantInvitations.sourceOf
export const selectInvitationForUpdate = tenantInvitations.lock
export const insertInvitation = tenantInvitations.insert
export const updateInvitation = tenantInvitations.update(...flagNames, 'rights_expire_at', 'expires_at', 'updated_at')
export const deleteInvitation = tenantInvitations.delete

export const selectMember = (db: Reader, tenantId: TenantId, userId: UserId) =>
  tenantMembers.first(db)`tenant_id = ${tenantId} AND user_id = ${userId}`

/** Selects memberships that have ended. */
export const selectEndedMembers = (db: Reader, now: Timestamp, limit: number) =>
  tenantMembers.all(db)`expires_at <= ${now} LIMIT ${limit}`

/** Removes an expired invitation, to make room for a new one of the same address. */
export const deleteExpiredInvitation = (tenantId: TenantId, emailKey: string, now: Timestamp): Statement =>
  sql`DELETE FROM tenant_invitations WHERE tenant_id = ${tenantId} AND email_key = ${emailKey} AND expires_at <= ${now}`

/** Selects the memberships of one console user, in the order of their ids. */
export const selectMembershipsOfUser = (
  db: Reader,
  userTenantId: TenantId,
  userId: UserId,
  after: string,
  limit: number,
) =>
  tenantMembers.all(db)`user_tenant_id = ${userTenantId} AND user_id = ${userId} AND id > ${after} ORDER BY id
    LIMIT ${limit}`

/**
 * Holds two of a tenant's members with roleAdmin, without an end, who may sign in, or fewer if there are fewer, until the transaction ends.
 * All callers hold them in the same order.
 */
export const lockTwoAdmins = (db: Reader, tenantId: TenantId, userTenantId: TenantId) =>
  db.all<{ id: MemberId }>(sql`SELECT m.id FROM tenant_members m WHERE m.tenant_id = ${tenantId} AND m.role_admin = 1
    AND m.expires_at IS NULL AND m.user_tenant_id = ${userTenantId}
    AND EXISTS (SELECT 1 FROM users u WHERE u.tenant_id = ${userTenantId} AND u.id = m.user_id AND u.status = 'active')
    ORDER BY m.id LIMIT 2${sql.forUpdate}`)

/** Finds the invitation of any tenant that a token was sent with, unless it has expired. */
export const selectInvitationByToken = (db: Reader, tokenHash: string, now: Timestamp) =>
  tenantInvitations.first(db)`token_hash = ${tokenHash} AND expires_at > ${now}`

/** Selects the invitations of any tenant to these addresses that can still be accepted, newest first. */
export const selectInvitationsTo = (db: Reader, emailKeys: readonly string[], now: Timestamp, limit: number) =>
  tenantInvitations.all(db)`email_key IN (${sql.list(emailKeys)}) AND expires_at > ${now} ORDER BY created_at DESC
    LIMIT ${limit}`

/** Holds an invitation to one of these addresses until the transaction ends, unless it has expired. */
export const selectInvitationToForUpdate = (db: Reader, id: string, emailKeys: readonly string[], now: Timestamp) =>
  tenantInvitations.first(db)`id = ${id} AND email_key IN (${sql.list(emailKeys)})
    AND expires_at > ${now}${sql.forUpdate}`
