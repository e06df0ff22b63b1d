// Signing up: the fields that the tenant requires, then the proof that an address is the user's own.
import {
  type Attribute,
  type SignUpAnswer,
  type SignUpAttempt,
  type VerificationStrategy,
  frontendEndpoints,
  signUpFieldNames,
  tokenPrefixes,
  verificationStrategies,
} from '@bailiwick/contract'
import {
  type SignUpField,
  linkCodePage,
  missingFieldsPage,
  signUpPage,
  verifyLinkPage,
  verifyPage,
  verifySendPage,
} from '@bailiwick/pages'
import { checkedRedirect } from '../../flows/frontend/destinations.ts'
import { contactOf, isVerificationEnabled, requirementsOf, serviceFields } from '../../flows/sign-up/requirements.ts'
import { openedLinkCode } from '../../identity/one-time-codes/one-time-codes.ts'
import { passwordLengthMin } from '../../identity/passwords/check-password.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import {
  type ApplicationRequest,
  assertAwaited,
  destinationOfRequest,
  interactionOf,
  pathWith,
  requestOf,
  requestOfQuery,
} from '../applications/interaction.ts'
import { askedAttributes, attributesBody, typedAttributes } from '../attributes.ts'
import type { PageCall } from '../call/page-call.ts'
import { challengeAnswer, pageChallenge } from '../call/page-challenge.ts'
import { codeOf } from '../form-values.ts'
import { type Problems, codeText, problemsOf } from '../problems.ts'
import { arriveInvited } from '../sign-in/invitation-offer.ts'
import { shownProviders } from '../sign-in/shown-providers.ts'

type Typed = Readonly<Record<string, string | undefined>>
type Values = Partial<Record<SignUpField, string>>

/** What was typed; a password is passed on and never shown again. */
function valuesOf(page: PageCall): Values {
  const given = signUpFieldNames.map((name) => [
    name,
    name === 'password' ? page.field(name) : page.field(name)?.trim(),
  ])
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== '')) as Values
}

/** An invitation proves the address that it was sent to. */
const fieldsFor = ({ tenant }: PageCall, invitationToken: string | undefined) =>
  requirementsOf(
    tenant,
    invitationToken === undefined ? { verified: [] } : { email: 'invited@example.com', verified: ['email'] },
  ).missingFields

/** The form's fields of attributes, with what was typed into them before. */
const ownFields = (page: PageCall, attributes: readonly Attribute[]) => ({
  attributes,
  typed: typedAttributes(page, attributes),
})

interface Asked {
  readonly redirectTo?: string | undefined
  readonly invitationToken?: string | undefined
}

async function showStart(
  page: PageCall,
  { redirectTo, invitationToken }: Asked,
  problems?: Problems,
  values: Values = {},
) {
  const { tenant, text } = page
  const { auth } = tenant
  const isInvited = invitationToken !== undefined
  if (!auth.signUpEnabled && !isInvited) {
    if (auth.waitlistEnabled) return page.go('/waitlist')
    const actions = auth.signInEnabled ? [{ href: '/sign-in', label: text('signUp.signIn') }] : []
    return page.message({ title: text('signUp.closedTitle'), lead: text('signUp.closedLead'), actions }, 403)
  }
  const shown = await shownProviders(page)
  const challenge = isInvited ? undefined : await pageChallenge(page, 'sign_up')
  const hasProviders = auth.strategyOAuthEnabled && auth.signInEnabled && !isInvited
  const view = {
    fields: serviceFields(fieldsFor(page, invitationToken)),
    own: ownFields(page, askedAttributes(page)),
    values,
    passwordLengthMin: passwordLengthMin(tenant),
    providers: hasProviders ? shown : [],
    canSignIn: auth.signInEnabled,
    redirectTo,
    invitationToken,
    ...(challenge === undefined ? {} : { challenge }),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  // An invitation is the secret of one visitor.
  if (problems === undefined && !isInvited) return page.showAlike('sign-up', signUpPage, view)
  return page.show(signUpPage(page.frame(), view), problems?.status)
}

function redirectOf(page: PageCall, wanted: string | undefined) {
  return wanted === undefined ? undefined : checkedRedirect(page.deps, page, wanted)
}

/** Returns where the account is to end, for an application that asks for a new account. @throws ApiError attempt_not_open */
async function destinationFor(page: PageCall, request: ApplicationRequest) {
  return destinationOfRequest(page, requestOf(await interactionOf(page, request)))
}

/** GET /sign-up?redirect_to&invitationToken&error&interaction&client_id */
export async function openSignUp(page: PageCall) {
  const request = requestOfQuery(page)
  const { auth } = page.tenant
  if (request !== undefined && !auth.signUpEnabled && auth.signInEnabled) return page.go(pathWith('/sign-in', request))
  const redirectTo =
    request === undefined ? redirectOf(page, page.query('redirect_to')) : await destinationFor(page, request)
  await assertAwaited(page, redirectTo)
  const asked = {
    redirectTo,
    invitationToken: page.query('invitationToken'),
  }
  const error = page.query('error')
  if (error === undefined) return showStart(page, asked)
  const key = codeText(error) ?? 'error.providerFailed'
  return showStart(page, asked, { errors: { form: (page.text as (name: typeof key) => string)(key) }, status: 200 })
}

/** The ways that the tenant offers for what must be verified next. */
const verificationsOf = (page: PageCall, { missingVerifications: [contact] }: SignUpAttempt) =>
  verificationsBy(page, contact)

const mailVerifications = (page: PageCall) => verificationsBy(page, 'email')

function verificationsBy({ deps, tenant }: PageCall, contact: string | undefined): VerificationStrategy[] {
  const { hasEmailChannel, hasSmsChannel } = strategyFactsOf(deps, tenant)
  return verificationStrategies.filter(
    (strategy) =>
      contactOf(strategy) === contact &&
      isVerificationEnabled(tenant.auth, strategy) &&
      (contact === 'email' ? hasEmailChannel : hasSmsChannel),
  )
}

async function prepare(page: PageCall, id: string, strategy: VerificationStrategy) {
  const link = strategy === 'email_link' ? { redirectUri: page.addressOf('/sign-up/link') } : {}
  await page.run(frontendEndpoints.prepareVerification, { params: { id }, body: { strategy, ...link } })
}

/**
 * Shows where an attempt is now, or the attempt to sign in that follows it. A code or link is sent at once if there is nothing to choose.
 */
async function goOn(page: PageCall, { signUpAttempt: attempt, signInAttempt }: SignUpAnswer) {
  if (signInAttempt !== undefined) return page.go(`/sign-in/${signInAttempt.id}`)
  const at = `/sign-up/${attempt.id}`
  const [strategy, ...others] = attempt.status === 'needs_verification' ? verificationsOf(page, attempt) : []
  if (strategy !== undefined && others.length === 0) await prepare(page, attempt.id, strategy)
  return page.go(at)
}

/** Without an answer to a puzzle, the address is verified before a password is entered. */
async function createAttempt(page: PageCall, { redirectTo: redirectUri, invitationToken }: Asked, values: Values) {
  const fields = {
    ...attributesBody(page),
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(invitationToken === undefined ? {} : { invitationToken }),
  }
  const challenge = challengeAnswer(page)
  try {
    return await page.run(frontendEndpoints.createSignUp, { body: { ...values, ...fields }, challenge })
  } catch (error) {
    const isUnanswered = error instanceof ApiError && error.code === 'challenge_required' && challenge === undefined
    const { password: _, ...others } = values
    const canVerify = values.email !== undefined && mailVerifications(page).length > 0
    if (!isUnanswered || !canVerify) throw error
    return page.run(frontendEndpoints.createSignUp, { body: { ...others, ...fields }, isMailFirst: true })
  }
}

/** POST /sign-up */
export async function beginSignUp(page: PageCall) {
  const { text } = page
  const asked = {
    redirectTo: redirectOf(page, page.field('redirectTo')),
    invitationToken: page.field('invitationToken'),
  }
  await assertAwaited(page, asked.redirectTo)
  const values = valuesOf(page)
  const typed = typedAttributes(page, askedAttributes(page))
  const missing = fieldsFor(page, asked.invitationToken).filter(
    (name) => ((values as Typed)[name] ?? typed[name.replace('attributes/', '')] ?? '') === '',
  )
  if (missing.length > 0) {
    const errors = Object.fromEntries(missing.map((name) => [name, text('error.required')]))
    return showStart(page, asked, { errors, status: 422 }, values)
  }
  try {
    return await goOn(page, await createAttempt(page, asked, values))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'invitation_invalid') return showInvalidInvitation(page)
    if (error.code === 'sign_up_disabled') return showStart(page, {})
    const problems = problemsOf(error, text, { passwordLengthMin: passwordLengthMin(page.tenant) })
    if (problems === undefined) throw error
    return showStart(page, asked, problems, values)
  }
}

const showInvalidInvitation = (page: PageCall) =>
  page.message({ title: page.text('invitation.invalidTitle'), lead: page.text('invitation.invalidLead') }, 409)

async function openAttempt(page: PageCall, id = page.id): Promise<SignUpAttempt | undefined> {
  try {
    const { signUpAttempt } = await page.run(frontendEndpoints.getSignUp, { params: { id } })
    const { status, redirectUri } = signUpAttempt
    // An account that is wanted for an application is of no use once its request is over.
    if (status !== 'complete') await assertAwaited(page, redirectUri)
    return signUpAttempt
  } catch (error) {
    const isUnknown = error instanceof ApiError && (error.code === 'not_found' || error.code === 'validation_failed')
    if (isUnknown) return undefined
    throw error
  }
}

function addressOf({ text }: PageCall, { identifier, missingVerifications: [contact] }: SignUpAttempt): string {
  const isPhone = contact === 'phone'
  const isIt = identifier !== null && isPhone === /^\+\d+$/.test(identifier)
  return isIt ? identifier : text(isPhone ? 'field.phone' : 'field.email')
}

/** The page on which the attempt has begun. */
const startOf = ({ redirectUri }: SignUpAttempt) =>
  redirectUri === null ? '/sign-up' : `/sign-up?${new URLSearchParams({ redirect_to: redirectUri }).toString()}`

function showAttempt(page: PageCall, attempt: SignUpAttempt, problems?: Problems, values: Values = {}) {
  const { text, tenant } = page
  const { id, status } = attempt
  const frame = page.frame()
  const errors = problems?.errors ?? {}
  if (status === 'complete') return arriveInvited(page, 'signUp', attempt.redirectUri)
  if (status === 'abandoned') {
    const actions = [{ href: startOf(attempt), label: text('common.startAgain') }]
    return page.message({ title: text('signUp.abandonedTitle'), lead: text('signUp.abandonedLead'), actions }, 410)
  }
  if (status === 'missing_requirements') {
    const fields = serviceFields(attempt.missingFields)
    const own = ownFields(page, askedAttributes(page, attempt.missingFields))
    const place = { to: `/sign-up/${id}`, hidden: { step: 'fields' } }
    const view = { ...place, fields, own, values, errors, passwordLengthMin: passwordLengthMin(tenant) }
    return page.show(missingFieldsPage(frame, view), problems?.status)
  }
  const strategies = verificationsOf(page, attempt)
  const current = strategies.find((strategy) => strategy === attempt.strategy)
  const common = { attemptId: id, address: addressOf(page, attempt), errors }
  if (current === undefined || page.query('with') === 'choose') {
    return page.show(verifySendPage(frame, { ...common, strategies }), problems?.status)
  }
  const isSentAgain = page.query('sent') === '1'
  return page.show(
    verifyPage(frame, { ...common, strategy: current, isSentAgain, startAt: startOf(attempt) }),
    problems?.status,
  )
}

/** GET /sign-up/{id} */
export async function showSignUp(page: PageCall) {
  const attempt = await openAttempt(page)
  if (attempt === undefined) throw new ApiError('attempt_not_open')
  return showAttempt(page, attempt)
}

/** GET /sign-up/link?flow&token */
export async function showSignUpLink(page: PageCall) {
  const { text } = page
  const flow = page.query('flow')
  const token = page.query('token')
  if (flow === undefined || token === undefined) throw new ApiError('attempt_not_open')
  const attempt = await openAttempt(page, flow)
  if (attempt === undefined) {
    const place = { tenantId: page.tenant.row.id, purpose: 'sign_up_email', flowId: flow } as const
    const code = await openedLinkCode(page.deps, place, token)
    if (code !== undefined) return page.show(linkCodePage(page.frame(), { code, startAt: '/sign-up' }))
    const actions = [{ href: '/sign-up', label: text('common.startAgain'), kind: 'secondary' as const }]
    return page.message({ title: text('link.elsewhereTitle'), lead: text('link.elsewhereLead'), actions }, 404)
  }
  if (attempt.status !== 'needs_verification') return showAttempt(page, attempt)
  return page.show(verifyLinkPage(page.frame(), { attemptId: flow, token }))
}

async function step(page: PageCall, attempt: SignUpAttempt) {
  const params = { id: attempt.id }
  const strategy = verificationStrategies.find((each) => each === page.field('strategy'))
  switch (page.field('step')) {
    case 'prepare': {
      if (strategy === undefined) throw new ApiError('strategy_unavailable')
      await prepare(page, attempt.id, strategy)
      return page.go(`/sign-up/${attempt.id}${page.field('again') === undefined ? '' : '?sent=1'}`)
    }
    case 'verify': {
      if (strategy === undefined) throw new ApiError('strategy_unavailable')
      const code = codeOf(page) ?? ''
      const answer = await page.run(frontendEndpoints.attemptVerification, {
        params,
        body: { strategy, code },
      })
      return goOn(page, answer)
    }
    default: {
      return goOn(
        page,
        await page.run(frontendEndpoints.updateSignUp, {
          params,
          body: { ...valuesOf(page), ...attributesBody(page) },
        }),
      )
    }
  }
}

/** POST /sign-up/{id} */
export async function continueSignUp(page: PageCall) {
  const attempt = await openAttempt(page)
  if (attempt === undefined) throw new ApiError('attempt_not_open')
  const { id, status } = attempt
  const at = `/sign-up/${id}`
  if (status === 'complete' || status === 'abandoned') return page.go(at)
  try {
    return await step(page, attempt)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The form was sent twice, or from an outdated window: the page shows where the attempt is now.
    if (error.code === 'attempt_at_another_step' || (await openAttempt(page))?.status !== status) return page.go(at)
    if (error.code === 'invitation_invalid') return showInvalidInvitation(page)
    if (error.code === 'sign_up_disabled') return showStart(page, {})
    const isLink = page.field('code')?.startsWith(tokenPrefixes.signInLink) === true
    const refused = isLink ? (['form', 'error.wrongLink'] as const) : (['code', 'error.wrongCode'] as const)
    const options = { refused, passwordLengthMin: passwordLengthMin(page.tenant) }
    const problems = problemsOf(error, page.text, options)
    if (problems === undefined) throw error
    return showAttempt(page, attempt, problems, valuesOf(page))
  }
}
