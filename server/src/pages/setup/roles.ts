// Role rules of a connection: by what its provider sends, and by the groups of its directory. A rule can give only a role that the reader
// may give, and only such a rule can be removed; all others stay as the tenant has made them.
import type { AttributeMapping, Connection, GroupRule, RoleRule } from '@bailiwick/contract'
import { setupRolesPage, setupRolesWaitingPage } from '@bailiwick/pages'
import { updateConnection } from '../../enterprise/connections/connections.ts'
import {
  getGroupRules,
  listScimGroups,
  previewGroupRules,
  updateGroupRules,
} from '../../enterprise/scim/rules/group-rules.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { RoleId } from '../../platform/ids.ts'
import { findRoleRows } from '../../tenancy/roles/find-role.ts'
import type { PageCall } from '../call/page-call.ts'
import { type NamedRole, type Setup, inSection } from './area.ts'
import { currentConnection, goTo } from './current-connection.ts'
import { readMappings, withMapping, withoutMapping } from './mappings.ts'

const doneTexts = { added: 'setup.ruleAdded', removed: 'setup.ruleRemoved', saved: 'setup.saved' } as const
const groupKey = ({ groupId, roleId }: GroupRule) => `${groupId} ${roleId}`
const groupsShown = '100'

interface Rules {
  readonly connection: Connection
  readonly groupRules: readonly GroupRule[]
  /** The roles that the reader may give. */
  readonly roles: readonly NamedRole[]
  /** The name of every role that a rule gives, also of those that the reader may not give. */
  readonly names: ReadonlyMap<string, string>
}

async function readRules({ deps }: PageCall, setup: Setup, connection: Connection): Promise<Rules> {
  const { rules: groupRules } = await getGroupRules(deps, setup.tenantId, connection.id)
  const ids = [...connection.roleRules, ...groupRules].map(({ roleId }) => roleId as RoleId)
  const rows = await findRoleRows(deps.db, setup.tenantId, setup.organizationId, ids)
  const names = new Map<string, string>([...rows.values()].map(({ id, name }) => [id, name]))
  return { connection, groupRules, roles: await setup.roles(), names }
}

const isGivable = ({ roles }: Rules, roleId: string) => roles.some(({ id }) => id === roleId)

/** A rule of a role that no longer exists gives nothing. */
const isRemovable = (rules: Rules, roleId: string) => !rules.names.has(roleId) || isGivable(rules, roleId)

interface Problem {
  readonly errors: Readonly<Record<string, string>>
}

/** What was tried and not saved. */
type Tried = Pick<Parameters<typeof setupRolesPage>[1], 'tried'>

async function showRoles(page: PageCall, setup: Setup, rules: Rules, result: Problem | Tried = {}) {
  const { connection, groupRules, roles, names } = rules
  const { data: groups } = await listScimGroups(page.deps, setup.tenantId, connection.id, { perPage: groupsShown })
  const groupNames = new Map(groups.map(({ id, displayName }) => [id, displayName]))
  const { sections } = setup.view
  const rule = (key: string, roleId: string) => ({
    key,
    role: names.get(roleId) ?? null,
    canRemove: isRemovable(rules, roleId),
  })
  const done = Object.entries(doneTexts).find(([name]) => name === page.query('done'))?.[1]
  // Each form keeps what was entered in it: the claim of another one would make a rule for everybody.
  const action = 'errors' in result ? page.field('action') : undefined
  const entered = {
    claim: page.field('claim') ?? '',
    value: page.field('value') ?? '',
    roleId: page.field('roleId') ?? '',
  }
  const view = {
    ...setup.view,
    connectionId: connection.id,
    basis: connection.updatedAt,
    roles,
    groups: groups.map(({ id, displayName }) => ({ id, name: displayName })),
    claimRules: sections.includes('connection')
      ? connection.roleRules.map(({ claim, value, roleId }, n) => ({ ...rule(String(n), roleId), claim, value }))
      : undefined,
    groupRules: sections.includes('scim')
      ? groupRules.map((each) => ({
          ...rule(groupKey(each), each.roleId),
          group: groupNames.get(each.groupId) ?? null,
        }))
      : undefined,
    mappings: readMappings(page, setup, connection, action === 'add-mapping'),
    done: done === undefined ? undefined : page.text(done),
    ...result,
    ...(action === 'add-claim' ? { entered } : {}),
  }
  return page.show(setupRolesPage(page.frame(), view), 'errors' in result ? 422 : 200)
}

/** GET …/roles?id&done */
export const openRoles = inSection('roles', async (page, setup) => {
  const connection = await currentConnection(page, setup)
  if (connection === undefined) return page.show(setupRolesWaitingPage(page.frame(), setup.view))
  return showRoles(page, setup, await readRules(page, setup, connection))
})

interface Change {
  readonly roleRules?: RoleRule[]
  readonly groupRules?: GroupRule[]
  readonly attributeMappings?: AttributeMapping[]
}

/** Returns the rules after an action of the form; the problem if the form lacks something. */
function readChange(page: PageCall, setup: Setup, rules: Rules): Change | Problem {
  const { connection, groupRules } = rules
  const roleId = page.field('roleId') ?? ''
  const key = page.field('rule')
  switch (page.field('action')) {
    case 'add-claim': {
      if (!isGivable(rules, roleId)) return { errors: { form: page.text('setup.ruleIncomplete') } }
      const claim = page.field('claim')?.trim() ?? ''
      const value = page.field('value')?.trim() ?? ''
      const condition = { claim: claim === '' ? null : claim, value: claim === '' || value === '' ? null : value }
      return { roleRules: [...connection.roleRules, { ...condition, roleId }] }
    }
    case 'add-group': {
      const groupId = page.field('groupId')
      if (!isGivable(rules, roleId) || groupId === undefined)
        return { errors: { form: page.text('setup.groupIncomplete') } }
      return { groupRules: [...groupRules, { groupId, roleId }] }
    }
    case 'remove-claim':
      return {
        roleRules: connection.roleRules.filter((each, n) => String(n) !== key || !isRemovable(rules, each.roleId)),
      }
    case 'remove-group':
      return { groupRules: groupRules.filter((each) => groupKey(each) !== key || !isRemovable(rules, each.roleId)) }
    case 'add-mapping': {
      const attributeMappings = withMapping(page, setup, connection)
      return attributeMappings === undefined
        ? { errors: { form: page.text('setup.mappingIncomplete') } }
        : { attributeMappings }
    }
    case 'remove-mapping':
      return { attributeMappings: withoutMapping(page, setup, connection) }
    default:
      return {}
  }
}

async function save(page: PageCall, { tenantId, caller }: Setup, { id }: Connection, change: Change) {
  const { groupRules, ...ofConnection } = change
  // Whoever has changed the connection meanwhile is not overwritten: a place would name another rule.
  const basis = page.field('basis')
  const ifUpdatedAt = basis === undefined ? {} : { ifUpdatedAt: basis }
  if (Object.keys(ofConnection).length > 0)
    await updateConnection(page.deps, tenantId, id, { ...ofConnection, ...ifUpdatedAt }, caller)
  if (groupRules !== undefined) await updateGroupRules(page.deps, tenantId, id, { rules: groupRules }, caller)
}

/** Returns what rules would change of which the last one is new. */
async function tryRules({ deps }: PageCall, setup: Setup, { id }: Connection, rules: GroupRule[]): Promise<Tried> {
  const { members: _members, ...counts } = await previewGroupRules(deps, setup.tenantId, id, { rules }, setup.actor)
  const tried = rules.at(-1)
  return { tried: tried && { ...tried, ...counts } }
}

/** The sections whose permission a change of rules needs. */
const findSection = ({ groupRules }: Change) => (groupRules === undefined ? 'connection' : 'scim')

/** POST …/roles with an action. */
export const changeRoles = inSection('roles', async (page, setup) => {
  const connection = await currentConnection(page, setup)
  if (connection === undefined) return goTo(page, setup, 'roles', {})
  const rules = await readRules(page, setup, connection)
  const change = readChange(page, setup, rules)
  if ('errors' in change) return showRoles(page, setup, rules, change)
  const query = { id: connection.id }
  const { groupRules } = change
  const isMapping = 'attributeMappings' in change
  if (!isMapping && !setup.view.sections.includes(findSection(change))) return goTo(page, setup, 'roles', query)
  try {
    if (groupRules !== undefined && page.field('try') !== undefined)
      return await showRoles(page, setup, rules, await tryRules(page, setup, connection, groupRules))
    await save(page, setup, connection, change)
  } catch (error) {
    const { code } = apiErrorOf(error)
    if (code === 'changed_meanwhile') return goTo(page, setup, 'roles', query)
    if (code !== 'validation_failed') throw error
    return showRoles(page, setup, rules, { errors: { form: page.text('setup.rulesFull') } })
  }
  const done = isMapping ? 'saved' : page.field('action')?.startsWith('add') === true ? 'added' : 'removed'
  return goTo(page, setup, 'roles', { ...query, done })
})
