// The roles of an organization's own: making, changing and deleting them.
import { type OrganizationRole, frontendEndpoints } from '@bailiwick/contract'
import { ownRolePage, ownRolesPage } from '@bailiwick/pages'
import { notFound } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import type { Problems } from '../problems.ts'
import { doneText, goDone, typed } from './area.ts'
import { openOrganization } from './open-organization.ts'
import { organizationProblems } from './problems.ts'

const readRoles = (page: PageCall) =>
  page.run(frontendEndpoints.listOwnRoles, { params: { id: page.id }, query: { perPage: '100' } })

/** Returns what the form says, of the permissions that it can have offered. */
const readValues = (page: PageCall, choices: readonly string[]) => ({
  name: typed(page, 'name'),
  permissions: choices.filter((permission) => page.field(`may:${permission}`) === '1'),
})

type Values = ReturnType<typeof readValues>

const problemTexts = (problems: Problems | undefined) => (problems === undefined ? {} : { errors: problems.errors })

async function showRoles(page: PageCall, values: Values, problems?: Problems) {
  const { shown: organization } = await openOrganization(page)
  const { roles, permissions: choices } = await readRoles(page)
  const view = { organization, roles, choices, values, done: doneText(page), ...problemTexts(problems) }
  return page.show(ownRolesPage(page.frame(), view), problems?.status)
}

/** GET /organizations/{id}/roles */
export const openRoles = (page: PageCall) => showRoles(page, { name: '', permissions: [] })

async function problemsWith(page: PageCall, error: unknown): Promise<Problems> {
  const { may } = await openOrganization(page)
  const problems = organizationProblems(error, page.text, may('org:roles:manage'))
  if (problems === undefined) throw error
  return problems
}

/** POST /organizations/{id}/roles */
export async function createRole(page: PageCall) {
  const { permissions: choices } = await readRoles(page)
  const body = readValues(page, choices)
  try {
    await page.run(frontendEndpoints.createOwnRole, { params: { id: page.id }, body })
    return goDone(page, `/organizations/${page.id}/roles`, 'role-created')
  } catch (error) {
    return showRoles(page, body, await problemsWith(page, error))
  }
}

interface OpenRole {
  readonly role: OrganizationRole
  readonly choices: readonly string[]
}

async function findRole(page: PageCall): Promise<OpenRole> {
  const { roles, permissions: choices } = await readRoles(page)
  const role = roles.find(({ id }) => id === page.parameter('roleId'))
  if (role === undefined) throw notFound()
  return { role, choices }
}

async function showRole(page: PageCall, { role, choices }: OpenRole, values: Values, problems?: Problems) {
  const { shown: organization, may } = await openOrganization(page)
  const { permissions, withheldPermissions: withheld, assignableBy } = role
  const mayAlso = may as (permission: string) => boolean
  const canChange = assignableBy !== 'tenant' && permissions.every((permission) => mayAlso(permission))
  const view = {
    organization,
    role,
    withheld,
    choices,
    canChange,
    values,
    done: doneText(page),
    ...problemTexts(problems),
  }
  return page.show(ownRolePage(page.frame(), view), problems?.status)
}

/** GET /organizations/{id}/roles/{roleId} */
export async function openRole(page: PageCall) {
  const open = await findRole(page)
  return showRole(page, open, open.role)
}

/** POST /organizations/{id}/roles/{roleId} */
export async function changeRole(page: PageCall) {
  const open = await findRole(page)
  const { role, choices } = open
  const params = { id: page.id, roleId: role.id }
  const list = `/organizations/${page.id}/roles`
  const isDeletion = page.field('action') === 'delete'
  const body = readValues(page, [...new Set([...choices, ...role.permissions])])
  try {
    if (isDeletion) {
      await page.run(frontendEndpoints.deleteOwnRole, { params })
      return goDone(page, list, 'role-deleted')
    }
    await page.run(frontendEndpoints.updateOwnRole, { params, body })
    return goDone(page, `${list}/${role.id}`, 'saved')
  } catch (error) {
    return showRole(page, open, isDeletion ? role : body, await problemsWith(page, error))
  }
}
