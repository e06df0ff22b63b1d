// Who is in the groups of an organization, and until when.
import type { GroupMember, MemberOfGroup, OrganizationMember } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { isPast, readEnd } from '../../platform/http/ends.ts'
import { countUpTo } from '../../platform/http/lists/list-filter.ts'
import type { PageQuery } from '../../platform/http/lists/page.ts'
import type { MemberId } from '../../platform/ids.ts'
import { atEachClock } from '../../tenancy/test-mode/each-clock.ts'
import type { Deps } from '../deps.ts'
import { getOrganizationMember, holdMember, listMembers } from '../organizations/members.ts'
import { groupEvent, holdGroup } from './organization-groups.ts'
import type { GroupPlace } from './place.ts'
import * as queries from './queries.ts'

const countedMax = 10_000

/** @throws ApiError not_found, forbidden */
export async function listGroupMembers({ db, clock }: Deps, place: GroupPlace, id: string, query: PageQuery) {
  await place.enter(db)
  const { tenantId, organizationId } = place
  const row = await queries.selectGroup(db, tenantId, organizationId, id)
  if (row === undefined) throw notFound()
  const source = queries.memberSource(row, clock.now())
  const page = await listMembers({ db, clock }, tenantId, { source, total: countUpTo(source, countedMax) }, query)
  const ids = page.data.map((member) => member.id)
  const rows = ids.length === 0 ? [] : await queries.selectGroupEnds(db, tenantId, row.id, ids)
  const ends = new Map<string, Timestamp | null>(rows.map((each) => [each.member_id, each.expires_at]))
  return { ...page, data: page.data.map((member) => withEnd(member, ends.get(member.id) ?? null)) }
}

const withEnd = (member: OrganizationMember, groupExpiresAt: Timestamp | null): MemberOfGroup => ({
  ...member,
  groupExpiresAt,
})

/** Holds the group and the member, and refuses groups whose members a directory decides. */
async function holdBoth({ clock }: Deps, tx: Transaction, place: GroupPlace, id: string, memberId: string) {
  const group = await holdGroup(tx, place, id)
  const member = await holdMember(tx, place.tenantId, memberId)
  if (member === undefined || member.organization_id !== place.organizationId) throw notFound()
  if (isPast(member.expires_at, clock.now())) throw notFound()
  if (group.scim_group_id !== null) {
    const found = await queries.selectScimGroup(tx, place.tenantId, place.organizationId, group.scim_group_id)
    const detail = `The directory "${found?.connection ?? ''}" manages the members of this group. Change them there.`
    throw new ApiError('managed_by_directory', { detail })
  }
  await place.assertMayGive(tx, group.role_id)
  return { group, member, data: { organizationId: place.organizationId, memberId: member.id, userId: member.user_id } }
}

/** Adds a member, or changes when one leaves. Returns that time. */
async function enterGroup(deps: Deps, tx: Transaction, place: GroupPlace, id: string, input: GroupMember) {
  const { clock } = deps
  const { group, member, data } = await holdBoth(deps, tx, place, id, input.memberId)
  const { tenantId } = place
  const before = await queries.selectGroupMember(tx, tenantId, group.id, member.id)
  const isThere = before !== undefined && !isPast(before.expires_at, clock.now())
  const end = input.expiresAt === undefined ? undefined : readEnd(clock.now(), '/expiresAt', input.expiresAt)
  if (isThere) {
    if (end === undefined || end === before.expires_at) return before.expires_at
    await tx.run(queries.updateGroupMember({ ...before, expires_at: end }))
    const change = { before: { expiresAt: before.expires_at }, after: { expiresAt: end } }
    await tx.run(groupEvent(deps, place, 'organization_group.member_updated', group, { ...data, ...change }))
    return end
  }
  // One whose time has ended, but who is not removed yet.
  if (before !== undefined) await removeEnded(deps, tx, place, group, data)
  const row = { tenant_id: tenantId, group_id: group.id, member_id: member.id, created_at: clock.next() }
  await tx.run(queries.insertGroupMember({ ...row, expires_at: end ?? null }))
  const added = { ...data, expiresAt: end ?? null }
  await tx.run(groupEvent(deps, place, 'organization_group.member_added', group, added))
  return end ?? null
}

/**
 * Adds a member of the organization; one who is in the group stays there, until the time that the input names.
 * @throws ApiError not_found, forbidden, managed_by_directory; validation_failed for an end that is not in the future.
 */
export async function addGroupMember(deps: Deps, place: GroupPlace, id: string, input: GroupMember) {
  const end = await deps.db.transaction((tx) => enterGroup(deps, tx, place, id, input))
  return withEnd(await getOrganizationMember(deps, place.tenantId, input.memberId), end)
}

/** @throws ApiError not_found, forbidden, managed_by_directory */
export async function removeGroupMember(deps: Deps, place: GroupPlace, id: string, memberId: string) {
  await deps.db.transaction(async (tx) => {
    const { group, member, data } = await holdBoth(deps, tx, place, id, memberId)
    if ((await tx.run(queries.deleteGroupMember(place.tenantId, group.id, member.id))) === 0) throw notFound()
    await tx.run(groupEvent(deps, place, 'organization_group.member_removed', group, data))
  })
  return getOrganizationMember(deps, place.tenantId, memberId)
}

interface EventData {
  readonly organizationId: string
  readonly memberId: MemberId
  readonly userId: string
}

const nobody: Actor = { type: 'system', id: null, ip: null, ua: null }

/** Removes a member whose time in a group has ended. The transaction holds the group. */
async function removeEnded(
  deps: Deps,
  tx: Transaction,
  place: Pick<GroupPlace, 'tenantId'>,
  group: queries.GroupRow,
  data: EventData,
) {
  const { tenantId } = place
  if ((await tx.run(queries.deleteGroupMember(tenantId, group.id, data.memberId))) === 0) return
  await tx.run(groupEvent(deps, { tenantId, actor: nobody }, 'organization_group.member_expired', group, data))
}

const batchSize = 200

/** Does one bounded piece of work; returns whether there is more. */
export const endExpiredGroupMembers = (deps: Deps): Promise<boolean> =>
  atEachClock(deps, async (tenant) => {
    const { db, clock } = deps
    const rows = await queries.selectEndedGroupMembers(db, tenant, clock.now(), batchSize)
    for (const { tenant_id: tenantId, group_id: groupId, member_id: memberId } of rows) {
      await db.transaction(async (tx) => {
        const group = await queries.selectGroupForUpdate(tx, tenantId, groupId)
        if (group === undefined) return
        const row = await queries.selectGroupMember(tx, tenantId, groupId, memberId)
        if (row === undefined || !isPast(row.expires_at, clock.now())) return
        const member = await holdMember(tx, tenantId, memberId)
        const data = { organizationId: group.organization_id, memberId, userId: member?.user_id ?? '' }
        await removeEnded(deps, tx, { tenantId }, group, data)
      })
    }
    return rows.length >= batchSize
  })
