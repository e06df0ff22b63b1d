// What joining an organization and being asked to join it have in common. The limit of members is exact, also under
// concurrent joins: who joins holds the organization's row while it counts.
import type { Issue } from '@bailiwick/contract'
import { readCounters } from '../../platform/db/counters.ts'
import { ConstraintError, type Reader } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { findRole } from '../../tenancy/roles/roles.ts'
import { unknownRole } from '../users/users.ts'
import { invitationsCounter, membersCounter } from './tables.ts'

export { invitationsCounter, membersCounter }

/** @throws ApiError membership_limit_reached. 0 is no limit. */
export async function checkMembershipLimit(db: Reader, tenantId: TenantId, organizationId: string, limit: number) {
  if (limit === 0) return
  const name = membersCounter(organizationId)
  const counts = await readCounters(db, tenantId, [name])
  if ((counts.get(name) ?? 0) >= limit) throw new ApiError('membership_limit_reached')
}

/** The role that a body names; undefined where it names none, or one that is not this tenant's, which `issues` then says. */
export async function findGivenRole(
  db: Reader,
  tenantId: TenantId,
  roleId: string | null | undefined,
  issues: Issue[],
) {
  if (roleId === undefined || roleId === null) return undefined
  const role = await findRole(db, tenantId, roleId)
  if (role === undefined) issues.push(...unknownRole().issues)
  return role
}

/** @throws ApiError validation_failed with all of them, where there are any. */
export function refuse(issues: readonly Issue[]) {
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

/** The role is all that can go away between check and write of what is held. */
export function missingRole(error: unknown): unknown {
  return error instanceof ConstraintError && error.constraint === 'foreign_key' ? unknownRole() : error
}

/** What the foreign keys refuse went away between check and write. */
export function missingReference(error: unknown): unknown {
  return error instanceof ConstraintError && error.constraint === 'foreign_key' ? notFound() : error
}
