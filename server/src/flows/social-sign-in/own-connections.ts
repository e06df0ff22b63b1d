// The accounts of social providers that the signed-in user has connected.
import type { CreateOwnConnection, SocialConnection } from '@bailiwick/contract'
import { canSignInWithout } from '../../identity/authenticators/can-sign-in-without.ts'
import type { Deps } from '../../identity/deps.ts'
import { findAccess, keepAccess, listAccesses } from '../../identity/provider-tokens/provider-tokens.ts'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import { rotateToken } from '../../identity/sessions/rotate-token.ts'
import { findLiveSession } from '../../identity/sessions/sessions.ts'
import {
  insertConnection,
  listConnections,
  presentConnection,
  refreshConnection,
  removeConnection,
  selectConnection,
  selectConnectionsOf,
  withdrawAccess,
} from '../../identity/social-connections/connections.ts'
import { lockUser } from '../../identity/users/find-user.ts'
import { decidedTransaction } from '../../messaging/hooks/decisions.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { FoundProvider } from '../../tenancy/social-providers/find-provider.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { leaveForProvider, enabledProvider, returnUriOf } from '../providers/authorization.ts'
import type { Identity } from '../providers/provider.ts'
import { usableProvider } from '../providers/resolve-identity.ts'
import { type StateRow, findTicket, identityOf, useTicket } from '../providers/states.ts'
import { assertMayUseAddress, removeEarlierWays, upgradeWithin } from '../sign-up/upgrade.ts'

export const listOwnConnections = ({ db }: Deps, { signedIn, tenantId }: AnyCall): Promise<SocialConnection[]> =>
  listConnections(db, tenantId, signedIn.row.user_id)

/**
 * Returns the scopes to request for access that the tenant keeps: the wanted ones, and those that it was allowed before, which some
 * providers would otherwise withdraw.
 * @throws ApiError provider_tokens_disabled; validation_failed for a scope that the tenant does not offer.
 */
async function readAccessScopes(
  { db }: Deps,
  { signedIn, tenantId }: AnyCall,
  provider: FoundProvider,
  wanted: readonly string[],
) {
  if (provider.keep_tokens !== 1) throw new ApiError('provider_tokens_disabled')
  const offered = provider.token_scopes === null ? [] : fromJson(provider.token_scopes)
  const index = wanted.findIndex((scope) => !offered.includes(scope))
  if (index !== -1)
    throw invalid(`/accessScopes/${index}`, 'not_available', 'must be one of tokenScopes of the provider')
  const accesses = await listAccesses(db, tenantId, signedIn.row.user_id)
  const before = accesses
    .filter(({ provider_key: key }) => key === provider.provider_key)
    .flatMap(({ scopes }) => fromJson(scopes))
  return offered.filter((scope) => wanted.includes(scope) || before.includes(scope))
}

/**
 * @throws ApiError reauthentication_required, redirect_refused, strategy_unavailable, provider_unusable, provider_tokens_disabled;
 * validation_failed for a scope that the tenant does not offer.
 */
export async function createOwnConnection(deps: Deps, call: AnyCall, body: CreateOwnConnection) {
  const { row } = call.signedIn
  assertFresh(deps, call.signedIn)
  const provider = await enabledProvider(deps, call, body.providerKey)
  const { accessScopes: wanted } = body
  const accessScopes = wanted && (await readAccessScopes(deps, call, provider, wanted))
  const returnUri = returnUriOf(deps, call, body.redirectUri)
  const held = call.newHeld('flow')
  const { authorizeUri, statements } = await leaveForProvider(deps, call, provider, {
    purpose: 'connection',
    flowId: row.id,
    flowHash: held.hash,
    userId: row.user_id,
    returnUri,
    accessScopes,
  })
  await deps.db.write(() => statements)
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
  const provider = await usableProvider(tx, tenantId, identity.providerId)
  const user = await lockUser(tx, tenantId, userId)
  if (user?.status !== 'active') throw new ApiError('oauth_state_invalid')
  const existing = await selectConnection(tx, tenantId, identity)
  if (existing !== undefined && existing.user_id !== userId) throw new ApiError('connection_taken')
  const row = existing ?? (await insertConnection(deps, tx, user, identity, { actor, isProven: true }))
  if (existing !== undefined) await refreshConnection(deps, tx, existing, identity)
  // The tenant may have turned it off while the user was away.
  if (identity.tokens !== undefined && provider.keep_tokens === 1)
    await keepAccess(deps, tx, row, identity.tokens, actor)
  return row
}

/**
 * An anonymous user signs up with the account, so its address must be one with which people may.
 * @throws ApiError anonymous_user, email_not_allowed, enterprise_sign_in_required, sign_up_denied, sign_up_disabled
 */
async function upgradeConnected(deps: Deps, tx: Transaction, call: AnyCall, { email }: Identity) {
  if (call.session?.row.user_is_anonymous !== 1) return
  if (email !== null) await assertMayUseAddress(tx, call, email)
  await upgradeWithin(deps, tx, call)
}

/**
 * Connects when the browser returns from the provider, for the user whose session began it, if it has not ended meanwhile.
 * @throws ApiError oauth_state_invalid, connection_taken, strategy_unavailable
 */
export async function connectIdentity(deps: Deps, call: AnyCall, row: StateRow, identity: Identity): Promise<void> {
  const { tenantId } = call
  const token = await decidedTransaction(deps, tenantId, async (tx) => {
    const session = await findLiveSession(tx, tenantId, row.flow_id, deps.clock.now())
    if (session === undefined || session.user_id !== row.user_id) throw new ApiError('oauth_state_invalid')
    if (call.session?.row.id === session.id) await removeEarlierWays(deps, tx, call)
    await connect(deps, tx, tenantId, session.user_id, identity, call.actor(session.user_id))
    await upgradeConnected(deps, tx, call, identity)
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
  const { connection, token } = await deps.db.transaction(async (tx) => {
    if (!(await useTicket(tx, state))) throw new ApiError('oauth_state_invalid')
    await removeEarlierWays(deps, tx, call)
    const row = await connect(deps, tx, tenantId, signedIn.row.user_id, identity, call.actor())
    await upgradeConnected(deps, tx, call, identity)
    const presented = presentConnection(row, await findAccess(tx, tenantId, row.id))
    return { connection: presented, token: await rotateToken(deps, tx, signedIn) }
  })
  return { connection, ...call.reissueSessionToken(token) }
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

/** Withdraws what the user has allowed the tenant. @throws ApiError not_found */
export async function deleteOwnAccess(deps: Deps, call: AnyCall, id: string) {
  const { tenantId, signedIn } = call
  return { connection: await withdrawAccess(deps, tenantId, { userId: signedIn.row.user_id, id }, call.actor()) }
}
