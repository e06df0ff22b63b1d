// The accounts of social providers that the signed-in user has connected.
import type { CreateOwnConnection, SocialConnection } from '@bailiwick/contract'
import { canSignInWithout } from '../../identity/authenticators/can-sign-in-without.ts'
import type { Deps } from '../../identity/deps.ts'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import { rotateToken } from '../../identity/sessions/rotate-token.ts'
import { findLiveSession } from '../../identity/sessions/sessions.ts'
import {
  insertConnection,
  presentConnection,
  refreshConnection,
  removeConnection,
  selectConnection,
  selectConnectionsOf,
} from '../../identity/social-connections/connections.ts'
import { lockUser } from '../../identity/users/find-user.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { beginAuthorization, enabledProvider, returnUriOf } from '../providers/authorization.ts'
import type { Identity } from '../providers/provider.ts'
import { usableProvider } from '../providers/resolve-identity.ts'
import { type StateRow, findTicket, identityOf, useTicket } from '../providers/states.ts'

export async function listOwnConnections({ db }: Deps, { signedIn, tenantId }: AnyCall): Promise<SocialConnection[]> {
  return (await selectConnectionsOf(db, tenantId, signedIn.row.user_id)).map(presentConnection)
}

/** @throws ApiError reauthentication_required, redirect_refused, strategy_unavailable, provider_unusable */
export async function createOwnConnection(deps: Deps, call: AnyCall, body: CreateOwnConnection) {
  const { row } = call.signedIn
  assertFresh(deps, call.signedIn)
  const provider = await enabledProvider(deps, call, body.providerKey)
  const returnUri = returnUriOf(deps, call, body.redirectUri)
  const held = call.newHeld('flow')
  const authorizeUri = await beginAuthorization(deps, call, provider, {
    purpose: 'connection',
    flowId: row.id,
    flowHash: held.hash,
    userId: row.user_id,
    returnUri,
  })
  return { authorizeUri, ...call.give('flow', held.token) }
}

/** Connects an identity for a user whom the transaction holds. A signed-in user is known, so the address plays no part. */
async function connect(
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  userId: UserId,
  identity: Identity,
  actor: Actor,
) {
  await usableProvider(tx, tenantId, identity.providerId)
  const user = await lockUser(tx, tenantId, userId)
  if (user?.status !== 'active') throw new ApiError('oauth_state_invalid')
  const existing = await selectConnection(tx, tenantId, identity)
  if (existing === undefined) return insertConnection(deps, tx, user, identity, { actor, isProven: true })
  if (existing.user_id !== userId) throw new ApiError('connection_taken')
  await refreshConnection(deps, tx, existing, identity)
  return existing
}

/**
 * Connects when the browser returns from the provider, for the user whose session began it, if it has not ended meanwhile.
 * @throws ApiError oauth_state_invalid, connection_taken, strategy_unavailable
 */
export async function connectIdentity(deps: Deps, call: AnyCall, row: StateRow, identity: Identity): Promise<void> {
  const { db, clock } = deps
  const { tenantId } = call
  const token = await db.transaction(async (tx) => {
    const session = await findLiveSession(tx, tenantId, row.flow_id, clock.now())
    if (session === undefined || session.user_id !== row.user_id) throw new ApiError('oauth_state_invalid')
    await connect(deps, tx, tenantId, session.user_id, identity, call.actor(session.user_id))
    return call.session?.row.id === session.id ? rotateToken(deps, tx, call.session) : undefined
  })
  if (token !== undefined) call.reissueSessionToken(token)
}

/** @throws ApiError oauth_state_invalid, connection_taken, strategy_unavailable */
export async function confirmOwnConnection(deps: Deps, call: AnyCall, code: string) {
  const { tenantId, signedIn } = call
  const place = { purpose: 'connection', flowId: signedIn.row.id, flowHash: call.heldHash('flow') } as const
  const state = await findTicket(deps, { tenantId, ...place }, code)
  const identity = state && identityOf(deps, state)
  if (state === undefined || identity === undefined) throw new ApiError('oauth_state_invalid')
  const { row, token } = await deps.db.transaction(async (tx) => {
    if (!(await useTicket(tx, state))) throw new ApiError('oauth_state_invalid')
    const connected = await connect(deps, tx, tenantId, signedIn.row.user_id, identity, call.actor())
    return { row: connected, token: await rotateToken(deps, tx, signedIn) }
  })
  return { connection: presentConnection(row), ...call.reissueSessionToken(token) }
}

/** @throws ApiError not_found, last_way_in, reauthentication_required */
export async function deleteOwnConnection(deps: Deps, call: AnyCall, id: string) {
  const { tenantId, signedIn } = call
  assertFresh(deps, signedIn)
  const userId = signedIn.row.user_id
  const { connection, token } = await deps.db.transaction(async (tx) => {
    // Held so that if two are removed at once, the second request sees that it removes the last one.
    const user = await lockUser(tx, tenantId, userId)
    const connections = await selectConnectionsOf(tx, tenantId, userId)
    const row = connections.find((each) => each.id === id)
    if (user === undefined || row === undefined) throw notFound()
    if (!(await canSignInWithout(deps, tx, call.tenant, user, row))) throw new ApiError('last_way_in')
    await removeConnection(deps, tx, row, { salt: user.personal_salt, actor: call.actor() })
    return { connection: presentConnection(row), token: await rotateToken(deps, tx, signedIn) }
  })
  return { connection, ...call.reissueSessionToken(token) }
}
