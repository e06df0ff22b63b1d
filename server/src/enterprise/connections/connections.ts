// The connections of organizations, managed by the tenant. The organization's row is the lock of its connections.
import type { AttributeMapping, CreateConnection, Issue, UpdateConnection } from '@bailiwick/contract'
import { holdOrganization } from '../../identity/organizations/members.ts'
import { isOrganization } from '../../identity/organizations/organizations.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import type { Reader } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import { type RecordBasis, assertUnchanged } from '../../platform/http/change-basis.ts'
import { assertMayChangeUsers } from '../../platform/http/credentials/authorize.ts'
import type { Caller } from '../../platform/http/credentials/principal.ts'
import { type RoleId, type TenantId, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { findRoleRows } from '../../tenancy/roles/find-role.ts'
import type { Deps } from '../deps.ts'
import { assertMappings } from './attribute-mappings.ts'
import { sealConnectionSecret } from './connection-secret.ts'
import { holdConnection } from './find-connection.ts'
import { newOidcSettings, withOidcSettings } from './oidc-settings.ts'
import { presentConnection, oidcSettings } from './present.ts'
import * as queries from './queries.ts'
import {
  type NewSaml,
  type ResolvedSaml,
  newSaml,
  nextNotice,
  resolveSaml,
  testedSettings,
  withSamlSettings,
} from './saml-settings.ts'

type Row = queries.ConnectionRow
type Rules = Pick<UpdateConnection, 'roleRules' | 'fallbackUserIds' | 'attributeMappings'>

/** Refuses a change of rules, in its transaction, by whoever may not make it. */
export type AssertRules = (
  db: Reader,
  before: readonly { readonly roleId: string }[],
  after: readonly { readonly roleId: string }[],
) => Promise<void>

/** What whoever is not the tenant may change of a connection. */
export interface ConnectionLimits {
  readonly assertRules: AssertRules
  readonly assertMappings: (
    db: Reader,
    before: readonly AttributeMapping[],
    after: readonly AttributeMapping[],
  ) => Promise<void>
}

/** @throws ApiError forbidden */
export function assertMayConnect({ principal }: Pick<Caller, 'principal'>, tenantId: TenantId) {
  assertMayChangeUsers(principal, tenantId, 'decide which provider signs the users of an organization in')
}

/** @throws ApiError validation_failed for roles of another tenant or organization, and for users who are not members of the organization. */
async function assertKnown(db: Reader, { tenant_id: tenantId, organization_id: organizationId }: Row, input: Rules) {
  const { roleRules = [], fallbackUserIds = [] } = input
  const roles = await findRoleRows(
    db,
    tenantId,
    organizationId,
    roleRules.map(({ roleId }) => roleId as RoleId),
  )
  const members = await queries.selectMembersAmong(db, tenantId, organizationId, fallbackUserIds)
  const memberIds = new Set<string>(members.map((member) => member.user_id))
  const code = 'unknown_reference'
  const issues: Issue[] = [
    ...roleRules.flatMap(({ roleId }, n) =>
      roles.has(roleId as RoleId)
        ? []
        : [{ path: `/roleRules/${n}/roleId`, code, message: 'is not a role of this tenant' }],
    ),
    ...fallbackUserIds.flatMap((id, n) =>
      memberIds.has(id)
        ? []
        : [{ path: `/fallbackUserIds/${n}`, code, message: 'is not a member of the organization' }],
    ),
  ]
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  await assertMappings(db, tenantId, input.attributeMappings)
}

/** @throws ApiError validation_failed for a provider that signs no such assertions. */
function issuerForAgents(row: Row, input: UpdateConnection): string | null {
  const isOn = input.idJag === undefined ? row.id_jag_issuer !== null : input.idJag === 'on'
  if (!isOn) return null
  if (row.type !== 'oidc') throw invalid('/idJag', 'other_type', 'can be on only for a connection of type oidc')
  return oidcSettings(row).issuer
}

/** Returns the row with what every type has in common put into it. */
const withRules = (row: Row, input: UpdateConnection): Row => ({
  ...row,
  id_jag_issuer: issuerForAgents(row, input),
  id_jag_scopes: input.idJagScopes === undefined ? row.id_jag_scopes : toJson([...new Set(input.idJagScopes)]),
  id_jag_ttl: input.idJagTtl ?? row.id_jag_ttl,
  name: input.name ?? row.name,
  role_rules: input.roleRules === undefined ? row.role_rules : toJson(input.roleRules),
  attribute_mappings:
    input.attributeMappings === undefined
      ? row.attribute_mappings
      : toJson<readonly AttributeMapping[]>(
          input.attributeMappings.map(({ attribute, claim = null, scim = null }) => ({ attribute, claim, scim })),
        ),
  jit: input.jit ?? row.jit,
  required: input.required === undefined ? row.required : Number(input.required),
  fallback_user_ids:
    input.fallbackUserIds === undefined ? row.fallback_user_ids : toJson([...new Set(input.fallbackUserIds)]),
  second_factor: input.secondFactor ?? row.second_factor,
})

/** @throws ApiError validation_failed for settings of another type. */
function assertOfType(type: Row['type'], input: Pick<UpdateConnection, 'oidc' | 'saml'>) {
  const other = type === 'oidc' ? 'saml' : 'oidc'
  if (input[other] !== undefined) throw invalid(`/${other}`, 'other_type', `is not for a connection of type ${type}`)
}

function newRow(deps: Deps, tenantId: TenantId, input: CreateConnection, saml: NewSaml | undefined): Row {
  const at = deps.clock.next()
  const place = { tenant_id: tenantId, id: newId<'ConnectionId'>() }
  const secret = saml === undefined ? input.oidc?.clientSecret : saml.privateKey
  const row: Row = {
    ...place,
    organization_id: input.organizationId as Row['organization_id'],
    type: input.type,
    name: input.name,
    state: 'draft',
    settings: toJson(saml?.settings ?? newOidcSettings(input)),
    secret: secret ? sealConnectionSecret(deps.sealer, place, secret) : null,
    role_rules: toJson([]),
    attribute_mappings: toJson([]),
    jit: 'member',
    required: 0,
    fallback_user_ids: toJson([]),
    second_factor: 'ask',
    id_jag_issuer: null,
    id_jag_scopes: toJson([]),
    id_jag_ttl: 900,
    tested_at: null,
    certificate_notice_at: saml === undefined ? null : nextNotice(saml.settings, deps.clock.nowMs()),
    created_at: at,
    updated_at: at,
  }
  const { type: _type, organizationId: _organizationId, oidc: _oidc, saml: _saml, ...rules } = input
  return withRules(row, rules)
}

/** What events say of a change: the presented fields, and of the secret only that it changed. */
function changes({ config }: Pick<Deps, 'config'>, before: Row | undefined, after: Row) {
  const old: Readonly<Record<string, unknown>> = before === undefined ? {} : presentConnection(config, before)
  const changed = Object.entries(presentConnection(config, after)).filter(
    ([name, value]) => name !== 'updatedAt' && JSON.stringify(old[name]) !== JSON.stringify(value),
  )
  return {
    organizationId: after.organization_id,
    before: Object.fromEntries(changed.map(([name]) => [name, old[name] ?? null])),
    after: Object.fromEntries(changed),
    secretChanged: before?.secret !== after.secret,
  }
}

/** @throws ApiError not_found, forbidden, connection_limit_reached; validation_failed for what a rule or list names wrongly. */
export async function createConnection(
  deps: Deps,
  tenantId: TenantId,
  input: CreateConnection,
  caller: Caller,
  limits?: ConnectionLimits,
) {
  const { db, clock, config, personal, tenants } = deps
  assertMayConnect(caller, tenantId)
  assertOfType(input.type, input)
  const saml = await newSaml(deps, tenantId, input)
  return db.transaction(async (tx) => {
    await holdOrganization(tx, tenantId, input.organizationId)
    const { length } = await queries.selectConnections(tx, tenantId, input.organizationId)
    if (length >= queries.connectionsMax) throw new ApiError('connection_limit_reached')
    const row = newRow(deps, tenantId, input, saml)
    await limits?.assertRules(tx, [], input.roleRules ?? [])
    await limits?.assertMappings(tx, [], input.attributeMappings ?? [])
    await assertKnown(tx, row, input)
    await tx.run(queries.insertConnection(row))
    const { before: _before, ...data } = changes(deps, undefined, row)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'connection.created',
        actor: caller.actor,
        subjectId: row.id,
        data,
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentConnection(config, row)
  })
}

/** @throws ApiError not_found for an organization that does not exist. */
export async function listConnections({ db, config }: Deps, tenantId: TenantId, organizationId: string) {
  if (!(await isOrganization(db, tenantId, organizationId))) throw notFound()
  const rows = await queries.selectConnections(db, tenantId, organizationId)
  return rows.map((row) => presentConnection(config, row))
}

/** @throws ApiError not_found */
export async function getConnection({ db, config }: Deps, tenantId: TenantId, id: string) {
  const row = await queries.selectConnection(db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentConnection(config, row)
}

/** Where a provider is and what it is asked for decides what a test has proved. */
function withState(before: Row, changed: Row, state: UpdateConnection['state']): Row {
  const isSame = testedSettings(changed) === testedSettings(before) && changed.secret === before.secret
  const row = isSame ? changed : { ...changed, tested_at: null }
  if (state === 'off') return { ...row, state: row.state === 'live' || row.state === 'off' ? 'off' : row.state }
  if (state === 'live' && row.state !== 'live') {
    if (row.tested_at === null) throw new ApiError('connection_not_tested')
    return { ...row, state: 'live' }
  }
  return !isSame && row.state === 'tested' ? { ...row, state: 'draft' } : row
}

/** Returns the row with the settings of its type changed. */
function withSettings(
  deps: Deps,
  row: Row,
  { oidc, saml }: { readonly oidc: UpdateConnection['oidc']; readonly saml: ResolvedSaml | undefined },
  isUsed: boolean,
): Row {
  if (saml !== undefined) return withSamlSettings(deps, row, saml, isUsed)
  return oidc === undefined ? row : withOidcSettings(deps, row, oidc, isUsed)
}

const isActivated = (before: Row, after: Row) => before.state !== 'live' && after.state === 'live'

/**
 * Requiring a connection with settings that were not tested could lock everybody out. One that is not live binds nobody yet, and goes live
 * only after a test.
 * @throws ApiError connection_not_tested
 */
function assertMayRequire(before: Row, after: Row) {
  const isRequired = before.required === 0 && after.required === 1
  if (isRequired && after.state === 'live' && after.tested_at === null) throw new ApiError('connection_not_tested')
}

/** @throws ApiError not_found, forbidden, changed_meanwhile, connection_not_tested, validation_failed */
export async function updateConnection(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateConnection & RecordBasis,
  caller: Caller,
  limits?: ConnectionLimits,
) {
  const { db, clock, config, personal, tenants } = deps
  assertMayConnect(caller, tenantId)
  const { ifUpdatedAt, ...change } = input
  const saml = change.saml === undefined ? undefined : await resolveSaml(deps, tenantId, change.saml)
  return db.transaction(async (tx) => {
    const before = await holdConnection(tx, tenantId, id)
    assertUnchanged(before, ifUpdatedAt === undefined ? {} : { ifUpdatedAt })
    assertOfType(before.type, change)
    const present = fromJson(before.role_rules)
    await limits?.assertRules(tx, present, change.roleRules ?? present)
    const mappings = fromJson(before.attribute_mappings)
    await limits?.assertMappings(tx, mappings, change.attributeMappings ?? mappings)
    await assertKnown(tx, before, change)
    const isUsed = (await queries.selectAnyIdentity(tx, tenantId, before.id)) !== undefined
    const set = withSettings(deps, before, { oidc: change.oidc, saml }, isUsed)
    const after = { ...withState(before, withRules(set, change), change.state), updated_at: clock.now() }
    assertMayRequire(before, after)
    await tx.run(queries.updateConnection(after))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: isActivated(before, after) ? 'connection.activated' : 'connection.updated',
        actor: caller.actor,
        subjectId: id,
        data: changes(deps, before, after),
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentConnection(config, after)
  })
}

/** @throws ApiError not_found, forbidden */
export async function deleteConnection(deps: Deps, tenantId: TenantId, id: string, caller: Caller) {
  const { db, clock, config, personal, tenants } = deps
  assertMayConnect(caller, tenantId)
  return db.transaction(async (tx) => {
    const row = await holdConnection(tx, tenantId, id)
    await tx.run(queries.deleteConnection(tenantId, row.id))
    const before = presentConnection(config, row)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'connection.deleted',
        actor: caller.actor,
        subjectId: id,
        data: { organizationId: row.organization_id, before },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return before
  })
}
