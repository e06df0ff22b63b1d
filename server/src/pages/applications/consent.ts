// The user's consent to what an application asks for.
import { type OAuthInteraction, frontendEndpoints } from '@bailiwick/contract'
import { consentPage } from '@bailiwick/pages'
import { ApiError } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { lacksSecondFactor, proveSecondFirst } from '../call/second-factor-first.ts'
import { signInFirst } from '../call/sign-in-first.ts'
import { problemsOf } from '../problems.ts'
import { signedInName } from '../signed-in-name.ts'
import {
  interactionOf,
  orOver,
  pathWith,
  requestOf,
  requestOfQuery,
  showActing,
  shownApplication,
} from './interaction.ts'

/** The organizations that can be chosen from; a user with more acts for the others by switching to them first. */
const organizationsMax = '100'

async function organizationsOf(page: PageCall) {
  if (!page.tenant.auth.organizationsEnabled) return []
  const query = { perPage: organizationsMax }
  const { organizations } = await page.run(frontendEndpoints.listOwnOrganizations, { query })
  return organizations.map(({ id, name }) => ({ id, name }))
}

async function showConsent(
  page: PageCall,
  interaction: OAuthInteraction,
  problems: { readonly errors: Readonly<Record<string, string>>; readonly status?: number } = { errors: {} },
) {
  const [organizations, name] = await Promise.all([organizationsOf(page), signedInName(page)])
  const request = requestOf(interaction)
  const view = {
    uid: request.uid,
    clientId: request.clientId,
    application: shownApplication(page, interaction),
    name,
    scopes: interaction.scopes,
    resources: interaction.resources,
    organizations: interaction.isOrganizationRequested
      ? organizations.filter(({ id }) => id === interaction.organizationId)
      : organizations,
    isOrganizationRequested: interaction.isOrganizationRequested,
    signInAt: interaction.isDevice ? undefined : pathWith('/sign-in', request, { prompt: 'login' }),
    organizationId: interaction.organizationId,
    isDevice: interaction.isDevice,
    errors: problems.errors,
  }
  const frame = page.frame(page.root + pathWith('/consent', request))
  return page.show(consentPage(frame, view), problems.status)
}

/** GET /consent?interaction&client_id */
export async function openConsent(page: PageCall) {
  const interaction = await interactionOf(page, requestOfQuery(page))
  if (interaction.prompt === 'login') return page.go(pathWith('/sign-in', requestOf(interaction)))
  if (page.session === undefined) return signInFirst(page)
  return page.session.row.actor_type === null ? showConsent(page, interaction) : showActing(page)
}

/** POST /consent */
export async function answerConsent(page: PageCall) {
  const uid = page.field('interaction') ?? ''
  const interaction = await interactionOf(page, { uid, clientId: page.field('clientId') })
  if (page.session === undefined) throw new ApiError('attempt_not_open')
  const isAllowed = page.field('answer') === 'allow'
  const params = { uid }
  try {
    const scopes = interaction.scopes.map(({ name }) => name)
    const body = { scopes, organizationId: page.field('organizationId') ?? null }
    const { redirectUri } = await orOver(() =>
      isAllowed
        ? page.run(frontendEndpoints.consentOAuthInteraction, { params, body })
        : page.run(frontendEndpoints.abortOAuthInteraction, { params }),
    )
    if (redirectUri === null) return page.go(`/device?done=${isAllowed ? 'allowed' : 'refused'}`)
    return page.leave(redirectUri, interaction.application.host ?? undefined)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'reauthentication_required') return showActing(page)
    if (lacksSecondFactor(page, error.code)) return proveSecondFirst(page)
    const problems = problemsOf(error, page.text)
    if (problems === undefined) throw error
    return showConsent(page, interaction, problems)
  }
}
