// Whose a key is, and what its owner may do at this moment: a key never has more rights than that.
import { findMembershipOf } from '../../identity/organizations/membership-of.ts'
import { organizations } from '../../identity/organizations/tables.ts'
import { findUserRow, lockUser } from '../../identity/users/find-user.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { type TimedReader, roleIdNow } from '../../platform/http/ends.ts'
import type { OrganizationId, TenantId, UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { findRoleRow } from '../../tenancy/roles/find-role.ts'
import { scopesOfAllResources } from '../resources/scopes-of-resources.ts'

/** A user, a user who acts in an organization, or an organization. */
export type KeyOwner =
  | { readonly userId: UserId; readonly organizationId: OrganizationId | null }
  | { readonly userId: null; readonly organizationId: OrganizationId }

interface Rights {
  readonly permissions: readonly string[]
  /** When the role or the membership ends that gives them; null for never. */
  readonly endsAt: Timestamp | null
}

async function rightsOfOwner(
  { db, clock }: TimedReader,
  tenantId: TenantId,
  { userId, organizationId }: KeyOwner & { readonly userId: UserId },
): Promise<Rights | undefined> {
  const user = await findUserRow(db, tenantId, userId)
  if (user?.status !== 'active') return undefined
  if (organizationId !== null) {
    const membership = await findMembershipOf({ db, clock }, tenantId, organizationId, userId)
    if (membership === undefined) return undefined
    const { role, endsAt } = membership
    return { permissions: role === undefined ? [] : fromJson(role.permissions), endsAt }
  }
  const roleId = roleIdNow(user, clock.now())
  const role = roleId === null ? undefined : await findRoleRow(db, tenantId, null, roleId)
  return role === undefined
    ? { permissions: [], endsAt: null }
    : { permissions: fromJson(role.permissions), endsAt: user.role_expires_at }
}

/** What an owner may give a key at this moment. */
interface OwnedScopes {
  readonly scopes: readonly string[]
  readonly endsAt: Timestamp | null
}

/**
 * Returns the scopes of the tenant's resources that an owner has at this moment, and until when: a user those that are permissions of the
 * user's role, an organization all. Undefined if the owner is not active or not a member.
 */
export async function findScopesOfOwner(
  timed: TimedReader,
  tenantId: TenantId,
  owner: KeyOwner,
): Promise<OwnedScopes | undefined> {
  const { db } = timed
  if (owner.userId === null) return { scopes: await scopesOfAllResources(db, tenantId), endsAt: null }
  const rights = await rightsOfOwner(timed, tenantId, owner)
  if (rights === undefined) return undefined
  const { permissions, endsAt } = rights
  const all = permissions.length === 0 ? [] : await scopesOfAllResources(db, tenantId)
  return { scopes: all.filter((scope) => permissions.includes(scope)), endsAt }
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
