// Where the signed-in user is signed in.
import type { CreateToken, OwnSession } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { profileOf } from '../../identity/people/profile.ts'
import { createSessionJwt, identifyingClaims } from '../../identity/session-tokens/session-jwt.ts'
import { presentSession } from '../../identity/sessions/present.ts'
import { endSession, endSessionsOf, findLiveSession, liveSessionsOf } from '../../identity/sessions/sessions.ts'
import { lockUser } from '../../identity/users/find-user.ts'
import { getUser } from '../../identity/users/users.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { AnyCall } from '../frontend/flow.ts'

export async function listOwnSessions(
  { db, clock }: Deps,
  { signedIn, tenant, tenantId }: AnyCall,
): Promise<OwnSession[]> {
  const rows = await liveSessionsOf(db, tenantId, signedIn.row.user_id, clock.now())
  return rows.map((row) => ({ ...presentSession(row, tenant), current: row.id === signedIn.row.id }))
}

/** @throws ApiError not_found if it has ended, or belongs to another user. */
export async function endOwnSession(deps: Deps, call: AnyCall, id: string): Promise<OwnSession> {
  const { signedIn, tenantId } = call
  const row = await findLiveSession(deps.db, tenantId, id, deps.clock.now())
  if (row?.user_id !== signedIn.row.user_id) throw notFound()
  const current = id === signedIn.row.id
  const ended = await endSession(deps, tenantId, id, call.actor())
  if (current) call.forgetSession()
  return { ...ended, current }
}

/** Signs out here. */
export async function endOwnSessionHere(deps: Deps, call: AnyCall): Promise<number> {
  const { signedIn, tenantId } = call
  try {
    await endSession(deps, tenantId, signedIn.row.id, call.actor())
    return 1
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    // It was ended elsewhere a moment ago.
    return 0
  } finally {
    call.forgetSession()
  }
}

/** Signs out everywhere else; returns how many sessions it ended. */
export function endOtherOwnSessions(deps: Deps, call: AnyCall): Promise<number> {
  const { signedIn, tenantId } = call
  const { user_id: userId, id } = signedIn.row
  return deps.db.transaction(async (tx) => {
    if ((await lockUser(tx, tenantId, userId)) === undefined) throw notFound()
    return endSessionsOf(deps, tx, tenantId, userId, call.actor(), id)
  })
}

/** @throws ApiError not_found if the user is not a member of the organization. */
export async function createOwnToken(deps: Deps, { signedIn, tenantId }: AnyCall, { orgId, ttl }: CreateToken) {
  const user = await getUser(deps, tenantId, signedIn.row.user_id)
  const jwt = await createSessionJwt(deps, signedIn, user, {
    ...(orgId === undefined ? {} : { orgId }),
    ...(ttl === undefined ? {} : { ttlSeconds: ttl }),
  })
  return { jwt, sessionUser: { ...(await profileOf(deps.db, user)), ...identifyingClaims(jwt) } }
}
