// What the tenant's hooks decide about a sign-up, and about the session that it would begin.
import type { HookAdditions, SignInStrategy } from '@bailiwick/contract'
import type { NewUser, PreparedUser } from '../../identity/users/user-rows.ts'
import { type Verdict, decisionAt, textFor } from '../../messaging/hooks/decisions.ts'
import { type DecidedUser, UserDenied, decideUser, withAdditions } from '../../messaging/hooks/new-user.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AnyCall } from '../frontend/flow.ts'
import type { GivenFields } from './requirements.ts'

type NewSignedUp = DecidedUser<NewUser, PreparedUser>

const signUpFacts = (call: AnyCall, { email, phone, username, name, verified }: GivenFields) => ({
  user: {
    id: null,
    name: name ?? null,
    username: username ?? null,
    email: email ?? null,
    phone: phone ?? null,
    verified,
  },
  ip: call.ip,
  userAgent: call.ua,
  language: call.language ?? null,
})

function assertAllowed({ isAllowed, message }: Verdict, { language }: AnyCall): void {
  if (isAllowed) return
  const detail = textFor(message, language)
  throw new ApiError('sign_up_denied', detail === undefined ? {} : { detail })
}

/**
 * Returns what the answers add to the user.
 * @throws ApiError sign_up_denied
 */
export async function assertSignUpAllowed(
  tx: Transaction,
  call: AnyCall,
  fields: GivenFields,
): Promise<HookAdditions | undefined> {
  const verdict = await decisionAt(tx, call.tenantId, 'sign_up.before', signUpFacts(call, fields))
  assertAllowed(verdict, call)
  return verdict.additions
}

/**
 * Returns the user with what the hooks before the sign-up and before the creation of any user add.
 * @throws ApiError sign_up_denied
 */
export async function decideSignedUpUser(
  tx: Transaction,
  call: AnyCall,
  user: NewSignedUp,
  additions: HookAdditions | undefined,
): Promise<NewSignedUp> {
  try {
    const signedUp = await withAdditions(tx, call.tenantId, user, additions)
    return await decideUser(tx, call.tenantId, 'sign_up', signedUp)
  } catch (error) {
    if (!(error instanceof UserDenied)) throw error
    const detail = textFor(error.texts, call.language)
    throw new ApiError('sign_up_denied', detail === undefined ? {} : { detail })
  }
}

/**
 * Returns whether a hook asks for a second factor before the first session.
 * @throws ApiError sign_up_denied, because a sign-up ends with a session or not at all.
 */
export async function isDemandedAfterSignUp(
  tx: Transaction,
  call: AnyCall,
  fields: GivenFields,
  factors: readonly SignInStrategy[],
): Promise<boolean> {
  const facts = { ...signUpFacts(call, fields), attemptId: null, firstFactor: factors[0] ?? null, secondFactor: null }
  const verdict = await decisionAt(tx, call.tenantId, 'sign_in.before_session', facts)
  assertAllowed(verdict, call)
  return verdict.requiresSecondFactor
}
