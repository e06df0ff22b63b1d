// Signing out, only in this browser: of the active account, or of all that the browser keeps.
import { frontendEndpoints } from '@bailiwick/contract'
import { signOutPage } from '@bailiwick/pages'
import { checkedRedirect } from '../../flows/frontend/destinations.ts'
import type { PageCall } from '../call/page-call.ts'
import { destinationAfter } from '../destination.ts'
import { signedInName } from '../signed-in-name.ts'
import { findBrowserAccounts } from './accounts.ts'

function showDone(page: PageCall) {
  const { text } = page
  const actions = [{ href: '/sign-in', label: text('signOut.again'), kind: 'secondary' as const }]
  return page.message({ title: text('signOut.doneTitle'), lead: text('signOut.doneLead'), actions })
}

/** GET /sign-out?redirect_to */
export async function openSignOut(page: PageCall) {
  const accounts = await findBrowserAccounts(page)
  if (page.session === undefined && accounts.length === 0) return showDone(page)
  const wanted = page.query('redirect_to')
  const redirectTo = wanted === undefined ? undefined : checkedRedirect(page.deps, page, wanted)
  const name = page.session === undefined ? undefined : await signedInName(page)
  return page.show(signOutPage(page.frame(), { name, redirectTo, hasOthers: accounts.some(({ current }) => !current) }))
}

/** POST /sign-out */
export async function signOut(page: PageCall) {
  const wanted = page.field('redirectTo')
  const redirectTo = wanted === undefined ? undefined : checkedRedirect(page.deps, page, wanted)
  const address = destinationAfter(page, 'signOut', redirectTo)
  const body = redirectTo === undefined ? {} : { redirectUri: redirectTo }
  const { providerSignOutUri } =
    page.session === undefined ? {} : await page.run(frontendEndpoints.endOwnSessions, { body })
  if (page.field('all') !== undefined) await page.run(frontendEndpoints.endBrowserAccounts)
  if (providerSignOutUri !== undefined)
    return page.leave(providerSignOutUri, address === undefined ? undefined : new URL(address).host)
  return address === undefined ? page.go('/sign-out') : page.leave(address)
}
