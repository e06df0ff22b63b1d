// The groups of an organization: making, changing and deleting them, and who is in them.
import { type OrganizationGroup, frontendEndpoints } from '@bailiwick/contract'
import { organizationGroupPage, organizationGroupsPage } from '@bailiwick/pages'
import { addMilliseconds } from '../../platform/clock.ts'
import type { RoleId } from '../../platform/ids.ts'
import { findRoleRows } from '../../tenancy/roles/find-role.ts'
import type { PageCall } from '../call/page-call.ts'
import { shownPicture } from '../logos.ts'
import type { Problems } from '../problems.ts'
import { cursorQuery, doneText, goDone, lifetimeChoices, lifetimes, typed, untilDay } from './area.ts'
import { openOrganization } from './open-organization.ts'
import { organizationProblems } from './problems.ts'

const dayMs = 24 * 60 * 60_000
/** How many members the form offers. */
const offeredMax = '100'

async function listed(page: PageCall, groups: readonly OrganizationGroup[]) {
  const { deps, tenant } = page
  const ids = groups.flatMap(({ roleId }) => (roleId === null ? [] : [roleId as RoleId]))
  const roles = await findRoleRows(deps.db, tenant.row.id, page.id, ids)
  return groups.map(({ id, name, roleId }) => {
    const role = roleId === null ? undefined : roles.get(roleId as RoleId)
    return { id, name, role: role === undefined ? null : { id: role.id, name: role.name } }
  })
}

async function showGroups(page: PageCall, problems?: Problems, name?: string) {
  const { shown: organization, roles } = await openOrganization(page)
  const { groups } = await page.run(frontendEndpoints.listOwnOrganizationGroups, {
    params: { id: page.id },
    query: {},
  })
  const view = {
    organization,
    groups: await listed(page, groups),
    roles,
    name,
    done: doneText(page),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(organizationGroupsPage(page.frame(), view), problems?.status)
}

/** GET /organizations/{id}/groups */
export const openGroups = (page: PageCall) => showGroups(page)

const roleIn = (page: PageCall) => {
  const id = page.field('roleId') ?? ''
  return id === '' ? null : id
}

async function problemsWith(page: PageCall, error: unknown): Promise<Problems> {
  const { may } = await openOrganization(page)
  const problems = organizationProblems(error, page.text, may('org:groups:manage'))
  if (problems === undefined) throw error
  return problems
}

/** POST /organizations/{id}/groups */
export async function createGroup(page: PageCall) {
  const name = typed(page, 'name')
  try {
    const request = { params: { id: page.id }, body: { name, roleId: roleIn(page) } }
    const { group } = await page.run(frontendEndpoints.createOwnOrganizationGroup, request)
    return goDone(page, `/organizations/${page.id}/groups/${group.id}`, 'group-created')
  } catch (error) {
    return showGroups(page, await problemsWith(page, error), name)
  }
}

const readParams = (page: PageCall) => ({ id: page.id, groupId: page.parameter('groupId') })

async function offered(page: PageCall, present: ReadonlySet<string>) {
  const request = { params: { id: page.id }, query: { perPage: offeredMax } }
  const { members } = await page.run(frontendEndpoints.listFellowMembers, request)
  return members.filter(({ id }) => !present.has(id)).map(({ id, user }) => ({ id, name: user.name }))
}

async function showGroup(page: PageCall, problems?: Problems, name?: string) {
  const { shown: organization, roles } = await openOrganization(page)
  const params = readParams(page)
  const { group } = await page.run(frontendEndpoints.getOwnOrganizationGroup, { params })
  const { members, meta } = await page.run(frontendEndpoints.listFellowsOfGroup, {
    params,
    query: cursorQuery(page.query('cursor')),
  })
  const [shownGroup] = await listed(page, [group])
  const frame = page.frame()
  const view = {
    organization,
    group: shownGroup ?? { id: group.id, name: group.name, role: null },
    roles,
    members: members.map(({ id, user, groupExpiresAt }) => ({
      id,
      name: user.name,
      pictureUri: shownPicture(page, user.imageUri),
      until: untilDay(frame, [groupExpiresAt]),
    })),
    lifetimes: lifetimeChoices(frame.language.tag),
    others: group.scimGroupId === null ? await offered(page, new Set(members.map(({ id }) => id))) : undefined,
    prev: meta.prev,
    next: meta.next,
    name,
    done: doneText(page),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(organizationGroupPage(frame, view), problems?.status)
}

/** GET /organizations/{id}/groups/{groupId}?cursor */
export const openGroup = (page: PageCall) => showGroup(page)

/** Returns the end that the reader has chosen. */
function endIn(page: PageCall) {
  const days = lifetimes.find((each) => String(each) === page.field('days'))
  return days === undefined ? {} : { expiresAt: addMilliseconds(page.deps.clock.now(), days * dayMs) }
}

async function change(page: PageCall) {
  const params = readParams(page)
  const memberId = page.field('memberId') ?? ''
  switch (page.field('action')) {
    case 'add':
      await page.run(frontendEndpoints.addFellowToGroup, { params, body: { memberId, ...endIn(page) } })
      return 'group-added'
    case 'remove':
      await page.run(frontendEndpoints.removeFellowFromGroup, { params: { ...params, memberId } })
      return 'group-removed'
    case 'delete':
      await page.run(frontendEndpoints.deleteOwnOrganizationGroup, { params })
      return 'group-deleted'
    default: {
      const body = { name: typed(page, 'name'), roleId: roleIn(page) }
      await page.run(frontendEndpoints.updateOwnOrganizationGroup, { params, body })
      return 'saved'
    }
  }
}

/** POST /organizations/{id}/groups/{groupId} */
export async function changeGroup(page: PageCall) {
  try {
    const done = await change(page)
    const list = `/organizations/${page.id}/groups`
    return goDone(page, done === 'group-deleted' ? list : `${list}/${readParams(page).groupId}`, done)
  } catch (error) {
    return showGroup(page, await problemsWith(page, error), page.field('name'))
  }
}
