// The outcome for a browser that returns from a provider: its session, or the next step of its attempt.
import { attemptStatements, newAttemptRow } from '../../identity/attempts/new-sign-in.ts'
import type { Deps } from '../../identity/deps.ts'
import { subjectOf } from '../../identity/lockout/lockout.ts'
import type { CreatedSession } from '../../identity/sessions/sessions.ts'
import { writeReturning } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { addAccount } from '../frontend/browser-accounts.ts'
import type { AnyCall, Proof, Strategy } from '../frontend/flow.ts'
import type { Identity } from '../providers/provider.ts'
import { decideFor, usableProvider } from '../providers/resolve-identity.ts'
import type { StateRow } from '../providers/states.ts'
import { type FlowRow, wrongStepError, selectFlow } from '../sign-in/attempt-store.ts'
import { redeemProof } from '../sign-in/complete.ts'
import { isRefusal, recordRefusal } from '../sign-in/refusals.ts'
import { oauthStrategy } from '../sign-in/strategies/oauth.ts'
import { selectSignUp } from '../sign-up/attempt-store.ts'
import { proofOf } from '../sign-up/identity-proof.ts'
import { beginSignUpWithIdentity, signUpWithIdentity } from '../sign-up/social-sign-up.ts'

/** What the page is told besides the attempt that it began, or instead of it. */
type Told = Record<string, string>

async function give(
  deps: Deps,
  call: AnyCall,
  { session, deviceToken }: { session?: CreatedSession | undefined; deviceToken?: string | undefined },
) {
  if (session !== undefined) {
    await addAccount(deps, call, session.row, session.token)
    call.give('session', session.token)
  }
  if (deviceToken !== undefined) call.give('device', deviceToken)
}

interface Answered {
  readonly strategy: Strategy
  readonly proof: Proof
}

/** Redeems what the browser has brought back, for the attempt that sent it away; returns whether it is right. */
export async function redeemAnswer(deps: Deps, call: AnyCall, attempt: FlowRow, { strategy, proof }: Answered) {
  const { tenantId } = call
  const claimant = { tenantId, subject: subjectOf(undefined, attempt.id), device: call.heldHash('device') }
  const flow = { call, tenantId, attempt, identifier: undefined, identified: undefined, claimant }
  const outcome = await redeemProof(deps, { flow, strategy, proof, which: 'first', newPasswordHash: undefined })
  if (isRefusal(outcome)) await recordRefusal(deps, flow, strategy, outcome.refused)
  else await give(deps, call, outcome)
  return !isRefusal(outcome)
}

async function signIn(deps: Deps, call: AnyCall, attempt: FlowRow, identity: Identity): Promise<void> {
  const proof = proofOf(deps, call, attempt, identity)
  if (!(await redeemAnswer(deps, call, attempt, { strategy: oauthStrategy(deps), proof })))
    throw new ApiError('factor_refused')
}

/**
 * Returns the attempt to sign in with which the browser left.
 * @throws ApiError attempt_not_open, attempt_at_another_step
 */
export async function awaitedAttempt({ db, clock }: Deps, { tenantId }: AnyCall, row: StateRow): Promise<FlowRow> {
  const attempt = await selectFlow(db, tenantId, row.flow_id, row.flow_hash)
  if (attempt === undefined) throw new ApiError('attempt_not_open')
  if (!['needs_identifier', 'needs_factor_one'].includes(attempt.status)) throw wrongStepError(attempt, clock.now())
  return attempt
}

/**
 * @throws ApiError attempt_not_open, attempt_at_another_step, strategy_unavailable, connection_required, sign_up_disabled, email_not_allowed, factor_refused
 */
export async function finishSignIn(deps: Deps, call: AnyCall, row: StateRow, identity: Identity): Promise<Told> {
  const attempt = await awaitedAttempt(deps, call, row)
  try {
    await signIn(deps, call, attempt, identity)
    return {}
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'sign_up_required') throw error
    const begun = { flowHash: row.flow_hash, redirectUri: row.return_uri }
    return { purpose: 'sign_up', flow: (await beginSignUpWithIdentity(deps, call, identity, begun)).id }
  }
}

/** A user who wants to sign up but has an account is signed in to it. */
async function signInInstead(deps: Deps, call: AnyCall, row: StateRow, identity: Identity): Promise<Told> {
  const { tenant, tenantId } = call
  if (!tenant.auth.signInEnabled) throw new ApiError('sign_in_disabled')
  const attempt = await writeReturning(deps.db, (context) => {
    const input = { tenantId, userId: null, identifier: null, factors: ['oauth'], redirectUri: row.return_uri } as const
    const begun = { ...newAttemptRow(deps, input), oauth_provider_id: identity.providerId }
    const hash = { flowHash: row.flow_hash }
    const { statements, row: returns } = attemptStatements(deps, context, begun, hash, call.actor(null))
    return { statements, returns }
  })
  await signIn(deps, call, attempt, identity)
  return { purpose: 'sign_in', flow: attempt.id }
}

/** @throws ApiError attempt_not_open, strategy_unavailable, connection_required, factor_refused */
export async function finishSignUp(deps: Deps, call: AnyCall, row: StateRow, identity: Identity): Promise<Told> {
  const { tenantId } = call
  const attempt = await selectSignUp(deps.db, tenantId, row.flow_id, row.flow_hash)
  if (attempt === undefined) throw new ApiError('attempt_not_open')
  const provider = await usableProvider(deps.db, tenantId, identity.providerId)
  const { kind } = await decideFor(deps.db, tenantId, identity, provider)
  if (kind !== 'sign_up') return signInInstead(deps, call, row, identity)
  const result = await signUpWithIdentity(deps, call, attempt, identity)
  if (!('session' in result)) return {}
  await give(deps, call, result)
  return result.enrolment === undefined ? {} : { purpose: 'sign_in', flow: result.enrolment.id }
}
