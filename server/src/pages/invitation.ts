// The page that the link in an invitation leads to. Opening it does nothing: its reader signs up or in first, and then accepts or declines.
import { frontendEndpoints } from '@bailiwick/contract'
import { invitationPage } from '@bailiwick/pages'
import { ApiError } from '../platform/http/api-error.ts'
import type { PageCall } from './page-call.ts'

/** GET /invitation?token */
export function openInvitation(page: PageCall) {
  const token = page.query('token')
  if (token === undefined) throw new ApiError('not_found')
  const { session, tenant } = page
  const again = new URLSearchParams({
    redirect_to: page.addressOf(`/invitation?${new URLSearchParams({ token }).toString()}`),
  })
  const view = {
    token,
    isSignedIn: session !== undefined,
    // An invitation to administer a tenant is answered at the console, by whoever is signed in there.
    canAnswer: tenant.row.kind !== 'console',
    signInAt: `/sign-in?${again.toString()}`,
    signUpAt: `/sign-up?${new URLSearchParams({ invitationToken: token }).toString()}`,
  }
  return page.show(invitationPage(page.frame(), view))
}

/** POST /invitation */
export async function answerInvitation(page: PageCall) {
  const { text } = page
  const token = page.field('token') ?? ''
  const params = { token }
  try {
    if (page.field('answer') === 'decline') {
      await page.run(frontendEndpoints.declineInvitation, { params })
      return page.message({ title: text('invitation.declinedTitle'), lead: text('invitation.declinedLead') })
    }
    if (page.session === undefined) return page.go(`/invitation?${new URLSearchParams({ token }).toString()}`)
    await page.run(frontendEndpoints.acceptInvitation, { params })
    return page.go('/account')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'member_exists') return page.go('/account')
    if (error.code !== 'invitation_invalid' && error.code !== 'membership_limit_reached') throw error
    return page.message({ title: text('invitation.invalidTitle'), lead: text('invitation.invalidLead') }, 409)
  }
}
