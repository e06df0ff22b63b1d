// To a social provider, and back. The provider's answer is redeemed by the frontend interface, which then sends the browser to `/return`.
import { type AnyProviderKey, type SignInAttempt, frontendEndpoints } from '@bailiwick/contract'
import { checkedRedirect } from '../../flows/frontend/destinations.ts'
import type { PageCall } from '../call/page-call.ts'
import { openedSetup } from '../setup/area.ts'
import { arriveInvited } from './invitation-offer.ts'

const withDestination = (path: string, redirectTo: string | undefined, more: Readonly<Record<string, string>> = {}) => {
  const parameters = new URLSearchParams({ ...more, ...(redirectTo === undefined ? {} : { redirect_to: redirectTo }) })
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`
}

/** Begins to sign in with a provider. Somebody who is new there signs up by it, as far as the tenant lets people do so. */
export async function leaveForProvider(page: PageCall, providerKey: AnyProviderKey, redirectTo: string | undefined) {
  const begun = { body: redirectTo === undefined ? {} : { redirectUri: redirectTo } }
  const { signInAttempt } = await page.run(frontendEndpoints.createSignIn, begun)
  const { authorizeUri } = await page.run(frontendEndpoints.prepareFirstFactor, {
    params: { id: signInAttempt.id },
    body: {
      strategy: 'oauth',
      providerKey,
      redirectUri: page.addressOf(withDestination('/return', redirectTo)),
    },
  })
  if (authorizeUri === undefined) throw new Error('a provider has no address to go to')
  return page.leave(authorizeUri)
}

/** Goes on at the provider of the organization to which the address belongs. */
export async function leaveForConnection(
  page: PageCall,
  { id, redirectUri }: Pick<SignInAttempt, 'id' | 'redirectUri'>,
  connectionId: string | undefined,
) {
  const { authorizeUri } = await page.run(frontendEndpoints.prepareFirstFactor, {
    params: { id },
    body: {
      strategy: 'enterprise',
      ...(connectionId === undefined ? {} : { connectionId }),
      redirectUri: page.addressOf(withDestination('/return', redirectUri ?? undefined)),
    },
  })
  if (authorizeUri === undefined) throw new Error('a connection has no address to go to')
  return page.leave(authorizeUri)
}

/** A sign-up that asked for more ends here too, with neither an attempt nor a purpose. */
function goOnSignedIn(page: PageCall, redirectTo: string | undefined) {
  if (page.session === undefined) return page.go(withDestination('/sign-in', redirectTo))
  return arriveInvited(
    page,
    'signUp',
    redirectTo === undefined ? undefined : checkedRedirect(page.deps, page, redirectTo),
  )
}

/** Whoever tests a connection on the set-up pages goes on there: as a member, or with a link. */
async function endConnectionTest(page: PageCall, isFailed: boolean) {
  const { text } = page
  const organizationId = page.query('organization')
  const query = new URLSearchParams({ tested: 'yes', id: page.query('connection') ?? '' }).toString()
  if (organizationId !== undefined && page.session !== undefined)
    return page.go(`/organizations/${encodeURIComponent(organizationId)}/security/connection?${query}`)
  if ((await openedSetup(page)) !== undefined) return page.go(`/setup/connection?${query}`)
  return page.message({
    title: text(isFailed ? 'connection.testFailedTitle' : 'connection.testedTitle'),
    lead: text('connection.testedLead'),
    actions: [],
  })
}

/** GET /return?flow&purpose&error&redirect_to, and for the test of a connection &connection&organization */
export function returnFromProvider(page: PageCall) {
  const flow = page.query('flow')
  const error = page.query('error')
  const redirectTo = page.query('redirect_to')
  const isSignUp = page.query('purpose') === 'sign_up'
  if (page.query('purpose') === 'connection')
    return page.go(
      withDestination('/account/connections', undefined, error === undefined ? { done: 'connected' } : { error }),
    )
  if (page.query('purpose') === 'connection_test') return endConnectionTest(page, error !== undefined)
  if (error !== undefined) return page.go(withDestination(isSignUp ? '/sign-up' : '/sign-in', redirectTo, { error }))
  if (flow === undefined) return goOnSignedIn(page, redirectTo)
  return page.go(`/${isSignUp ? 'sign-up' : 'sign-in'}/${encodeURIComponent(flow)}`)
}
