// Invitations to an organization: members send them, and invited users answer them.
import { type ReceivedInvitation, emailKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { takeQuota } from '../../platform/quotas/quotas.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { listAnswer } from '../../platform/http/list-answer.ts'
import type { PageQuery } from '../../platform/http/page.ts'
import * as answers from '../../identity/organizations/answer-invitation.ts'
import * as invitations from '../../identity/organizations/invitations.ts'
import { getOrganization } from '../../identity/organizations/organizations.ts'
import { findRole } from '../../tenancy/roles/roles.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { proveContact } from '../../identity/people/proven-contact.ts'
import { emailAddressesOf, lockUser } from '../../identity/users/find-user.ts'
import { getOwnOrganization } from './own-organizations.ts'
import { assertMayGive, assertOrganizationsEnabled, enterOrganization } from './rights.ts'

const manage = 'org:invitations:manage'
/** Members learn who an invited user is only once that user has joined. */
const visibility: invitations.Visibility = { users: false }

/** A limit for each organization, because invitations reach people who have not asked for anything. */
const sends = ({ config }: Deps) => ({
  name: 'invitations:hour',
  usesMax: config.env === 'development' ? 5000 : 50,
  windowSeconds: 60 * 60,
})

const takeSend = (deps: Deps, { tenantId }: AnyCall, organizationId: string) =>
  deps.db.transaction((tx) => takeQuota(deps, tx, tenantId, sends(deps), organizationId))

/** @throws ApiError not_found, forbidden */
export async function listSentInvitations(deps: Deps, call: AnyCall, id: string, query: PageQuery) {
  await enterOrganization(deps.db, call, id, manage)
  const found = await invitations.listOrganizationInvitations(deps, call.tenantId, id, query, visibility)
  return listAnswer('invitations', found)
}

export interface NewInvitation {
  readonly email: string
  readonly roleId?: string | null
}

/** @throws ApiError not_found, forbidden, member_exists, invitation_exists, membership_limit_reached, too_many_attempts */
export async function sendInvitation(deps: Deps, call: AnyCall, id: string, { email, roleId }: NewInvitation) {
  const { tenantId } = call
  const fellow = await enterOrganization(deps.db, call, id, manage)
  const role = roleId === undefined || roleId === null ? undefined : await findRole(deps.db, tenantId, roleId)
  assertMayGive(fellow, role?.row)
  await takeSend(deps, call, id)
  const input = { organizationId: id, email, ...(roleId === undefined ? {} : { roleId }) }
  return invitations.createOrganizationInvitation(deps, tenantId, input, call.actor(), visibility)
}

/**
 * Whatever role an invitation gives, whoever manages invitations may withdraw it or send it again: neither gives anybody more than before.
 * @throws ApiError not_found for an invitation of another organization, forbidden
 */
async function enterInvitation(deps: Deps, call: AnyCall, id: string, invitationId: string) {
  await enterOrganization(deps.db, call, id, manage)
  const invitation = await invitations.getOrganizationInvitation(deps, call.tenantId, invitationId, visibility)
  if (invitation.organizationId !== id) throw notFound()
}

/** @throws ApiError not_found, forbidden, too_many_attempts; invitation_invalid if it was answered. */
export async function resendInvitation(deps: Deps, call: AnyCall, id: string, invitationId: string) {
  await enterInvitation(deps, call, id, invitationId)
  await takeSend(deps, call, id)
  return answers.resendInvitation(deps, call.tenant, invitationId, call.actor())
}

/** @throws ApiError not_found, forbidden */
export async function revokeInvitation(deps: Deps, call: AnyCall, id: string, invitationId: string) {
  await enterInvitation(deps, call, id, invitationId)
  return invitations.deleteOrganizationInvitation(deps, call.tenantId, invitationId, call.actor(), visibility)
}

/**
 * Returns what an invitation is for, to anybody who holds its token.
 * @throws ApiError invitation_invalid; forbidden if organizations are off.
 */
export async function getReceivedInvitation(deps: Deps, call: AnyCall, token: string): Promise<ReceivedInvitation> {
  assertOrganizationsEnabled(call)
  const row = await answers.findInvitation(deps, call.tenantId, answers.invitationTokenHash(token))
  const { id, name, imageUri } = await getOrganization(deps, call.tenantId, row.organization_id)
  return { id: row.id, email: row.email, expiresAt: row.expires_at, organization: { id, name, imageUri } }
}

/**
 * Joins with the token in the message. The invited address must belong to the user; if it is unverified, the token verifies it, because it
 * was sent only there.
 * @throws ApiError invitation_invalid, member_exists, membership_limit_reached; forbidden if organizations are off.
 */
export async function acceptInvitation(deps: Deps, call: AnyCall, token: string) {
  assertOrganizationsEnabled(call)
  const { tenant, tenantId, signedIn } = call
  const tokenHash = answers.invitationTokenHash(token)
  return deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, tenantId, signedIn.row.user_id)
    if (user?.status !== 'active') throw new ApiError('unauthenticated')
    const invitation = await answers.holdInvitation(deps, tx, tenantId, tokenHash)
    const addresses = await emailAddressesOf(tx, tenantId, user.id)
    const address = addresses.find(({ email }) => emailKey(email) === invitation.email_key)
    if (address === undefined) throw new ApiError('invitation_invalid')
    const contact = { table: 'email_addresses', id: address.id, isInSession: true } as const
    await proveContact(deps, tx, tenantId, user.id, contact, call.actor())
    const id = await answers.joinByInvitation(deps, tx, tenant, invitation, user.id, call.actor())
    // Read before the commit: if it fails, nobody has joined, and the caller can send the request again.
    return getOwnOrganization(tx, call, id)
  })
}

/** @throws ApiError invitation_invalid; forbidden if organizations are off. */
export async function declineInvitation(deps: Deps, call: AnyCall, token: string) {
  assertOrganizationsEnabled(call)
  return answers.declineInvitation(deps, call.tenantId, token, call.actor())
}
