// The accounts of this browser: choosing the active one, adding one, and signing one out.
import { type BrowserAccount, frontendEndpoints } from '@bailiwick/contract'
import { accountsPage } from '@bailiwick/pages'
import { checkedRedirect } from '../../flows/frontend/destinations.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { interactionOf, requestOfDestination } from '../applications/interaction.ts'
import type { PageCall } from '../call/page-call.ts'
import { accountPath, destinationAfter } from '../destination.ts'

const path = '/accounts'

const withRedirect = (at: string, redirectTo: string | undefined, others: Readonly<Record<string, string>> = {}) => {
  const query = new URLSearchParams({ ...others, ...(redirectTo === undefined ? {} : { redirect_to: redirectTo }) })
  return query.size === 0 ? at : `${at}?${query.toString()}`
}

/** Returns the accounts between which the browser can choose; none where the tenant does not allow several, or somebody acts as a user. */
export async function findBrowserAccounts(page: PageCall): Promise<BrowserAccount[]> {
  if (!page.frontendCall().keepsAccounts || (page.session?.row.actor_type ?? null) !== null) return []
  return (await page.run(frontendEndpoints.getBrowserAccounts)).accounts
}

export const goChoose = (page: PageCall, redirectTo: string | undefined) => page.go(withRedirect(path, redirectTo))

const wantedRedirect = (page: PageCall, wanted: string | undefined) =>
  wanted === undefined ? undefined : checkedRedirect(page.deps, page, wanted)

/** GET /accounts?redirect_to */
export async function openAccounts(page: PageCall) {
  const redirectTo = wantedRedirect(page, page.query('redirect_to'))
  const accounts = await findBrowserAccounts(page)
  if (accounts.length === 0) return page.go(withRedirect('/sign-in', redirectTo))
  const request = requestOfDestination(page, redirectTo)
  const interaction = request === undefined ? undefined : await interactionOf(page, request)
  return page.show(
    accountsPage(page.frame(), {
      accounts: accounts.map(({ id, current, user: { name, identifier } }) => ({
        id,
        name,
        identifier,
        isCurrent: current,
      })),
      redirectTo,
      addAt: withRedirect('/sign-in', redirectTo, { prompt: 'login' }),
      unsuited: interaction?.isAnotherAccountWanted === true ? interaction.application.name : undefined,
    }),
  )
}

/** POST /accounts/{id}/switch */
export async function switchAccount(page: PageCall) {
  const redirectTo = wantedRedirect(page, page.field('redirectTo'))
  try {
    await page.run(frontendEndpoints.switchBrowserAccount, { params: { id: page.id } })
  } catch (error) {
    const code = error instanceof ApiError ? error.code : undefined
    // It has ended meanwhile, or must be signed in to again with a second factor.
    if (code === 'not_found') return goChoose(page, redirectTo)
    if (code === 'second_factor_required') return page.go(withRedirect('/sign-in', redirectTo, { prompt: 'login' }))
    throw error
  }
  return page.leave(destinationAfter(page, 'signIn', redirectTo) ?? page.addressOf(accountPath))
}

/** POST /accounts/{id}/end */
export async function endAccount(page: PageCall) {
  const redirectTo = wantedRedirect(page, page.field('redirectTo'))
  try {
    await page.run(frontendEndpoints.endBrowserAccounts, { query: { id: page.id } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
  return goChoose(page, redirectTo)
}
