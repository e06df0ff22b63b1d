// What tokens and the userinfo endpoint say about a user: the standard claims of the scopes, and the organization that the application acts
// for.
import { type Membership, permissionsOfMember } from '../../../identity/organizations/membership-of.ts'
import type { UserRecord } from '../../../identity/users/present.ts'
import { toMs } from '../../../platform/clock.ts'
import type { OrganizationId, UserId } from '../../../platform/ids.ts'
import { fromJson } from '../../../platform/json-text.ts'
import { findMembershipInUse } from '../../grants/allowed-grant.ts'
import { currentTenancy } from '../tenancy.ts'

/** Undefined for a user who does not exist or may not sign in. A request that needs a user in several places reads the user once. */
export async function findActiveUser(id: string): Promise<UserRecord | undefined> {
  const { store } = currentTenancy()
  const user = await store.readAhead.activeUser(id)
  if (user?.role !== undefined && user.row.role_expires_at !== null) store.endOfRole.set(id, user.row.role_expires_at)
  return user
}

/** Undefined if the user is no longer a member, or the tenant has switched organizations off. */
export async function findActingMembership(organizationId: OrganizationId | null | undefined, userId: string) {
  const { deps, tenant, store } = currentTenancy()
  const membership = await findMembershipInUse(deps, tenant, organizationId ?? null, userId as UserId)
  const end = membership?.endsAt ?? null
  if (organizationId && end !== null) store.endOfMembership.set(organizationId, end)
  return membership
}

/** Returns a lifetime in seconds with which a token does not outlive the membership that it is issued for, or else the user's role. */
export function withinRights(seconds: number, familyId: string | undefined, userId: string | undefined): number {
  const { deps, store } = currentTenancy()
  const organizationId = store.familyOf.get(familyId ?? '')?.organizationId ?? null
  const end = organizationId === null ? store.endOfRole.get(userId ?? '') : store.endOfMembership.get(organizationId)
  return end === undefined
    ? seconds
    : Math.max(1, Math.min(seconds, Math.floor((toMs(end) - deps.clock.nowMs()) / 1000)))
}

/** Returns whether the user has left the organization that the application acts for. What was allowed for it has ended then. */
async function hasLeft(organizationId: OrganizationId | null | undefined, userId: string): Promise<boolean> {
  if (organizationId === null || organizationId === undefined) return false
  const { tenant } = currentTenancy()
  return tenant.auth.organizationsEnabled && (await findActingMembership(organizationId, userId)) === undefined
}

function standardClaims({ row, emailAddresses, phoneNumbers }: UserRecord) {
  const email = emailAddresses.find(({ id }) => id === row.primary_email_id)
  const phone = phoneNumbers.find(({ id }) => id === row.primary_phone_id)
  return {
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.username === null ? {} : { preferred_username: row.username }),
    ...(row.image_uri === null ? {} : { picture: row.image_uri }),
    updated_at: Math.floor(toMs(row.updated_at) / 1000),
    ...(email === undefined ? {} : { email: email.email, email_verified: email.verified_at !== null }),
    ...(phone === undefined ? {} : { phone_number: phone.phone, phone_number_verified: phone.verified_at !== null }),
  }
}

const namedOrganization = ({ organizationId, organization }: Membership) => ({
  org_id: organizationId,
  org_name: organization.name,
  org_slug: organization.slug,
})

/** Returns whether a token that was issued for the user is still good: the user may sign in, and has not left the organization. */
export async function mayHoldToken(userId: string, familyId: string | undefined): Promise<boolean> {
  if ((await findActiveUser(userId)) === undefined) return false
  return !(await hasLeft(currentTenancy().store.familyOf.get(familyId ?? '')?.organizationId, userId))
}

/**
 * Returns an account of the engine.
 * @param familyId the authorization that tokens are issued for, if it is known already.
 * @param isOfToken whether the account is asked for by a code or token, which ends when the user leaves the organization that it is for.
 */
export async function accountOf(id: string, familyId: () => string | undefined, isOfToken: boolean) {
  const user = await findActiveUser(id)
  if (user === undefined) return undefined
  const { store } = currentTenancy()
  if (isOfToken && (await hasLeft(store.familyOf.get(familyId() ?? '')?.organizationId, id))) return undefined
  return {
    accountId: user.row.id as string,
    async claims() {
      const organizationId = currentTenancy().store.familyOf.get(familyId() ?? '')?.organizationId
      const membership = await findActingMembership(organizationId, user.row.id)
      return {
        sub: user.row.id as string,
        ...standardClaims(user),
        ...(membership === undefined ? {} : namedOrganization(membership)),
      }
    },
  }
}

/**
 * Returns the claims of an access token for a resource besides its scopes: the organization, and the permissions of the user's role that
 * the scopes cover.
 */
export async function accessClaims(userId: string | undefined, familyId: string | undefined, scopes: Iterable<string>) {
  if (userId === undefined) return {}
  const organizationId = currentTenancy().store.familyOf.get(familyId ?? '')?.organizationId
  const membership = await findActingMembership(organizationId, userId)
  // What the user may do as a person is not what was allowed for an organization.
  const isPersonal = organizationId === null || organizationId === undefined
  const role = isPersonal ? (await findActiveUser(userId))?.role : undefined
  const own = role === undefined ? [] : fromJson(role.permissions)
  const allowed = new Set(membership === undefined ? own : permissionsOfMember(membership))
  return {
    ...(membership === undefined ? {} : { org_id: membership.organizationId }),
    permissions: [...scopes].filter((scope) => allowed.has(scope)),
  }
}
