// Which rules ask a user for a second factor, and where each of them comes from. Sign-in, setting a factor up and removing it, and what
// explains them all decide by these.
import type { TenantAuthSettings } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { isCurrent, roleIdNow } from '../../platform/http/ends.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { type RoleRow, findRoleRow } from '../../tenancy/roles/find-role.ts'
import { hasSecondFactors } from '../../tenancy/tenants/second-factor-settings.ts'
import { findUserRow } from '../users/find-user.ts'

/** A rule that asks for a second factor: the tenant's own, or that of a record with a name. */
export type FactorRule =
  | { readonly by: 'tenant'; readonly id: null; readonly name: null }
  | { readonly by: 'role' | 'organization'; readonly id: string; readonly name: string }

const organizationsMax = 20

/**
 * Returns the rules by which a user gets no session without a second factor. Where none can be set up, none is required.
 * @param role the user's role in the tenant.
 */
export function signInRules(auth: TenantAuthSettings, role: RoleRow | undefined, now: string): FactorRule[] {
  if (!hasSecondFactors(auth)) return []
  const { secondFactorRequired, secondFactorRequiredFrom: from } = auth
  const isByTenant = secondFactorRequired && (from === null || from <= now)
  return [
    ...(isByTenant ? [{ by: 'tenant', id: null, name: null } as const] : []),
    ...(role?.requires_second_factor === 1 ? [{ by: 'role', id: role.id, name: role.name } as const] : []),
  ]
}

/** Returns the organizations for which a user acts only with a second factor, the newest memberships first. */
async function organizationRules(
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  now: Timestamp,
): Promise<FactorRule[]> {
  const rows = await db.all<{ id: string; name: string }>(sql`SELECT o.id, o.name FROM organization_members m
    JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    LEFT JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
      AND (r.organization_id IS NULL OR r.organization_id = m.organization_id)
      AND (m.role_expires_at IS NULL OR m.role_expires_at > ${now})
    WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId} AND ${isCurrent(now)}
      AND (o.second_factor_required = 1 OR r.requires_second_factor = 1)
    ORDER BY m.created_at DESC LIMIT ${organizationsMax}`)
  return rows.map(({ id, name }) => ({ by: 'organization', id, name }))
}

/** Returns all rules that ask a user for a second factor: at every sign-in, or before the user acts for an organization. */
export async function findFactorRules(
  db: Reader,
  auth: TenantAuthSettings,
  { tenantId, userId }: { readonly tenantId: TenantId; readonly userId: UserId },
  now: Timestamp,
): Promise<FactorRule[]> {
  const user = await findUserRow(db, tenantId, userId)
  const roleId = user === undefined ? null : roleIdNow(user, now)
  const role = roleId === null ? undefined : await findRoleRow(db, tenantId, null, roleId)
  const hasOrganizations = auth.organizationsEnabled && hasSecondFactors(auth)
  const ofOrganizations = hasOrganizations ? await organizationRules(db, tenantId, userId, now) : []
  return [...signInRules(auth, role, now), ...ofOrganizations]
}
