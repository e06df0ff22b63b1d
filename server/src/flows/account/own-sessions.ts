// Where the signed-in user is signed in.
import type { CreateToken, OwnSession } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { getKnownUser, presentProfile } from '../../identity/people/profile.ts'
import { createSessionJwt, identifyingClaims } from '../../identity/session-tokens/session-jwt.ts'
import { presentSession } from '../../identity/sessions/present.ts'
import { endSession, endSessionsOf, findLiveSession, liveSessionsOf } from '../../identity/sessions/sessions.ts'
import { lockUser } from '../../identity/users/find-user.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { hostedRoot } from '../../tenancy/tenants/hosted-pages.ts'
import { checkedRedirect } from '../frontend/destinations.ts'
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

/** Returns where the browser can sign out at the provider of the user's organization; undefined if that has failed, too. */
async function providerLogout(deps: Deps, { tenantId, signedIn }: AnyCall, returnUri: string) {
  if (signedIn.row.sign_in_attempt_id === null) return undefined
  try {
    const { leaveForLogout } = await import('../../enterprise/single-logout/single-logout.ts')
    return await leaveForLogout(deps, tenantId, signedIn.row.id, returnUri)
  } catch (error) {
    // The user is signed out here, whatever happens there.
    deps.log.warn({ err: error, tenantId }, 'a browser could not be led to its provider to sign out')
    return undefined
  }
}

/**
 * Signs out here.
 * @throws ApiError redirect_refused
 */
export async function endOwnSessionHere(deps: Deps, call: AnyCall, wanted: string | undefined) {
  const { signedIn, tenantId, tenant } = call
  const returnUri =
    wanted === undefined
      ? (tenant.auth.logoutRedirectUri ?? `${hostedRoot(deps.config, tenant, call.ownHost)}/sign-out`)
      : checkedRedirect(deps, call, wanted)
  let ended = 1
  try {
    await endSession(deps, tenantId, signedIn.row.id, call.actor())
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    // It was ended elsewhere a moment ago.
    ended = 0
  } finally {
    call.forgetSession()
  }
  const providerSignOutUri = await providerLogout(deps, call, returnUri)
  return providerSignOutUri === undefined ? { ended } : { ended, providerSignOutUri }
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
  const { user, factors } = await getKnownUser(deps, tenantId, signedIn.row.user_id)
  const jwt = await createSessionJwt(deps, signedIn, user, {
    ...(orgId === undefined ? {} : { orgId }),
    ...(ttl === undefined ? {} : { ttlSeconds: ttl }),
  })
  return { jwt, sessionUser: { ...presentProfile(user, factors), ...identifyingClaims(jwt) } }
}
