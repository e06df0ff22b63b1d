// Who is in the groups of an organization.
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { countUpTo } from '../../platform/http/lists/list-filter.ts'
import type { PageQuery } from '../../platform/http/lists/page.ts'
import type { Deps } from '../deps.ts'
import { getOrganizationMember, holdMember, listMembers } from '../organizations/members.ts'
import { groupEvent, holdGroup } from './organization-groups.ts'
import type { GroupPlace } from './place.ts'
import * as queries from './queries.ts'

const countedMax = 10_000

/** @throws ApiError not_found, forbidden */
export async function listGroupMembers({ db }: Deps, place: GroupPlace, id: string, query: PageQuery) {
  await place.enter(db)
  const row = await queries.selectGroup(db, place.tenantId, place.organizationId, id)
  if (row === undefined) throw notFound()
  const source = queries.memberSource(row)
  return listMembers(db, place.tenantId, { source, total: countUpTo(source, countedMax) }, query)
}

/** Holds the group and the member, and refuses groups whose members a directory decides. */
async function holdBoth(tx: Transaction, place: GroupPlace, id: string, memberId: string) {
  const group = await holdGroup(tx, place, id)
  const member = await holdMember(tx, place.tenantId, memberId)
  if (member === undefined || member.organization_id !== place.organizationId) throw notFound()
  if (group.scim_group_id !== null) {
    const found = await queries.selectScimGroup(tx, place.tenantId, place.organizationId, group.scim_group_id)
    const detail = `The directory "${found?.connection ?? ''}" manages the members of this group. Change them there.`
    throw new ApiError('managed_by_directory', { detail })
  }
  await place.assertMayGive(tx, group.role_id)
  return { group, member }
}

/**
 * Adds a member of the organization; one who is in the group stays there.
 * @throws ApiError not_found, forbidden, managed_by_directory
 */
export async function addGroupMember(deps: Deps, place: GroupPlace, id: string, memberId: string) {
  await deps.db.transaction(async (tx) => {
    const { group, member } = await holdBoth(tx, place, id, memberId)
    const { tenantId, organizationId } = place
    if ((await queries.selectGroupMember(tx, tenantId, group.id, member.id)) !== undefined) return
    const row = { tenant_id: tenantId, group_id: group.id, member_id: member.id, created_at: deps.clock.next() }
    await tx.run(queries.insertGroupMember(row))
    const data = { organizationId, memberId: member.id, userId: member.user_id }
    await tx.run(groupEvent(deps, place, 'organization_group.member_added', group, data))
  })
  return getOrganizationMember(deps, place.tenantId, memberId)
}

/** @throws ApiError not_found, forbidden, managed_by_directory */
export async function removeGroupMember(deps: Deps, place: GroupPlace, id: string, memberId: string) {
  await deps.db.transaction(async (tx) => {
    const { group, member } = await holdBoth(tx, place, id, memberId)
    const { tenantId, organizationId } = place
    if ((await tx.run(queries.deleteGroupMember(tenantId, group.id, member.id))) === 0) throw notFound()
    const data = { organizationId, memberId: member.id, userId: member.user_id }
    await tx.run(groupEvent(deps, place, 'organization_group.member_removed', group, data))
  })
  return getOrganizationMember(deps, place.tenantId, memberId)
}
