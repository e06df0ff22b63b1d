// The first page of signing in: who it is, a provider, or a passkey that says both who and that it is so.
import { type OAuthInteraction, type SignInStrategy, frontendEndpoints } from '@bailiwick/contract'
import {
  type FieldErrors,
  type IdentifierKinds,
  type PasskeyUpkeep,
  identifierPage,
  signedInPage,
} from '@bailiwick/pages'
import { isAmong } from '../../applications/sign-ins/requirements.ts'
import { checkedRedirect } from '../../flows/frontend/destinations.ts'
import { createPasskeySignIn, passkeyOptionsOfBrowser } from '../../flows/sign-in/passkey-sign-in.ts'
import { parseAssertion } from '../../identity/authenticators/credential-json.ts'
import { firstFactors, offered } from '../../identity/authenticators/offers.ts'
import { findPasskey } from '../../identity/authenticators/passkeys.ts'
import { hasRelyingParty, relyingPartyId } from '../../identity/authenticators/relying-party.ts'
import { parseIdentifier } from '../../identity/users/identifier.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import {
  type ApplicationRequest,
  assertAwaited,
  destinationOfRequest,
  interactionOf,
  orOver,
  pathWith,
  requestOf,
  requestOfDestination,
  requestOfQuery,
  showActing,
} from '../applications/interaction.ts'
import { upkeepAsset } from '../assets.ts'
import type { PageCall } from '../call/page-call.ts'
import { lacksSecondFactor, proveSecondFirst } from '../call/second-factor-first.ts'
import { accountPath, destinationAfter } from '../destination.ts'
import { codeText, problemsOf } from '../problems.ts'
import { signedInName } from '../signed-in-name.ts'
import { findBrowserAccounts, goChoose } from './accounts.ts'
import { leaveForConnection, leaveForProvider } from './provider-return.ts'
import { providerKeyOf, shownProviders } from './shown-providers.ts'
import { isSent, sendFirstFactor } from './sign-in-ways.ts'

const identifierStrategies: Readonly<Record<keyof IdentifierKinds, readonly SignInStrategy[]>> = {
  email: ['email_password', 'email_code', 'email_link'],
  phone: ['phone_password', 'phone_code'],
  username: ['username_password'],
}

/** Returns the kinds of identifiers with which one of the strategies begins. */
export function kindsFor(strategies: readonly SignInStrategy[]): IdentifierKinds {
  const has = (kind: keyof IdentifierKinds) => identifierStrategies[kind].some((each) => strategies.includes(each))
  return { email: has('email'), phone: has('phone'), username: has('username') }
}

/** The strategies with which the tenant lets people begin. */
async function beginnings(page: PageCall) {
  const { deps, tenant, request } = page
  const strategies = offered(firstFactors(tenant.auth, strategyFactsOf(deps, tenant)))
  const shown = await shownProviders(page)
  const kinds = kindsFor(strategies)
  // The domain of an address leads to the connection of an organization, whatever else the tenant lets people sign in with.
  return {
    kinds: tenant.liveConnections === 'none' ? kinds : { ...kinds, email: true },
    providers: strategies.includes('oauth') ? shown : [],
    hasPasskeys: strategies.includes('security_key') && hasRelyingParty(deps.config, tenant, request),
    canSignUp: tenant.auth.signUpEnabled,
    canJoinWaitlist: tenant.auth.waitlistEnabled,
  }
}

/** As long as the page's own field. */
const identifierLengthMax = 320

interface Refused {
  readonly errors: FieldErrors
  readonly status: number
  readonly value?: string
  readonly upkeep?: PasskeyUpkeep | undefined
}

/** @param hint what an application expects the user to sign in with. It is only filled in. */
async function showStart(page: PageCall, redirectTo: string | undefined, refused?: Refused, hint?: string) {
  const view = { ...(await beginnings(page)), redirectTo, isOtherWayWanted: page.query('with') === 'choose' }
  const request = requestOfDestination(page, redirectTo)
  if (refused === undefined && request === undefined && !view.isOtherWayWanted)
    return page.showAlike('sign-in', identifierPage, view)
  const interaction = request === undefined ? undefined : await interactionOf(page, request)
  const asked = {
    application: interaction?.application.name,
    isAnotherWanted: interaction?.isAnotherAccountWanted === true,
    ...(hint === undefined ? {} : { value: hint }),
  }
  return page.show(identifierPage(page.frame(), { ...view, ...asked, ...refused }), refused?.status)
}

/** Lets somebody who is signed in go on with this account, or with another one. */
async function showSignedIn(page: PageCall, redirectTo: string | undefined) {
  const again = new URLSearchParams({
    prompt: 'login',
    ...(redirectTo === undefined ? {} : { redirect_to: redirectTo }),
  })
  const continueAt = destinationAfter(page, 'signIn', redirectTo) ?? page.root + accountPath
  return page.show(
    signedInPage(page.frame(), {
      name: await signedInName(page),
      continueAt,
      signInAt: `/sign-in?${again.toString()}`,
    }),
  )
}

/** Returns whether the user chooses between the accounts of the browser: the application asks for that, or for another than the active one. */
async function isChoiceWanted(page: PageCall, interaction: OAuthInteraction, count: number): Promise<boolean> {
  const { mustSignInAnew, mustChooseAccount, isAnotherAccountWanted, loginHint } = interaction
  if (count === 0 || (mustSignInAnew && !isAnotherAccountWanted)) return false
  if (page.session === undefined || mustChooseAccount || isAnotherAccountWanted) return true
  if (loginHint === null) return false
  const { username, emails, phones } = (await page.run(frontendEndpoints.getProfile)).user
  return !isAmong([username, ...emails.map(({ email }) => email), ...phones.map(({ phone }) => phone)], loginHint)
}

/** Signs in for an application. A session that will do is gone on with, so that nobody signs in twice. */
async function openForApplication(page: PageCall, asked: ApplicationRequest) {
  const interaction = await interactionOf(page, asked)
  const { uid } = interaction
  const request = requestOf(interaction)
  const redirectTo = destinationOfRequest(page, request)
  // Also instead of consenting, the user may sign in with another account.
  const accounts = await findBrowserAccounts(page)
  const mayChoose = interaction.mustChooseAccount || interaction.prompt === 'consent' || accounts.length > 0
  const isAnotherWanted = mayChoose && page.query('prompt') === 'login'
  if (interaction.prompt === 'consent' && !isAnotherWanted) {
    return page.go(pathWith('/consent', request))
  }
  if (!isAnotherWanted && (await isChoiceWanted(page, interaction, accounts.length))) return goChoose(page, redirectTo)
  if (page.session === undefined || interaction.mustSignInAnew || isAnotherWanted) {
    return showStart(page, redirectTo, errorOf(page), interaction.loginHint?.slice(0, identifierLengthMax))
  }
  if (page.session.row.actor_type !== null) return showActing(page)
  if (interaction.mustChooseAccount) return showSignedIn(page, redirectTo)
  const signingIn = orOver(() => page.run(frontendEndpoints.loginOAuthInteraction, { params: { uid } }))
  const answer = await signingIn.catch((error: unknown) => {
    if (error instanceof ApiError && lacksSecondFactor(page, error.code)) return undefined
    throw error
  })
  if (answer === undefined) return proveSecondFirst(page)
  const { redirectUri } = answer
  if (redirectUri === null) throw new ApiError('attempt_not_open')
  return page.reply.redirect(redirectUri, 303)
}

/** What a provider's answer ended with. */
function errorOf(page: PageCall): Refused | undefined {
  const error = page.query('error')
  if (error === undefined) return undefined
  const key = codeText(error) ?? 'error.providerFailed'
  return { errors: { form: (page.text as (name: typeof key) => string)(key) }, status: 200 }
}

/** GET /sign-in?redirect_to&prompt=login&error&interaction&client_id */
export async function openSignIn(page: PageCall) {
  const { tenant, deps, session } = page
  if (!tenant.auth.signInEnabled) throw new ApiError('sign_in_disabled')
  const wanted = page.query('redirect_to')
  const redirectTo = wanted === undefined ? undefined : checkedRedirect(deps, page, wanted)
  const request = requestOfQuery(page) ?? requestOfDestination(page, redirectTo)
  if (request !== undefined) return openForApplication(page, request)
  const isAsked = page.query('prompt') === 'login'
  if (!isAsked && (await findBrowserAccounts(page)).length > 0) return goChoose(page, redirectTo)
  if (session?.row.user_is_anonymous === 0 && !isAsked) return showSignedIn(page, redirectTo)
  return showStart(page, redirectTo, errorOf(page))
}

/** The message for an identifier of a kind with which nobody can sign in here. It reveals nothing about who exists. */
function kindProblem({ text }: PageCall, kinds: IdentifierKinds, identifier: string): FieldErrors | undefined {
  if (kinds[parseIdentifier(identifier).kind]) return undefined
  const { email, phone, username } = kinds
  if (username || (email && phone)) return { identifier: text('error.invalid') }
  return { identifier: text(phone ? 'error.phone' : 'error.email') }
}

async function beginWithIdentifier(page: PageCall, redirectTo: string | undefined) {
  const identifier = page.field('identifier')?.trim() ?? ''
  const { kinds } = await beginnings(page)
  const { text } = page
  const problem = identifier === '' ? { identifier: text('error.required') } : kindProblem(page, kinds, identifier)
  if (problem !== undefined) return showStart(page, redirectTo, { errors: problem, status: 422, value: identifier })
  try {
    const body = { identifier, ...(redirectTo === undefined ? {} : { redirectUri: redirectTo }) }
    const { signInAttempt, connections = [] } = await page.run(frontendEndpoints.createSignIn, { body })
    const { id, supportedFirstFactors } = signInAttempt
    // For the few who may sign in otherwise where a connection is required; asking for it changes nothing for everybody else.
    if (page.field('with') === 'choose') return page.go(`/sign-in/${id}?with=choose`)
    const isConnectionAlone = supportedFirstFactors.length === 1 && connections.length === 1
    if (isConnectionAlone) return await leaveForConnection(page, signInAttempt, undefined)
    const [first] = supportedFirstFactors.filter((each) => each !== 'oauth')
    // A password is asked for at once. A code or link is sent at once if there is nothing to choose.
    if (isSent(first)) await sendFirstFactor(page, id, first)
    return page.go(`/sign-in/${id}`)
  } catch (error) {
    const problems = error instanceof ApiError ? problemsOf(error, text) : undefined
    if (problems === undefined) throw error
    return showStart(page, redirectTo, { ...problems, value: identifier })
  }
}

/** POST /sign-in */
export async function beginSignIn(page: PageCall) {
  const { deps } = page
  const wanted = page.field('redirectTo')
  const redirectTo = wanted === undefined ? undefined : checkedRedirect(deps, page, wanted)
  await assertAwaited(page, redirectTo)
  const provider = providerKeyOf(page.field('provider'))
  return provider === undefined ? beginWithIdentifier(page, redirectTo) : leaveForProvider(page, provider, redirectTo)
}

/** POST /sign-in/passkey/options: only for the script. */
export function answerPasskeyOptions(page: PageCall) {
  page.take('passkeyOptions')
  return passkeyOptionsOfBrowser(page.deps, page.frontendCall())
}

function idOfAssertion(page: PageCall): string | undefined {
  try {
    return parseAssertion(credentialOf(page)).id
  } catch {
    return undefined
  }
}

/** What the password manager is told if it has offered a passkey that does not exist any more; undefined if it exists. */
async function unknownPasskey(page: PageCall): Promise<PasskeyUpkeep | undefined> {
  const { deps, tenant, request } = page
  const id = idOfAssertion(page)
  if (id === undefined) return undefined
  if ((await findPasskey(deps.db, tenant.row.id, id)) !== undefined) return undefined
  const rpId = relyingPartyId(deps.config, tenant, request)
  return { script: upkeepAsset().path, unknown: { rpId, credentialId: id } }
}

/** POST /sign-in/passkey */
export async function signInByPasskey(page: PageCall) {
  const { text } = page
  const wanted = page.field('redirectTo')
  page.take('createSignIn')
  try {
    const { signInAttempt } = await createPasskeySignIn(page.deps, page.frontendCall(), {
      credential: credentialOf(page),
      ...(wanted === undefined ? {} : { redirectUri: wanted }),
    })
    return page.go(`/sign-in/${signInAttempt.id}`)
  } catch (error) {
    const problems =
      error instanceof ApiError ? problemsOf(error, text, { refused: ['form', 'error.wrongPasskey'] }) : undefined
    if (problems === undefined) throw error
    return showStart(page, wanted, { ...problems, upkeep: await unknownPasskey(page) })
  }
}

/** The fields that the script has filled in. */
export function credentialOf(page: PageCall): unknown {
  const credential = page.field('credential')
  if (credential === undefined) throw new ApiError('factor_refused')
  try {
    return JSON.parse(credential) as unknown
  } catch (cause) {
    throw new ApiError('factor_refused', { cause })
  }
}
