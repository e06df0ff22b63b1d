import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { ConnectionId, RoleId, ScimGroupId, ScimUserId, TenantId, UserId } from '../../platform/ids.ts'
import { scimDirectories, scimGroupMembers, scimGroups, scimLog, scimTokens, scimUsers } from './tables.ts'

export type DirectoryRow = RowOf<typeof scimDirectories>
export type TokenRow = RowOf<typeof scimTokens>
export type UserRow = RowOf<typeof scimUsers>
export type GroupRow = RowOf<typeof scimGroups>
export type LogRow = RowOf<typeof scimLog>

export const selectDirectory = scimDirectories.byKey
export const selectDirectoryForUpdate = scimDirectories.lock
export const insertDirectory = scimDirectories.insert
export const updateDirectory = scimDirectories.rewrite

export const selectTokens = (db: Reader, tenantId: TenantId, connectionId: string) =>
  scimTokens.all(db)`tenant_id = ${tenantId} AND connection_id = ${connectionId} ORDER BY created_at DESC LIMIT 100`
export const selectTokenByHash = (db: Reader, tenantId: string, hash: string) =>
  scimTokens.first(db)`tenant_id = ${tenantId} AND hash = ${hash}`
export const insertToken = scimTokens.insert
export const deleteToken = scimTokens.delete
export const touchToken = scimTokens.update('last_used_at')

export const selectUser = scimUsers.byKey
export const insertUser = scimUsers.insert
export const updateUser = scimUsers.rewrite
export const deleteUser = scimUsers.delete
export const updateUserPlace = scimUsers.update('place')

const ofConnection = (tenantId: TenantId, connectionId: string) =>
  sql`tenant_id = ${tenantId} AND connection_id = ${connectionId}`

export const selectUserByName = (db: Reader, tenantId: TenantId, connectionId: string, key: string) =>
  scimUsers.first(db)`${ofConnection(tenantId, connectionId)} AND user_name_key = ${key}`

export const selectByAccount = (db: Reader, tenantId: TenantId, connectionId: string, userId: UserId) =>
  scimUsers.first(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND connection_id = ${connectionId}`

/** Selects users from a place on, in the order of places. */
export const selectUsersFrom = (db: Reader, tenantId: TenantId, connectionId: string, place: number, limit: number) =>
  scimUsers.all(db)`${ofConnection(tenantId, connectionId)} AND place >= ${place} ORDER BY place LIMIT ${limit}`

/** Selects those that meet conditions, in the order of places. */
export const selectUsersWhere = (
  db: Reader,
  tenantId: TenantId,
  connectionId: string,
  conditions: Fragment,
  limit: number,
) => scimUsers.all(db)`${ofConnection(tenantId, connectionId)} AND ${conditions} ORDER BY place LIMIT ${limit}`

export const selectLastUser = (db: Reader, tenantId: TenantId, connectionId: string) =>
  scimUsers.first(db)`${ofConnection(tenantId, connectionId)} ORDER BY place DESC LIMIT 1`

export const selectUsersOfUser = (db: Reader, tenantId: TenantId, userId: UserId) =>
  scimUsers.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} ORDER BY created_at DESC LIMIT 100`

export const selectGroup = scimGroups.byKey
export const insertGroup = scimGroups.insert
export const updateGroup = scimGroups.rewrite
export const deleteGroup = scimGroups.delete
export const updateGroupPlace = scimGroups.update('place')

export const groupSource = (tenantId: TenantId, connectionId: string) =>
  scimGroups.source(ofConnection(tenantId, connectionId))

export const selectGroupsFrom = (db: Reader, tenantId: TenantId, connectionId: string, place: number, limit: number) =>
  scimGroups.all(db)`${ofConnection(tenantId, connectionId)} AND place >= ${place} ORDER BY place LIMIT ${limit}`

export const selectGroupsWhere = (
  db: Reader,
  tenantId: TenantId,
  connectionId: string,
  conditions: Fragment,
  limit: number,
) => scimGroups.all(db)`${ofConnection(tenantId, connectionId)} AND ${conditions} ORDER BY place LIMIT ${limit}`

export const selectLastGroup = (db: Reader, tenantId: TenantId, connectionId: string) =>
  scimGroups.first(db)`${ofConnection(tenantId, connectionId)} ORDER BY place DESC LIMIT 1`

/** Selects the groups of a connection among these ids. */
export const selectGroupIds = async (
  db: Reader,
  tenantId: TenantId,
  connectionId: string,
  ids: readonly string[],
): Promise<{ id: ScimGroupId }[]> =>
  ids.length === 0
    ? []
    : db.all<{ id: ScimGroupId }>(sql`SELECT id FROM scim_groups WHERE ${ofConnection(tenantId, connectionId)}
        AND id IN (${sql.list(ids)}) LIMIT ${ids.length}`)

/** Selects the users of a connection among these ids. */
export const selectUserIds = (
  db: Reader,
  tenantId: TenantId,
  connectionId: string,
  ids: readonly string[],
): Promise<{ id: ScimUserId }[]> =>
  db.all<{ id: ScimUserId }>(sql`SELECT id FROM scim_users WHERE ${ofConnection(tenantId, connectionId)}
    AND id IN (${sql.list(ids)}) LIMIT ${ids.length}`)

export const insertMembers = scimGroupMembers.insertAll
export const deleteMembers = (tenantId: TenantId, groupId: string, ids: readonly string[]): Statement =>
  sql`DELETE FROM scim_group_members WHERE tenant_id = ${tenantId} AND group_id = ${groupId}
    AND member_id IN (${sql.list(ids)})`

/** Selects the ids of a group's members after one of them. */
export const selectMemberIds = (db: Reader, tenantId: TenantId, groupId: string, after: string, limit: number) =>
  db.all<{ member_id: ScimUserId }>(sql`SELECT member_id FROM scim_group_members WHERE tenant_id = ${tenantId}
    AND group_id = ${groupId} AND member_id > ${after} ORDER BY member_id LIMIT ${limit}`)

/** Selects who of these is a member of a group. */
export const selectMembersAmong = (db: Reader, tenantId: TenantId, groupId: string, ids: readonly string[]) =>
  db.all<{ member_id: ScimUserId }>(sql`SELECT member_id FROM scim_group_members WHERE tenant_id = ${tenantId}
    AND group_id = ${groupId} AND member_id IN (${sql.list(ids)}) LIMIT ${ids.length}`)

/** Selects which of these groups users are in. */
export const selectGroupsOfMembers = (
  db: Reader,
  tenantId: TenantId,
  memberIds: readonly string[],
  groupIds: readonly string[],
) =>
  db.all<{ member_id: ScimUserId; group_id: ScimGroupId }>(sql`SELECT member_id, group_id FROM scim_group_members
    WHERE tenant_id = ${tenantId} AND member_id IN (${sql.list(memberIds)}) AND group_id IN (${sql.list(groupIds)})
    LIMIT ${memberIds.length * groupIds.length}`)

export interface MembershipRow {
  readonly id: string
  readonly user_id: UserId
  readonly role_id: RoleId | null
}

export const selectMemberships = (db: Reader, tenantId: TenantId, organizationId: string, userIds: readonly UserId[]) =>
  db.all<MembershipRow>(sql`SELECT id, user_id, role_id FROM organization_members WHERE tenant_id = ${tenantId}
    AND organization_id = ${organizationId} AND user_id IN (${sql.list(userIds)}) LIMIT ${userIds.length}`)

export const insertLog = scimLog.insert
export const logSource = (tenantId: TenantId, connectionId: ConnectionId) =>
  scimLog.source(ofConnection(tenantId, connectionId))

export const selectUsers = scimUsers.byIds
