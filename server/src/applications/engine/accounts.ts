// What tokens and the userinfo endpoint say about a user: the standard claims of the scopes, and the organization that the application acts
// for.
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { toMs } from '../../platform/clock.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { fromJson } from '../../platform/json-text.ts'
import { findMembershipOf } from '../../identity/organizations/membership-of.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { getUser } from '../../identity/users/users.ts'
import { currentTenancy } from './tenancy.ts'

/** Undefined for a user who does not exist or may not sign in. */
export async function findActiveUser(id: string): Promise<UserRecord | undefined> {
  const { deps, tenant } = currentTenancy()
  try {
    const user = await getUser(deps, tenant.row.id, id)
    return user.row.status === 'active' ? user : undefined
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Undefined if the user is no longer a member, or the tenant has switched organizations off. */
export function findActingMembership(organizationId: OrganizationId | null | undefined, userId: string) {
  const { deps, tenant } = currentTenancy()
  if (organizationId === null || organizationId === undefined || !tenant.auth.organizationsEnabled) return undefined
  return findMembershipOf(deps.db, tenant.row.id, organizationId, userId as UserId)
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

/** Returns an account of the engine. @param familyId the authorization that tokens are issued for, if it is known already. */
export async function accountOf(id: string, familyId: () => string | undefined) {
  const user = await findActiveUser(id)
  if (user === undefined) return undefined
  return {
    accountId: user.row.id as string,
    async claims() {
      const organizationId = currentTenancy().store.familyOf.get(familyId() ?? '')?.organizationId
      const membership = await findActingMembership(organizationId, user.row.id)
      return {
        sub: user.row.id as string,
        ...standardClaims(user),
        ...(membership === undefined ? {} : { org_id: membership.organizationId }),
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
  const role = membership === undefined ? (await findActiveUser(userId))?.role : membership.role
  const held = new Set(role === undefined ? [] : fromJson(role.permissions))
  return {
    ...(membership === undefined ? {} : { org_id: membership.organizationId }),
    permissions: [...scopes].filter((scope) => held.has(scope)),
  }
}
