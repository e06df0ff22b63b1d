// What applications ask of the users who are sent here by the authorization endpoint, and the way back to them.
import { type OAuthInteraction, frontendEndpoints } from '@bailiwick/contract'
import type { AskingApplication } from '@bailiwick/pages'
import { ApiError } from '../../platform/http/api-error.ts'
import { shownPicture } from '../organizations/pictures.ts'
import type { PageCall } from '../call/page-call.ts'

/** @throws ApiError attempt_not_open, also for one that has been answered: here it counts as over. */
export async function interactionOf(page: PageCall, uid: string | undefined): Promise<OAuthInteraction> {
  page.wasForApplication = true
  if (uid === undefined) throw new ApiError('attempt_not_open')
  return orOver(async () => (await page.run(frontendEndpoints.getOAuthInteraction, { params: { uid } })).interaction)
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
const addressWith = (uid: string) => `${path}?${new URLSearchParams({ interaction: uid }).toString()}`

/** The page at which a sign-in for an application ends. */
export const destinationOfInteraction = (page: PageCall, uid: string): string => page.addressOf(addressWith(uid))

/** Returns the interaction for which a sign-in was begun, from the address at which it is to end. */
export function interactionOfDestination(page: PageCall, redirectTo: string | undefined): string | undefined {
  if (redirectTo === undefined || !URL.canParse(redirectTo)) return undefined
  const { origin, pathname, searchParams } = new URL(redirectTo)
  return origin + pathname === page.addressOf(path) ? (searchParams.get('interaction') ?? undefined) : undefined
}

/**
 * Checks that the application for which the user signs in still waits, so that nobody types a password for nothing.
 * @throws ApiError attempt_not_open
 */
export async function assertAwaited(page: PageCall, redirectTo: string | null | undefined) {
  const uid = interactionOfDestination(page, redirectTo ?? undefined)
  if (uid !== undefined) await interactionOf(page, uid)
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

/** GET /continue?interaction: where the browser arrives after signing in for an application. */
export async function continueAtApplication(page: PageCall) {
  const uid = page.query('interaction') ?? ''
  const interaction = await interactionOf(page, uid)
  const again = `/sign-in?${new URLSearchParams({ interaction: uid }).toString()}`
  if (page.session === undefined || interaction.mustSignInAnew) return page.go(again)
  if (page.session.row.actor_type !== null) return showActing(page)
  const isConsent = interaction.prompt === 'consent'
  const signingIn = orOver(() => page.run(frontendEndpoints.loginOAuthInteraction, { params: { uid } }))
  const { redirectUri } = await signingIn.catch((error: unknown) => {
    // The user who is asked to consent has not signed in anew.
    if (isConsent && error instanceof ApiError && error.code === 'attempt_not_open') return { redirectUri: undefined }
    throw error
  })
  if (redirectUri === undefined) return page.go(`/consent?${new URLSearchParams({ interaction: uid }).toString()}`)
  if (redirectUri === null) throw new ApiError('attempt_not_open')
  return page.leave(redirectUri, interaction.application.host ?? undefined)
}
