// What applications ask of the users who are sent here by the authorization endpoint, and the way back to them.
import { type OAuthInteraction, frontendEndpoints } from '@bailiwick/contract'
import type { AskingApplication } from '@bailiwick/pages'
import { ApiError } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { lacksSecondFactor, proveSecondFirst } from '../call/second-factor-first.ts'
import { shownPicture } from '../logos.ts'

/** The request of an application, as the addresses of these pages name it. */
export interface ApplicationRequest {
  readonly uid: string
  /** Names the application when its request itself is over; undefined for one that describes itself. */
  readonly clientId: string | undefined
}

const clientParameter = 'client_id'

/** Returns the request that the address of the page names. */
export function requestOfQuery(page: PageCall): ApplicationRequest | undefined {
  const uid = page.query('interaction')
  return uid === undefined ? undefined : { uid, clientId: page.query(clientParameter) }
}

/** Returns the request that waits, with the application that it is from. */
export const requestOf = ({ uid, application: { clientId } }: OAuthInteraction): ApplicationRequest => ({
  uid,
  // The address in which an application describes itself may be long, and names nothing that the tenant has registered.
  clientId: clientId.startsWith('https://') ? undefined : clientId,
})

/** Returns the path of a page with the request that it is for. */
export function pathWith(
  path: string,
  { uid, clientId }: ApplicationRequest,
  others: Readonly<Record<string, string>> = {},
) {
  const client = clientId === undefined ? {} : { [clientParameter]: clientId }
  return `${path}?${new URLSearchParams({ interaction: uid, ...client, ...others }).toString()}`
}

/** @throws ApiError attempt_not_open, also for one that has been answered: here it counts as over. */
export async function interactionOf(
  page: PageCall,
  request: ApplicationRequest | undefined,
): Promise<OAuthInteraction> {
  page.waitingApplication = { clientId: request?.clientId }
  if (request === undefined) throw new ApiError('attempt_not_open')
  const params = { uid: request.uid }
  return orOver(async () => (await page.run(frontendEndpoints.getOAuthInteraction, { params })).interaction)
}

/** Runs an operation on an interaction. @throws ApiError attempt_not_open if it is not there any more. */
export async function orOver<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const isOver = error instanceof ApiError && (error.code === 'not_found' || error.code === 'validation_failed')
    throw isOver ? new ApiError('attempt_not_open') : error
  }
}

const path = '/continue'

/** The page at which a sign-in for an application ends. */
export const destinationOfRequest = (page: PageCall, request: ApplicationRequest): string =>
  page.addressOf(pathWith(path, request))

/** Returns the request for which a sign-in was begun, from the address at which it is to end. */
export function requestOfDestination(page: PageCall, redirectTo: string | undefined): ApplicationRequest | undefined {
  if (redirectTo === undefined || !URL.canParse(redirectTo)) return undefined
  const { origin, pathname, searchParams } = new URL(redirectTo)
  const uid = searchParams.get('interaction')
  if (uid === null || origin + pathname !== page.addressOf(path)) return undefined
  return { uid, clientId: searchParams.get(clientParameter) ?? undefined }
}

/**
 * Checks that the application for which the user signs in still waits, so that nobody types a password for nothing.
 * @throws ApiError attempt_not_open
 */
export async function assertAwaited(page: PageCall, redirectTo: string | null | undefined) {
  const request = requestOfDestination(page, redirectTo ?? undefined)
  if (request !== undefined) await interactionOf(page, request)
}

export const shownApplication = (page: PageCall, { application }: OAuthInteraction): AskingApplication => ({
  name: application.name,
  pictureUri: shownPicture(page, application.logoUri),
  termsUri: application.termsUri,
  policyUri: application.policyUri,
  host: application.host,
  documentHost: application.clientId.startsWith('https://') ? new URL(application.clientId).host : null,
  isTrusted: application.isTrusted,
})

/** Somebody who acts in the user's place signs in to no application as the user. */
export function showActing(page: PageCall) {
  const { text } = page
  const actions = [{ href: '/account', label: text('account.back'), kind: 'secondary' as const }]
  return page.message({ title: text('account.actingTitle'), lead: text('account.actingLead'), actions }, 403)
}

/** GET /continue?interaction&client_id: where the browser arrives after signing in for an application. */
export async function continueAtApplication(page: PageCall) {
  const interaction = await interactionOf(page, requestOfQuery(page))
  const { uid } = interaction
  const request = requestOf(interaction)
  if (page.session === undefined || interaction.mustSignInAnew) return page.go(pathWith('/sign-in', request))
  if (page.session.row.actor_type !== null) return showActing(page)
  const isConsent = interaction.prompt === 'consent'
  const signingIn = orOver(() => page.run(frontendEndpoints.loginOAuthInteraction, { params: { uid } }))
  const answer = await signingIn.catch((error: unknown) => {
    // The user who is asked to consent has not signed in anew.
    if (isConsent && error instanceof ApiError && error.code === 'attempt_not_open') return { redirectUri: undefined }
    if (error instanceof ApiError && lacksSecondFactor(page, error.code)) return 'second factor first'
    throw error
  })
  if (answer === 'second factor first') return proveSecondFirst(page)
  const { redirectUri } = answer
  if (redirectUri === undefined) return page.go(pathWith('/consent', request))
  if (redirectUri === null) throw new ApiError('attempt_not_open')
  return page.leave(redirectUri, interaction.application.host ?? undefined)
}
