// One organization: changing its details, leaving it and deleting it.
import { frontendEndpoints } from '@bailiwick/contract'
import { deleteOrganizationPage, leaveOrganizationPage, organizationDetailsPage } from '@bailiwick/pages'
import { ApiError } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import type { Problems } from '../problems.ts'
import { doneText, goDone, typed } from './area.ts'
import { type OpenOrganization, openOrganization } from './open-organization.ts'
import { organizationProblems } from './problems.ts'

type Values = Record<'name' | 'slug' | 'imageUri', string>

const storedValues = ({ own: { name, slug, imageUri } }: OpenOrganization): Values => ({
  name,
  slug,
  imageUri: imageUri ?? '',
})

const canDelete = ({ tenant: { auth } }: PageCall, { may }: OpenOrganization) =>
  auth.organizationAdminDeletingEnabled && may('org:delete')

function showDetails(page: PageCall, open: OpenOrganization, problems?: Problems, values = storedValues(open)) {
  const { own, shown, may } = open
  const view = {
    organization: shown,
    role: own.role?.name ?? null,
    members: own._count.members,
    isActive: page.session?.row.organization_id === own.id,
    canManage: may('org:manage'),
    canDelete: canDelete(page, open),
    values,
    done: doneText(page),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(organizationDetailsPage(page.frame(), view), problems?.status)
}

/** GET /organizations/{id} */
export const openDetails = async (page: PageCall) => showDetails(page, await openOrganization(page))

/** Returns what was typed that differs from what is stored; an empty picture means none. */
function changesOf(values: Values, stored: Values) {
  const { name, slug, imageUri } = values
  return {
    ...(name === stored.name ? {} : { name }),
    ...(slug === stored.slug ? {} : { slug }),
    ...(imageUri === stored.imageUri ? {} : { imageUri: imageUri === '' ? null : imageUri }),
  }
}

/** POST /organizations/{id} */
export async function saveDetails(page: PageCall) {
  const open = await openOrganization(page)
  // Checked before what was typed, because a page that shows its problems would have no form.
  if (!open.may('org:manage')) throw new ApiError('forbidden')
  const values = { name: typed(page, 'name'), slug: typed(page, 'slug'), imageUri: typed(page, 'imageUri') }
  const missing = (['name', 'slug'] as const).filter((name) => values[name] === '')
  if (missing.length > 0) {
    const errors = Object.fromEntries(missing.map((name) => [name, page.text('error.required')]))
    return showDetails(page, open, { errors, status: 422 }, values)
  }
  try {
    const body = changesOf(values, storedValues(open))
    await page.run(frontendEndpoints.updateOwnOrganization, { params: { id: page.id }, body })
  } catch (error) {
    const problems = organizationProblems(error, page.text)
    if (problems === undefined) throw error
    return showDetails(page, open, problems, values)
  }
  return goDone(page, `/organizations/${page.id}`, 'saved')
}

/** GET /organizations/{id}/leave */
export async function openLeave(page: PageCall) {
  const { shown } = await openOrganization(page)
  return page.show(leaveOrganizationPage(page.frame(), { organization: shown }))
}

/** POST /organizations/{id}/leave */
export async function leaveOrganization(page: PageCall) {
  const { shown } = await openOrganization(page)
  try {
    await page.run(frontendEndpoints.leaveOrganization, { params: { id: page.id } })
  } catch (error) {
    const problems = organizationProblems(error, page.text)
    if (problems === undefined) throw error
    const view = { organization: shown, errors: problems.errors }
    return page.show(leaveOrganizationPage(page.frame(), view), problems.status)
  }
  return goDone(page, '/organizations', 'left')
}

/** GET /organizations/{id}/delete */
export async function openDelete(page: PageCall) {
  const open = await openOrganization(page)
  if (!canDelete(page, open)) throw new ApiError('forbidden')
  return page.show(deleteOrganizationPage(page.frame(), { organization: open.shown }))
}

/** POST /organizations/{id}/delete */
export async function deleteOrganization(page: PageCall) {
  const { text, id } = page
  try {
    await page.run(frontendEndpoints.deleteOwnOrganization, { params: { id } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'reauthentication_required') throw error
    const back = page.addressOf(`/organizations/${encodeURIComponent(id)}/delete`)
    const href = `/sign-in?${new URLSearchParams({ prompt: 'login', redirect_to: back }).toString()}`
    const actions = [{ href, label: text('orgs.freshSubmit') }]
    return page.message({ title: text('orgs.freshTitle'), lead: text('orgs.freshLead'), actions }, error.statusCode)
  }
  return goDone(page, '/organizations', 'deleted')
}
