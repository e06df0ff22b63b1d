// The user's organizations, the one that the session acts for, and those that are suggested.
import { frontendEndpoints } from '@bailiwick/contract'
import { type ReceivedInvitationView, createOrganizationPage, organizationListPage } from '@bailiwick/pages'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { shownPicture } from '../logos.ts'
import type { Problems } from '../problems.ts'
import { cursorQuery, doneText, goDone, typed } from './area.ts'
import { organizationProblems } from './problems.ts'

async function suggestionsFor(page: PageCall) {
  if (!page.tenant.auth.organizationAutomaticInvitationSuggestionsEnabled) return []
  const { suggestions } = await page.run(frontendEndpoints.listOrganizationSuggestions)
  return suggestions.map(({ organizationId: id, name, imageUri, domain }) => ({
    id,
    name,
    domain,
    pictureUri: shownPicture(page, imageUri),
  }))
}

/** Returns the open invitations of the reader, as the pages show them. */
export async function receivedBy(page: PageCall): Promise<ReceivedInvitationView[]> {
  const { invitations } = await page.run(frontendEndpoints.listReceivedInvitations)
  return invitations.map(({ id, email, organization }) => ({
    id,
    email,
    organization: {
      id: organization.id,
      name: organization.name,
      pictureUri: shownPicture(page, organization.imageUri),
    },
  }))
}

export async function showList(page: PageCall, problems?: Problems) {
  const cursor = page.query('cursor')
  const [{ organizations, meta }, invitations, suggestions] = await Promise.all([
    page.run(frontendEndpoints.listOwnOrganizations, { query: cursorQuery(cursor) }),
    receivedBy(page),
    suggestionsFor(page),
  ])
  const activeId = page.session?.row.organization_id ?? null
  const view = {
    organizations: organizations.map(({ id, name, imageUri, role, _count }) => ({
      id,
      name,
      pictureUri: shownPicture(page, imageUri),
      role: role?.name ?? null,
      members: _count.members,
      isActive: id === activeId,
    })),
    prev: meta.prev,
    next: meta.next,
    isActing: activeId !== null,
    invitations,
    suggestions,
    canAsk: page.tenant.auth.organizationAutomaticInvitationEnabled,
    done: doneText(page),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(organizationListPage(page.frame(`${page.root}/organizations`), view), problems?.status)
}

/** GET /organizations?cursor */
export const openList = (page: PageCall) => showList(page)

/** POST /organizations/switch */
export async function switchOrganization(page: PageCall) {
  const organizationId = page.field('organizationId') ?? null
  await page.run(frontendEndpoints.setActiveOrganization, { body: { organizationId } })
  const isOnDetails = organizationId !== null && page.field('back') === 'details'
  return goDone(
    page,
    isOnDetails ? `/organizations/${encodeURIComponent(organizationId)}` : '/organizations',
    'switched',
  )
}

/** POST /organizations/suggestions */
export async function askForInvitation(page: PageCall) {
  try {
    await page.run(frontendEndpoints.requestInvitation, { params: { id: page.field('organizationId') ?? '' } })
  } catch (error) {
    const { code, statusCode } = apiErrorOf(error)
    if (code === 'invitation_exists')
      return showList(page, { errors: { form: page.text('orgs.askedBefore') }, status: statusCode })
    const problems = organizationProblems(error, page.text)
    if (problems === undefined) throw error
    return showList(page, problems)
  }
  return goDone(page, '/organizations', 'asked')
}

/** GET /organizations/new. The list says whether the tenant has organizations at all. */
export async function openCreate(page: PageCall) {
  await page.run(frontendEndpoints.listOwnOrganizations, { query: { perPage: '1' } })
  return page.show(createOrganizationPage(page.frame(), {}))
}

/** POST /organizations/new */
export async function createOrganization(page: PageCall) {
  const [name, slug] = [typed(page, 'name'), typed(page, 'slug')]
  const show = ({ errors, status }: Problems) =>
    page.show(createOrganizationPage(page.frame(), { name, slug, errors }), status)
  if (name === '') return show({ errors: { name: page.text('error.required') }, status: 422 })
  try {
    const body = { name, ...(slug === '' ? {} : { slug }) }
    const { organization } = await page.run(frontendEndpoints.createOwnOrganization, { body })
    const { createOrganizationRedirectUri: address } = page.tenant.auth
    return address === null ? goDone(page, `/organizations/${organization.id}`, 'created') : page.leave(address)
  } catch (error) {
    const problems = organizationProblems(error, page.text)
    if (problems === undefined) throw error
    return show(problems)
  }
}
