// The rules that an organization adds to those of its tenant. They are never weaker, and hold for sessions that act for the organization.
import type {
  Issue,
  OrganizationSecurity,
  OrganizationSecurityPreview,
  SignInStrategy,
  TenantAuthSettings,
  UpdateOrganizationSecurity,
} from '@bailiwick/contract'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TimedReader, isCurrent } from '../../platform/http/ends.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { firstFactorStrategies, strategySettings } from '../../tenancy/auth-configuration/usable-strategies.ts'
import { findWaysIn } from '../../tenancy/auth-configuration/ways-in.ts'
import { hasSecondFactors, neededSettings } from '../../tenancy/tenants/second-factor-settings.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'

export type OrganizationRules = Omit<OrganizationSecurity, 'organizationId' | 'membersWithoutFactor'>
export type OrganizationRulesRow = Pick<
  queries.OrganizationRow,
  'second_factor_required' | 'allowed_strategies' | 'session_maximum_lifetime'
>

export const rulesOf = (row: OrganizationRulesRow): OrganizationRules => ({
  secondFactorRequired: row.second_factor_required === 1,
  allowedStrategies: fromJson(row.allowed_strategies),
  sessionMaximumLifetime: row.session_maximum_lifetime,
})

interface NamedRules extends OrganizationRules {
  readonly organizationId: string
  readonly name: string
}
const namedRulesMax = 20

/** Returns the organizations of a user that limit by which ways, or for how long, a session acts for them; the newest memberships first. */
export async function findSessionRules(
  { db, clock }: TimedReader,
  tenantId: TenantId,
  userId: UserId,
): Promise<NamedRules[]> {
  const rows = await db.all<
    OrganizationRulesRow & { readonly id: string; readonly name: string }
  >(sql`SELECT o.id, o.name,
      o.second_factor_required, o.allowed_strategies, o.session_maximum_lifetime FROM organization_members m
    JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId} AND ${isCurrent(clock.now())}
      AND (o.allowed_strategies <> '[]' OR o.session_maximum_lifetime IS NOT NULL)
    ORDER BY m.created_at DESC LIMIT ${namedRulesMax}`)
  return rows.map((row) => ({ organizationId: row.id, name: row.name, ...rulesOf(row) }))
}

async function countMembersWithoutFactor(db: Reader, tenantId: TenantId, organizationId: string): Promise<number> {
  const row = await db.first<{ count: number }>(sql`SELECT count(*) AS count FROM (
      SELECT user_id FROM organization_members WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId}
      ORDER BY created_at DESC LIMIT ${queries.examinedMembersMax}) m
    WHERE NOT EXISTS (SELECT 1 FROM authenticator_codes c
        WHERE c.tenant_id = ${tenantId} AND c.user_id = m.user_id AND c.is_confirmed = 1)
      AND NOT EXISTS (SELECT 1 FROM passkeys p
        WHERE p.tenant_id = ${tenantId} AND p.user_id = m.user_id AND p.is_second_factor = 1)`)
  return row?.count ?? 0
}

const present = async (db: Reader, row: queries.OrganizationRow): Promise<OrganizationSecurity> => ({
  organizationId: row.id,
  ...rulesOf(row),
  membersWithoutFactor: await countMembersWithoutFactor(db, row.tenant_id, row.id),
})

/** @throws ApiError not_found */
export async function getOrganizationSecurity(
  { db }: { readonly db: Reader },
  tenantId: TenantId,
  id: string,
): Promise<OrganizationSecurity> {
  const row = await queries.selectOrganization(db, tenantId, id)
  if (row === undefined) throw notFound()
  return present(db, row)
}

const isSwitchedOn = (auth: TenantAuthSettings, strategy: string) =>
  firstFactorStrategies.some(
    (name) => name === strategy && strategySettings[name].every((setting) => auth[setting] === true),
  )

/** Returns where a change would be weaker than the tenant's own rules, or could not be followed. */
function weakerIssues(
  auth: TenantAuthSettings,
  { secondFactorRequired, allowedStrategies, sessionMaximumLifetime: lifetime }: UpdateOrganizationSecurity,
  hasSignOn: boolean,
): Issue[] {
  const issues: Issue[] = []
  if (secondFactorRequired === true && !hasSecondFactors(auth)) {
    issues.push({ path: '/secondFactorRequired', code: 'unusable', message: `needs ${neededSettings} to be on` })
  }
  if (secondFactorRequired === false && auth.secondFactorRequired) {
    const message = 'cannot be false, because the tenant requires a second factor of everybody'
    issues.push({ path: '/secondFactorRequired', code: 'weaker_than_tenant', message })
  }
  for (const [index, strategy] of (allowedStrategies ?? []).entries()) {
    if (strategy === 'enterprise' ? hasSignOn : isSwitchedOn(auth, strategy)) continue
    const message =
      strategy === 'enterprise'
        ? 'the organization has no live connection by which its members could sign in'
        : `the tenant does not allow users to sign in by ${strategy}`
    issues.push({ path: `/allowedStrategies/${index}`, code: 'weaker_than_tenant', message })
  }
  const longest = auth.sessionMaximumLifetimeEnabled ? auth.sessionMaximumLifetime : Infinity
  if (lifetime !== null && lifetime !== undefined && lifetime > longest) {
    const message = `must be at most ${longest} seconds, the maximum session length of the tenant`
    issues.push({ path: '/sessionMaximumLifetime', code: 'weaker_than_tenant', message })
  }
  return issues
}

/** @throws ApiError validation_failed for a rule that is weaker than the tenant's, or that nobody could follow. */
function refuseWeaker(auth: TenantAuthSettings, input: UpdateOrganizationSecurity, hasSignOn: boolean) {
  const issues = weakerIssues(auth, input, hasSignOn)
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

interface AllowedWays {
  readonly tenantId: TenantId
  readonly organizationId: string
  /** Empty for all. */
  readonly allowed: readonly SignInStrategy[]
  /** Whether members can sign in by a connection of the organization. */
  readonly hasSignOn: boolean
}

/**
 * Divides the newest members, or those with a permission, into those who have an allowed way to sign in and those who have none. A second
 * factor is no obstacle: members set one up as they sign in.
 */
async function divideMembers(db: Reader, ways: AllowedWays, permission?: string) {
  const { tenantId, organizationId, allowed, hasSignOn } = ways
  const userIds = await queries.selectNewestUsers(db, tenantId, organizationId, permission)
  const found = await findWaysIn(db, tenantId, userIds)
  const isOpen = allowed.length === 0 || (hasSignOn && allowed.includes('enterprise'))
  const groups: Record<'able' | 'lockedOut', UserId[]> = { able: [], lockedOut: [] }
  for (const [userId, usable] of found) {
    const isAble = isOpen || usable.some((strategy) => allowed.includes(strategy))
    groups[isAble ? 'able' : 'lockedOut'].push(userId)
  }
  return groups
}

/** Runs in the transaction that changes the rules. @throws ApiError last_manager if nobody who manages the members could follow them. */
async function assertStaysManaged(tx: Transaction, ways: AllowedWays) {
  const { able, lockedOut } = await divideMembers(tx, ways, queries.manageMembers)
  if (able.length > 0 || lockedOut.length === 0) return
  const detail = 'No member who can manage this organization has a way to sign in that these rules allow.'
  throw new ApiError('last_manager', { detail })
}

const namedMax = 20

/**
 * Returns whom rules would lock out, among the 1,000 newest members, and changes nothing.
 * @throws ApiError not_found; validation_failed for a rule that is weaker than the tenant's.
 */
export async function previewOrganizationSecurity(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateOrganizationSecurity,
): Promise<OrganizationSecurityPreview> {
  const { db } = deps
  const { auth } = await getTenant(deps, tenantId)
  const row = await queries.selectOrganization(db, tenantId, id)
  if (row === undefined) throw notFound()
  const hasSignOn = await queries.hasLiveConnection(db, tenantId, id)
  refuseWeaker(auth, input, hasSignOn)
  const rules = { ...rulesOf(row), ...input }
  const ways = { tenantId, organizationId: id, allowed: rules.allowedStrategies, hasSignOn }
  const members = await divideMembers(db, ways)
  const managers = await divideMembers(db, ways, queries.manageMembers)
  return {
    organizationId: id,
    members: members.able.length + members.lockedOut.length,
    membersWithoutFactor: rules.secondFactorRequired ? await countMembersWithoutFactor(db, tenantId, id) : 0,
    lockedOut: members.lockedOut.length,
    lockedOutUserIds: members.lockedOut.slice(0, namedMax),
    managers: managers.able.length + managers.lockedOut.length,
    managersLockedOut: managers.lockedOut.length,
  }
}

/**
 * Changes the given rules; those that are left out stay as they are.
 * @throws ApiError not_found; validation_failed for a rule that is weaker than the tenant's; last_manager if no member who manages the
 * others could sign in as they say.
 */
export async function updateOrganizationSecurity(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateOrganizationSecurity,
  actor: Actor,
): Promise<OrganizationSecurity> {
  const { db, clock, personal } = deps
  const { auth } = await getTenant(deps, tenantId)
  return db.transaction(async (tx) => {
    const row = await queries.selectOrganizationForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    const hasSignOn = await queries.hasLiveConnection(tx, tenantId, id)
    refuseWeaker(auth, input, hasSignOn)
    const before = rulesOf(row)
    const rules: OrganizationRules = { ...before, ...input }
    const { secondFactorRequired, allowedStrategies, sessionMaximumLifetime } = rules
    const after: queries.OrganizationRow = {
      ...row,
      second_factor_required: secondFactorRequired ? 1 : 0,
      allowed_strategies: toJson([...new Set(allowedStrategies)]),
      session_maximum_lifetime: sessionMaximumLifetime,
      updated_at: clock.now(),
    }
    if (input.allowedStrategies !== undefined) {
      const ways = { tenantId, organizationId: id, allowed: allowedStrategies, hasSignOn }
      await assertStaysManaged(tx, ways)
    }
    await tx.run(queries.updateOrganization(after))
    const data = { before, after: rulesOf(after) }
    await tx.run(
      eventStatement(clock, personal, { tenantId, type: 'organization.security_updated', actor, subjectId: id, data }),
    )
    return present(tx, after)
  })
}
