// The pages on which users set up the second factor that their tenant requires, as steps of an attempt to sign in.
import { type SignInAnswer, type SignInAttempt, frontendEndpoints } from '@bailiwick/contract'
import { enrolmentAppPage, enrolmentChoicePage, enrolmentCodesPage, enrolmentMailboxPage } from '@bailiwick/pages'
import { hasRelyingParty } from '../../identity/authenticators/relying-party.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { newAppOfForm } from '../form-values.ts'
import type { Problems } from '../problems.ts'
import { nameOfProfile } from '../signed-in-name.ts'

/** What a user can set up on this page; a passkey only where it works. */
function waysOf({ deps, tenant, request }: PageCall, { supportedSecondFactors }: SignInAttempt) {
  const canUsePasskeys = hasRelyingParty(deps.config, tenant, request)
  return [
    ...(supportedSecondFactors.includes('authenticator_code') ? (['app'] as const) : []),
    ...(supportedSecondFactors.includes('security_key') && canUsePasskeys ? (['key'] as const) : []),
  ]
}

/** Returns the strategy by which an attempt sends a code to a verified address. */
export const mailboxStrategy = ({ supportedSecondFactors }: SignInAttempt) =>
  (['email_code', 'phone_code'] as const).find((strategy) => supportedSecondFactors.includes(strategy))

interface Shown {
  readonly problems?: Problems
  readonly isSentAgain?: boolean
}

/** Shows the next step of setting up a second factor. */
export function showEnrolment(page: PageCall, attempt: SignInAttempt, { problems, isSentAgain = false }: Shown) {
  const common = { attemptId: attempt.id, ...(problems === undefined ? {} : { errors: problems.errors }) }
  const frame = page.frame()
  const strategy = mailboxStrategy(attempt)
  if (strategy !== undefined) {
    // The page says that a code was sent only if the attempt says so.
    const isFactor = attempt.status === 'needs_factor_two'
    const { trustedDeviceDays: trustDays } = page.tenant.auth
    const view = { ...common, strategy, isSent: attempt.strategy === strategy, isSentAgain, isFactor, trustDays }
    return page.show(enrolmentMailboxPage(frame, view), problems?.status)
  }
  const ways = waysOf(page, attempt)
  if (ways.length === 0) throw new ApiError('strategy_unavailable')
  const app = problems === undefined ? undefined : newAppOfForm(page)
  if (app !== undefined) {
    return page.show(enrolmentAppPage(frame, { ...common, ...app, hasOtherWays: ways.length > 1 }), problems?.status)
  }
  return page.show(enrolmentChoicePage(frame, { ...common, ways }), problems?.status)
}

/** Sends the code, or shows what the app needs in the answer to the form that asked for it. */
export async function prepareEnrolment(page: PageCall, attempt: SignInAttempt) {
  const strategy = page.field('strategy')
  const params = { id: attempt.id }
  if (strategy === 'email_code' || strategy === 'phone_code') {
    await page.run(frontendEndpoints.prepareSecondFactor, { params, body: { strategy } })
    return page.go(`/sign-in/${attempt.id}${page.field('again') === undefined ? '' : '?sent=1'}`)
  }
  if (strategy !== 'authenticator_code') throw new ApiError('strategy_unavailable')
  const { authenticator } = await page.run(frontendEndpoints.prepareSecondFactor, { params, body: { strategy } })
  if (authenticator === undefined) throw new ApiError('strategy_unavailable')
  const hasOtherWays = waysOf(page, attempt).length > 1
  return page.show(enrolmentAppPage(page.frame(), { attemptId: attempt.id, ...authenticator, hasOtherWays }))
}

/** Shows new recovery codes in the answer to the form that made them, because they cannot be read again later. */
export function showNewCodes(page: PageCall, { signInAttempt, sessionUser, recoveryCodes = [] }: SignInAnswer) {
  const name = sessionUser === undefined ? '' : nameOfProfile({ ...sessionUser, name: null })
  const view = { codes: recoveryCodes, name, continueAt: `/sign-in/${signInAttempt.id}` }
  return page.show(enrolmentCodesPage(page.frame(), view))
}
