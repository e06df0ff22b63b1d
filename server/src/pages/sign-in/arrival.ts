// A browser that the provider of an organization has sent here to sign in, although nobody had asked for that here.
import { arrivalPage } from '@bailiwick/pages'
import { confirmArrival, findArrival } from '../../flows/social-sign-in/arrival.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { signedInName } from '../signed-in-name.ts'

async function foundArrival(page: PageCall, state: string | undefined) {
  page.take('oauthCallback')
  return state === undefined ? undefined : findArrival(page.deps, page.tenant, state)
}

/** GET /sign-in/arrival?state */
export async function openArrival(page: PageCall) {
  const state = page.query('state')
  const arrival = await foundArrival(page, state)
  if (arrival === undefined || state === undefined) return page.go('/sign-in?error=oauth_state_invalid')
  const { person } = arrival.verified
  const view = {
    state,
    connection: arrival.connection.name,
    name: person.email ?? person.name ?? person.subject,
    signedInAs: page.session === undefined ? undefined : await signedInName(page),
  }
  return page.show(arrivalPage(page.frame(), view))
}

/** POST /sign-in/arrival */
export async function confirmArrivalHere(page: PageCall) {
  const arrival = await foundArrival(page, page.field('state'))
  if (arrival === undefined) return page.go('/sign-in?error=oauth_state_invalid')
  try {
    const { id } = await confirmArrival(page.deps, page.frontendCall(), arrival)
    return page.go(`/sign-in/${id}`)
  } catch (thrown) {
    const error = apiErrorOf(thrown)
    if (error.code === 'internal_error') throw thrown
    return page.go(`/sign-in?error=${error.code}`)
  }
}
