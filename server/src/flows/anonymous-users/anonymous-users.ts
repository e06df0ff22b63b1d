// Users without an address or a password: a visitor gets an id and a session at once, and may sign up later without losing either.
import type { Deps } from '../../identity/deps.ts'
import { createSession } from '../../identity/sessions/sessions.ts'
import { userStatements } from '../../identity/users/users.ts'
import { decidedTransaction } from '../../messaging/hooks/decisions.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { addressRange } from '../../platform/http/limits/address-limit.ts'
import { type Quota, takeQuota } from '../../platform/quotas/quotas.ts'
import { assertChallenge } from '../challenges/challenge-rule.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { signedInAnswer } from '../frontend/signed-in-answer.ts'
import { newSignUpUser } from '../sign-up/create-signed-up-user.ts'
import { assertSignUpAllowed, decideSignedUpUser, isDemandedAfterSignUp } from '../sign-up/hooked.ts'

/** How many of them one range of addresses may make, over all nodes: an office or a school is behind one address. */
const madeByRange: Quota = { name: 'anonymous_users:day', usesMax: 200, windowSeconds: 24 * 60 * 60 }
/** The same in a development server, whose tests all come from one address. */
const madeInDevelopment: Quota = { ...madeByRange, usesMax: 2000 }

const nothing = { verified: [] } as const

/**
 * Creates an anonymous user and begins its session.
 * @throws ApiError sign_up_disabled unless the tenant allows both sign-ups and anonymous users, already_signed_in, challenge_required,
 * too_many_attempts, sign_up_denied
 */
export async function createAnonymousUser(deps: Deps, call: AnyCall) {
  const { tenant, tenantId } = call
  const { auth, row } = tenant
  if (!auth.anonymousUsersEnabled || !auth.signUpEnabled || row.kind === 'console')
    throw new ApiError('sign_up_disabled')
  if (call.session !== undefined) throw new ApiError('already_signed_in')
  await assertChallenge(deps, call, 'sign_up')
  const quota = deps.config.env === 'development' ? madeInDevelopment : madeByRange
  const session = await decidedTransaction(deps, tenantId, async (tx) => {
    await takeQuota(deps, tx, tenantId, quota, addressRange(call.request))
    const additions = await assertSignUpAllowed(tx, call, nothing)
    const prepared = { ...newSignUpUser(deps), password: undefined, role: undefined }
    const user = { input: { isAnonymous: true }, prepared }
    const decided = await decideSignedUpUser(tx, call, user, additions)
    const actor = call.actor(prepared.id)
    const { statements } = userStatements(deps, tx, tenantId, decided.input, decided.prepared, actor)
    await tx.runAll(statements)
    // An anonymous user has nothing with which to set up a second factor.
    if (await isDemandedAfterSignUp(tx, call, nothing, [])) throw new ApiError('sign_up_denied')
    return createSession(deps, tx, { tenant, userId: prepared.id, ip: call.ip, ua: call.ua, actor })
  })
  return signedInAnswer(deps, call, session, {})
}
