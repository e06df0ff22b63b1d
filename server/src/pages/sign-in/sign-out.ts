// Signing out, only in this browser.
import { frontendEndpoints } from '@bailiwick/contract'
import { signOutPage } from '@bailiwick/pages'
import { checkedRedirect } from '../../flows/frontend/destinations.ts'
import type { PageCall } from '../call/page-call.ts'
import { destinationAfter } from '../destination.ts'
import { signedInName } from '../signed-in-name.ts'

function showDone(page: PageCall) {
  const { text } = page
  const actions = [{ href: '/sign-in', label: text('signOut.again'), kind: 'secondary' as const }]
  return page.message({ title: text('signOut.doneTitle'), lead: text('signOut.doneLead'), actions })
}

/** GET /sign-out?redirect_to */
export async function openSignOut(page: PageCall) {
  if (page.session === undefined) return showDone(page)
  const wanted = page.query('redirect_to')
  const redirectTo = wanted === undefined ? undefined : checkedRedirect(page.deps, page, wanted)
  return page.show(signOutPage(page.frame(), { name: await signedInName(page), redirectTo }))
}

/** POST /sign-out */
export async function signOut(page: PageCall) {
  const wanted = page.field('redirectTo')
  const redirectTo = wanted === undefined ? undefined : checkedRedirect(page.deps, page, wanted)
  if (page.session !== undefined) await page.run(frontendEndpoints.endOwnSessions)
  const address = destinationAfter(page, 'signOut', redirectTo)
  return address === undefined ? page.go('/sign-out') : page.leave(address)
}
