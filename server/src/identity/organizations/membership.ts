// What joining an organization and being invited to it have in common. The limit of members is exact, also under concurrent joins, because
// a join holds the organization's row while it counts.
import type { Issue } from '@bailiwick/contract'
import { readCounters } from '../../platform/db/counters.ts'
import { ConstraintError, type Reader } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { findRole } from '../../tenancy/roles/roles.ts'
import { unknownRole } from '../users/users.ts'
import { invitationsCounter, membersCounter } from './tables.ts'

export { invitationsCounter, membersCounter }

/** @throws ApiError membership_limit_reached. A limit of 0 means none. */
export async function checkMembershipLimit(db: Reader, tenantId: TenantId, organizationId: string, limit: number) {
  if (limit === 0) return
  const name = membersCounter(organizationId)
  const counts = await readCounters(db, tenantId, [name])
  if ((counts.get(name) ?? 0) >= limit) throw new ApiError('membership_limit_reached')
}

/**
 * Returns the role that a body names; undefined if it names none, or one that is neither this tenant's nor the organization's own, which is
 * then added to `issues`.
 */
export async function findGivenRole(
  db: Reader,
  { tenantId, organizationId }: { readonly tenantId: TenantId; readonly organizationId: string },
  roleId: string | null | undefined,
  issues: Issue[],
) {
  if (roleId === undefined || roleId === null) return undefined
  const role = await findRole(db, tenantId, organizationId, roleId)
  if (role === undefined) issues.push(...unknownRole().issues)
  return role
}

/** @throws ApiError validation_failed with all issues, if there are any. */
export function refuse(issues: readonly Issue[]) {
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

/** The role is the only thing that can disappear between the check and the write of what is held. */
export function missingRole(error: unknown): unknown {
  return error instanceof ConstraintError && error.constraint === 'foreign_key' ? unknownRole() : error
}

/** A reference that the foreign keys refuse disappeared between the check and the write. */
export function missingReference(error: unknown): unknown {
  return error instanceof ConstraintError && error.constraint === 'foreign_key' ? notFound() : error
}
