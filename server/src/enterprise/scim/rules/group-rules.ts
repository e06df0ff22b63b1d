// Which groups of a directory give which roles, as the tenant sets it.
import {
  type GroupRule,
  type GroupRules,
  type GroupRulesPreview,
  type Issue,
  type ScimGroup,
} from '@bailiwick/contract'
import type { Reader, Transaction } from '../../../platform/db/database.ts'
import { eventStatement } from '../../../platform/events/append.ts'
import { ApiError, notFound } from '../../../platform/http/api-error.ts'
import type { Actor, Caller } from '../../../platform/http/credentials/principal.ts'
import { countNarrowed } from '../../../platform/http/lists/list-filter.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPageAndTotal } from '../../../platform/http/lists/page.ts'
import type { RoleId, TenantId } from '../../../platform/ids.ts'
import { type Job, type JobResult, jobStatement } from '../../../platform/jobs/jobs.ts'
import { fromJson, toJson } from '../../../platform/json-text.ts'
import { findRoleRows } from '../../../tenancy/roles/find-role.ts'
import type { AssertRules } from '../../connections/connections.ts'
import { type ConnectionRow, findConnection, holdConnection } from '../../connections/find-connection.ts'
import type { Deps } from '../../deps.ts'
import { changedRoles, giveRoles } from '../groups/group-members.ts'
import { directoryActor } from '../place.ts'
import * as queries from '../queries.ts'
import { assertMayProvision } from '../tokens.ts'
import { liveRules } from './role-by-groups.ts'

export const groupRulesJobKind = 'scim.group_rules'
const batchSize = 200
const examinedMax = 10_000
const shownMax = 100

async function getConnection(db: Reader, tenantId: TenantId, id: string): Promise<ConnectionRow> {
  const row = await findConnection(db, tenantId, id)
  if (row === undefined) throw notFound()
  return row
}

/** @throws ApiError validation_failed for groups of another directory and roles of another tenant or organization. */
async function assertKnown(db: Reader, connection: ConnectionRow, rules: readonly GroupRule[]) {
  const { tenant_id: tenantId, id, organization_id: organizationId } = connection
  const groups = await queries.selectGroupIds(db, tenantId, id, [...new Set(rules.map(({ groupId }) => groupId))])
  const groupIds = new Set<string>(groups.map((group) => group.id))
  const roles = await findRoleRows(
    db,
    tenantId,
    organizationId,
    rules.map(({ roleId }) => roleId as RoleId),
  )
  const issues = rules.flatMap(({ groupId, roleId }, n): Issue[] => [
    ...(groupIds.has(groupId) ? [] : [unknown(`/rules/${n}/groupId`, 'is not a group of this directory')]),
    ...(roles.has(roleId as RoleId) ? [] : [unknown(`/rules/${n}/roleId`, 'is not a role of this tenant')]),
  ])
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

const unknown = (path: string, message: string): Issue => ({ path, code: 'unknown_reference', message })

/** @throws ApiError not_found */
export async function getGroupRules({ db }: Deps, tenantId: TenantId, id: string): Promise<GroupRules> {
  await getConnection(db, tenantId, id)
  const directory = await queries.selectDirectory(db, tenantId, id as ConnectionRow['id'])
  return { rules: directory === undefined ? [] : [...fromJson(directory.group_rules)] }
}

async function writeRules(tx: Transaction, { tenant_id, id }: ConnectionRow, rules: readonly GroupRule[]) {
  const before = await queries.selectDirectoryForUpdate(tx, tenant_id, id)
  const row = before ?? { tenant_id, connection_id: id, users_total: 0, groups_total: 0 }
  const after = { ...row, group_rules: toJson(rules) }
  await tx.run(before === undefined ? queries.insertDirectory(after) : queries.updateDirectory(after))
  return before === undefined ? [] : fromJson(before.group_rules)
}

/**
 * Sets the rules. The roles of those who are members already follow in the background.
 * @throws ApiError not_found, forbidden, validation_failed
 */
export async function updateGroupRules(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  { rules }: GroupRules,
  caller: Caller,
  assertRules?: AssertRules,
): Promise<GroupRules> {
  const { db, clock, personal } = deps
  assertMayProvision(caller, tenantId)
  return db.transaction(async (tx) => {
    const connection = await holdConnection(tx, tenantId, id)
    await assertKnown(tx, connection, rules)
    const before = await writeRules(tx, connection, rules)
    await assertRules?.(tx, before, rules)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'connection.group_rules_updated',
        actor: caller.actor,
        subjectId: id,
        data: {
          organizationId: connection.organization_id,
          before: { rules: [...before] },
          after: { rules: [...rules] },
        },
      }),
    )
    const payload: Work = { connectionId: id, formerRoleIds: before.map(({ roleId }) => roleId), from: 1 }
    await tx.run(jobStatement(clock, { tenantId, kind: groupRulesJobKind, payload }))
    return { rules: [...rules] }
  })
}

/** Where the members' roles are being changed. A role that only a former rule names was given by it. */
interface Work {
  readonly connectionId: string
  readonly formerRoleIds: readonly string[]
  readonly from: number
}

type Place = Parameters<typeof giveRoles>[2]

async function rulesNow(db: Reader, place: Place, rules: readonly GroupRule[], formerRoleIds: readonly string[]) {
  const live = await liveRules(db, place, rules)
  return { ...live, roleIds: new Set([...live.roleIds, ...formerRoleIds]) }
}

/** Gives a directory's members the roles of its rules, some at a time, each with the rules as they are then. */
export async function followRules(deps: Deps, { tenantId, payload }: Job, signal: AbortSignal): Promise<JobResult> {
  const { connectionId, formerRoleIds, from } = payload as Work
  const actor: Actor = directoryActor({ tenant_id: tenantId, id: connectionId as ConnectionRow['id'] }, null, null)
  for (let start = from; !signal.aborted;) {
    const next = await deps.db.transaction(async (tx) => {
      const connection = await findConnection(tx, tenantId, connectionId)
      if (connection === undefined) return undefined
      const directory = await queries.selectDirectoryForUpdate(tx, tenantId, connection.id)
      if (directory === undefined) return undefined
      const place = { tenantId, connection, actor }
      const rules = await rulesNow(tx, place, fromJson(directory.group_rules), formerRoleIds)
      const users = await queries.selectUsersFrom(tx, tenantId, connectionId, start, batchSize)
      await giveRoles(deps, tx, place, rules, users)
      const last = users.at(-1)
      return last === undefined || users.length < batchSize ? undefined : last.place + 1
    })
    if (next === undefined) return 'done'
    start = next
  }
  return 'done'
}

/**
 * Returns what rules would change, and changes nothing.
 * @throws ApiError not_found, forbidden, validation_failed
 */
export async function previewGroupRules(
  { db }: Deps,
  tenantId: TenantId,
  id: string,
  { rules }: GroupRules,
  actor: Actor,
  assertRules?: AssertRules,
): Promise<GroupRulesPreview> {
  const connection = await getConnection(db, tenantId, id)
  await assertKnown(db, connection, rules)
  const directory = await queries.selectDirectory(db, tenantId, connection.id)
  const before = directory === undefined ? [] : fromJson(directory.group_rules)
  await assertRules?.(db, before, rules)
  const former = before.map(({ roleId }) => roleId)
  const place = { tenantId, connection, actor }
  const live = await rulesNow(db, place, rules, former)
  const members: GroupRulesPreview['members'] = []
  let [examined, changed, start, isComplete] = [0, 0, 1, false]
  while (!isComplete && examined < examinedMax) {
    const users = await queries.selectUsersFrom(db, tenantId, id, start, batchSize)
    const found = await changedRoles(db, place, live, users)
    const first = found.slice(0, shownMax - members.length)
    members.push(
      ...first.map((each) => ({
        memberId: each.id,
        userId: each.user_id,
        roleId: each.role_id,
        newRoleId: each.newRoleId,
      })),
    )
    examined += users.length
    changed += found.length
    start = (users.at(-1)?.place ?? 0) + 1
    isComplete = users.length < batchSize
  }
  return { examined, isComplete, changed, members }
}

const presentGroup = (row: queries.GroupRow): ScimGroup => ({
  id: row.id,
  tenantId: row.tenant_id,
  connectionId: row.connection_id,
  displayName: row.display_name,
  externalId: row.external_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** @throws ApiError not_found */
export async function listScimGroups({ db }: Deps, tenantId: TenantId, id: string, query: PageQuery) {
  await getConnection(db, tenantId, id)
  const request = pageRequest(query)
  const list = queries.groupSource(tenantId, id)
  const { page, total } = await selectPageAndTotal(db, list, countNarrowed(list), request)
  return pageEnvelope(page, page.rows.map(presentGroup), total, request.perPage)
}
