// Open invitations are offered after a sign-in, before the browser goes to where the sign-in leads.
import { frontendEndpoints } from '@bailiwick/contract'
import type { PageCall } from '../call/page-call.ts'
import { arrive, destinationAfter } from '../destination.ts'

/** Whether the browser is on its way to a page that shows invitations. */
const showsInvitations = (page: PageCall, address: string | undefined) =>
  address !== undefined && ['/invitation', '/organizations'].some((path) => address.startsWith(page.addressOf(path)))

/** Sends the browser to where a sign-in leads, by way of the open invitations of its user, if there are any. */
export async function arriveInvited(page: PageCall, flow: 'signIn' | 'signUp', wanted: string | null | undefined) {
  const { session, tenant } = page
  const mayBeInvited = tenant.auth.organizationsEnabled && session?.row.user_is_anonymous === 0
  if (!mayBeInvited || showsInvitations(page, destinationAfter(page, flow, wanted))) return arrive(page, flow, wanted)
  const { invitations } = await page.run(frontendEndpoints.listReceivedInvitations, { query: { perPage: '1' } })
  if (invitations.length === 0) return arrive(page, flow, wanted)
  const query = new URLSearchParams({ after: flow, ...(typeof wanted === 'string' ? { redirect_to: wanted } : {}) })
  return page.go(`/organizations/received?${query.toString()}`)
}
