// Creates the user of a complete sign-up, with the session that it begins, in one transaction with the last missing proof.
import type { SignInStrategy } from '@bailiwick/contract'
import { assertMaySignUp } from '../../enterprise/connections/sign-on-rules.ts'
import { attemptStatements, newAttemptRow } from '../../identity/attempts/new-sign-in.ts'
import type { SignInAttemptRow } from '../../identity/attempts/tables.ts'
import { signInRules } from '../../identity/authenticators/factor-rules.ts'
import { switchedOn } from '../../identity/authenticators/offers.ts'
import { codesAllowed } from '../../identity/authenticators/verified-contact.ts'
import type { Deps } from '../../identity/deps.ts'
import { rememberDevice } from '../../identity/lockout/lockout.ts'
import { inviteByDomain } from '../../identity/organizations/automatic-invitation.ts'
import { type CreatedSession, createSession } from '../../identity/sessions/sessions.ts'
import { insertConnection } from '../../identity/social-connections/connections.ts'
import { emailKind, markClaimed, phoneKind } from '../../identity/users/contact-kinds.ts'
import type { UserRow } from '../../identity/users/find-user.ts'
import { renewTerms } from '../../identity/users/user-terms.ts'
import { upgradedUser, userStatements } from '../../identity/users/users.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { type UserId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { assertAddressAllowed } from './address-rules.ts'
import { type SignUpRow, completeSignUp } from './attempt-store.ts'
import { assertSignUpAllowed, decideSignedUpUser, isDemandedAfterSignUp } from './hooked.ts'
import { joinInvitedTo } from './invited-sign-up.ts'
import type { GivenFields } from './requirements.ts'
import { findAnonymous, endEarlierAccess } from './upgrade.ts'

export interface SignedUp {
  readonly row: SignUpRow
  /** What the user goes on with: a session, or, where the tenant requires a second factor, an attempt to sign in that sets one up. */
  readonly session: CreatedSession | undefined
  readonly enrolment: SignInAttemptRow | undefined
  readonly deviceToken: string
}

/** What was made before the transaction, because it takes time or is random. */
export const newSignUpUser = ({ personal }: Deps) => ({ id: newId<'UserId'>(), salt: personal.newSalt() })

/**
 * Creates the user with password and connection, and queues the welcome message. An anonymous user in whose session this happens becomes
 * that user.
 * @throws ApiError email_not_allowed, sign_up_denied
 * @throws ConstraintError if an address, number, username or connection has been taken meanwhile.
 * @throws ApiError enterprise_sign_in_required
 */
export async function insertSignedUpUser(
  deps: Deps,
  tx: Transaction,
  call: AnyCall,
  given: GivenFields,
): Promise<{ readonly userId: UserId }> {
  const { tenantId } = call
  const { email, phone, username, name, identity, verified } = given
  const additions = await assertSignUpAllowed(tx, call, given)
  // The rules may have changed since it was entered, and a provider's address was never checked.
  assertAddressAllowed(call.tenant.auth, given)
  await assertMaySignUp(tx, call.tenant, email)
  // Passwords may have been switched off since it was entered.
  const passwordHash = call.tenant.auth.passwordsEnabled ? given.passwordHash : undefined
  const anonymous = await findAnonymous(deps, tx, call)
  const prepared = {
    ...(anonymous === undefined ? newSignUpUser(deps) : { id: anonymous.id, salt: anonymous.personal_salt }),
    password: passwordHash === undefined ? undefined : { hash: passwordHash, kind: 'own' as const },
    role: undefined,
  }
  const actor = call.actor(prepared.id)
  const input = {
    ...(email === undefined ? {} : { email, emailVerified: verified.includes('email') }),
    ...(phone === undefined ? {} : { phone, phoneVerified: verified.includes('phone') }),
    ...(username === undefined ? {} : { username }),
    ...(name === undefined ? {} : { name }),
    ...(given.attributes === undefined ? {} : { publicMeta: given.attributes }),
  }
  const decided = await decideSignedUpUser(tx, call, { input, prepared }, additions)
  const before = anonymous === undefined ? undefined : await endEarlierAccess(deps, tx, call, anonymous)
  const { statements, record } = prepareWrite(deps, tx, call, decided, before)
  for (const statement of statements) await tx.run(statement)
  if (anonymous !== undefined) await renewTerms(tx, tenantId, anonymous.id)
  for (const kind of [emailKind, phoneKind]) {
    const isGiven = kind.resource === 'email' ? email !== undefined : phone !== undefined
    if (isGiven && !verified.includes(kind.resource)) await tx.run(markClaimed(kind, tenantId, prepared.id))
  }
  if (passwordHash !== undefined && verified.length === 0) {
    await tx.run(sql`UPDATE passwords SET is_unproven = 1 WHERE tenant_id = ${tenantId} AND user_id = ${prepared.id}`)
  }
  if (identity !== undefined) {
    await insertConnection(deps, tx, record.row, identity, { actor, isProven: verified.length > 0 })
  }
  await joinInvitedTo(deps, tx, call, given, prepared.id)
  const [address] = record.emailAddresses
  if (address !== undefined && address.verified_at !== null) {
    await inviteByDomain(deps, tx, { tenantId, userId: prepared.id, email: address.email }, actor)
    await queueMessage(tx, deps, {
      tenantId,
      channelType: 'email',
      template: { type: 'welcome' },
      to: address.email,
      userId: prepared.id,
      language: call.language,
      variables: { user: { name: name ?? null } },
      purpose: 'welcome',
    })
  }
  return { userId: prepared.id }
}

/** Returns the statements that write the user: a new one, or the anonymous one who signs up. */
function prepareWrite(
  deps: Deps,
  tx: Transaction,
  call: AnyCall,
  { input, prepared }: Awaited<ReturnType<typeof decideSignedUpUser>>,
  anonymous: UserRow | undefined,
) {
  const actor = call.actor(prepared.id)
  return anonymous === undefined
    ? userStatements(deps, tx, call.tenantId, input, prepared, actor)
    : upgradedUser(deps, tx, anonymous, { input, prepared }, actor)
}

/** @throws ConstraintError as above */
export async function createSignedUpUser(
  deps: Deps,
  tx: Transaction,
  call: AnyCall,
  row: SignUpRow,
  given: GivenFields,
): Promise<SignedUp> {
  const { tenant, tenantId } = call
  const { userId } = await insertSignedUpUser(deps, tx, call, given)
  const actor = call.actor(userId)
  const completed = await completeSignUp(deps, tx, row, userId)
  // A password and a code to an address are two factors where the tenant counts the code.
  const isTwoFactors =
    hasPasswordIn(call, given) && codesAllowed(tenant.auth).some((name) => provenChannels(given).includes(name))
  const isDemanded = await isDemandedAfterSignUp(tx, call, given, factorsOf(call, given))
  const mustEnrol = !isTwoFactors && (isDemanded || signInRules(tenant.auth, undefined, deps.clock.now()).length > 0)
  const session = mustEnrol
    ? undefined
    : await createSession(deps, tx, {
        tenant,
        userId,
        ip: call.ip,
        ua: call.ua,
        signUpAttemptId: row.id,
        proof: { factors: factorsOf(call, given), isTwoFactors },
        actor,
      })
  const enrolment = mustEnrol ? await beginEnrolment(deps, tx, call, row, { userId, ...given }) : undefined
  const device = call.newHeld('device')
  tx.runLast([
    rememberDevice(tenantId, userId, device.hash, deps.clock.now()),
    eventStatement(deps.clock, deps.personal, {
      tenantId,
      type: 'sign_up_attempt.completed',
      actor,
      subjectId: row.id,
      data: { userId },
    }),
  ])
  return { row: completed, session, enrolment, deviceToken: device.token }
}

/** Writes an attempt to sign in for the browser that signed up; what the sign-up proved is its first factor. */
async function beginEnrolment(
  deps: Deps,
  tx: Transaction,
  call: AnyCall,
  { tenant_id: tenantId, flow_hash: flowHash, redirect_uri: redirectUri }: SignUpRow,
  { userId, ...given }: GivenFields & { readonly userId: UserId },
): Promise<SignInAttemptRow> {
  const identifier = given.email ?? given.phone ?? given.username ?? null
  const begun = newAttemptRow(deps, { tenantId, userId, identifier, factors: [], redirectUri })
  const row: SignInAttemptRow = {
    ...begun,
    // Where people arrive after a sign-up may differ from where they do after a sign-in.
    redirect_uri: redirectUri ?? call.tenant.auth.signUpRedirectUri,
    status: 'needs_enrolment',
    first_factor: firstFactorOf(given),
    first_factor_at: begun.created_at,
    supported_second_factors: toJson(switchedOn(call.tenant.auth, 'second')),
  }
  const write = attemptStatements(deps, tx, row, { flowHash: flowHash ?? '' }, call.actor(userId))
  await tx.runAll(write.statements)
  return write.row
}

/** Everything that the sign-up proved. */
function factorsOf(call: AnyCall, given: GivenFields): SignInStrategy[] {
  return [
    ...(hasPasswordIn(call, given) ? [passwordStrategyOf(given)] : []),
    ...(given.identity === undefined ? [] : (['oauth'] as const)),
    ...provenChannels(given),
  ]
}

const hasPasswordIn = ({ tenant }: AnyCall, { passwordHash }: GivenFields) =>
  passwordHash !== undefined && tenant.auth.passwordsEnabled

/** The codes that were proven; a provider may have vouched for the address instead. */
const provenChannels = ({ verified, identity }: GivenFields): ('email_code' | 'phone_code')[] => [
  ...(verified.includes('email') && identity === undefined ? (['email_code'] as const) : []),
  ...(verified.includes('phone') ? (['phone_code'] as const) : []),
]

const passwordStrategyOf = ({ email, phone }: GivenFields): SignInStrategy =>
  email === undefined ? (phone === undefined ? 'username_password' : 'phone_password') : 'email_password'

/** What proved who signs up: an address that was verified, a provider, or else the password that was chosen. */
function firstFactorOf(given: GivenFields): SignInStrategy {
  const { verified, identity } = given
  if (identity !== undefined) return 'oauth'
  if (verified.includes('email')) return 'email_code'
  if (verified.includes('phone')) return 'phone_code'
  return passwordStrategyOf(given)
}
