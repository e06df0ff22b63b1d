// Signing in, step by step. An attempt belongs to the browser that began it, whose token every step requires. Until the first factor is
// proven, the factors that it offers depend on the tenant alone.
import type {
  AnyProviderKey,
  AttemptFactor,
  CreateSignIn,
  PrepareFactor,
  SignInAnswer,
  SignInStrategy,
} from '@bailiwick/contract'
import { attemptStatements, newAttemptRow, presentSignIn } from '../../identity/attempts/new-sign-in.ts'
import { firstFactors, offered, switchedOn } from '../../identity/authenticators/offers.ts'
import type { Deps } from '../../identity/deps.ts'
import { subjectOf } from '../../identity/lockout/lockout.ts'
import { checkPassword } from '../../identity/passwords/check-password.ts'
import { chooserOf } from '../../identity/people/chooser.ts'
import { type Identified, type Identifier, findIdentified, parseIdentifier } from '../../identity/users/identifier.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { destinationOf } from '../frontend/destinations.ts'
import type { AnyCall, SignInFlow, Strategy } from '../frontend/flow.ts'
import { signedInAnswer } from '../frontend/signed-in-answer.ts'
import { enabledProvider } from '../providers/authorization.ts'
import { type FlowRow, changeAttempt, wrongStepError, selectFlow } from './attempt-store.ts'
import { type Outcome, type Which, mailboxStrategies, recordFailure, redeemProof } from './complete.ts'
import { type Strategies, chosenStrategy, createEnrolments, firstFactorsOf, secondFactorsOf } from './strategies.ts'

type Flow = SignInFlow & { readonly attempt: FlowRow }

function offeredTo(deps: Deps, { tenant }: AnyCall, identifier: Identifier | undefined) {
  const { auth } = tenant
  if (!auth.signInEnabled) throw new ApiError('sign_in_disabled')
  return offered(firstFactors(auth, strategyFactsOf(deps, tenant), identifier?.kind))
}

function flowOf(
  call: AnyCall,
  attempt: FlowRow,
  identifier: Identifier | undefined,
  identified: Identified | undefined,
): Flow {
  const { tenantId } = call
  const subject = subjectOf(attempt.user_id ?? identified?.userId, identifier?.key ?? attempt.id)
  const claimant = { tenantId, subject, device: call.heldHash('device') }
  return { call, tenantId, attempt, identifier, identified, claimant }
}

/** @throws ApiError not_found for a browser that did not begin it, sign_in_disabled, attempt_not_open, attempt_at_another_step */
async function openFlow(
  { db, clock }: Deps,
  call: AnyCall,
  id: string,
  ...statuses: FlowRow['status'][]
): Promise<Flow> {
  const row = await flowRow(db, call, id)
  if (!call.tenant.auth.signInEnabled) throw new ApiError('sign_in_disabled')
  if (!statuses.includes(row.status) || row.expires_at <= clock.now()) throw wrongStepError(row, clock.now())
  const identifier = row.identifier === null ? undefined : parseIdentifier(row.identifier)
  return flowOf(call, row, identifier, identifier && (await findIdentified(db, call.tenantId, identifier)))
}

async function flowRow(db: Deps['db'], call: AnyCall, id: string): Promise<FlowRow> {
  const hash = call.heldHash('flow')
  const row = hash === undefined ? undefined : await selectFlow(db, call.tenantId, id, hash)
  if (row === undefined) throw notFound()
  return row
}

/** An attempt that has no identifier yet, or has proven nothing yet, may be given another one. */
async function withIdentifier(deps: Deps, flow: Flow, text: string | undefined): Promise<Flow> {
  if (text === undefined) return flow
  const { call, tenantId, attempt } = flow
  const identifier = parseIdentifier(text)
  const identified = await findIdentified(deps.db, tenantId, identifier)
  const factors = offeredTo(deps, call, identifier)
  const row = await deps.db.transaction((tx) =>
    changeAttempt(deps, tx, attempt, {
      identifier: text.trim(),
      user_id: identified?.userId ?? null,
      status: 'needs_factor_one',
      supported_first_factors: toJson(factors),
    }),
  )
  return flowOf(call, row, identifier, identified)
}

/** The provider says who the user is; an identifier that was typed before no longer counts. */
async function withProvider(deps: Deps, flow: Flow, key: AnyProviderKey | undefined): Promise<Flow> {
  if (key === undefined) return flow
  const provider = await enabledProvider(deps, flow.call, key)
  const row = await deps.db.transaction((tx) =>
    changeAttempt(deps, tx, flow.attempt, {
      identifier: null,
      user_id: null,
      status: 'needs_identifier',
      oauth_provider_id: provider.id,
    }),
  )
  return flowOf(flow.call, row, undefined, undefined)
}

async function answerOf(
  deps: Deps,
  call: AnyCall,
  { row, session, deviceToken, known, recoveryCodes, isRenewed }: Outcome,
): Promise<SignInAnswer> {
  const signInAttempt = presentSignIn(row)
  if (session === undefined) return { signInAttempt }
  const codes = recoveryCodes === undefined ? {} : { recoveryCodes: [...recoveryCodes] }
  return { signInAttempt, ...codes, ...(await signedInAnswer(deps, call, session, { deviceToken, known, isRenewed })) }
}

/** Returns the attempt of a flow, which has been written. */
async function written(deps: Deps, flow: Flow): Promise<Flow> {
  const { unwritten, ...rest } = flow
  if (unwritten === undefined) return flow
  let attempt = flow.attempt
  await deps.db.write((context) => {
    const begun = attemptStatements(deps, context, attempt, unwritten, flow.call.actor(null))
    attempt = begun.row
    return begun.statements
  })
  return { ...rest, attempt }
}

/**
 * Begins an attempt. With a password strategy and the password, its first factor is attempted at once; any other strategy, or a password
 * that follows later, is prepared.
 * @throws ApiError sign_in_disabled, strategy_unavailable, redirect_refused, too_many_attempts, factor_refused …
 */
export async function createSignIn(deps: Deps, call: AnyCall, body: CreateSignIn): Promise<SignInAnswer> {
  const { tenantId } = call
  const identifier = body.identifier === undefined ? undefined : parseIdentifier(body.identifier)
  const factors = offeredTo(deps, call, identifier)
  const redirectUri = destinationOf(deps, call, body.redirectUri)
  const strategy = body.strategy && chosenStrategy(firstFactorsOf(deps), factors, body.strategy)
  const identified = identifier && (await findIdentified(deps.db, tenantId, identifier))
  const held = call.newHeld('flow')
  const input = {
    tenantId,
    userId: identified?.userId ?? null,
    identifier: body.identifier?.trim() ?? null,
    factors,
    redirectUri,
  }
  const unwritten = { flowHash: held.hash }
  const flow = { ...flowOf(call, newAttemptRow(deps, input), identifier, identified), unwritten }
  const given = call.give('flow', held.token)
  if (strategy?.isPassword === true && body.password !== undefined)
    return { ...(await proveAtOnce(deps, flow, body)), ...given }
  const begun = await written(deps, flow)
  if (strategy === undefined) return { signInAttempt: presentSignIn(begun.attempt), ...given }
  return { ...(await prepare(deps, begun, 'first', body)), ...given }
}

/**
 * Makes an attempt without an identifier that is not written yet, with the token that binds it to the browser.
 * @throws ApiError sign_in_disabled, strategy_unavailable
 */
export function beginUnwritten(
  deps: Deps,
  call: AnyCall,
  { strategy, redirectUri }: { readonly strategy: SignInStrategy; readonly redirectUri: string | null },
) {
  const factors = offeredTo(deps, call, undefined)
  chosenStrategy(firstFactorsOf(deps), factors, strategy)
  const held = call.newHeld('flow')
  const row = newAttemptRow(deps, { tenantId: call.tenantId, userId: null, identifier: null, factors, redirectUri })
  const flow = { ...flowOf(call, row, undefined, undefined), unwritten: { flowHash: held.hash } }
  return { flow, given: call.give('flow', held.token) }
}

/** The first proof arrives with the attempt, which is written together with the outcome: once, even if that is an error. */
export async function proveAtOnce(deps: Deps, flow: Flow, body: AttemptFactor): Promise<SignInAnswer> {
  const strategy = strategyOf(deps, flow, 'first', body.strategy)
  let outcome
  try {
    outcome = await outcomeOf(deps, flow, { strategy, which: 'first', body })
  } catch (error) {
    await written(deps, flow)
    throw error
  }
  return answerOf(deps, flow.call, outcome ?? (await refuse(deps, flow, strategy)))
}

/** @throws ApiError not_found */
export async function getSignIn({ db }: Deps, call: AnyCall, id: string): Promise<SignInAnswer> {
  return { signInAttempt: presentSignIn(await flowRow(db, call, id)) }
}

const createStrategies: Readonly<Record<Which, (deps: Deps) => Strategies>> = {
  first: firstFactorsOf,
  second: secondFactorsOf,
  enrolment: createEnrolments,
}

/** The steps of an attempt whose first factor is proven. */
const laterStep = ({ attempt }: Flow): Which => (attempt.status === 'needs_enrolment' ? 'enrolment' : 'second')

/** What was offered may have been switched off since. */
function strategyOf(
  deps: Deps,
  { attempt: row, call }: Flow,
  which: Which,
  name: SignInStrategy | undefined,
): Strategy {
  const supported = fromJson(which === 'first' ? row.supported_first_factors : row.supported_second_factors)
  const on: readonly SignInStrategy[] = [
    ...switchedOn(call.tenant.auth, which === 'first' ? 'first' : 'second'),
    ...(which === 'enrolment' ? mailboxStrategies : []),
  ]
  // The attempt keeps the strategy that proved its first factor; that does not choose a second one.
  const chosen = supported.find((each) => each === row.strategy)
  return chosenStrategy(
    createStrategies[which](deps),
    supported.filter((each) => on.includes(each)),
    name ?? chosen,
  )
}

/** Stores the strategy, and does what must happen before its proof; for a password or an app's code that is nothing. */
async function prepare(deps: Deps, begun: Flow, which: Which, body: PrepareFactor): Promise<SignInAnswer> {
  const strategy = strategyOf(deps, begun, which, body.strategy)
  const { providerKey, ...input } = body
  // Also for a strategy that redirects nobody: an address that is not listed is refused.
  destinationOf(deps, begun.call, body.redirectUri)
  const flow = strategy.name === 'oauth' ? await withProvider(deps, begun, providerKey) : begun
  const extra = await strategy.prepare?.(flow, input)
  const row = await deps.db.transaction((tx) => changeAttempt(deps, tx, flow.attempt, { strategy: strategy.name }))
  return { signInAttempt: presentSignIn(row), ...extra }
}

interface Step {
  readonly strategy: Strategy
  readonly which: Which
  readonly body: AttemptFactor
}

/** Returns undefined if the proof was wrong. */
async function outcomeOf(deps: Deps, flow: Flow, { strategy, which, body }: Step): Promise<Outcome | undefined> {
  const { tenantId } = flow
  const proof = await strategy.attempt(flow, body)
  if (proof === undefined) return undefined
  const { newPassword } = body
  const isChange = proof.mustChangePassword === true && newPassword !== undefined
  if (isChange) {
    const chosenBy = await chooserOf(deps.db, tenantId, proof.userId)
    await checkPassword(deps, tenantId, newPassword, { chosenBy, path: '/newPassword' })
  }
  const newPasswordHash = isChange ? await deps.passwordPool.hash(tenantId, newPassword) : undefined
  return redeemProof(deps, { flow, strategy, proof, which, newPasswordHash })
}

/** @throws ApiError factor_refused, always */
async function refuse(deps: Deps, flow: Flow, strategy: Strategy): Promise<never> {
  await recordFailure(deps, flow, strategy)
  throw new ApiError('factor_refused')
}

async function prove(deps: Deps, flow: Flow, which: Which, body: AttemptFactor): Promise<SignInAnswer> {
  const strategy = strategyOf(deps, flow, which, body.strategy)
  const outcome = await outcomeOf(deps, flow, { strategy, which, body })
  return answerOf(deps, flow.call, outcome ?? (await refuse(deps, flow, strategy)))
}

/** @throws ApiError not_found, attempt_not_open, attempt_at_another_step, strategy_unavailable, redirect_refused, too_many_attempts */
export async function prepareFirstFactor(deps: Deps, call: AnyCall, id: string, body: PrepareFactor) {
  const flow = await openFlow(deps, call, id, 'needs_identifier', 'needs_factor_one')
  return prepare(deps, await withIdentifier(deps, flow, body.identifier), 'first', body)
}

/** @throws ApiError not_found, attempt_not_open, attempt_at_another_step, factor_refused, too_many_attempts … */
export async function attemptFirstFactor(deps: Deps, call: AnyCall, id: string, body: AttemptFactor) {
  const flow = await openFlow(deps, call, id, 'needs_identifier', 'needs_factor_one')
  return prove(deps, await withIdentifier(deps, flow, body.identifier), 'first', body)
}

/**
 * Does what the second factor needs before its proof. A user who must set one up gets what that takes: a code to a verified address, the
 * secret of an app, the options of a passkey.
 * @throws ApiError not_found, attempt_not_open, attempt_at_another_step, strategy_unavailable
 */
export async function prepareSecondFactor(deps: Deps, call: AnyCall, id: string, body: PrepareFactor) {
  const flow = await openFlow(deps, call, id, 'needs_factor_two', 'needs_enrolment')
  return prepare(deps, flow, laterStep(flow), body)
}

/** @throws ApiError not_found, attempt_not_open, attempt_at_another_step, factor_refused, too_many_attempts */
export async function attemptSecondFactor(deps: Deps, call: AnyCall, id: string, body: AttemptFactor) {
  const flow = await openFlow(deps, call, id, 'needs_factor_two', 'needs_enrolment')
  return prove(deps, flow, laterStep(flow), body)
}
