import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { isCurrent, within } from '../../platform/http/ends.ts'
import type { OrganizationId, ScimGroupId, TenantId } from '../../platform/ids.ts'
import { organizationMembers } from '../organizations/tables.ts'
import { organizationGroupMembers, organizationGroups } from './tables.ts'

export type GroupRow = RowOf<typeof organizationGroups>

/** How many an organization has at most. */
export const groupsMax = 100

export const selectGroups = (db: Reader, tenantId: TenantId, organizationId: string) =>
  organizationGroups.all(db)`tenant_id = ${tenantId} AND organization_id = ${organizationId} ORDER BY created_at DESC
    LIMIT ${groupsMax}`

export const selectGroup = (db: Reader, tenantId: TenantId, organizationId: string, id: string) =>
  organizationGroups.first(db)`tenant_id = ${tenantId} AND id = ${id} AND organization_id = ${organizationId}`

export const selectGroupForUpdate = organizationGroups.lock
export const insertGroup = organizationGroups.insert
export const updateGroup = organizationGroups.rewrite
export const deleteGroup = organizationGroups.delete

export const selectGroupMember = organizationGroupMembers.byKey
export const insertGroupMember = organizationGroupMembers.insert
export const updateGroupMember = organizationGroupMembers.update('expires_at')
export const deleteGroupMember = organizationGroupMembers.delete

/** Selects the group of a directory of the organization, with the name of its connection. */
export const selectScimGroup = (db: Reader, tenantId: TenantId, organizationId: string, id: string) =>
  db.first<{ id: ScimGroupId; connection: string }>(sql`SELECT g.id, c.name AS connection FROM scim_groups g
    JOIN connections c ON c.tenant_id = g.tenant_id AND c.id = g.connection_id
    WHERE g.tenant_id = ${tenantId} AND g.id = ${id} AND c.organization_id = ${organizationId}`)

/** Selects memberships of groups, of one tenant or of all, that have ended. */
export const selectEndedGroupMembers = (db: Reader, tenant: TenantId | undefined, now: Timestamp, limit: number) =>
  organizationGroupMembers.all(db)`expires_at <= ${now} ${within(tenant)} LIMIT ${limit}`

/** Selects when members leave a group. */
export const selectGroupEnds = (db: Reader, tenantId: TenantId, groupId: string, memberIds: readonly string[]) =>
  organizationGroupMembers.all(db)`tenant_id = ${tenantId} AND group_id = ${groupId}
    AND member_id IN (${sql.list(memberIds)}) AND expires_at IS NOT NULL LIMIT ${memberIds.length}`

/** The members of a group: those who were added, or the active users of the directory's group. */
export function memberSource(
  { tenant_id: tenantId, organization_id, id, scim_group_id: scimGroupId }: GroupRow,
  now: Timestamp,
) {
  const organizationId: OrganizationId = organization_id
  const among =
    scimGroupId === null
      ? sql`id IN (SELECT member_id FROM organization_group_members WHERE tenant_id = ${tenantId} AND group_id = ${id}
          AND ${isCurrent(now)})`
      : sql`user_id IN (SELECT u.user_id FROM scim_group_members m JOIN scim_users u
          ON u.tenant_id = m.tenant_id AND u.id = m.member_id
          WHERE m.tenant_id = ${tenantId} AND m.group_id = ${scimGroupId} AND u.active = 1)`
  return organizationMembers.source(sql`tenant_id = ${tenantId} AND organization_id = ${organizationId}
    AND ${isCurrent(now)} AND ${among}`)
}
