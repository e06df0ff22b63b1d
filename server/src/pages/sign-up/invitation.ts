// The page that the link in an invitation leads to. Opening it does nothing: its reader signs up or in first, and then accepts or declines.
// The token says what the invitation is for: an organization of the tenant or, at the console, the administration of a tenant.
import { type Profile, emailKey, frontendEndpoints } from '@bailiwick/contract'
import { type InvitationReader, invitationPage, isolated } from '@bailiwick/pages'
import { consoleUserOf } from '../../flows/console-user/console-principal.ts'
import {
  acceptOwnInvitation,
  declineOwnInvitation,
  findInvitationByToken,
} from '../../flows/console-user/own-invitations.ts'
import { isTenantInvitation } from '../../identity/tenant-members/answer-invitation.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { nameOfProfile } from '../signed-in-name.ts'

const consolePath = (tenantId: string) => `/console/t/${tenantId}`
const pathOf = (token: string) => `/invitation?${new URLSearchParams({ token }).toString()}`

interface Received {
  readonly id: string
  readonly to: { readonly kind: 'organization' | 'tenant'; readonly name: string }
  readonly email: string
  /** The tenant that the invited person will administer. */
  readonly tenantId?: string
}

/** @throws ApiError invitation_invalid */
async function receive(page: PageCall, token: string): Promise<Received> {
  if (!isTenantInvitation(token)) {
    const { invitation } = await page.run(frontendEndpoints.getInvitation, { params: { token } })
    const { id, email, organization } = invitation
    return { id, email, to: { kind: 'organization', name: organization.name } }
  }
  // Only console users administer tenants.
  if (page.tenant.row.kind !== 'console') throw new ApiError('invitation_invalid')
  page.take('getInvitation')
  const { row, tenant } = await findInvitationByToken(page.deps, token)
  return { id: row.id, email: row.email, tenantId: tenant.id, to: { kind: 'tenant', name: tenant.name } }
}

/** Returns whether the reader may accept, by the same rule as the operation. */
function readerOf(
  { session }: PageCall,
  { to, email, tenantId }: Received,
  user: Profile | undefined,
): InvitationReader {
  if (session === undefined || user === undefined) return 'signed-out'
  if (to.kind === 'tenant' && session.flags.has(tenantId as never)) return 'member'
  const address = user.emails.find((each) => emailKey(each.email) === emailKey(email))
  if (address === undefined) return 'somebody-else'
  return to.kind === 'tenant' && address.verifiedAt === null ? 'unverified' : 'invited'
}

/** An anonymous user signs up with the invitation. */
const isSomebody = ({ session }: PageCall) => session !== undefined && session.row.user_is_anonymous === 0

/** What the page shows, and the POST allows. */
async function openReceived(page: PageCall, token: string) {
  const received = await receive(page, token)
  const user = isSomebody(page) ? (await page.run(frontendEndpoints.getProfile)).user : undefined
  const reader = readerOf(page, received, user)
  const again = { redirect_to: page.addressOf(pathOf(token)) }
  const signIn = new URLSearchParams(reader === 'somebody-else' ? { ...again, prompt: 'login' } : again)
  // Signing up accepts the invitation, so that an administrator can go on in the console.
  const { tenantId } = received
  const joined = tenantId === undefined ? {} : { redirect_to: new URL(consolePath(tenantId), page.addressOf('/')).href }
  const signUp = new URLSearchParams({ invitationToken: token, ...joined })
  const view = {
    token,
    to: received.to,
    email: received.email,
    reader,
    name: user === undefined ? undefined : nameOfProfile(user),
    // A person who has the link to an organization reads the invited address; an invitation of an administrator is answered only by its
    // user.
    canDecline: received.to.kind === 'organization' || reader === 'invited',
    signInAt: `/sign-in?${signIn.toString()}`,
    signUpAt: `/sign-up?${signUp.toString()}`,
  }
  return { received, view }
}

/** The errors for an invitation that has been used, or belongs to somebody else. */
const goneCodes: ReadonlySet<string> = new Set(['invitation_invalid', 'not_found', 'validation_failed', 'forbidden'])
const isGone = (error: unknown) => goneCodes.has(apiErrorOf(error).code)

/** GET /invitation?token */
export async function openInvitation(page: PageCall) {
  const token = page.query('token')
  if (token === undefined) throw new ApiError('not_found')
  try {
    const { view } = await openReceived(page, token)
    return page.show(invitationPage(page.frame(), view))
  } catch (error) {
    if (!isGone(error)) throw error
    return showInvalid(page)
  }
}

const showInvalid = (page: PageCall, status = 410) =>
  page.message({ title: page.text('invitation.invalidTitle'), lead: page.text('invitation.invalidLead') }, status)

type Answer = 'accept' | 'decline'

/**
 * Does what the console's own operations do, which know the invitation by its id. Resolves with the page that its reader continues with.
 */
async function answerToTenant(page: PageCall, { id, tenantId = '' }: Received, answer: Answer): Promise<string> {
  const { deps, session } = page
  const user = consoleUserOf(session)
  if (user === undefined) throw new ApiError('invitation_invalid')
  page.take(`${answer}Invitation`)
  const actor = { ...page.frontendCall().actor(), type: user.type }
  await (answer === 'accept' ? acceptOwnInvitation : declineOwnInvitation)(deps, user, id, actor)
  return `/invitation/accepted?${new URLSearchParams({ tenant: tenantId }).toString()}`
}

async function answerToOrganization(page: PageCall, token: string, answer: Answer): Promise<string> {
  const params = { token }
  if (answer === 'decline') {
    await page.run(frontendEndpoints.declineInvitation, { params })
    return ''
  }
  const { organization } = await page.run(frontendEndpoints.acceptInvitation, { params })
  return `/organizations/${organization.id}?done=joined`
}

/** POST /invitation */
export async function answerInvitation(page: PageCall) {
  const token = page.field('token') ?? ''
  const answer = page.field('answer') === 'decline' ? 'decline' : 'accept'
  try {
    const { received, view } = await openReceived(page, token)
    const may = answer === 'accept' ? view.reader === 'invited' : view.canDecline
    if (!may)
      return view.reader === 'signed-out' ? page.go(pathOf(token)) : page.show(invitationPage(page.frame(), view), 403)
    const next = await (received.to.kind === 'tenant'
      ? answerToTenant(page, received, answer)
      : answerToOrganization(page, token, answer))
    return page.go(answer === 'decline' ? '/invitation/declined' : next)
  } catch (error) {
    const { code, statusCode } = apiErrorOf(error)
    if (code === 'member_exists') return page.go('/account')
    if (code === 'membership_limit_reached')
      return page.message(
        { title: page.text('invitation.title'), lead: page.text('error.organizationFull') },
        statusCode,
      )
    if (!isGone(error)) throw error
    return showInvalid(page, 409)
  }
}

/** GET /invitation/declined */
export const showDeclined = (page: PageCall) =>
  page.message({ title: page.text('invitation.declinedTitle'), lead: page.text('invitation.declinedLead') })

/** GET /invitation/accepted?tenant. Names a tenant only to users who administer it. */
export async function showAccepted(page: PageCall) {
  const { text, session, deps } = page
  const tenant = await deps.tenants.byId(page.query('tenant') ?? '')
  if (tenant === undefined || session?.flags.has(tenant.row.id) !== true) throw new ApiError('not_found')
  return page.message({
    title: text('invitation.administerDone'),
    lead: text('invitation.administerDoneLead', { tenant: isolated(page.frame(), tenant.row.name) }),
    actions: [
      { href: consolePath(tenant.row.id), isWhole: true, label: text('invitation.openConsole') },
      { href: '/account', label: text('orgs.account'), kind: 'secondary' },
    ],
  })
}
