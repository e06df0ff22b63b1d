// Signing in, step by step. An attempt belongs to the browser that began it, whose token every step requires. Until the first factor is
// proven, the factors that it offers depend on the tenant alone.
import type {
  AnyProviderKey,
  AttemptFactor,
  CreateSignIn,
  PrepareFactor,
  SignInAnswer,
  SignInFailureReason,
  SignInState,
  SignInStrategy,
} from '@bailiwick/contract'
import { type DomainConnections, connectionsFor } from '../../enterprise/connections/sign-on-rules.ts'
import { attemptStatements, newAttemptRow, presentSignIn } from '../../identity/attempts/new-sign-in.ts'
import { firstFactors, offered, switchedOn } from '../../identity/authenticators/offers.ts'
import { codesAllowed } from '../../identity/authenticators/verified-contact.ts'
import type { Deps } from '../../identity/deps.ts'
import { subjectOf } from '../../identity/lockout/lockout.ts'
import { checkPassword } from '../../identity/passwords/check-password.ts'
import { assertNotReused } from '../../identity/passwords/password-history.ts'
import { chooserOf } from '../../identity/people/chooser.ts'
import { type Identified, type Identifier, findIdentified, parseIdentifier } from '../../identity/users/identifier.ts'
import { writeReturning } from '../../platform/db/database.ts'
import { joinedReads } from '../../platform/db/joined-reads.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { assertChallenge, noteWrongProof } from '../challenges/challenge-rule.ts'
import { destinationOf } from '../frontend/destinations.ts'
import type { AnyCall, SignInFlow, Strategy } from '../frontend/flow.ts'
import { signedInAnswer } from '../frontend/signed-in-answer.ts'
import { enabledProvider } from '../providers/authorization.ts'
import { type FlowRow, changeAttempt, wrongStepError, selectFlow } from './attempt-store.ts'
import { type Outcome, type Which, mailboxStrategies, redeemProof } from './complete.ts'
import { type Refusal, isRefusal, findReason, recordRefusal } from './refusals.ts'
import { type Strategies, chosenStrategy, createEnrolments, firstFactorsOf, secondFactorsOf } from './strategies.ts'
import { findMissingFields } from './strategies/enterprise.ts'
import { refusedPasskey } from './strategies/security-key.ts'

type Flow = SignInFlow & { readonly attempt: FlowRow; readonly meant: Meant }

/** What the tenant offers by itself. */
function offeredTo(deps: Deps, { tenant }: AnyCall, identifier: Identifier | undefined) {
  const { auth } = tenant
  if (!auth.signInEnabled) throw new ApiError('sign_in_disabled')
  return offered(firstFactors(auth, strategyFactsOf(deps, tenant), identifier?.kind))
}

/** Who is meant by an identifier, and what it can be proven with. All of it follows from the tenant and the domain of the address. */
interface Meant {
  readonly identifier: Identifier | undefined
  /**
   * The user who has it. Nobody if a required connection serves the domain, except the users who may sign in otherwise: so that nothing is
   * sent to the others and no password of theirs is judged, and the answers are those for an address that nobody has.
   */
  readonly identified: Identified | undefined
  /** The first factors, those of the domain's connections first. */
  readonly factors: readonly SignInStrategy[]
  /** The first factors that are accepted as well, because a required connection leaves a few users another way in. */
  readonly hidden: readonly SignInStrategy[]
  readonly connections: DomainConnections | undefined
}

async function meantBy(deps: Deps, call: AnyCall, identifier: Identifier | undefined): Promise<Meant> {
  const db = joinedReads(deps.db)
  const own = offeredTo(deps, call, identifier)
  const [connections, found] = await Promise.all([
    connectionsFor(db, call.tenant, identifier),
    identifier && findIdentified(db, call.tenantId, identifier),
  ])
  if (connections === undefined) return { identifier, identified: found, factors: own, hidden: [], connections }
  const { isRequired, fallbackUserIds } = connections
  const isBound = isRequired && found !== undefined && !fallbackUserIds.has(found.userId)
  return {
    identifier,
    identified: isBound ? undefined : found,
    factors: isRequired ? ['enterprise'] : ['enterprise', ...own],
    hidden: isRequired ? own : [],
    connections,
  }
}

/** What an answer says of the connections. */
const shownConnections = (meant: Meant | undefined) =>
  meant?.connections === undefined ? {} : { connections: meant.connections.rows.map(({ id, name }) => ({ id, name })) }

function flowOf(call: AnyCall, attempt: FlowRow, meant: Meant): Flow {
  const { tenantId } = call
  const { identifier, identified } = meant
  const subject = subjectOf(attempt.user_id ?? identified?.userId, identifier?.key ?? attempt.id)
  const claimant = { tenantId, subject, device: call.heldHash('device') }
  return { call, tenantId, attempt, identifier, identified, claimant, meant }
}

/** @throws ApiError not_found for a browser that did not begin it, sign_in_disabled, attempt_not_open, attempt_at_another_step */
async function openFlow(deps: Deps, call: AnyCall, id: string, ...statuses: FlowRow['status'][]): Promise<Flow> {
  const { db, clock } = deps
  const row = await flowRow(db, call, id)
  if (!call.tenant.auth.signInEnabled) throw new ApiError('sign_in_disabled')
  if (!statuses.includes(row.status) || row.expires_at <= clock.now()) throw wrongStepError(row, clock.now())
  const identifier = row.identifier === null ? undefined : parseIdentifier(row.identifier)
  return flowOf(call, row, await meantBy(deps, call, identifier))
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
  const { call, attempt } = flow
  const meant = await meantBy(deps, call, parseIdentifier(text))
  const row = await changeAttempt(deps, attempt, {
    identifier: text.trim(),
    user_id: meant.identified?.userId ?? null,
    status: 'needs_factor_one',
    supported_first_factors: toJson(meant.factors),
    // A browser that is on its way with the former address ends nothing here.
    oauth_provider_id: null,
  })
  return flowOf(call, row, meant)
}

/** Returns the flow as it goes on at a provider, which says who the user is; an identifier that was typed before no longer counts. */
async function atProvider(deps: Deps, flow: Flow, key: AnyProviderKey | undefined): Promise<Flow> {
  if (key === undefined) return flow
  const { call, attempt, unwritten } = flow
  const provider = await enabledProvider(deps, call, key)
  const unknown = { identifier: null, user_id: null, status: 'needs_identifier' } as const
  const meant = await meantBy(deps, call, undefined)
  const next = flowOf(call, { ...attempt, ...unknown, oauth_provider_id: provider.id }, meant)
  return unwritten === undefined ? next : { ...next, unwritten }
}

/** Returns the flow as it goes on at one of the connections that serve the address. */
function atConnection(flow: Flow, id: string | undefined): Flow {
  const rows = flow.meant.connections?.rows ?? []
  if (id === undefined && rows.length > 1)
    throw invalid('/connectionId', 'required', 'is required, because several connections serve this address')
  const connection = id === undefined ? rows[0] : rows.find((row) => row.id === id)
  if (connection === undefined) throw new ApiError('strategy_unavailable')
  return { ...flow, connection, attempt: { ...flow.attempt, oauth_provider_id: connection.id } }
}

async function answerOf(
  deps: Deps,
  call: AnyCall,
  { row, session, deviceToken, readKnown, recoveryCodes, isRenewed }: Outcome,
): Promise<SignInAnswer> {
  const signInAttempt = presentSignIn(row)
  if (session === undefined) return { signInAttempt }
  const codes = recoveryCodes === undefined ? {} : { recoveryCodes: [...recoveryCodes] }
  const known = await readKnown?.()
  return { signInAttempt, ...codes, ...(await signedInAnswer(deps, call, session, { deviceToken, known, isRenewed })) }
}

/** Returns the attempt of a flow, which has been written, together with other statements. */
async function written(deps: Deps, flow: Flow, others: readonly Statement[] = []): Promise<Flow> {
  const { unwritten, ...rest } = flow
  if (unwritten === undefined) return flow
  const attempt = await writeReturning(deps.db, (context) => {
    const { row, statements } = attemptStatements(deps, context, flow.attempt, unwritten, flow.call.actor(null))
    return { statements: [...others, ...statements], returns: row }
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
  const meant = await meantBy(deps, call, body.identifier === undefined ? undefined : parseIdentifier(body.identifier))
  const { identified, factors, hidden } = meant
  const redirectUri = destinationOf(deps, call, body.redirectUri)
  const strategy = body.strategy && chosenStrategy(firstFactorsOf(deps), [...factors, ...hidden], body.strategy)
  const held = call.newHeld('flow')
  const input = {
    tenantId,
    userId: identified?.userId ?? null,
    identifier: body.identifier?.trim() ?? null,
    factors,
    redirectUri,
  }
  const unwritten = { flowHash: held.hash }
  const flow = { ...flowOf(call, newAttemptRow(deps, input), meant), unwritten }
  const given = call.give('flow', held.token)
  if (strategy?.isPassword === true && body.password !== undefined)
    return { ...(await prove(deps, flow, 'first', body)), ...given }
  if (strategy?.leave !== undefined) return { ...(await beginElsewhere(deps, flow, body)), ...given }
  const begun = await written(deps, flow)
  if (strategy === undefined)
    return { signInAttempt: presentSignIn(begun.attempt), ...shownConnections(meant), ...given }
  return { ...(await prepare(deps, begun, 'first', body)), ...given }
}

/** Writes a new attempt once, together with what sends the browser away, even if it cannot be sent away. */
async function beginElsewhere(deps: Deps, flow: Flow, body: CreateSignIn): Promise<SignInAnswer> {
  try {
    return await prepare(deps, flow, 'first', body)
  } catch (error) {
    if (error instanceof ApiError) await written(deps, flow)
    throw error
  }
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
  const meant = { identifier: undefined, identified: undefined, factors, hidden: [], connections: undefined }
  const held = call.newHeld('flow')
  const row = newAttemptRow(deps, { tenantId: call.tenantId, userId: null, identifier: null, factors, redirectUri })
  const flow = { ...flowOf(call, row, meant), unwritten: { flowHash: held.hash } }
  return { flow, given: call.give('flow', held.token) }
}

/** @throws ApiError not_found */
export async function getSignIn(deps: Deps, call: AnyCall, id: string): Promise<SignInState> {
  const { db } = deps
  const row = await flowRow(db, call, id)
  const state = { signInAttempt: presentSignIn(row), ...(await findMissingFields(deps, call, row)) }
  if (row.status !== 'needs_factor_one' || row.identifier === null) return state
  const found = await connectionsFor(db, call.tenant, parseIdentifier(row.identifier))
  return found === undefined
    ? state
    : { ...state, connections: found.rows.map((each) => ({ id: each.id, name: each.name })) }
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
  { attempt: row, call, meant }: Flow,
  which: Which,
  name: SignInStrategy | undefined,
): Strategy {
  const supported =
    which === 'first'
      ? [...fromJson(row.supported_first_factors), ...meant.hidden]
      : fromJson(row.supported_second_factors)
  const on: readonly SignInStrategy[] = [
    ...switchedOn(call.tenant.auth, which === 'first' ? 'first' : 'second'),
    // A sign-in that began at the provider has a connection and no address.
    ...(which === 'first' && (meant.connections ?? row.oauth_provider_id) ? (['enterprise'] as const) : []),
    ...(which === 'enrolment' ? mailboxStrategies : []),
    ...(which === 'second' ? codesAllowed(call.tenant.auth) : []),
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
  const { providerKey, connectionId, ...input } = body
  // Also for a strategy that redirects nobody: an address that is not listed is refused.
  destinationOf(deps, begun.call, body.redirectUri)
  const flow =
    strategy.name === 'oauth'
      ? await atProvider(deps, begun, providerKey)
      : strategy.name === 'enterprise'
        ? atConnection(begun, connectionId)
        : begun
  const shown = which === 'first' ? shownConnections(flow.meant) : {}
  if (strategy.leave !== undefined) {
    const { authorizeUri, statements } = await strategy.leave(flow, input)
    const row = await leaving(deps, begun, { ...flow.attempt, strategy: strategy.name }, statements)
    return { signInAttempt: presentSignIn(row), ...shown, authorizeUri }
  }
  const extra = await strategy.prepare?.(flow, input)
  const row = await changeAttempt(deps, flow.attempt, { strategy: strategy.name })
  return { signInAttempt: presentSignIn(row), ...shown, ...extra }
}

/** Writes the attempt of a browser that is sent elsewhere, with what it is recognised by when it returns. */
async function leaving(deps: Deps, begun: Flow, attempt: FlowRow, statements: readonly Statement[]): Promise<FlowRow> {
  if (begun.unwritten !== undefined) return (await written(deps, { ...begun, attempt }, statements)).attempt
  return changeAttempt(deps, begun.attempt, attempt, statements)
}

interface Step {
  readonly strategy: Strategy
  readonly which: Which
  readonly body: AttemptFactor
}

/** Returns why, if the proof was refused. */
async function outcomeOf(deps: Deps, flow: Flow, { strategy, which, body }: Step): Promise<Outcome | Refusal> {
  const { tenantId } = flow
  if (strategy.isPassword === true && which === 'first') await assertChallenge(deps, flow.call, 'sign_in')
  const proof = await strategy.attempt(flow, body)
  if (proof === undefined) return { refused: which === 'first' ? wrongFirst(flow) : 'wrong_proof' }
  const { newPassword } = body
  const isChange = proof.mustChangePassword === true && newPassword !== undefined
  if (isChange) {
    const chosenBy = await chooserOf(deps.db, tenantId, proof.userId)
    await checkPassword(deps, tenantId, newPassword, { chosenBy, path: '/newPassword' })
    if (proof.userId !== undefined) {
      const owner = { tenantId, userId: proof.userId }
      await assertNotReused(deps, flow.call.tenant.auth, owner, newPassword, '/newPassword')
    }
  }
  const newPasswordHash = isChange ? await deps.passwordPool.hash(tenantId, newPassword) : undefined
  const trustsDevice = body.trustDevice === true
  return redeemProof(deps, { flow, strategy, proof, which, newPasswordHash, trustsDevice })
}

/** Why the proof of a first factor is wrong: the identifier may be nobody's, or that of a user who must use a connection. */
function wrongFirst({ identifier, identified, meant }: Flow): SignInFailureReason {
  if (identifier === undefined || identified !== undefined) return 'wrong_proof'
  return meant.connections?.isRequired === true ? 'connection_required' : 'unknown_user'
}

/**
 * Proves a factor. A first proof that arrives with its attempt is written together with the outcome: once, even if that is an error.
 * @throws ApiError factor_refused, too_many_attempts …
 */
export async function prove(deps: Deps, flow: Flow, which: Which, body: AttemptFactor): Promise<SignInAnswer> {
  const strategy = strategyOf(deps, flow, which, body.strategy)
  let outcome
  try {
    outcome = await outcomeOf(deps, flow, { strategy, which, body })
  } catch (error) {
    const reason = findReason(error)
    await (reason === undefined ? written(deps, flow) : recordRefusal(deps, flow, strategy, reason))
    throw error
  }
  if (!isRefusal(outcome)) return answerOf(deps, flow.call, outcome)
  await recordRefusal(deps, flow, strategy, outcome.refused)
  await noteWrongProof(deps, flow.call)
  if (which !== 'first' || strategy.name !== 'security_key') throw new ApiError('factor_refused')
  throw await refusedPasskey(deps, flow.tenantId, body.credential)
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
