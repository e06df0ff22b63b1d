// Which role the groups of a directory give a member. Nothing else that a directory sends gives one.
import type { GroupRule } from '@bailiwick/contract'
import type { Reader } from '../../../platform/db/database.ts'
import type { RoleId } from '../../../platform/ids.ts'
import { fromJson } from '../../../platform/json-text.ts'
import { findRoleRows } from '../../../tenancy/roles/find-role.ts'
import type { ScimPlace } from '../place.ts'
import { selectDirectory, selectGroupsOfMembers } from '../queries.ts'

/** Rules whose roles exist, and the groups that they name. */
export interface LiveRules {
  readonly rules: readonly GroupRule[]
  /** The roles that the rules give or have given. */
  readonly roleIds: ReadonlySet<string>
}

type Place = Pick<ScimPlace, 'tenantId' | 'connection'>

export async function liveRules(
  db: Reader,
  { tenantId, connection }: Place,
  rules: readonly GroupRule[],
): Promise<LiveRules> {
  const roles = await findRoleRows(
    db,
    tenantId,
    connection.organization_id,
    rules.map(({ roleId }) => roleId as RoleId),
  )
  return {
    rules: rules.filter(({ roleId }) => roles.has(roleId as RoleId)),
    roleIds: new Set(rules.map(({ roleId }) => roleId)),
  }
}

/**
 * Returns the role that a member has by the rules: that of the first one whose group the member is in. A role that no rule names was given
 * by hand, and stays.
 */
export function roleBy({ rules, roleIds }: LiveRules, groupIds: ReadonlySet<string>, present: RoleId | null) {
  if (present !== null && !roleIds.has(present)) return present
  const rule = rules.find(({ groupId }) => groupIds.has(groupId))
  return (rule?.roleId ?? null) as RoleId | null
}

/** Returns the groups among those of the rules that each user is in, by the SCIM id of the user. */
export async function groupsOfRules(
  db: Reader,
  { tenantId }: Place,
  { rules }: LiveRules,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const groupIds = [...new Set(rules.map(({ groupId }) => groupId))]
  if (groupIds.length === 0 || memberIds.length === 0) return new Map()
  const rows = await selectGroupsOfMembers(db, tenantId, memberIds, groupIds)
  const byMember = Map.groupBy(rows, (row): string => row.member_id)
  return new Map([...byMember].map(([id, each]) => [id, new Set(each.map((row): string => row.group_id))]))
}

/** Returns the role of one user by the rules of the directory. */
export async function roleByGroups(
  db: Reader,
  place: Place,
  memberId: string,
  present: RoleId | null,
): Promise<RoleId | null> {
  const directory = await selectDirectory(db, place.tenantId, place.connection.id)
  const rules = await liveRules(db, place, directory === undefined ? [] : fromJson(directory.group_rules))
  if (rules.roleIds.size === 0) return present
  const groups = await groupsOfRules(db, place, rules, [memberId])
  return roleBy(rules, groups.get(memberId) ?? new Set(), present)
}
