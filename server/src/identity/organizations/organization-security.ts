// The rules that an organization adds to those of its tenant. They are never weaker, and hold for sessions that act for the organization.
import type { Issue, OrganizationSecurity, TenantAuthSettings, UpdateOrganizationSecurity } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { firstFactorStrategies, strategySettings } from '../../tenancy/auth-configuration/usable-strategies.ts'
import { hasSecondFactors, neededSettings } from '../../tenancy/tenants/second-factor-settings.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'

/** How many members are looked at to count those who have no second factor. */
const countedMax = 1000

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

async function countMembersWithoutFactor(db: Reader, tenantId: TenantId, organizationId: string): Promise<number> {
  const row = await db.first<{ count: number }>(sql`SELECT count(*) AS count FROM (
      SELECT user_id FROM organization_members WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId}
      ORDER BY created_at DESC LIMIT ${countedMax}) m
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
    if (isSwitchedOn(auth, strategy)) continue
    const message = `the tenant does not allow users to sign in by ${strategy}`
    issues.push({ path: `/allowedStrategies/${index}`, code: 'weaker_than_tenant', message })
  }
  const longest = auth.sessionMaximumLifetimeEnabled ? auth.sessionMaximumLifetime : Infinity
  if (lifetime !== null && lifetime !== undefined && lifetime > longest) {
    const message = `must be at most ${longest} seconds, the maximum session length of the tenant`
    issues.push({ path: '/sessionMaximumLifetime', code: 'weaker_than_tenant', message })
  }
  return issues
}

/**
 * Changes the given rules; those that are left out stay as they are.
 * @throws ApiError not_found; validation_failed for a rule that is weaker than the tenant's.
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
  const issues = weakerIssues(auth, input)
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  return db.transaction(async (tx) => {
    const row = await queries.selectOrganizationForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
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
    await tx.run(queries.updateOrganization(after))
    const data = { before, after: rulesOf(after) }
    await tx.run(
      eventStatement(clock, personal, { tenantId, type: 'organization.security_updated', actor, subjectId: id, data }),
    )
    return present(tx, after)
  })
}
