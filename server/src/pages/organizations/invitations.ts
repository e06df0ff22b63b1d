// The invitations that were sent for an organization.
import { type SentInvitation, frontendEndpoints } from '@bailiwick/contract'
import { type InvitationState, organizationInvitationsPage } from '@bailiwick/pages'
import type { PageCall } from '../call/page-call.ts'
import type { Problems } from '../problems.ts'
import { type Done, cursorQuery, doneText, goDone, lifetimeChoices, lifetimes, typed } from './area.ts'
import { type OpenOrganization, openOrganization } from './open-organization.ts'
import { organizationProblems } from './problems.ts'

const daySeconds = 24 * 60 * 60

const manage = 'org:invitations:manage'

function stateOf({ acceptedAt, declinedAt, expiresAt }: SentInvitation, now: string): [InvitationState, string] {
  if (acceptedAt !== null) return ['accepted', acceptedAt]
  if (declinedAt !== null) return ['declined', declinedAt]
  return [expiresAt > now ? 'waiting' : 'expired', expiresAt]
}

interface Typed {
  readonly email: string
  readonly roleId: string | null
  readonly days: string | undefined
}

interface Shown {
  readonly cursor: string | undefined
  readonly problems?: Problems
  readonly values?: Typed
}

async function showInvitations(page: PageCall, open: OpenOrganization, { cursor, problems, values }: Shown) {
  const { shown, roles } = open
  const { invitations, meta } = await page.run(frontendEndpoints.listSentInvitations, {
    params: { id: page.id },
    query: cursorQuery(cursor),
  })
  const frame = page.frame(`${page.root}/organizations/${page.id}/invitations`)
  const dates = new Intl.DateTimeFormat(frame.language.tag, { dateStyle: 'medium', timeZone: frame.timezone ?? 'UTC' })
  const inDays = new Intl.NumberFormat(frame.language.tag, { style: 'unit', unit: 'day', unitDisplay: 'long' })
  const now = page.deps.clock.now()
  const view = {
    organization: shown,
    invitations: invitations.map((invitation) => {
      const [state, at] = stateOf(invitation, now)
      const { id, email, role, membershipLifetime: seconds } = invitation
      const lifetime = seconds === null ? undefined : inDays.format(Math.ceil(seconds / daySeconds))
      const date = dates.format(new Date(at))
      return { id, email: email ?? '', role: role?.name ?? null, state, date, lifetime }
    }),
    prev: meta.prev,
    next: meta.next,
    roles,
    lifetimes: lifetimeChoices(frame.language.tag),
    cursor,
    values,
    done: doneText(page),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(organizationInvitationsPage(frame, view), problems?.status)
}

/** GET /organizations/{id}/invitations?cursor */
export const openInvitations = async (page: PageCall) =>
  showInvitations(page, await openOrganization(page), { cursor: page.query('cursor') })

/** POST /organizations/{id}/invitations */
export async function sendInvitation(page: PageCall) {
  const open = await openOrganization(page)
  const days = page.field('days')
  const email = typed(page, 'email')
  const roleId = page.field('roleId') ?? null
  const values = { email, roleId, days }
  const lifetime = lifetimes.find((each) => String(each) === days)
  const membershipLifetime = lifetime === undefined ? null : lifetime * daySeconds
  const refuse = (problems: Problems) => showInvitations(page, open, { cursor: undefined, problems, values })
  if (values.email === '') return refuse({ errors: { email: page.text('error.required') }, status: 422 })
  try {
    await page.run(frontendEndpoints.sendInvitation, {
      params: { id: page.id },
      body: { email, roleId, membershipLifetime },
    })
  } catch (error) {
    const problems = organizationProblems(error, page.text, open.may(manage))
    if (problems === undefined) throw error
    return refuse(problems)
  }
  return goDone(page, `/organizations/${page.id}/invitations`, 'invited')
}

async function change(page: PageCall): Promise<Done> {
  const params = { id: page.id, invitationId: page.parameter('invitationId') }
  const action = page.field('action')
  if (action === 'resend') {
    await page.run(frontendEndpoints.resendInvitation, { params })
    return 'resent'
  }
  await page.run(frontendEndpoints.revokeInvitation, { params })
  return action === 'forget' ? 'forgotten' : 'revoked'
}

/** POST /organizations/{id}/invitations/{invitationId} */
export async function changeInvitation(page: PageCall) {
  const cursor = page.field('cursor')
  try {
    return goDone(page, `/organizations/${page.id}/invitations`, await change(page), cursor)
  } catch (error) {
    const open = await openOrganization(page)
    const problems = organizationProblems(error, page.text, open.may(manage))
    const [message] = Object.values(problems?.errors ?? {})
    if (problems === undefined || message === undefined) throw error
    const errors = { [page.parameter('invitationId')]: message }
    return showInvitations(page, open, { cursor, problems: { ...problems, errors } })
  }
}
