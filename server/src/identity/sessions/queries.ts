import type { UserStatus } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { SessionId, TenantId, UserId } from '../../platform/ids.ts'
import { sessions } from './tables.ts'

/** The columns of a session that are kept in memory and shown. */
const shownSessions = sessions.without('token_hash', 'ended_at')
export type SessionRow = RowOf<typeof shownSessions>

/** A session with the status that decides whether its user may continue. */
export interface SessionOfUserRow extends SessionRow {
  readonly user_status: UserStatus
  /** 1 if the user has not signed up yet. */
  readonly user_is_anonymous: number
}

/** How many live sessions a user may have. */
export const sessionsMax = 50
/** How many of the latest sessions are searched for sign-ins. Impersonations are few among them. */
const recentMax = 200

export const insertSession = (row: SessionRow, tokenHash: string): Statement =>
  sessions.insert({ ...row, token_hash: tokenHash })

const columnsOfSession = shownSessions.columnsOf('s')

/** Finds a session that has not been ended by its token, of one tenant if that is known. */
export const selectSessionByToken = (db: Reader, tokenHash: string, tenantId: TenantId | undefined) =>
  db.first<SessionOfUserRow>(sql`SELECT ${columnsOfSession}, u.status AS user_status, u.is_anonymous AS user_is_anonymous
    FROM sessions AS s JOIN users AS u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
    WHERE s.token_hash = ${tokenHash} AND s.ended_at IS NULL${tenantId === undefined ? sql`` : sql` AND s.tenant_id = ${tenantId}`}`)

/** Finds the sessions of several tokens that have not been ended, for the tenant whose browser holds the tokens. */
export const selectSessionsByTokens = (db: Reader, tenantId: TenantId, tokenHashes: readonly string[]) =>
  db.all<
    SessionOfUserRow & { readonly token_hash: string }
  >(sql`SELECT ${columnsOfSession}, s.token_hash, u.status AS user_status, u.is_anonymous AS user_is_anonymous
    FROM sessions AS s JOIN users AS u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
    WHERE s.tenant_id = ${tenantId} AND s.token_hash IN (${sql.list(tokenHashes)}) AND s.ended_at IS NULL ORDER BY s.created_at`)

/** Returns the token hash of a session that is known by its id. */
export async function selectTokenHash(db: Reader, tenantId: TenantId, id: string): Promise<string | undefined> {
  const row = await db.first<{ token_hash: string }>(
    sql`SELECT token_hash FROM sessions WHERE tenant_id = ${tenantId} AND id = ${id} AND ended_at IS NULL`,
  )
  return row?.token_hash
}

/** Finds a session that can still be used. */
export const selectLiveSession = (db: Reader, tenantId: TenantId, id: string, now: Timestamp) =>
  shownSessions.first(db)`tenant_id = ${tenantId} AND id = ${id} AND ended_at IS NULL AND expires_at > ${now}`

export const liveSessionSource = (tenantId: TenantId, userId?: UserId) =>
  shownSessions.source(
    userId === undefined
      ? sql`tenant_id = ${tenantId} AND ended_at IS NULL`
      : sql`tenant_id = ${tenantId} AND user_id = ${userId} AND ended_at IS NULL`,
  )

/** Selects a user's sessions that have not been ended, oldest first. */
export const selectUnendedSessions = (db: Reader, tenantId: TenantId, userId: UserId) =>
  db.all<{ id: SessionId }>(sql`SELECT id FROM sessions
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND ended_at IS NULL ORDER BY created_at LIMIT ${2 * sessionsMax}`)

/** Returns how many of a user's sessions have not been ended, as far as the limit: whether one more is too many. */
export async function countUnendedSessions(db: Reader, tenantId: TenantId, userId: UserId): Promise<number> {
  const row = await db.first<{
    sessions: number
  }>(sql`SELECT CAST(COUNT(*) AS INTEGER) AS sessions FROM (SELECT 1 FROM sessions
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND ended_at IS NULL ${sql.limit(sessionsMax)}) AS unended`)
  return row?.sessions ?? 0
}

/** Selects those that act for an organization. */
export const selectSessionsActingFor = (db: Reader, tenantId: TenantId, userId: UserId, organizationId: string) =>
  db.all<{ id: SessionId }>(sql`SELECT id FROM sessions WHERE tenant_id = ${tenantId} AND user_id = ${userId}
    AND ended_at IS NULL AND organization_id = ${organizationId} ORDER BY created_at LIMIT ${2 * sessionsMax}`)

/** The source of a user's sessions that can still be used, newest first. */
export const selectUnendedSessionRows = (db: Reader, tenantId: TenantId, userId: UserId, now: Timestamp) =>
  shownSessions.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND ended_at IS NULL AND expires_at > ${now}
    ORDER BY created_at DESC LIMIT ${2 * sessionsMax}`

/** Selects all stored sessions of a user, newest first, from a given one on. */
export const selectSessionsBefore = (
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  before: Timestamp | undefined,
  limit: number,
) =>
  shownSessions.all(db)`tenant_id = ${tenantId}
    AND user_id = ${userId} ${before === undefined ? sql`` : sql`AND created_at < ${before}`}
    ORDER BY created_at DESC LIMIT ${limit}`

/** Selects the latest sessions that began with a sign-in. */
export const selectRecentSignIns = (db: Reader, tenantId: TenantId, limit: number) =>
  db.all<SessionRow>(sql`SELECT ${shownSessions.columns} FROM
    (SELECT ${shownSessions.columns} FROM sessions WHERE tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${recentMax}) AS latest
    WHERE actor_type IS NULL ORDER BY created_at DESC LIMIT ${limit}`)

/** Changes nothing if they have been ended already. */
export const endSessions = (tenantId: TenantId, ids: readonly string[], at: Timestamp): Statement =>
  sql`UPDATE sessions SET ended_at = ${at}, updated_at = ${at}
    WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)}) AND ended_at IS NULL`

/** Changes nothing if the session has been ended or has another token by now. */
export const replaceToken = (
  { tenant_id: tenantId, id }: SessionRow,
  before: string,
  after: string,
  at: Timestamp,
): Statement => sql`UPDATE sessions SET token_hash = ${after}, updated_at = ${at}
  WHERE tenant_id = ${tenantId} AND id = ${id} AND token_hash = ${before} AND ended_at IS NULL`

/** Writes a new proof, under a new token. Changes nothing if the session has been ended or has another token by now. */
export const setProof = (row: SessionRow, before: string, after: string): Statement =>
  sql`UPDATE sessions SET token_hash = ${after}, auth_time = ${row.auth_time}, second_factor_at = ${row.second_factor_at},
      factors = ${row.factors}, updated_at = ${row.updated_at}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND token_hash = ${before} AND ended_at IS NULL`

/** Changes nothing if the session has been ended. */
export const setOrganization = (
  { tenant_id: tenantId, id }: SessionRow,
  organizationId: string | null,
  at: Timestamp,
): Statement => sql`UPDATE sessions SET organization_id = ${organizationId}, updated_at = ${at}
  WHERE tenant_id = ${tenantId} AND id = ${id} AND ended_at IS NULL`

/** Holds the session until the transaction ends, so that its end sees the new follower. Changes nothing where it has been ended. */
export const markFollowed = (tenantId: TenantId, id: SessionId): Statement =>
  sql`UPDATE sessions SET is_followed = 1 WHERE tenant_id = ${tenantId} AND id = ${id} AND ended_at IS NULL`

/** Changes nothing if the session has been ended or a later use of it was recorded already. */
export const touchSession = (row: SessionRow, at: Timestamp, expiresAt: Timestamp): Statement =>
  sql`UPDATE sessions SET last_active_at = ${at}, expires_at = ${expiresAt}, updated_at = ${at}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND ended_at IS NULL AND last_active_at < ${at}`

export const touchUser = (tenantId: TenantId, userId: UserId, at: Timestamp): Statement =>
  sql`UPDATE users SET last_active_at = ${at} WHERE tenant_id = ${tenantId} AND id = ${userId}`

export const markSignedIn = (tenantId: TenantId, userId: UserId, at: Timestamp): Statement =>
  sql`UPDATE users SET last_sign_in_at = ${at}, last_active_at = ${at} WHERE tenant_id = ${tenantId} AND id = ${userId}`

/** These select sessions of any tenant for the clean-up: expired ones, and those that ended long ago. */
export const selectExpiredSessions = (db: Reader, now: Timestamp, limit: number) =>
  db.all<{ tenant_id: TenantId; id: SessionId }>(
    sql`SELECT tenant_id, id FROM sessions WHERE ended_at IS NULL AND expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`,
  )

export const endExpiredSessions = (tenantId: TenantId, ids: readonly string[], now: Timestamp): Statement =>
  sql`UPDATE sessions SET ended_at = ${now}, updated_at = ${now}
    WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)}) AND ended_at IS NULL AND expires_at <= ${now}`

export const deleteSessionsEndedBefore = (before: Timestamp, limit: number): Statement =>
  sql`DELETE FROM sessions WHERE (id, tenant_id) IN
    (SELECT id, tenant_id FROM sessions WHERE ended_at IS NOT NULL AND ended_at < ${before} ORDER BY ended_at LIMIT ${limit})`
