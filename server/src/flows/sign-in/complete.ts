// What follows when a factor is proven: the second factor, or the session. This is decided in one transaction, together with the use of the
// proof.
import type { SignInStrategy } from '@bailiwick/contract'
import { findConnection, findIdentityOfUser } from '../../enterprise/connections/find-connection.ts'
import { mustUseConnection } from '../../enterprise/connections/sign-on-rules.ts'
import { statementsOf } from '../../identity/attempts/new-sign-in.ts'
import { signInRules } from '../../identity/authenticators/factor-rules.ts'
import { switchedOn } from '../../identity/authenticators/offers.ts'
import { enrolledSecondFactors, secondFactorsToProve } from '../../identity/authenticators/second-factors.ts'
import { findSecondContact, findVerifiedContact } from '../../identity/authenticators/verified-contact.ts'
import type { Deps } from '../../identity/deps.ts'
import { clearFailures, clearPasswordFailures, isNewDevice, rememberDevice } from '../../identity/lockout/lockout.ts'
import { rememberPassword } from '../../identity/passwords/password-history.ts'
import { setPassword, isPasswordSince } from '../../identity/passwords/passwords.ts'
import { type KnownUser, withFactors } from '../../identity/people/profile.ts'
import { proveContact } from '../../identity/people/proven-contact.ts'
import { hasFailedOften, notifyFailedAttempts } from '../../identity/security-notices/failed-attempts.ts'
import { notifyNewDevice } from '../../identity/security-notices/new-device.ts'
import { type CreatedSession, endSessionsOf } from '../../identity/sessions/sessions.ts'
import { forgetTrustedDevices, isTrustedDevice } from '../../identity/trusted-devices/trusted-devices.ts'
import { type UserRow, lockUser } from '../../identity/users/find-user.ts'
import { findIdentified } from '../../identity/users/identifier.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { markUpgraded } from '../../identity/users/user-rows.ts'
import { recordOfRow } from '../../identity/users/users.ts'
import { decidedTransaction, hooksAt } from '../../messaging/hooks/decisions.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { type NewEvent, eventsStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import type { SecondFactorStrategy } from '../../tenancy/tenants/second-factor-settings.ts'
import { anonymousBefore } from '../frontend/anonymous-access.ts'
import type { AnyCall, Proof, SignInFlow, Strategy } from '../frontend/flow.ts'
import { type FlowRow, type Move, moveAttempt, changedStepError, selectFlowForUpdate } from './attempt-store.ts'
import { isSecondFactorDemanded, unlessDenied } from './hooked.ts'
import { deviceOf, openOrRenew, providerStatements, provenFactors } from './opening.ts'
import type { Refusal } from './refusals.ts'

export interface Outcome {
  readonly row: FlowRow
  readonly session?: CreatedSession
  /** Returns the signed-in user, for whom not every answer has a place. */
  readonly readKnown?: () => Promise<KnownUser>
  /** The token that the browser holds as a known device. */
  readonly deviceToken?: string
  /** Whether the session was there before, and continues under another token. */
  readonly isRenewed?: boolean
  /** The codes that were made with the user's first second factor. */
  readonly recoveryCodes?: readonly string[]
}

/** What a step proves: the first factor, the second one, or what it takes to set up a second factor. */
export type Which = 'first' | 'second' | 'enrolment'

/** What must be proven before a second factor is set up. */
export const mailboxStrategies = ['email_code', 'phone_code'] as const satisfies readonly SignInStrategy[]

export interface ProvenFactor {
  readonly flow: SignInFlow & { readonly attempt: FlowRow }
  readonly strategy: Strategy
  readonly proof: Proof
  readonly which: Which
  /** The hash of a password that the user has chosen to replace one that somebody else had set. */
  readonly newPasswordHash: string | undefined
  /** Whether the user asks not to be asked for a second factor on this device for some time. */
  readonly trustsDevice?: boolean
}

/**
 * Uses a proof: the attempt advances, or the user is signed in. Returns the reason if the proof is refused.
 * @throws ApiError attempt_not_open, attempt_at_another_step, password_change_required, email_unverified, phone_unverified,
 * sign_in_denied
 */
export async function redeemProof(deps: Deps, proven: ProvenFactor): Promise<Outcome | Refusal> {
  const { tenantId, attempt, unwritten } = proven.flow
  const redeem = () =>
    decidedTransaction(deps, tenantId, async (tx): Promise<Outcome | Refusal> => {
      const { userId } = proven.proof
      // The user is held before the proof is judged. Whatever changes a password or an address holds the user too; otherwise a proof that was
      // right just before could begin a session after the change has ended all sessions. The statement also runs if there is no user.
      const [lockedFlow, owner] = await Promise.all([
        // Nobody else knows an attempt that is not written yet.
        unwritten === undefined ? selectFlowForUpdate(tx, attempt) : attempt,
        lockUser(tx, tenantId, userId ?? ''),
      ])
      const now = deps.clock.now()
      if (lockedFlow === undefined || lockedFlow.expires_at <= now) throw await changedStepError(tx, attempt, now)
      if (proven.which === 'enrolment') await assertNoFactorYet(tx, proven.flow, lockedFlow.user_id)
      const isGood = await proven.proof.confirm(tx)
      if (isGood) await assertStillProven({ tx, now }, lockedFlow, proven.flow, userId)
      const found = isGood ? (owner ?? (await newlyFound(tx, proven))) : undefined
      // A user who may not sign in is answered like a wrong proof.
      if (found === undefined) return { refused: 'wrong_proof' }
      if (await isBoundElsewhere(tx, lockedFlow, proven, found.id)) return { refused: 'connection_required' }
      if (found.status !== 'active') return { refused: 'user_not_active' }
      if (!isOwnSession(lockedFlow, proven.flow, found)) return { refused: 'wrong_proof' }
      return advance(deps, tx, lockedFlow, found, { ...proven, isNew: found.created_at >= now })
    })
  return unlessDenied(redeem, proven.flow.call.language)
}

/** A verification is completed within its own session, and by nobody but the session's user. */
const isOwnSession = ({ session_id: id }: FlowRow, { call }: SignInFlow, user: UserRow) =>
  id === null || (call.session?.row.id === id && call.session.row.user_id === user.id)

/** Whether the user's organization requires its own connection, and the first factor was another way. */
async function isBoundElsewhere(
  tx: Transaction,
  lockedFlow: FlowRow,
  { flow, strategy, which }: ProvenFactor,
  userId: UserId,
) {
  // Whoever verifies in a session has signed in already.
  if (lockedFlow.session_id !== null) return false
  const first = which === 'first' ? strategy.name : lockedFlow.first_factor
  return first !== 'enterprise' && (await mustUseConnection(tx, flow.call.tenant, userId))
}

/** Whether the connection with which the first factor was proven still signs this user in. */
async function isStillConnected(
  tx: Transaction,
  { tenant_id: tenantId, oauth_provider_id: id }: FlowRow,
  userId: UserId,
) {
  const connection = id === null ? undefined : await findConnection(tx, tenantId, id)
  if (connection?.state !== 'live') return false
  return (await findIdentityOfUser(tx, tenantId, userId, connection.id)) !== undefined
}

/**
 * A first factor that was switched off meanwhile, a password that was replaced, or an address that was removed no longer proves anything.
 * @throws ApiError attempt_not_open
 */
async function assertStillProven(
  { tx, now }: { readonly tx: Transaction; readonly now: Timestamp },
  lockedFlow: FlowRow,
  { call, identifier }: SignInFlow,
  userId?: UserId,
) {
  const { tenant_id: tenantId, status, first_factor: first, first_factor_at: at } = lockedFlow
  if (status !== 'needs_factor_two' && status !== 'needs_enrolment') return
  // After a sign-up there is no first factor to choose.
  const isOfSignUp = fromJson(lockedFlow.supported_first_factors).length === 0
  const isOn =
    isOfSignUp || first === 'enterprise' || switchedOn(call.tenant.auth, 'first').some((name) => name === first)
  let isSame = isOn && userId !== undefined
  if (isSame && userId !== undefined && first?.endsWith('_password') === true) {
    isSame = at !== null && (await isPasswordSince({ db: tx, now }, tenantId, userId, at))
  } else if (isSame && userId !== undefined && first === 'enterprise') {
    isSame = await isStillConnected(tx, lockedFlow, userId)
  } else if (isSame && identifier !== undefined && /_(?:code|link)$/.test(first ?? '')) {
    isSame = (await findIdentified(tx, tenantId, identifier))?.userId === userId
  }
  if (!isSame) throw new ApiError('attempt_not_open')
}

/**
 * Refuses to set up a factor in place of one that the user has set up since the first factor was proven.
 * @throws ApiError attempt_not_open
 */
async function assertNoFactorYet(tx: Transaction, { call, tenantId }: SignInFlow, userId: UserId | null) {
  if (userId === null) throw new ApiError('attempt_not_open')
  const enrolled = await enrolledSecondFactors(tx, tenantId, userId)
  const usable = await secondFactorsToProve(tx, call.tenant.auth, tenantId, userId, enrolled)
  if (usable.length > 0) throw new ApiError('attempt_not_open')
}

/** The owner of a social account is known once it is used. */
const newlyFound = async (tx: Transaction, { flow, proof }: ProvenFactor) =>
  proof.userId === undefined ? undefined : (proof.user ?? lockUser(tx, flow.tenantId, proof.userId))

async function advance(
  deps: Deps,
  tx: Transaction,
  lockedFlow: FlowRow,
  owner: UserRow,
  proven: ProvenFactor & { readonly isNew: boolean },
): Promise<Outcome> {
  const { flow, strategy, proof, which, newPasswordHash } = proven
  const { call, tenantId } = flow
  const { id: userId } = owner
  const actor = call.actor(userId)
  let user = owner
  if (proof.provenContact !== undefined) {
    const before = call.session?.row
    const isInSession = before?.user_id === userId && before.actor_type === null
    const isChanged = await proveContact(deps, tx, tenantId, userId, { ...proof.provenContact, isInSession }, actor)
    // A user who takes an account over has a different primary address than the account had.
    if (isChanged) user = (await lockUser(tx, tenantId, userId)) ?? owner
  }
  const [record, enrolled, hooks] = await Promise.all([
    recordOfRow({ ...deps, db: tx }, user),
    enrolledSecondFactors(tx, tenantId, userId),
    hooksAt(tx, tenantId, 'sign_in.before_session'),
  ])
  checkVerified(flow, record, proof)
  if (proof.mustChangePassword === true) {
    if (newPasswordHash === undefined) throw new ApiError('password_change_required')
    await rememberPassword(tx, call.tenant.auth, { tenantId, userId })
    await tx.run(setPassword(tenantId, userId, { hash: newPasswordHash, at: deps.clock.now() }))
    await tx.run(forgetTrustedDevices(tenantId, userId))
  }
  const next =
    (await nextStep(deps, tx, record, proven, enrolled)) ??
    ((await isSecondFactorDemanded(tx, record, lockedFlow, owner, { ...proven, hooks }))
      ? await nextStep(deps, tx, record, { ...proven, isDemanded: true }, enrolled)
      : undefined)
  if (next !== undefined) {
    const firstFactor = which === 'first' ? strategy.name : lockedFlow.first_factor
    const move = { ...next, strategy: strategy.name, userId, firstFactor }
    const { row, ...write } = moveAttempt(deps, lockedFlow, move, flow)
    // For proofs by a code, a provider or a key: wrong guesses at the password have not switched off the rest of the sign-in.
    const isOtherProof = strategy.isPassword !== true
    const forgetting = isOtherProof ? [clearPasswordFailures(tenantId, userId)] : []
    tx.runLast([...statementsOf(deps, tx, tenantId, write), ...forgetting, ...(proof.leaves?.(null) ?? [])])
    return { row }
  }
  const outcome = await signIn(deps, tx, lockedFlow, { user: record, enrolled }, proven)
  const recoveryCodes = proof.newRecoveryCodes?.()
  return recoveryCodes === undefined ? outcome : { ...outcome, recoveryCodes }
}

/** Returns what is still to be proven or set up; undefined if nothing is. */
async function nextStep(
  deps: Deps,
  tx: Transaction,
  { row: { id: userId }, role }: UserRecord,
  { flow, strategy, proof, which, isDemanded = false }: ProvenFactor & { readonly isDemanded?: boolean },
  enrolled: readonly SecondFactorStrategy[],
): Promise<Pick<Move, 'status' | 'secondFactors'> | undefined> {
  const { call, tenantId } = flow
  const { auth } = call.tenant
  if (which === 'second' || proof.isTwoFactors === true) return undefined
  if (!isDemanded && proof.asksNoSecondFactor === true && flow.attempt.level !== 'second_factor') return undefined
  if (which === 'enrolment' && proof.provesMailbox !== true) return undefined
  const usable = await secondFactorsToProve(tx, auth, tenantId, userId, enrolled)
  const tokenHash = call.heldHash('device')
  const isSpared =
    !isDemanded &&
    which === 'first' &&
    flow.attempt.session_id === null &&
    usable.length > 0 &&
    (await isTrustedDevice(deps, tx, auth, { tenantId, userId, tokenHash }))
  if (isSpared) return undefined
  // Another browser may have set up a factor meanwhile: then that is the one to prove.
  if (usable.length > 0) return { status: 'needs_factor_two', secondFactors: usable }
  const isAsked =
    isDemanded || flow.attempt.level === 'second_factor' || signInRules(auth, role, deps.clock.now()).length > 0
  if (which === 'first' && !isAsked) return undefined
  const isProven = proof.provesMailbox === true || proof.provenContact !== undefined
  const facts = strategyFactsOf(deps, call.tenant)
  const owner = { tenantId, userId }
  const proven = which === 'first' ? [strategy.name] : undefined
  const second = proven && (await findSecondContact(tx, auth, owner, facts, proven))
  if (second !== undefined) return { status: 'needs_factor_two', secondFactors: [second.strategy] }
  const contact = isProven ? undefined : await findVerifiedContact(tx, tenantId, userId, facts)
  return {
    status: 'needs_enrolment',
    secondFactors: contact === undefined ? switchedOn(auth, 'second') : [contact.strategy],
  }
}

/** An address that must be verified, unless this proof verifies it. */
function checkVerified(flow: SignInFlow, user: UserRecord, proof: Proof) {
  const { auth } = flow.call.tenant
  const contact = flow.identified?.contact
  if (contact === undefined || contact.id === proof.provenContact?.id) return
  const isEmail = flow.identifier?.kind === 'email'
  if (!(isEmail ? auth.emailVerificationRequired : auth.phoneVerificationRequired)) return
  const row = (isEmail ? user.emailAddresses : user.phoneNumbers).find(({ id }) => id === contact.id)
  if (row?.verified_at === null || row === undefined)
    throw new ApiError(isEmail ? 'email_unverified' : 'phone_unverified')
}

/** Returns what notifies the user of a session that somebody else may have opened. */
async function findNotice(tx: Transaction, user: UserRow, call: AnyCall) {
  const [wasGuessed, isNew] = await Promise.all([
    call.tenant.auth.noticeFailedAttempts && hasFailedOften(tx, user),
    isNewDevice(tx, call.tenantId, user.id, call.heldHash('device')),
  ])
  if (wasGuessed) return notifyFailedAttempts
  return isNew ? notifyNewDevice : undefined
}

async function signIn(
  deps: Deps,
  tx: Transaction,
  lockedFlow: FlowRow,
  { user, enrolled }: { readonly user: UserRecord; readonly enrolled: SecondFactorStrategy[] },
  { flow, strategy, proof, which, trustsDevice = false }: ProvenFactor,
): Promise<Outcome> {
  const { call, tenantId } = flow
  const userId = user.row.id
  const actor = call.actor(userId)
  const firstFactor = which === 'first' ? strategy.name : lockedFlow.first_factor
  const move = { status: 'complete', strategy: strategy.name, userId, firstFactor, secondFactors: [] } as const
  // Somebody else may have begun what is now the user's, and planted its session in another browser.
  if (user.row.is_anonymous === 1) await endSessionsOf(deps, tx, tenantId, userId, actor)
  const { row, statements, events, counts } = moveAttempt(deps, lockedFlow, move, flow)
  const opening = { flow, proven: provenFactors(lockedFlow, strategy, proof, which), row, counts }
  const [opened, notice] = await Promise.all([
    openOrRenew(deps, tx, user.row, opening),
    lockedFlow.session_id === null ? findNotice(tx, user.row, call) : undefined,
  ])
  const isTrusting = trustsDevice && which !== 'first' && lockedFlow.session_id === null
  const device = await deviceOf(deps, tx, { flow, factor: strategy.name, session: opened.session, isTrusting })
  await notice?.(deps, tx, user.row, opened.session.row, call.language)
  const completed: NewEvent = {
    tenantId,
    type: 'sign_in_attempt.completed',
    actor,
    subjectId: row.id,
    data: { userId, firstFactor: row.first_factor, secondFactor: which === 'first' ? null : strategy.name },
  }
  const left = anonymousBefore(call, userId)
  const suggested: NewEvent[] =
    left === undefined
      ? []
      : [{ tenantId, type: 'user.merge_suggested', actor, subjectId: userId, data: { anonymousUserId: left } }]
  // Whoever can sign in, by whatever the tenant has set up, is no longer anonymous.
  const upgraded = user.row.is_anonymous === 1 ? markUpgraded(deps, tx, user, actor) : []
  tx.runLast([
    ...upgraded,
    ...statements,
    ...opened.statements,
    ...providerStatements(row, proof, which, opened.session),
    rememberDevice(tenantId, userId, device.hash, deps.clock.now()),
    // Not earlier: a person who knows the password could otherwise guess at the second factor for ever. The user is taken from the proof,
    // because an attempt without an identifier has not named one before.
    clearFailures(tenantId, userId),
    eventsStatement(deps.clock, deps.personal, [...events, ...opened.events, completed, ...suggested]),
  ])
  return {
    row,
    session: opened.session,
    isRenewed: lockedFlow.session_id !== null,
    readKnown: () =>
      withFactors(deps.db, { ...user, row: { ...opened.user, is_anonymous: 0 } }, enrolled, strategy.isPassword),
    ...(device.token === undefined ? {} : { deviceToken: device.token }),
  }
}
