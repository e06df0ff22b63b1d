// Signing up, field by field. Only a person who reads an address can find out whether somebody has it already: its owner is told by a
// message.
import {
  type AttemptVerification,
  type CreateSignUp,
  type PrepareVerification,
  type AnyProviderKey,
  type SignUpAnswer,
  type UpdateSignUp,
  canonicalEmail,
  canonicalPhone,
  canonicalUsername,
  usernameKey,
} from '@bailiwick/contract'
import { assertMaySignUp } from '../../enterprise/connections/sign-on-rules.ts'
import { signUpKind } from '../../identity/attempts/attempts.ts'
import { presentSignIn } from '../../identity/attempts/new-sign-in.ts'
import type { Deps } from '../../identity/deps.ts'
import { checkPassword } from '../../identity/passwords/check-password.ts'
import { findIdentified } from '../../identity/users/identifier.ts'
import { decidedTransaction } from '../../messaging/hooks/decisions.ts'
import type { Reader } from '../../platform/db/database.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { valuesIn, withOwnValues } from '../../tenancy/tenants/attributes/values.ts'
import { assertChallenge } from '../challenges/challenge-rule.ts'
import { destinationOf } from '../frontend/destinations.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { signedInAnswer } from '../frontend/signed-in-answer.ts'
import { leaveForProvider, enabledProvider, returnUriOf } from '../providers/authorization.ts'
import { isAuthenticating } from '../providers/resolve-identity.ts'
import { assertAddressAllowed } from './address-rules.ts'
import {
  type SignUpRow,
  fillSignUp,
  givenFields,
  insertSignUp,
  lockUnchanged,
  selectSignUp,
  statusOf,
} from './attempt-store.ts'
import { type SignedUp, createSignedUpUser } from './create-signed-up-user.ts'
import { assertInvitedAddress, assertSignUpEnabled, invitedFields, isInvited } from './invited-sign-up.ts'
import { type GivenFields, contactOf, requirementsOf } from './requirements.ts'
import { signUpWithTicket } from './social-sign-up.ts'
import { proveVerification, sendVerification } from './verification.ts'

const nothing: GivenFields = { verified: [] }

const present = (row: SignUpRow) => signUpKind.present(row)

async function answerOf(deps: Deps, call: AnyCall, result: SignUpRow | SignedUp): Promise<SignUpAnswer> {
  if (!('session' in result)) return { signUpAttempt: present(result) }
  const { row, session, enrolment, deviceToken } = result
  const signUpAttempt = present(row)
  if (session !== undefined) return { signUpAttempt, ...(await signedInAnswer(deps, call, session, { deviceToken })) }
  return {
    signUpAttempt,
    ...(enrolment === undefined ? {} : { signInAttempt: presentSignIn(enrolment) }),
    ...call.give('device', deviceToken),
  }
}

const isUsernameTaken = async (db: Reader, tenantId: TenantId, username: string) =>
  (await findIdentified(db, tenantId, { kind: 'username', key: usernameKey(username) })) !== undefined

/** @throws ApiError validation_failed */
function attributesAfter({ tenant }: AnyCall, { attributes = {} }: GivenFields, body: UpdateSignUp) {
  if (body.attributes === undefined) return undefined
  return withOwnValues(tenant.attributes, attributes, valuesIn(body.attributes))
}

/** Adds what was entered; a changed address must be verified again. */
async function withFields(deps: Deps, call: AnyCall, before: GivenFields, body: UpdateSignUp): Promise<GivenFields> {
  const { tenantId } = call
  const { email, phone, username, name, password } = body
  assertInvitedAddress(before, email)
  if (email !== undefined) assertAddressAllowed(call.tenant.auth, { ...before, email })
  await assertMaySignUp(deps.db, call.tenant, email === undefined ? before.email : canonicalEmail(email))
  if (username !== undefined && (await isUsernameTaken(deps.db, tenantId, username)))
    throw new ApiError('username_taken')
  if (password !== undefined) {
    if (!call.tenant.auth.passwordsEnabled)
      throw invalid('/password', 'unusable', 'is not accepted, because this tenant does not use passwords')
    const emails = [email ?? before.email ?? []].flat()
    const phones = [phone === undefined ? (before.phone ?? []) : canonicalPhone(phone)].flat()
    const chosenBy = { name: name ?? before.name, username: username ?? before.username, emails, phones }
    await checkPassword(deps, tenantId, password, { chosenBy })
  }
  const attributes = attributesAfter(call, before, body)
  const passwordHash = password === undefined ? undefined : await deps.passwordPool.hash(tenantId, password)
  const after = {
    ...before,
    ...(email === undefined || isInvited(before) ? {} : { email: canonicalEmail(email) }),
    ...(phone === undefined ? {} : { phone: canonicalPhone(phone) }),
    ...(username === undefined ? {} : { username: canonicalUsername(username) }),
    ...(name === undefined ? {} : { name }),
    ...(passwordHash === undefined ? {} : { passwordHash }),
    ...(attributes === undefined ? {} : { attributes }),
  }
  return { ...after, verified: before.verified.filter((contact) => after[contact] === before[contact]) }
}

/** Returns the row once nothing is missing any more, for the user to be created from; else the unchanged row. */
async function fill(deps: Deps, call: AnyCall, row: SignUpRow, given: GivenFields): Promise<SignUpRow | SignedUp> {
  const requirements = requirementsOf(call.tenant, given)
  return decidedTransaction(deps, call.tenantId, async (tx) => {
    const held = await lockUnchanged(deps, tx, row)
    if (statusOf(requirements) === 'complete') return createSignedUpUser(deps, tx, call, held, given)
    return fillSignUp(deps, tx, held, { given, requirements })
  })
}

/** @throws ApiError sign_up_disabled, challenge_required, email_not_allowed, username_taken, redirect_refused; email_taken, phone_taken if nothing needs verifying. */
export async function createSignUp(deps: Deps, call: AnyCall, body: CreateSignUp): Promise<SignUpAnswer> {
  const { providerKey, invitationToken } = body
  const empty: GivenFields = call.isMailFirst ? { ...nothing, isMailFirst: true } : nothing
  const begun = invitationToken === undefined ? empty : await invitedFields(deps, call, invitationToken)
  assertSignUpEnabled(call, begun)
  if (invitationToken === undefined) await assertChallenge(deps, call, 'sign_up')
  return providerKey === undefined
    ? signUpWithFields(deps, call, begun, body)
    : signUpAtProvider(deps, call, begun, { ...body, providerKey })
}

/** Returns what a new attempt begins with: the fields of the body, and what the tenant requires beside them. */
async function beginning(deps: Deps, call: AnyCall, begun: GivenFields, body: CreateSignUp) {
  const redirectUri = destinationOf(deps, call, body.redirectUri)
  const { providerKey: _, redirectUri: __, invitationToken: ___, ...fields } = body
  const given = await withFields(deps, call, begun, fields)
  const held = call.newHeld('flow')
  const requirements = requirementsOf(call.tenant, given)
  return { held, attempt: { tenantId: call.tenantId, flowHash: held.hash, given, requirements, redirectUri } }
}

/** Creates the user at once if nothing is missing and nothing needs verifying. */
async function signUpWithFields(deps: Deps, call: AnyCall, begun: GivenFields, body: CreateSignUp) {
  const { held, attempt } = await beginning(deps, call, begun, body)
  const result = await decidedTransaction(deps, call.tenantId, async (tx) => {
    const row = await insertSignUp(deps, tx, attempt, call.actor(null))
    const isComplete = statusOf(attempt.requirements) === 'complete'
    return isComplete ? createSignedUpUser(deps, tx, call, row, attempt.given) : row
  })
  return { ...(await answerOf(deps, call, result)), ...call.give('flow', held.token) }
}

/** Leaves an open attempt, which the way back from the provider completes. */
async function signUpAtProvider(
  deps: Deps,
  call: AnyCall,
  begun: GivenFields,
  body: CreateSignUp & { readonly providerKey: AnyProviderKey },
) {
  const provider = await signUpProvider(deps, call, body.providerKey)
  const { held, attempt } = await beginning(deps, call, begun, body)
  const returnUri = returnUriOf(deps, call, body.redirectUri)
  const row = await deps.db.transaction((tx) => insertSignUp(deps, tx, attempt, call.actor(null)))
  const { authorizeUri, statements } = await leaveForProvider(deps, call, provider, {
    purpose: 'sign_up',
    flowId: row.id,
    flowHash: held.hash,
    userId: null,
    returnUri,
  })
  await deps.db.write(() => statements)
  return { ...(await answerOf(deps, call, row)), authorizeUri, ...call.give('flow', held.token) }
}

/** @throws ApiError strategy_unavailable */
async function signUpProvider(deps: Deps, call: AnyCall, key: AnyProviderKey) {
  const provider = await enabledProvider(deps, call, key)
  if (!isAuthenticating(provider) || !call.tenant.auth.strategyOAuthEnabled) throw new ApiError('strategy_unavailable')
  return provider
}

async function signUpRow({ db }: Deps, call: AnyCall, id: string): Promise<SignUpRow> {
  const hash = call.heldHash('flow')
  const row = hash === undefined ? undefined : await selectSignUp(db, call.tenantId, id, hash)
  if (row === undefined) throw notFound()
  return row
}

async function openSignUp(deps: Deps, call: AnyCall, id: string): Promise<SignUpRow> {
  const row = await signUpRow(deps, call, id)
  if (row.status === 'complete' || row.expires_at <= deps.clock.now()) throw new ApiError('attempt_not_open')
  assertSignUpEnabled(call, givenFields(deps, row))
  return row
}

/** @throws ApiError not_found */
export async function getSignUp(deps: Deps, call: AnyCall, id: string): Promise<SignUpAnswer> {
  const row = await signUpRow(deps, call, id)
  const isOver = row.status !== 'complete' && row.expires_at <= deps.clock.now()
  return { signUpAttempt: present(isOver ? { ...row, status: 'abandoned' } : row) }
}

/** @throws ApiError not_found, attempt_not_open, attempt_at_another_step, username_taken */
export async function updateSignUp(deps: Deps, call: AnyCall, id: string, body: UpdateSignUp): Promise<SignUpAnswer> {
  const row = await openSignUp(deps, call, id)
  const given = await withFields(deps, call, givenFields(deps, row), body)
  return answerOf(deps, call, await fill(deps, call, row, given))
}

/** @throws ApiError not_found, attempt_not_open, attempt_at_another_step, strategy_unavailable, too_many_attempts */
export async function prepareVerification(deps: Deps, call: AnyCall, id: string, body: PrepareVerification) {
  const row = await openSignUp(deps, call, id)
  const given = givenFields(deps, row)
  const redirectUri = destinationOf(deps, call, body.redirectUri)
  const requirements = requirementsOf(call.tenant, given)
  const sent = await sendVerification(deps, call, row, given, { strategy: body.strategy, redirectUri })
  const after = await deps.db.transaction(async (tx) => {
    const held = await lockUnchanged(deps, tx, row)
    return fillSignUp(deps, tx, held, { given, requirements, strategy: sent })
  })
  return { signUpAttempt: present(after) }
}

/** @throws ApiError not_found, attempt_not_open, attempt_at_another_step, factor_refused, too_many_attempts, email_taken, phone_taken */
export async function attemptVerification(
  deps: Deps,
  call: AnyCall,
  id: string,
  { strategy, code }: AttemptVerification,
): Promise<SignUpAnswer> {
  const row = await openSignUp(deps, call, id)
  if (strategy === 'oauth') return answerOf(deps, call, await signUpWithTicket(deps, call, row, code))
  const given = givenFields(deps, row)
  const contact = contactOf(strategy)
  const result = await proveVerification(deps, call, row, given, { strategy, code }, async (tx, held) => {
    const after = { ...given, verified: [...new Set([...given.verified, contact])] }
    const requirements = requirementsOf(call.tenant, after)
    if (statusOf(requirements) === 'complete') return createSignedUpUser(deps, tx, call, held, after)
    return fillSignUp(deps, tx, held, { given: after, requirements })
  })
  return answerOf(deps, call, result)
}
