// The applications that follow a session: they have signed its user in, and are told when it ends. Each is told by a job, which is recorded
// in the transaction that ends the session.
import type { Clock, Timestamp } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { ApplicationId, SessionId, TenantId, UserId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'
import * as queries from './queries.ts'
import { sessionFollowers } from './tables.ts'

export type SessionFollower = RowOf<typeof sessionFollowers>

export const sessionEndedJobKind = 'sessions.ended'

/** The payload of a job that tells one application. */
export interface SessionEnded {
  readonly applicationId: ApplicationId
  readonly userId: UserId
  readonly sid: string
  readonly issuer: string
}

/** At most this many followers are told of sessions that end together. Each browser of a user adds one for each application. */
const toldMax = 2000

/** Adds a follower, unless it follows already. */
export const addFollower = (follower: SessionFollower): Statement =>
  sql`${sessionFollowers.insert(follower)} ON CONFLICT (tenant_id, session_id, application_id, sid) DO NOTHING`

/**
 * Called after a new follower was added, in the same transaction. The session's end waits for that transaction or has been before it.
 * @returns whether the session can be followed: false if it has been ended.
 */
export const holdForFollower = async (tx: Transaction, { tenant_id: tenantId, session_id: id }: SessionFollower) =>
  (await tx.run(queries.markFollowed(tenantId, id))) > 0

/** Finds the follower that knows its session by that name. */
export const findFollower = (db: Reader, tenantId: TenantId, sid: string) =>
  sessionFollowers.first(db)`tenant_id = ${tenantId} AND sid = ${sid}`

const followersOf = (db: Reader, tenantId: TenantId, sessionIds: readonly string[], condition = sql``) =>
  db.all<SessionFollower & { readonly user_id: UserId }>(
    sql`SELECT ${sessionFollowers.columnsOf('f')}, s.user_id FROM session_followers AS f
      JOIN sessions AS s ON s.tenant_id = f.tenant_id AND s.id = f.session_id
      WHERE f.tenant_id = ${tenantId} AND f.session_id IN (${sql.list(sessionIds)}) ${condition}
      ORDER BY f.created_at DESC LIMIT ${toldMax}`,
  )

async function addJobs(clock: Clock, tx: Transaction, followers: Awaited<ReturnType<typeof followersOf>>) {
  const jobs = followers.map((follower) => {
    const { tenant_id: tenantId, session_id: sessionId, application_id: applicationId, sid, issuer } = follower
    const payload: SessionEnded = { applicationId, userId: follower.user_id, sid, issuer }
    return jobStatement(clock, { tenantId, kind: sessionEndedJobKind, key: `${sessionId} ${sid}`, payload })
  })
  if (jobs.length > 0) await tx.runAll(jobs)
}

/** Tells the followers of sessions that this transaction has ended. */
export async function tellFollowers(clock: Clock, tx: Transaction, tenantId: TenantId, ids: readonly SessionId[]) {
  await addJobs(clock, tx, await followersOf(tx, tenantId, ids))
}

/** Does the same for those of the sessions that were ended at that time: one that was used meanwhile goes on. */
export async function tellFollowersOfEnded(
  clock: Clock,
  tx: Transaction,
  tenantId: TenantId,
  ids: readonly string[],
  endedAt: Timestamp,
) {
  await addJobs(clock, tx, await followersOf(tx, tenantId, ids, sql`AND s.ended_at = ${endedAt}`))
}
