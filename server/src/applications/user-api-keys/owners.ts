// Whose a key is, and what its owner may do at this moment: a key never has more rights than that.
import type { TimedReader } from '../../identity/organizations/membership-ends.ts'
import { findMembershipOf } from '../../identity/organizations/membership-of.ts'
import { organizations } from '../../identity/organizations/tables.ts'
import { findUserRow, lockUser } from '../../identity/users/find-user.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { OrganizationId, TenantId, UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { findRoleRow } from '../../tenancy/roles/find-role.ts'
import { scopesOfAllResources } from '../resources/scopes-of-resources.ts'

/** A user, a user who acts in an organization, or an organization. */
export type KeyOwner =
  | { readonly userId: UserId; readonly organizationId: OrganizationId | null }
  | { readonly userId: null; readonly organizationId: OrganizationId }

async function permissionsOfOwner(
  { db, clock }: TimedReader,
  tenantId: TenantId,
  { userId, organizationId }: KeyOwner & { readonly userId: UserId },
): Promise<readonly string[] | undefined> {
  const user = await findUserRow(db, tenantId, userId)
  if (user?.status !== 'active') return undefined
  if (organizationId !== null) {
    const membership = await findMembershipOf({ db, clock }, tenantId, organizationId, userId)
    if (membership === undefined) return undefined
    return membership.role === undefined ? [] : fromJson(membership.role.permissions)
  }
  const role = user.role_id === null ? undefined : await findRoleRow(db, tenantId, null, user.role_id)
  return role === undefined ? [] : fromJson(role.permissions)
}

/**
 * Returns the scopes of the tenant's resources that an owner has at this moment: a user those that are permissions of the user's role,
 * an organization all. Undefined if the owner is not active or not a member.
 */
export async function findScopesOfOwner(
  timed: TimedReader,
  tenantId: TenantId,
  owner: KeyOwner,
): Promise<readonly string[] | undefined> {
  const { db } = timed
  if (owner.userId === null) return scopesOfAllResources(db, tenantId)
  const permissions = await permissionsOfOwner(timed, tenantId, owner)
  if (permissions === undefined || permissions.length === 0) return permissions
  return (await scopesOfAllResources(db, tenantId)).filter((scope) => permissions.includes(scope))
}

/**
 * Holds the owner until the transaction ends, so that its keys are counted one after the other.
 * @throws ApiError not_found
 */
export async function lockOwner(tx: Transaction, tenantId: TenantId, { userId, organizationId }: KeyOwner) {
  const owner =
    userId === null
      ? await tx.run(sql`UPDATE organizations SET updated_at = updated_at WHERE tenant_id = ${tenantId}
          AND id = ${organizationId}`)
      : await lockUser(tx, tenantId, userId)
  if (owner === undefined || owner === 0) throw notFound()
}

/** @throws ApiError not_found */
export async function getOrganizationId(db: Reader, tenantId: TenantId, id: string): Promise<OrganizationId> {
  const row = await organizations.byKey(db, tenantId, id)
  if (row === undefined) throw notFound()
  return row.id
}
