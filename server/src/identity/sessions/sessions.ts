// Sessions: opening them by sign-in or in a user's place, looking at them, ending them.
import { type NewSession, type Session, tokenPrefixes } from '@bailiwick/contract'
import { assertDecided } from '../../messaging/hooks/decisions.ts'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { newestFirst } from '../../platform/db/newest-first.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { type NewEvent, eventStatement, eventsStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import {
  countNarrowed,
  type CreatedRange,
  type ListIndex,
  narrowed,
  totalOf,
} from '../../platform/http/lists/list-filter.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import {
  type SessionId,
  type SignInAttemptId,
  type SignUpAttemptId,
  type TenantId,
  type UserId,
  newId,
} from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import { activityCounts, dayCounter } from '../../platform/statistics/day-counters.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { forgetTrustedDevices } from '../trusted-devices/trusted-devices.ts'
import { type UserRow, getUserRow, lockUser } from '../users/find-user.ts'
import { withUser, withUsers } from '../users/with-users.ts'
import { tellFollowers } from './followers.ts'
import { presentSession } from './present.ts'
import type { FactorProof } from './proof.ts'
import * as queries from './queries.ts'
import { endOfSession } from './session-limits.ts'
import { sessionsCounter } from './tables.ts'
import { parseUserAgent } from './user-agent.ts'

export interface NewSessionInput {
  /** The tenant, looked up before the transaction. */
  readonly tenant: TenantEntry
  readonly userId: string
  /** The address and user agent of the browser or app that the session is for. */
  readonly ip: string | null
  readonly ua: string | null
  readonly signInAttemptId?: SignInAttemptId
  readonly signUpAttemptId?: SignUpAttemptId
  /** Further counters that change in the same transaction: one statement counts everything. */
  readonly alsoCounted?: Readonly<Record<string, number>>
  /** The actor: the user, or the one who acts in the user's place. */
  readonly actor: Actor
  /** What the user has proven. */
  readonly proof?: FactorProof
  /** Set if somebody acts in the user's place: the session is short, and marked with the actor. */
  readonly reason?: string
}

export interface CreatedSession {
  readonly row: queries.SessionRow
  /** `se_…`, shown only once. */
  readonly token: string
}

function sessionRow(
  deps: Deps,
  input: Omit<NewSessionInput, 'userId'>,
  userId: UserId,
): Omit<queries.SessionRow, 'expires_at'> {
  const at = deps.clock.now()
  const isImpersonation = input.reason !== undefined
  return {
    tenant_id: input.tenant.row.id,
    id: newId<'SessionId'>(),
    user_id: userId,
    ...parseUserAgent(input.ua),
    ua: input.ua,
    ip: input.ip,
    sign_in_attempt_id: input.signInAttemptId ?? null,
    sign_up_attempt_id: input.signUpAttemptId ?? null,
    actor_type: isImpersonation ? input.actor.type : null,
    actor_id: isImpersonation ? input.actor.id : null,
    organization_id: null,
    is_followed: 0,
    auth_time: null,
    second_factor_at: input.proof?.isTwoFactors === true ? at : null,
    factors: input.proof === undefined ? null : toJson([...input.proof.factors]),
    last_active_at: at,
    created_at: at,
    updated_at: at,
  }
}

const revokedEvents = (tenantId: TenantId, userId: UserId, ids: readonly SessionId[], actor: Actor) =>
  ids.map((id): NewEvent => ({
    tenantId,
    type: 'session.revoked',
    actor,
    subjectId: id,
    data: { userId },
  }))

/** Ends the oldest sessions until one more is allowed. Returns how many it ended. The caller holds the user. */
async function endOldest({ clock, personal, sessions }: Deps, tx: Transaction, user: UserRow, actor: Actor) {
  const { tenant_id: tenantId, id: userId } = user
  if ((await queries.countUnendedSessions(tx, tenantId, userId)) < queries.sessionsMax) return 0
  const live = await queries.selectUnendedSessions(tx, tenantId, userId)
  const oldest = live.slice(0, Math.max(0, live.length - queries.sessionsMax + 1)).map(({ id }) => id)
  const ended = await tx.run(queries.endSessions(tenantId, oldest, clock.now()))
  await tx.run(eventsStatement(clock, personal, revokedEvents(tenantId, userId, oldest, actor)))
  await tellFollowers(clock, tx, tenantId, oldest)
  await invalidateUser(tx, sessions, tenantId, userId)
  return ended
}

/** A session about to be opened: the statements that write it, its event, and the user as it will then be. */
export interface PreparedSession {
  readonly session: CreatedSession
  readonly statements: readonly Statement[]
  readonly event: NewEvent
  readonly user: UserRow
}

/** Prepares a session for a user whom the caller's transaction holds. If the user has fifty sessions, the oldest one ends. */
export async function prepareSession(
  deps: Deps,
  tx: Transaction,
  user: UserRow,
  input: Omit<NewSessionInput, 'userId'>,
): Promise<PreparedSession> {
  const { tenant, actor, reason } = input
  const tenantId = tenant.row.id
  // Only the tenant itself, in the place of a user, needs no decision.
  if (reason === undefined) assertDecided(tx, 'sign_in.before_session')
  const ended = await endOldest(deps, tx, user, actor)
  const started = sessionRow(deps, input, user.id)
  const row: queries.SessionRow = { ...started, expires_at: endOfSession(tenant, started) }
  const token = newToken(tokenPrefixes.session)
  const statements = [queries.insertSession(row, hashToken(token))]
  const counts: Record<string, number> = { ...input.alsoCounted, [sessionsCounter]: 1 - ended }
  if (reason === undefined) {
    statements.push(queries.markSignedIn(tenantId, user.id, row.created_at))
    counts[dayCounter('sessions_created', row.created_at)] = 1
    Object.assign(counts, activityCounts(user.last_active_at, row.created_at))
  }
  if (Object.values(counts).some((count) => count !== 0)) statements.push(addToCounters(tx, tenantId, counts))
  const event: NewEvent = {
    tenantId,
    type: 'session.created',
    actor,
    subjectId: row.id,
    data: { userId: user.id, expiresAt: row.expires_at, isImpersonation: reason !== undefined },
    personal: {
      salt: user.personal_salt,
      userId: user.id,
      data: { browser: row.browser, os: row.os, ...(reason === undefined ? {} : { reason }) },
    },
  }
  const seen = reason === undefined ? { last_sign_in_at: row.created_at, last_active_at: row.created_at } : {}
  return { session: { row, token }, statements, event, user: { ...user, ...seen } }
}

/**
 * Opens a session for a user, who is held until the transaction ends. If the user has fifty sessions, the oldest one ends.
 * @throws ApiError not_found, user_not_active
 */
export async function createSession(deps: Deps, tx: Transaction, input: NewSessionInput): Promise<CreatedSession> {
  const user = await lockUser(tx, input.tenant.row.id, input.userId)
  if (user === undefined) throw notFound()
  if (user.status !== 'active') throw new ApiError('user_not_active')
  const { session, statements, event } = await prepareSession(deps, tx, user, input)
  await tx.runAll([...statements, eventStatement(deps.clock, deps.personal, event)])
  return session
}

/** Yields all stored sessions of a user, newest first, including those that have ended. */
export async function* sessionsOfUser(db: Reader, tenant: TenantEntry, userId: UserId): AsyncGenerator<Session> {
  const batches = newestFirst((before: Timestamp | undefined, limit) =>
    queries.selectSessionsBefore(db, tenant.row.id, userId, before, limit),
  )
  for await (const rows of batches) yield* rows.map((row) => presentSession(row, tenant))
}

/**
 * Opens a session in a user's place, for ten minutes at most.
 * @throws ApiError not_found, user_not_active
 */
export async function impersonateUser(
  deps: Deps,
  tenantId: TenantId,
  userId: string,
  reason: string,
  actor: Actor,
): Promise<NewSession> {
  const { ip, ua } = actor
  const tenant = await getTenant(deps, tenantId)
  const { row, token } = await deps.db.transaction((tx) =>
    createSession(deps, tx, { tenant, userId, ip, ua, actor, reason }),
  )
  return { session: await withUser(deps.db, tenantId, presentSession(row, tenant)), sessionToken: token }
}

/** Returns undefined for a session that has ended. */
export const findLiveSession = (db: Reader, tenantId: TenantId, id: string, now: Timestamp) =>
  queries.selectLiveSession(db, tenantId, id, now)

/**
 * Returns the sessions of these tokens that can be used now, oldest first; looking at them is no use of them. Those that somebody opened in
 * a user's place are left out.
 */
export async function usableSessions(deps: Deps, tenant: TenantEntry, tokenHashes: readonly string[]) {
  if (tokenHashes.length === 0) return []
  const now = deps.clock.now()
  const rows = await queries.selectSessionsByTokens(deps.db, tenant.row.id, tokenHashes)
  return rows.filter(
    (row) => row.user_status === 'active' && row.actor_type === null && endOfSession(tenant, row) > now,
  )
}

/** Lists the sessions of a user that can still be used, newest first. */
export const liveSessionsOf = (db: Reader, tenantId: TenantId, userId: UserId, now: Timestamp) =>
  queries.selectUnendedSessionRows(db, tenantId, userId, now)

/** Returns the latest sessions that began with a sign-in, newest first. */
export const recentSignIns = (db: Reader, tenantId: TenantId, count: number) =>
  queries.selectRecentSignIns(db, tenantId, count)

/** @throws ApiError not_found if it has ended. */
export async function getSession(deps: Deps, tenantId: TenantId, id: string) {
  const { db, clock } = deps
  const tenant = await getTenant(deps, tenantId)
  const row = await queries.selectLiveSession(db, tenantId, id, clock.now())
  if (row === undefined) throw notFound()
  return withUser(db, tenantId, presentSession(row, tenant))
}

export interface SessionQuery extends PageQuery, CreatedRange {
  readonly userId?: string
}

const listIndex: ListIndex = { name: 'sessions_user_live', columns: { user_id: null } }

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listTenantSessions(deps: Deps, tenantId: TenantId, query: SessionQuery) {
  const tenant = await getTenant(deps, tenantId)
  const { db } = deps
  const request = pageRequest(query)
  const asked = { user_id: query.userId }
  const list = narrowed(queries.liveSessionSource(tenantId), asked, [listIndex], query, 'sessions_live')
  const { page, total } = await selectPageAndTotal(db, list, totalOf(tenantId, list, sessionsCounter), request)
  const shown = page.rows.map((row) => presentSession(row, tenant))
  const data = await withUsers(db, tenantId, shown)
  return pageEnvelope(page, data, total, request.perPage)
}

/** @throws ApiError not_found */
export async function listUserSessions(deps: Deps, tenantId: TenantId, userId: string, query: PageQuery) {
  const tenant = await getTenant(deps, tenantId)
  const { db } = deps
  const user = await getUserRow(db, tenantId, userId)
  const request = pageRequest(query)
  const list = queries.liveSessionSource(tenantId, user.id)
  const { page, total } = await selectPageAndTotal(db, list, countNarrowed(list), request)
  const shown = page.rows.map((row) => presentSession(row, tenant))
  const data = await withUsers(db, tenantId, shown)
  return pageEnvelope(page, data, total, request.perPage)
}

/**
 * Ends a session: at once in this process, within a second in others.
 * @throws ApiError not_found if it has ended already.
 */
export async function endSession(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, personal, sessions } = deps
  const tenant = await getTenant(deps, tenantId)
  return db.transaction(async (tx) => {
    const at = clock.now()
    const row = await queries.selectLiveSession(tx, tenantId, id, at)
    if (row === undefined || (await tx.run(queries.endSessions(tenantId, [id], at))) === 0) throw notFound()
    await tx.run(addToCounters(tx, tenantId, { [sessionsCounter]: -1 }))
    await tx.run(eventsStatement(clock, personal, revokedEvents(tenantId, row.user_id, [row.id], actor)))
    await tellFollowers(clock, tx, tenantId, [row.id])
    await invalidateUser(tx, sessions, tenantId, row.user_id)
    return presentSession(row, tenant)
  })
}

/**
 * Ends the previous session of a browser whose user signs in again as the same user: its token would otherwise live on unseen (ASVS 7.2.4).
 * The caller's transaction holds the user.
 */
export async function endReplacedSession(
  { clock, personal, sessions }: Deps,
  tx: Transaction,
  { tenant_id: tenantId, user_id: userId, id }: queries.SessionRow,
  actor: Actor,
): Promise<void> {
  if ((await tx.run(queries.endSessions(tenantId, [id], clock.now()))) === 0) return
  await tx.run(addToCounters(tx, tenantId, { [sessionsCounter]: -1 }))
  await tx.run(eventsStatement(clock, personal, revokedEvents(tenantId, userId, [id], actor)))
  await tellFollowers(clock, tx, tenantId, [id])
  await invalidateUser(tx, sessions, tenantId, userId)
}

/** Who is signed in, and who ends that. */
interface Ending {
  readonly tenantId: TenantId
  readonly userId: UserId
  readonly actor: Actor
}

async function endThese(deps: Deps, tx: Transaction, { tenantId, userId, actor }: Ending, ids: readonly SessionId[]) {
  const { clock, personal, sessions } = deps
  await invalidateUser(tx, sessions, tenantId, userId)
  if (ids.length === 0) return 0
  const ended = await tx.run(queries.endSessions(tenantId, ids, clock.now()))
  if (ended > 0) await tx.run(addToCounters(tx, tenantId, { [sessionsCounter]: -ended }))
  await tx.run(eventsStatement(clock, personal, revokedEvents(tenantId, userId, ids, actor)))
  await tellFollowers(clock, tx, tenantId, ids)
  return ended
}

/**
 * Ends all sessions of a user whom the caller's transaction holds; resolves with how many there were. Nodes also forget what they remember
 * of the user's status and memberships, even if there was no session. No device is trusted any more.
 * @param exceptId the session that stays.
 */
export async function endSessionsOf(
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  userId: UserId,
  actor: Actor,
  exceptId?: SessionId,
): Promise<number> {
  await tx.run(forgetTrustedDevices(tenantId, userId))
  const unended = await queries.selectUnendedSessions(tx, tenantId, userId)
  const ids = unended.filter(({ id }) => id !== exceptId).map(({ id }) => id)
  return endThese(deps, tx, { tenantId, userId, actor }, ids)
}

/** Does the same with the sessions that act for an organization. */
export async function endSessionsActingFor(
  deps: Deps,
  tx: Transaction,
  ending: Ending,
  organizationId: string,
): Promise<number> {
  const acting = await queries.selectSessionsActingFor(tx, ending.tenantId, ending.userId, organizationId)
  return endThese(
    deps,
    tx,
    ending,
    acting.map(({ id }) => id),
  )
}

/** Ends live sessions of a user whom the caller's transaction holds; resolves with how many it ended. */
export const endTheseSessions = (
  deps: Deps,
  tx: Transaction,
  ending: Ending,
  ids: readonly SessionId[],
): Promise<number> => endThese(deps, tx, ending, ids)
