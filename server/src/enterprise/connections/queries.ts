import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { ConnectionId, OrganizationId, TenantId, UserId } from '../../platform/ids.ts'
import { connectionIdentities, connections } from './tables.ts'

export type ConnectionRow = RowOf<typeof connections>
export type ConnectionIdentityRow = RowOf<typeof connectionIdentities>

/** How many an organization has at most. */
export const connectionsMax = 20
/** A user is rarely in more organizations with connections; more are not shown. */
export const identitiesMax = 100

export const selectConnection = connections.byKey
export const selectConnectionForUpdate = connections.lock

/**
 * Lets one transaction after the other do what concerns the connection. Rows that refer to it can be written meanwhile: those who have signed
 * in before hold their user, for whom the transaction may have to wait.
 */
export const holdConnection = (tx: Reader, tenantId: TenantId, id: ConnectionId) =>
  tx.first(sql`SELECT id FROM connections WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forNoKeyUpdate}`)
export const insertConnection = connections.insert
export const updateConnection = connections.rewrite
export const updateNotice = connections.update('certificate_notice_at')
export const deleteConnection = connections.delete

export const selectConnections = (db: Reader, tenantId: TenantId, organizationId: string) =>
  connections.all(db)`tenant_id = ${tenantId} AND organization_id = ${organizationId} ORDER BY created_at DESC
    LIMIT ${connectionsMax}`

/** Selects the live connections of the organization that has proved a domain by DNS. */
export const selectLiveConnectionsOfDomain = (db: Reader, tenantId: TenantId, name: string) =>
  connections.all(db)`tenant_id = ${tenantId} AND state = 'live' AND organization_id = (SELECT organization_id
      FROM organization_domains WHERE tenant_id = ${tenantId} AND name = ${name} AND verified_at IS NOT NULL
        AND dns_verified_at IS NOT NULL) ORDER BY created_at LIMIT ${connectionsMax}`

/** Selects the live connections whose assertions agents can redeem. An issuer may serve several organizations. */
export const selectAssertingConnections = (db: Reader, tenantId: TenantId, issuer: string) =>
  connections.all(db)`tenant_id = ${tenantId} AND id_jag_issuer = ${issuer} AND state = 'live'
    ORDER BY created_at LIMIT ${connectionsMax}`

export const selectIdentity = connectionIdentities.byKey
/** The id of the user whom the provider names so. */
export const userOfIdentity = (tenantId: TenantId, connectionId: ConnectionId, subject: string) =>
  sql`(SELECT user_id FROM connection_identities
    WHERE tenant_id = ${tenantId} AND connection_id = ${connectionId} AND subject = ${subject})`
export const insertIdentity = connectionIdentities.insert
export const updateIdentityUse = connectionIdentities.update('last_used_at')

/** Selects one of those who have signed in with a connection. */
export const selectAnyIdentity = (db: Reader, tenantId: TenantId, connectionId: ConnectionId) =>
  connectionIdentities.first(db)`tenant_id = ${tenantId} AND connection_id = ${connectionId} LIMIT 1`

export const selectIdentityOfUser = (db: Reader, tenantId: TenantId, userId: UserId, connectionId: string) =>
  connectionIdentities.first(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND connection_id = ${connectionId}`

export const selectIdentitiesOfUser = (db: Reader, tenantId: TenantId, userId: UserId) =>
  connectionIdentities.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} ORDER BY created_at DESC
    LIMIT ${identitiesMax}`

/** Whether the connection or its directory has made a user. */
export const isMadeBy = async (db: Reader, tenantId: TenantId, connectionId: ConnectionId, userId: UserId) =>
  (await db.first(sql`SELECT 1 AS one FROM connection_identities WHERE tenant_id = ${tenantId}
      AND connection_id = ${connectionId} AND user_id = ${userId} AND owns_profile = 1
    UNION ALL SELECT 1 AS one FROM scim_users WHERE tenant_id = ${tenantId}
      AND connection_id = ${connectionId} AND user_id = ${userId} AND owns_profile = 1 LIMIT 1`)) !== undefined

export const deleteIdentity = ({ tenant_id: tenantId, connection_id: id, subject }: ConnectionIdentityRow): Statement =>
  connectionIdentities.delete(tenantId, id, subject)

export const selectConnectionsByIds = async (db: Reader, tenantId: TenantId, ids: readonly ConnectionId[]) =>
  ids.length === 0 ? [] : connections.byIds(db, tenantId, ids)

/** Selects the domains that an organization has proved by DNS. */
export const selectDnsDomains = (db: Reader, tenantId: TenantId, organizationId: string) =>
  db.all<{ name: string }>(sql`SELECT name FROM organization_domains WHERE tenant_id = ${tenantId}
    AND organization_id = ${organizationId} AND dns_verified_at IS NOT NULL LIMIT ${connectionsMax}`)

/** Selects the next members of an organization, newest first, after the one who joined at `before`. */
export const selectMembersBefore = (
  db: Reader,
  tenantId: TenantId,
  organizationId: OrganizationId,
  before: string | undefined,
  limit: number,
) =>
  db.all<{ user_id: UserId; created_at: string }>(sql`SELECT user_id, created_at FROM organization_members
    WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId}
      ${before === undefined ? sql`` : sql`AND created_at < ${before}`} ORDER BY created_at DESC LIMIT ${limit}`)

/** Returns those of the users who have signed in with a connection. */
export async function selectConnectedAmong(
  db: Reader,
  tenantId: TenantId,
  id: ConnectionId,
  userIds: readonly UserId[],
): Promise<UserId[]> {
  if (userIds.length === 0) return []
  const rows = await db.all<{ user_id: UserId }>(sql`SELECT user_id FROM connection_identities
    WHERE tenant_id = ${tenantId} AND connection_id = ${id} AND user_id IN (${sql.list(userIds)}) LIMIT ${userIds.length}`)
  return rows.map((row) => row.user_id)
}

/** Selects the members of an organization among these users. */
export const selectMembersAmong = async (
  db: Reader,
  tenantId: TenantId,
  organizationId: string,
  userIds: readonly string[],
) =>
  userIds.length === 0
    ? []
    : db.all<{ user_id: UserId }>(sql`SELECT user_id FROM organization_members WHERE tenant_id = ${tenantId}
        AND organization_id = ${organizationId} AND user_id IN (${sql.list(userIds)}) LIMIT ${userIds.length}`)
