// Which rules ask a user for a second factor, and where each of them comes from. Sign-in, setting a factor up and removing it, and what
// explains them all decide by these.
import type { TenantAuthSettings } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { type RoleRow, findRoleRow } from '../../tenancy/roles/find-role.ts'
import { hasSecondFactors } from '../../tenancy/tenants/second-factor-settings.ts'
import { findUserRow } from '../users/find-user.ts'

/** A rule that asks for a second factor: the tenant's own, or that of a record with a name. */
export type FactorRule =
  | { readonly by: 'tenant'; readonly id: null; readonly name: null }
  | { readonly by: 'role'; readonly id: string; readonly name: string }

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

/** Returns all rules that ask a user for a second factor. */
export async function findFactorRules(
  db: Reader,
  auth: TenantAuthSettings,
  { tenantId, userId }: { readonly tenantId: TenantId; readonly userId: UserId },
  now: string,
): Promise<FactorRule[]> {
  const user = await findUserRow(db, tenantId, userId)
  const roleId = user?.role_id ?? null
  return signInRules(auth, roleId === null ? undefined : await findRoleRow(db, tenantId, roleId), now)
}
