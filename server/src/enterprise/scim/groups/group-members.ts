// Who is in the groups of a directory, and the roles that follow from that.
import { giveRoleUnlessLastManager } from '../../../identity/organizations/member-role.ts'
import type { Reader, Transaction } from '../../../platform/db/database.ts'
import { rowBatches } from '../../../platform/db/row-batches.ts'
import type { ScimGroupId } from '../../../platform/ids.ts'
import { fromJson } from '../../../platform/json-text.ts'
import type { Deps } from '../../deps.ts'
import type { ScimPlace } from '../place.ts'
import type { MemberChanges } from '../protocol/member-changes.ts'
import { ScimError, bad } from '../protocol/scim-error.ts'
import * as queries from '../queries.ts'
import { type LiveRules, groupsOfRules, liveRules, roleBy } from '../rules/role-by-groups.ts'

const batchSize = 200
/** In one request. Directories that have more send them in several. */
export const changedMembersMax = 5000

/** What became of the members. */
export interface ChangedMembers {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Yields the ids of a group's members, some at a time. */
export async function* readMemberIds(db: Reader, place: ScimPlace, groupId: string): AsyncGenerator<readonly string[]> {
  for (let after = ''; ;) {
    const rows = await queries.selectMemberIds(db, place.tenantId, groupId, after, batchSize)
    if (rows.length > 0) yield rows.map((row) => row.member_id)
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    after = last.member_id
  }
}

/** @throws ScimError invalidValue for an id that is not of a user of this directory. */
async function assertUsers(tx: Transaction, place: ScimPlace, ids: readonly string[]) {
  for (const batch of rowBatches(ids)) {
    const found = await queries.selectUserIds(tx, place.tenantId, place.connection.id, batch)
    if (found.length < batch.length) {
      throw bad('invalidValue', 'A member is not a user whom this directory has provisioned.')
    }
  }
}

async function amongMembers(tx: Transaction, place: ScimPlace, groupId: string, ids: readonly string[]) {
  const found = new Set<string>()
  for (const batch of rowBatches(ids)) {
    const rows = await queries.selectMembersAmong(tx, place.tenantId, groupId, batch)
    for (const row of rows) found.add(row.member_id)
  }
  return found
}

/** Returns who leaves: those who are named, or all who are not added again. */
async function leaving(tx: Transaction, place: ScimPlace, groupId: string, changes: MemberChanges) {
  if (!changes.removesAll) {
    const present = await amongMembers(tx, place, groupId, [...changes.removed])
    return [...present]
  }
  const ids: string[] = []
  for await (const batch of readMemberIds(tx, place, groupId)) {
    ids.push(...batch.filter((id) => !changes.added.has(id)))
    if (ids.length > changedMembersMax) throw tooMany()
  }
  return ids
}

const tooMany = () => new ScimError(413, `A request can change at most ${changedMembersMax} members of a group.`)

/**
 * Changes who is in a group, in the caller's transaction, which holds the directory.
 * @throws ScimError 413, invalidValue
 */
export async function changeMembers(
  tx: Transaction,
  place: ScimPlace,
  groupId: ScimGroupId,
  changes: MemberChanges,
): Promise<ChangedMembers> {
  if (changes.added.size > changedMembersMax || changes.removed.size > changedMembersMax) throw tooMany()
  const present = await amongMembers(tx, place, groupId, [...changes.added])
  const added = [...changes.added].filter((id) => !present.has(id))
  await assertUsers(tx, place, added)
  const removed = await leaving(tx, place, groupId, changes)
  for (const batch of rowBatches(removed)) await tx.run(queries.deleteMembers(place.tenantId, groupId, batch))
  for (const batch of rowBatches(added)) {
    const rows = batch.map((id) => ({
      tenant_id: place.tenantId,
      group_id: groupId,
      member_id: id as queries.UserRow['id'],
    }))
    await tx.run(queries.insertMembers(rows))
  }
  return { added, removed }
}

/** A member with the role that the rules give. */
export interface RuledMember extends queries.MembershipRow {
  readonly newRoleId: queries.MembershipRow['role_id']
}

/** Returns the members whose role the rules would change, of these users of the directory. */
export async function changedRoles(
  db: Reader,
  place: Pick<ScimPlace, 'tenantId' | 'connection'>,
  rules: LiveRules,
  users: readonly queries.UserRow[],
): Promise<readonly RuledMember[]> {
  const active = users.filter((row) => row.active === 1)
  if (active.length === 0 || rules.roleIds.size === 0) return []
  const userIds = active.map((row) => row.user_id)
  const members = await queries.selectMemberships(db, place.tenantId, place.connection.organization_id, userIds)
  const byUser = new Map(members.map((member) => [member.user_id, member]))
  const memberIds = active.map((row) => row.id)
  const groups = await groupsOfRules(db, place, rules, memberIds)
  return active.flatMap((row) => {
    const member = byUser.get(row.user_id)
    if (member === undefined) return []
    const newRoleId = roleBy(rules, groups.get(row.id) ?? new Set(), member.role_id)
    return newRoleId === member.role_id ? [] : [{ ...member, newRoleId }]
  })
}

/** Gives these users of the directory the roles of the rules. The last member who can manage the organization keeps the role. */
export async function giveRoles(
  deps: Deps,
  tx: Transaction,
  place: Pick<ScimPlace, 'tenantId' | 'connection' | 'actor'>,
  rules: LiveRules,
  users: readonly queries.UserRow[],
): Promise<void> {
  for (const { id, newRoleId } of await changedRoles(tx, place, rules, users)) {
    await giveRoleUnlessLastManager(deps, tx, place.tenantId, id, newRoleId, place.actor)
  }
}

/** Gives those whose groups have changed their roles, if a rule names one of these groups. */
export async function followGroups(
  deps: Deps,
  tx: Transaction,
  place: ScimPlace,
  directory: queries.DirectoryRow,
  groupId: string,
  ids: readonly string[],
): Promise<void> {
  const rules = fromJson(directory.group_rules)
  if (ids.length === 0 || rules.every((rule) => rule.groupId !== groupId)) return
  const live = await liveRules(tx, place, rules)
  for (const batch of rowBatches(ids)) {
    const users = await queries.selectUsers(tx, place.tenantId, batch)
    await giveRoles(deps, tx, place, live, users)
  }
}
