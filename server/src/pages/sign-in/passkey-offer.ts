// The offer of a passkey after a sign-in with a password. It is put off for a user of a browser, in a cookie of that browser.
import { hash } from 'node:crypto'
import { type SignInAttempt, frontendEndpoints } from '@bailiwick/contract'
import { passkeyOfferPage } from '@bailiwick/pages'
import { cookieName, readCookie, setCookie } from '../../flows/frontend/cookies.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { upkeepAsset } from '../assets.ts'
import type { PageCall } from '../call/page-call.ts'
import { arrive } from '../destination.ts'
import { type Problems, problemsOf } from '../problems.ts'
import { credentialOf } from './sign-in-start.ts'

const laterSeconds = 30 * 24 * 60 * 60
/** A cookie has at most 128 characters. */
const usersMax = 8

/** The users of this browser who have put the offer off, each as a short hash. */
function putOff({ request, tenant, isOwnDomain }: PageCall): string[] {
  const value = readCookie(request.headers.cookie, cookieName('later', tenant, isOwnDomain))
  return value?.split('-') ?? []
}

const shortHash = (userId: string) => hash('sha256', `later:${userId}`, 'hex').slice(0, 15)

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
  const isAsked = session !== undefined && !putOff(page).includes(shortHash(session.row.user_id))
  const { offered } = isAsked ? await page.run(frontendEndpoints.getPasskeySignals) : { offered: false }
  return offered ? show(page, attempt) : arrive(page, 'signIn', attempt.redirectUri)
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
  const { tenant, isOwnDomain, reply, session } = page
  if (page.field('later') !== undefined && session !== undefined) {
    const mark = shortHash(session.row.user_id)
    const marks = [mark, ...putOff(page).filter((each) => each !== mark)].slice(0, usersMax)
    setCookie(reply, cookieName('later', tenant, isOwnDomain), marks.join('-'), laterSeconds)
    return arrive(page, 'signIn', attempt.redirectUri)
  }
  try {
    const mediation = page.field('mediation') === 'conditional' ? { mediation: 'conditional' as const } : {}
    const body = { credential: credentialOf(page), ...mediation, secondFactor: false }
    await page.run(frontendEndpoints.createPasskey, { body })
    return arrive(page, 'signIn', attempt.redirectUri)
  } catch (error) {
    const options = { refused: ['form', 'passkeys.failed'] as const }
    const problems = error instanceof ApiError ? problemsOf(error, page.text, options) : undefined
    if (problems === undefined) throw error
    return show(page, attempt, problems)
  }
}
