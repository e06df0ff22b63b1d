// The page that the link in an invitation leads to. Opening it does nothing: its reader signs up or in first, and then accepts or declines.
// The token says what the invitation is to: an organization of the tenant or, at the console, the administration of some tenant.
import { frontendEndpoints } from '@bailiwick/contract'
import { invitationPage } from '@bailiwick/pages'
import { consoleUserOf } from '../flows/console-user/console-principal.ts'
import { acceptOwnInvitation, declineOwnInvitation } from '../flows/console-user/own-invitations.ts'
import {
  findTenantInvitation,
  tenantInvitationPrefix,
  tenantInvitationTokenHash,
} from '../identity/tenant-members/answer-invitation.ts'
import { ApiError } from '../platform/http/api-error.ts'
import type { PageCall } from './page-call.ts'

/** Such an invitation is answered by a user with the invited address alone; the other kind can be declined by whoever has the token. */
const isToTenant = (token: string) => token.startsWith(tenantInvitationPrefix)

const pathOf = (token: string) => `/invitation?${new URLSearchParams({ token }).toString()}`

/** GET /invitation?token */
export function openInvitation(page: PageCall) {
  const token = page.query('token')
  if (token === undefined) throw new ApiError('not_found')
  const isSignedIn = page.session !== undefined
  const again = new URLSearchParams({ redirect_to: page.addressOf(pathOf(token)) })
  const view = {
    token,
    isSignedIn,
    canAnswer: isSignedIn || !isToTenant(token),
    signInAt: `/sign-in?${again.toString()}`,
    signUpAt: `/sign-up?${new URLSearchParams({ invitationToken: token }).toString()}`,
  }
  return page.show(invitationPage(page.frame(), view))
}

type Answer = 'accept' | 'decline'

/** As the console's own operations do, which know the invitation by its id. */
async function answerToTenant(page: PageCall, token: string, answer: Answer) {
  const { deps, session } = page
  const user = consoleUserOf(session)
  if (user === undefined) throw new ApiError('invitation_invalid')
  page.take(`${answer}Invitation`)
  const { id } = await findTenantInvitation(deps, deps.db, tenantInvitationTokenHash(token))
  const actor = { ...page.frontendCall().actor(), type: user.type }
  await (answer === 'accept' ? acceptOwnInvitation : declineOwnInvitation)(deps, user, id, actor)
}

async function answerToOrganization(page: PageCall, token: string, answer: Answer) {
  const params = { token }
  await (answer === 'accept'
    ? page.run(frontendEndpoints.acceptInvitation, { params })
    : page.run(frontendEndpoints.declineInvitation, { params }))
}

/** What an invitation is refused with that has been used, or that is to somebody else. */
const isGone = ({ code }: ApiError) =>
  code === 'invitation_invalid' || code === 'membership_limit_reached' || code === 'not_found'

/** POST /invitation */
export async function answerInvitation(page: PageCall) {
  const { text, session } = page
  const token = page.field('token') ?? ''
  const answer = page.field('answer') === 'decline' ? 'decline' : 'accept'
  if (session === undefined && (answer === 'accept' || isToTenant(token))) return page.go(pathOf(token))
  try {
    await (isToTenant(token) ? answerToTenant : answerToOrganization)(page, token, answer)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'member_exists') return page.go('/account')
    if (!isGone(error)) throw error
    return page.message({ title: text('invitation.invalidTitle'), lead: text('invitation.invalidLead') }, 409)
  }
  if (answer === 'accept') return page.go('/account')
  return page.message({ title: text('invitation.declinedTitle'), lead: text('invitation.declinedLead') })
}
