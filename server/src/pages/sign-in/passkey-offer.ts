// The offer of a passkey after a sign-in with a password, which each user of a browser can put off.
import { type SignInAttempt, frontendEndpoints } from '@bailiwick/contract'
import { passkeyOfferPage } from '@bailiwick/pages'
import { ApiError } from '../../platform/http/api-error.ts'
import { upkeepAsset } from '../assets.ts'
import type { PageCall } from '../call/page-call.ts'
import { isPutOff, putOffLater } from '../call/put-off.ts'
import { type Problems, problemsOf } from '../problems.ts'
import { arriveInvited } from './invitation-offer.ts'
import { credentialOf } from './sign-in-start.ts'

function show(page: PageCall, { id }: SignInAttempt, problems?: Problems) {
  const view = {
    attemptId: id,
    upkeep: { script: upkeepAsset().path },
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(passkeyOfferPage(page.frame(), view), problems?.status)
}

/** Shows the offer if there is one, and otherwise goes on to where the sign-in leads. */
export async function offerPasskey(page: PageCall, attempt: SignInAttempt) {
  const { session } = page
  const isAsked = session !== undefined && !isPutOff(page, session.row.user_id)
  const { offered } = isAsked ? await page.run(frontendEndpoints.getPasskeySignals) : { offered: false }
  return offered ? show(page, attempt) : arriveInvited(page, 'signIn', attempt.redirectUri)
}

/** @throws ApiError attempt_not_open, also for an attempt that has not signed anybody in. */
async function completeAttempt(page: PageCall): Promise<SignInAttempt> {
  const { signInAttempt } = await page.run(frontendEndpoints.getSignIn, { params: { id: page.id } })
  if (signInAttempt.status !== 'complete' || page.session === undefined) throw new ApiError('attempt_not_open')
  return signInAttempt
}

/** POST /sign-in/{id}/passkey-offer/options: only for the script. */
export async function answerOfferOptions(page: PageCall) {
  await completeAttempt(page)
  const isConditional = page.field('mediation') === 'conditional'
  const query = isConditional ? { mediation: 'conditional' as const } : {}
  return page.run(frontendEndpoints.createPasskeyOptions, { query })
}

/** POST /sign-in/{id}/passkey-offer */
export async function answerOffer(page: PageCall) {
  const attempt = await completeAttempt(page)
  const { session } = page
  if (page.field('later') !== undefined && session !== undefined) {
    putOffLater(page, [session.row.user_id])
    return arriveInvited(page, 'signIn', attempt.redirectUri)
  }
  try {
    const mediation = page.field('mediation') === 'conditional' ? { mediation: 'conditional' as const } : {}
    const body = { credential: credentialOf(page), ...mediation, secondFactor: false }
    await page.run(frontendEndpoints.createPasskey, { body })
    return arriveInvited(page, 'signIn', attempt.redirectUri)
  } catch (error) {
    const options = { refused: ['form', 'passkeys.failed'] as const }
    const problems = error instanceof ApiError ? problemsOf(error, page.text, options) : undefined
    if (problems === undefined) throw error
    return show(page, attempt, problems)
  }
}
