// Signing up with a social provider: its data fills in the attempt, and replaces the password.
import { type TenantAuthSettings, canonicalEmail } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { decidedTransaction } from '../../messaging/hooks/decisions.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { UserId } from '../../platform/ids.ts'
import type { AnyCall } from '../frontend/flow.ts'
import type { Identity } from '../providers/provider.ts'
import { decideFor, isAuthenticating, usableProvider } from '../providers/resolve-identity.ts'
import { findTicket, identityOf, useTicket } from '../providers/states.ts'
import {
  type SignUpRow,
  fillSignUp,
  givenFields,
  insertSignUp,
  selectSignUpForUpdate,
  statusOf,
} from './attempt-store.ts'
import { type SignedUp, createSignedUpUser, insertSignedUpUser } from './create-signed-up-user.ts'
import { assertSignUpEnabled } from './invited-sign-up.ts'
import { type GivenFields, isEmailVerificationRequired, requirementsOf } from './requirements.ts'

/** An address that the provider has not verified is filled in only if it will be verified here. */
export function withIdentity(auth: TenantAuthSettings, given: GivenFields, identity: Identity): GivenFields {
  const said = identity.email === null ? undefined : canonicalEmail(identity.email)
  const isWorth = identity.isEmailVerified || isEmailVerificationRequired(auth)
  const email = given.email ?? (isWorth ? said : undefined)
  const name = given.name ?? identity.name ?? undefined
  const isVerified = identity.isEmailVerified && email !== undefined && email === said
  return {
    ...given,
    identity,
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    verified: isVerified ? [...new Set([...given.verified, 'email' as const])] : given.verified,
  }
}

const nothing: GivenFields = { verified: [] }

/**
 * Creates the user of an identity that nobody has, if nothing else is required.
 * @throws ApiError sign_up_disabled, sign_up_required
 */
export async function createUserOfIdentity(
  deps: Deps,
  tx: Transaction,
  call: AnyCall,
  identity: Identity,
): Promise<UserId> {
  const { auth } = call.tenant
  if (!auth.signUpEnabled) throw new ApiError('sign_up_disabled')
  const given = withIdentity(auth, nothing, identity)
  if (statusOf(requirementsOf(call.tenant, given)) !== 'complete') throw new ApiError('sign_up_required')
  return (await insertSignedUpUser(deps, tx, call, given)).userId
}

/** Makes the attempt to sign up that continues a sign-in in the same browser if the tenant requires more than the provider supplies. */
export function beginSignUpWithIdentity(
  deps: Deps,
  call: AnyCall,
  identity: Identity,
  { flowHash, redirectUri }: { readonly flowHash: string; readonly redirectUri: string },
): Promise<SignUpRow> {
  const { tenant, tenantId } = call
  const given = withIdentity(tenant.auth, nothing, identity)
  const requirements = requirementsOf(tenant, given)
  return deps.db.transaction((tx) =>
    insertSignUp(deps, tx, { tenantId, flowHash, given, requirements, redirectUri }, call.actor(null)),
  )
}

/**
 * Fills in an attempt with the identity that a provider returned; if nothing is missing any more, the user is created.
 * @param take uses up the state or ticket that carried the identity.
 * @throws ApiError attempt_not_open, strategy_unavailable, connection_taken, connection_required, factor_refused
 */
export function signUpWithIdentity(
  deps: Deps,
  call: AnyCall,
  row: SignUpRow,
  identity: Identity,
  take: (tx: Transaction) => Promise<boolean> = async () => true,
): Promise<SignUpRow | SignedUp> {
  const { tenant, tenantId } = call
  const { auth } = tenant
  return decidedTransaction(deps, tenantId, async (tx) => {
    const held = await selectSignUpForUpdate(tx, row)
    if (held === undefined || held.status === 'complete' || held.expires_at <= deps.clock.now()) {
      throw new ApiError('attempt_not_open')
    }
    assertSignUpEnabled(call, givenFields(deps, held))
    if (!(await take(tx))) throw new ApiError('factor_refused')
    const provider = await usableProvider(tx, tenantId, identity.providerId)
    if (!isAuthenticating(provider) || !auth.strategyOAuthEnabled) throw new ApiError('strategy_unavailable')
    const { kind } = await decideFor(tx, tenantId, identity, provider)
    if (kind === 'known') throw new ApiError('connection_taken')
    if (kind !== 'sign_up') throw new ApiError('connection_required')
    const given = withIdentity(auth, givenFields(deps, held), identity)
    const requirements = requirementsOf(tenant, given)
    if (statusOf(requirements) === 'complete') return createSignedUpUser(deps, tx, call, held, given)
    return fillSignUp(deps, tx, held, { given, requirements, strategy: 'oauth' })
  })
}

/**
 * Does the same for an app, to which the browser has returned with a ticket.
 * @throws ApiError factor_refused, and as above
 */
export async function signUpWithTicket(deps: Deps, call: AnyCall, row: SignUpRow, ticket: string) {
  const { tenantId } = call
  const place = { tenantId, purpose: 'sign_up', flowId: row.id, flowHash: call.heldHash('flow') } as const
  const state = await findTicket(deps, place, ticket)
  const identity = state && identityOf(deps, state)
  if (state === undefined || identity === undefined) throw new ApiError('factor_refused')
  return signUpWithIdentity(deps, call, row, identity, (tx) => useTicket(tx, state))
}
