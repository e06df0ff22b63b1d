// Shows an attempt that is under way as the page of its next step, and handles the form of that page.
import { type SignInAttempt, frontendEndpoints, tokenPrefixes } from '@bailiwick/contract'
import {
  type FieldErrors,
  type SecondFactorWay,
  choosePage,
  codePage,
  connectionPage,
  linkCodePage,
  linkConfirmPage,
  linkSentPage,
  missingFieldsPage,
  newPasswordPage,
  passkeyPage,
  passwordPage,
  secondFactorPage,
} from '@bailiwick/pages'
import { firstFactors, offered } from '../../identity/authenticators/offers.ts'
import { hasRelyingParty } from '../../identity/authenticators/relying-party.ts'
import { enrolledSecondFactors } from '../../identity/authenticators/second-factors.ts'
import { openedLinkCode } from '../../identity/one-time-codes/one-time-codes.ts'
import { passwordLengthMin } from '../../identity/passwords/check-password.ts'
import { parseIdentifier } from '../../identity/users/identifier.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { UserId } from '../../platform/ids.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { assertAwaited } from '../applications/interaction.ts'
import { askedAttributes, attributesBody, typedAttributes } from '../attributes.ts'
import type { PageCall } from '../call/page-call.ts'
import { challengeAnswer, pageChallenge } from '../call/page-challenge.ts'
import { codeOf } from '../form-values.ts'
import { type Problems, problemsOf } from '../problems.ts'
import { mailboxStrategy, prepareEnrolment, showEnrolment, showNewCodes } from './enrolment.ts'
import { arriveInvited } from './invitation-offer.ts'
import { offerPasskey } from './passkey-offer.ts'
import { leaveForConnection } from './provider-return.ts'
import { credentialOf } from './sign-in-start.ts'
import { isPassword, isSent, sendFirstFactor, strategyNamed } from './sign-in-ways.ts'

/** An attempt with the connections that serve its address, and what is asked of a new user who has come back from one. */
interface OpenAttempt extends SignInAttempt {
  readonly connections: readonly { readonly id: string; readonly name: string }[]
  readonly missingFields?: readonly string[] | undefined
}

/** @throws ApiError attempt_not_open, also for an attempt of another browser: here it counts as over. */
async function openAttempt(page: PageCall): Promise<OpenAttempt> {
  try {
    const params = { id: page.id }
    const { signInAttempt, connections, missingFields } = await page.run(frontendEndpoints.getSignIn, { params })
    if (signInAttempt.status !== 'complete') await assertAwaited(page, signInAttempt.redirectUri)
    return { ...signInAttempt, connections: connections ?? [], missingFields }
  } catch (error) {
    const isUnknown = error instanceof ApiError && (error.code === 'not_found' || error.code === 'validation_failed')
    throw isUnknown ? new ApiError('attempt_not_open') : error
  }
}

/** What a page of an attempt is shown with, besides the attempt. */
interface Shown {
  /** The strategy that was chosen; the attempt's own if none was. */
  readonly way: string | undefined
  readonly problems?: Problems
  readonly isSentAgain?: boolean
}

const startOf = ({ redirectUri }: SignInAttempt) =>
  redirectUri === null ? '/sign-in' : `/sign-in?${new URLSearchParams({ redirect_to: redirectUri }).toString()}`

/**
 * The strategies that begin with an identifier; a passkey only on a page where it works. Where a connection is required, the others are
 * shown to everybody who asks for another way, because a few members may use them.
 */
function waysOf({ deps, tenant, request }: PageCall, { supportedFirstFactors: supported, identifier }: OpenAttempt) {
  const canUsePasskeys = hasRelyingParty(deps.config, tenant, request)
  const isConnectionAlone = supported.length === 1 && supported[0] === 'enterprise'
  const { kind } = parseIdentifier(identifier ?? '')
  const own = isConnectionAlone ? offered(firstFactors(tenant.auth, strategyFactsOf(deps, tenant), kind)) : []
  return [...new Set([...supported, ...own])].filter(
    (each) => each !== 'oauth' && (each !== 'security_key' || canUsePasskeys),
  )
}

function canReset({ deps, tenant }: PageCall, identifier: string): boolean {
  const { hasEmailChannel, hasSmsChannel } = strategyFactsOf(deps, tenant)
  return identifier.includes('@') ? hasEmailChannel : hasEmailChannel || hasSmsChannel
}

/** Whoever comes from the connection of an organization for the first time is asked what the tenant asks new users. */
function showAttributes(page: PageCall, { id }: SignInAttempt, missing: readonly string[], problems?: Problems) {
  const attributes = askedAttributes(page, missing)
  const own = { attributes, typed: typedAttributes(page, attributes) }
  const hidden = { step: 'attempt', strategy: 'enterprise' }
  const view = { to: `/sign-in/${id}`, hidden, fields: [], own, errors: problems?.errors ?? {}, passwordLengthMin: 0 }
  return page.show(missingFieldsPage(page.frame(), view), problems?.status)
}

async function showFirstFactor(page: PageCall, attempt: OpenAttempt, { way, problems, isSentAgain = false }: Shown) {
  const { id, identifier, missingFields } = attempt
  if (missingFields !== undefined && way !== 'choose') return showAttributes(page, attempt, missingFields, problems)
  if (identifier === null) throw new ApiError('attempt_not_open')
  const ways = waysOf(page, attempt)
  // The refusal of the first form is what asks for a new password: the form's own fields do not.
  const isChange = way === 'new-password'
  const frame = page.frame(isChange ? `${page.root}/sign-in/${id}?with=new-password` : undefined)
  const startAt = startOf(attempt)
  const errors: FieldErrors = problems?.errors ?? {}
  const challenge = await pageChallenge(page, 'sign_in')
  const common = { attemptId: id, identifier, errors, hasOtherWays: ways.length > 1, startAt, challenge }
  const wanted = strategyNamed(way, ways) ?? strategyNamed(attempt.strategy ?? undefined, ways) ?? ways[0]
  const status = problems?.status
  if (isChange) {
    const strategy = ways.find(isPassword) ?? ''
    const lengthMin = passwordLengthMin(page.tenant)
    return page.show(newPasswordPage(frame, { ...common, strategy, lengthMin }), status)
  }
  if (way !== 'choose' && isPassword(wanted)) {
    const { strategySecurityKeyEnabled, offerPasskeys } = page.tenant.auth
    const offersPasskeys = strategySecurityKeyEnabled && offerPasskeys
    const hasLink = ways.includes('email_link')
    const view = { ...common, strategy: wanted, hasLink, canReset: canReset(page, identifier), offersPasskeys }
    return page.show(passwordPage(frame, view), status)
  }
  if (way !== 'choose' && wanted === 'enterprise') {
    return page.show(connectionPage(frame, { ...common, connections: attempt.connections }), status)
  }
  if (way !== 'choose' && wanted === 'security_key') return page.show(passkeyPage(frame, common), status)
  // The page says that something was sent only if the attempt says so; otherwise it offers to send it.
  if (way !== 'choose' && isSent(wanted) && wanted === attempt.strategy) {
    const show = wanted === 'email_link' ? linkSentPage : codePage
    return page.show(show(frame, { ...common, strategy: wanted, isSentAgain }), status)
  }
  return page.show(choosePage(frame, { ...common, strategies: ways as never }), status)
}

/** Recovery codes replace a factor that was lost: a user who has only a passkey is offered them, but no app. */
async function secondWays(
  page: PageCall,
  { supportedSecondFactors, userId }: SignInAttempt,
): Promise<SecondFactorWay[]> {
  const { deps, tenant, request } = page
  const enrolled = await enrolledSecondFactors(deps.db, tenant.row.id, (userId ?? '') as UserId)
  const takesCodes = supportedSecondFactors.includes('authenticator_code')
  const isThere: Readonly<Record<SecondFactorWay, boolean>> = {
    app: takesCodes && enrolled.includes('authenticator_code'),
    key: supportedSecondFactors.includes('security_key') && hasRelyingParty(deps.config, tenant, request),
    recovery: takesCodes,
  }
  return (['app', 'key', 'recovery'] as const).filter((way) => isThere[way])
}

async function showSecondFactor(page: PageCall, attempt: SignInAttempt, { way, problems }: Shown) {
  const ways = await secondWays(page, attempt)
  const [first] = ways
  if (first === undefined) throw new ApiError('strategy_unavailable')
  const wanted = ways.find((each) => each === way) ?? first
  const view = {
    attemptId: attempt.id,
    way: wanted,
    ways,
    trustDays: page.tenant.auth.trustedDeviceDays,
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(secondFactorPage(page.frame(), view), problems?.status)
}

function showAttempt(page: PageCall, attempt: OpenAttempt, shown: Shown) {
  if (attempt.status === 'complete')
    return page.query('passkeys') === '1'
      ? offerPasskey(page, attempt)
      : arriveInvited(page, 'signIn', attempt.redirectUri)
  if (attempt.expiresAt <= page.deps.clock.now()) throw new ApiError('attempt_not_open')
  const isCode = attempt.status === 'needs_factor_two' && mailboxStrategy(attempt) !== undefined
  if (attempt.status === 'needs_enrolment' || isCode) return showEnrolment(page, attempt, shown)
  return attempt.status === 'needs_factor_two'
    ? showSecondFactor(page, attempt, shown)
    : showFirstFactor(page, attempt, shown)
}

/** GET /sign-in/{id}?with */
export async function showSignIn(page: PageCall) {
  if (!page.tenant.auth.signInEnabled) throw new ApiError('sign_in_disabled')
  return showAttempt(page, await openAttempt(page), {
    way: page.query('with'),
    isSentAgain: page.query('sent') === '1',
  })
}

/** GET /sign-in/link?flow&token */
export async function showLink(page: PageCall) {
  const { text } = page
  const flow = page.query('flow')
  const token = page.query('token')
  if (flow === undefined || token === undefined) throw new ApiError('attempt_not_open')
  try {
    const { signInAttempt } = await page.run(frontendEndpoints.getSignIn, { params: { id: flow } })
    const { status, identifier } = signInAttempt
    if (status !== 'needs_factor_one' || identifier === null)
      return await showAttempt(page, { ...signInAttempt, connections: [] }, { way: undefined })
    return page.show(linkConfirmPage(page.frame(), { attemptId: flow, token, identifier }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    const place = { tenantId: page.tenant.row.id, purpose: 'sign_in', flowId: flow } as const
    const code = await openedLinkCode(page.deps, place, token)
    if (code !== undefined) return page.show(linkCodePage(page.frame(), { code, startAt: '/sign-in' }))
    return page.message(
      {
        title: text('link.elsewhereTitle'),
        lead: text('link.elsewhereLead'),
        actions: [{ href: '/sign-in', label: text('common.startAgain'), kind: 'secondary' }],
      },
      404,
    )
  }
}

/** Chooses a strategy, or has something sent again. */
async function prepare(page: PageCall, attempt: OpenAttempt) {
  const strategy = strategyNamed(page.field('strategy'), waysOf(page, attempt))
  if (strategy === undefined || strategy === 'oauth') throw new ApiError('strategy_unavailable')
  if (strategy === 'enterprise') return leaveForConnection(page, attempt, page.field('connectionId'))
  const at = `/sign-in/${attempt.id}`
  if (!isSent(strategy)) return page.go(`${at}?with=${strategy}`)
  await sendFirstFactor(page, attempt.id, strategy)
  return page.go(`${at}?with=${strategy}${page.field('again') === undefined ? '' : '&sent=1'}`)
}

async function attemptFirst(page: PageCall, attempt: OpenAttempt) {
  const strategy = strategyNamed(page.field('strategy'), waysOf(page, attempt))
  if (strategy === undefined) throw new ApiError('strategy_unavailable')
  const params = { id: attempt.id }
  if (strategy === 'security_key') {
    await page.run(frontendEndpoints.attemptFirstFactor, { params, body: { strategy, credential: credentialOf(page) } })
    return
  }
  const password = page.field('password')
  const newPassword = page.field('newPassword')
  const code = codeOf(page)
  const body = {
    strategy,
    ...(strategy === 'enterprise' ? attributesBody(page) : {}),
    ...(password === undefined ? {} : { password }),
    ...(newPassword === undefined ? {} : { newPassword }),
    ...(code === undefined ? {} : { code }),
  }
  await page.run(frontendEndpoints.attemptFirstFactor, { params, body, challenge: challengeAnswer(page) })
}

function attemptSecond(page: PageCall, attempt: SignInAttempt) {
  const params = { id: attempt.id }
  const code = codeOf(page)
  const named = strategyNamed(page.field('strategy'), attempt.supportedSecondFactors)
  const trust = page.field('trustDevice') === '1' ? { trustDevice: true } : {}
  const body =
    named === 'security_key'
      ? { strategy: named, ...trust, credential: credentialOf(page) }
      : { strategy: named ?? ('authenticator_code' as const), ...trust, ...(code === undefined ? {} : { code }) }
  return page.run(frontendEndpoints.attemptSecondFactor, { params, body })
}

function refusedField(page: PageCall, { status }: SignInAttempt) {
  const strategy = page.field('strategy')
  if (isPassword(strategy)) return ['password', 'error.wrongPassword'] as const
  const isLink = page.field('code')?.startsWith(tokenPrefixes.signInLink) === true
  if (strategy === 'email_link' && isLink) return ['form', 'error.wrongLink'] as const
  return strategy === 'security_key'
    ? (['form', status === 'needs_enrolment' ? 'passkeys.failed' : 'error.wrongPasskey'] as const)
    : (['code', 'error.wrongCode'] as const)
}

/** Returns whether a form was sent twice, or from an outdated window: its attempt is at another step than the form is for. */
const isBehind = (page: PageCall, attempt: SignInAttempt) => {
  const { status } = attempt
  const step = page.field('step')
  if (status === 'complete') return true
  if (status === 'needs_enrolment') return step === 'attempt'
  const isOfSecond = step === 'second' || (step === 'prepare' && mailboxStrategy(attempt) !== undefined)
  return (status === 'needs_factor_two') !== isOfSecond
}

/** POST /sign-in/{id} */
export async function continueSignIn(page: PageCall) {
  const attempt = await openAttempt(page)
  const at = `/sign-in/${attempt.id}`
  if (isBehind(page, attempt)) return page.go(at)
  try {
    const { status } = attempt
    if (page.field('step') === 'prepare') {
      const isLater = status === 'needs_enrolment' || status === 'needs_factor_two'
      return await (isLater ? prepareEnrolment(page, attempt) : prepare(page, attempt))
    }
    if (status === 'needs_factor_two' || status === 'needs_enrolment') {
      const answer = await attemptSecond(page, attempt)
      return answer.recoveryCodes === undefined ? page.go(at) : showNewCodes(page, answer)
    }
    await attemptFirst(page, attempt)
    return page.go(page.field('passkeys') === '1' ? `${at}?passkeys=1` : at)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Another form may have arrived earlier.
    if (error.code === 'attempt_at_another_step' || isBehind(page, await openAttempt(page))) return page.go(at)
    const isUnanswered = error.code === 'challenge_required' && challengeAnswer(page) === undefined
    if (isUnanswered && waysOf(page, attempt).includes('email_code')) {
      await sendFirstFactor(page, attempt.id, 'email_code')
      return page.go(`${at}?with=email_code`)
    }
    const way = page.field('with') ?? page.field('strategy')
    if (error.code === 'password_change_required') {
      return showAttempt(page, attempt, { way: 'new-password', problems: { errors: {}, status: 200 } })
    }
    const options = { refused: refusedField(page, attempt), passwordLengthMin: passwordLengthMin(page.tenant) }
    const problems = problemsOf(error, page.text, options)
    if (problems === undefined) throw error
    return showAttempt(page, attempt, { way, problems })
  }
}

/** POST /sign-in/{id}/passkey/options: only for the script. */
export async function answerAttemptOptions(page: PageCall) {
  const attempt = await openAttempt(page)
  const input = { params: { id: attempt.id }, body: { strategy: 'security_key' as const } }
  const isSecond = attempt.status === 'needs_factor_two' || attempt.status === 'needs_enrolment'
  return page.run(isSecond ? frontendEndpoints.prepareSecondFactor : frontendEndpoints.prepareFirstFactor, input)
}
