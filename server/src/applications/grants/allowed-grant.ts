// Which of a user's grants an application acts by: the one for the organization that the session acts for, or another one that is still good.
import { isId, slugKey } from '@bailiwick/contract'
import { type Membership, findMembershipOf } from '../../identity/organizations/membership-of.ts'
import { organizations } from '../../identity/organizations/tables.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import type { TimedReader } from '../../platform/http/ends.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { type GrantParties, type GrantRow, findGrant, findOrganizationGrants } from './grant-records.ts'

/** Undefined if the user is not or no longer a member, or the tenant has switched organizations off. */
export async function findMembershipInUse(
  timed: TimedReader,
  { row, auth, claims }: TenantEntry,
  organizationId: OrganizationId | null,
  userId: UserId,
): Promise<Membership | undefined> {
  if (organizationId === null || !auth.organizationsEnabled) return undefined
  return findMembershipOf(timed, row.id, organizationId, userId, claims?.needsMeta)
}

/**
 * Returns the user's membership of the organization that an application asks for. Whether the organization exists is not told apart.
 * @param name its id or slug.
 */
export async function findRequestedMembership(
  timed: TimedReader,
  tenant: TenantEntry,
  name: string,
  userId: UserId,
): Promise<(Membership & { readonly organizationId: OrganizationId }) | undefined> {
  const id = isId(name)
    ? name
    : (await organizations.first(timed.db)`tenant_id = ${tenant.row.id} AND slug_key = ${slugKey(name)}`)?.id
  const membership = await findMembershipInUse(timed, tenant, (id ?? null) as OrganizationId | null, userId)
  return membership as (Membership & { readonly organizationId: OrganizationId }) | undefined
}

/** The organization that a session acts for, if its user is still a member. */
export async function organizationOfSession(
  timed: TimedReader,
  tenant: TenantEntry,
  { organization_id: id, user_id: userId }: Pick<LiveSession['row'], 'organization_id' | 'user_id'>,
): Promise<OrganizationId | null> {
  const membership = await findMembershipInUse(timed, tenant, id, userId)
  return (membership?.organizationId ?? null) as OrganizationId | null
}

/**
 * Returns what the user has allowed, though perhaps not for that organization. The application learns nothing new by it, so the
 * user is not asked again: the application continues to act for what the user chose for it.
 */
export async function findAllowedGrant(
  timed: TimedReader,
  tenant: TenantEntry,
  parties: GrantParties,
): Promise<GrantRow | undefined> {
  const { db } = timed
  const exact = await findGrant(db, tenant.row.id, parties)
  if (exact !== undefined) return exact
  if (parties.organizationId !== null) {
    const own = await findGrant(db, tenant.row.id, { ...parties, organizationId: null })
    if (own !== undefined) return own
  }
  for (const row of await findOrganizationGrants(db, tenant.row.id, parties)) {
    if ((await findMembershipInUse(timed, tenant, row.organization_id, row.user_id)) !== undefined) return row
  }
  return undefined
}
