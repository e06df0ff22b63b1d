// The members of an organization: all of them see the list, and those who manage members change it.
import { frontendEndpoints } from '@bailiwick/contract'
import { organizationMembersPage } from '@bailiwick/pages'
import type { PageCall } from '../call/page-call.ts'
import { shownPicture } from '../logos.ts'
import type { Problems } from '../problems.ts'
import { cursorQuery, doneText, goDone, untilDay } from './area.ts'
import { openOrganization } from './open-organization.ts'
import { organizationProblems } from './problems.ts'

async function showMembers(page: PageCall, cursor: string | undefined, problems?: Problems) {
  const { shown, roles, may, covers } = await openOrganization(page)
  const { members, meta } = await page.run(frontendEndpoints.listFellowMembers, {
    params: { id: page.id },
    query: cursorQuery(cursor),
  })
  const frame = page.frame(`${page.root}/organizations/${page.id}/members`)
  const canManage = may('org:members:manage')
  const view = {
    organization: shown,
    members: members.map(({ id, userId, user, role, expiresAt, roleExpiresAt }) => ({
      id,
      name: user.name,
      identifier: user.identifier === user.name ? undefined : user.identifier,
      pictureUri: shownPicture(page, user.imageUri),
      role: role === null ? null : { id: role.id, name: role.name },
      until: untilDay(frame, [expiresAt, roleExpiresAt]),
      isYou: userId === page.session?.row.user_id,
      canChange: canManage && covers(role),
    })),
    total: meta.total,
    prev: meta.prev,
    next: meta.next,
    roles,
    cursor,
    done: doneText(page),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(organizationMembersPage(frame, view), problems?.status)
}

/** GET /organizations/{id}/members?cursor */
export const openMembers = (page: PageCall) => showMembers(page, page.query('cursor'))

async function change(page: PageCall) {
  const params = { id: page.id, memberId: page.parameter('memberId') }
  if (page.field('action') === 'remove') {
    await page.run(frontendEndpoints.removeFellowMember, { params })
    return 'removed'
  }
  await page.run(frontendEndpoints.updateFellowMember, { params, body: { roleId: page.field('roleId') ?? null } })
  return 'role'
}

/** POST /organizations/{id}/members/{memberId} */
export async function changeMember(page: PageCall) {
  const cursor = page.field('cursor')
  try {
    return goDone(page, `/organizations/${page.id}/members`, await change(page), cursor)
  } catch (error) {
    const { may } = await openOrganization(page)
    const problems = organizationProblems(error, page.text, may('org:members:manage'))
    const [message] = Object.values(problems?.errors ?? {})
    if (problems === undefined || message === undefined) throw error
    return showMembers(page, cursor, { ...problems, errors: { [page.parameter('memberId')]: message } })
  }
}
