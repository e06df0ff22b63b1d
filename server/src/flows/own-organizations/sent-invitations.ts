// Invitations to an organization: members send them, and invited users answer them.
import { type ReceivedInvitation, emailKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import * as answers from '../../identity/organizations/answer-invitation.ts'
import * as invitations from '../../identity/organizations/invitations.ts'
import { getOrganization } from '../../identity/organizations/organizations.ts'
import { proveContact } from '../../identity/people/proven-contact.ts'
import { type UserRow, emailAddressesOf, lockUser } from '../../identity/users/find-user.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { listAnswer, pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import type { PageQuery } from '../../platform/http/lists/page.ts'
import { takeQuota } from '../../platform/quotas/quotas.ts'
import { findRoleRow } from '../../tenancy/roles/find-role.ts'
import type { AnyCall } from '../frontend/flow.ts'
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
  await enterOrganization(deps, call, id, manage)
  const found = await invitations.listOrganizationInvitations(deps, call.tenantId, id, query, visibility)
  return listAnswer('invitations', found)
}

export interface NewInvitation {
  readonly email: string
  readonly roleId?: string | null
  /** How many seconds after joining the membership ends. */
  readonly membershipLifetime?: number | null
}

/** @throws ApiError not_found, forbidden, member_exists, invitation_exists, membership_limit_reached, too_many_attempts */
export async function sendInvitation(deps: Deps, call: AnyCall, id: string, invited: NewInvitation) {
  const { roleId } = invited
  const { tenantId } = call
  const fellow = await enterOrganization(deps, call, id, manage)
  const role = roleId === undefined || roleId === null ? undefined : await findRoleRow(deps.db, tenantId, id, roleId)
  assertMayGive(fellow, role)
  await takeSend(deps, call, id)
  const input = { ...invited, organizationId: id }
  return invitations.createOrganizationInvitation(deps, tenantId, input, call.actor(), visibility)
}

/**
 * Whatever role an invitation gives, whoever manages invitations may withdraw it or send it again: neither gives anybody more than before.
 * @throws ApiError not_found for an invitation of another organization, forbidden
 */
async function enterInvitation(deps: Deps, call: AnyCall, id: string, invitationId: string) {
  await enterOrganization(deps, call, id, manage)
  const invitation = await invitations.getOrganizationInvitation(deps, call.tenantId, invitationId, visibility)
  if (invitation.organizationId !== id) throw notFound()
  return invitation
}

/** @throws ApiError not_found, forbidden */
export const getSentInvitation = (deps: Deps, call: AnyCall, id: string, invitationId: string) =>
  enterInvitation(deps, call, id, invitationId)

/** @throws ApiError not_found, forbidden; invitation_invalid if it was answered; validation_failed for a role of another tenant. */
export async function updateSentInvitation(
  deps: Deps,
  call: AnyCall,
  id: string,
  invitationId: string,
  terms: Omit<NewInvitation, 'email'>,
) {
  const { roleId } = terms
  const { tenantId } = call
  const { acceptedAt, declinedAt } = await enterInvitation(deps, call, id, invitationId)
  if (acceptedAt !== null || declinedAt !== null) throw new ApiError('invitation_invalid')
  const fellow = await enterOrganization(deps, call, id, manage)
  const role = roleId === undefined || roleId === null ? undefined : await findRoleRow(deps.db, tenantId, id, roleId)
  assertMayGive(fellow, role)
  return invitations.updateOrganizationInvitation(deps, tenantId, invitationId, terms, call.actor(), visibility)
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
 * Returns the open invitations to verified addresses of the user, newest first; a hundred at most.
 * @throws ApiError forbidden if organizations are off.
 */
export async function listReceivedInvitations(deps: Deps, call: AnyCall, query: PageQuery) {
  assertOrganizationsEnabled(call)
  const rows = await answers.findReceivedInvitations(deps, call.tenantId, call.signedIn.row.user_id)
  const items = rows.map(({ id, email, expires_at: expiresAt, created_at: createdAt, ...of }) => ({
    id,
    email,
    expiresAt,
    createdAt,
    organization: { id: of.organization_id, name: of.name, imageUri: of.image_uri },
  }))
  return pageOfWhole('invitations', { items, order: 'newest first' }, query)
}

/** Finds the invitation that a user answers, and holds it until the transaction ends. */
type HoldInvitation = (tx: Transaction) => ReturnType<typeof answers.holdInvitation>

async function join(deps: Deps, call: AnyCall, hold: HoldInvitation, isProvenByToken: boolean) {
  assertOrganizationsEnabled(call)
  const { tenant, tenantId } = call
  return deps.db.transaction(async (tx) => {
    const user = await lockOwnUser(tx, call)
    const invitation = await hold(tx)
    const address = await invitedAddress(tx, user, invitation, isProvenByToken)
    const contact = { table: 'email_addresses', id: address.id, isInSession: true } as const
    await proveContact(deps, tx, tenantId, user.id, contact, call.actor())
    const id = await answers.joinByInvitation(deps, tx, tenant, invitation, user.id, call.actor())
    // Read before the commit: if it fails, nobody has joined, and the caller can send the request again.
    return getOwnOrganization({ db: tx, clock: deps.clock }, call, id)
  })
}

async function lockOwnUser(tx: Transaction, { tenantId, signedIn }: AnyCall) {
  const user = await lockUser(tx, tenantId, signedIn.row.user_id)
  if (user?.status !== 'active') throw new ApiError('unauthenticated')
  return user
}

/**
 * Returns the user's address that an invitation was sent to. Without its token the user must have verified the address before.
 * @throws ApiError invitation_invalid
 */
async function invitedAddress(
  tx: Transaction,
  user: Pick<UserRow, 'tenant_id' | 'id'>,
  { email_key: key }: { readonly email_key: string },
  isProvenByToken: boolean,
) {
  const addresses = await emailAddressesOf(tx, user.tenant_id, user.id)
  const address = addresses.find(({ email }) => emailKey(email) === key)
  if (address === undefined || (address.verified_at === null && !isProvenByToken))
    throw new ApiError('invitation_invalid')
  return address
}

/**
 * Joins with the token in the message. The invited address must belong to the user; if it is unverified, the token verifies it, because it
 * was sent only there.
 * @throws ApiError invitation_invalid, member_exists, membership_limit_reached; forbidden if organizations are off.
 */
export function acceptInvitation(deps: Deps, call: AnyCall, token: string) {
  const tokenHash = answers.invitationTokenHash(token)
  return join(deps, call, (tx) => answers.holdInvitation(deps, tx, call.tenantId, tokenHash), true)
}

interface ReceivedInvitationId {
  /** The organization's. */
  readonly id: string
  readonly invitationId: string
  /** The token in the message. */
  readonly code?: string
}

const holdReceived =
  (deps: Deps, { tenantId }: AnyCall, { id, invitationId, code }: ReceivedInvitationId): HoldInvitation =>
  async (tx) => {
    const row =
      code === undefined
        ? await answers.holdInvitationById(deps, tx, tenantId, invitationId)
        : await answers.holdInvitation(deps, tx, tenantId, answers.invitationTokenHash(code))
    if (row.id !== invitationId || row.organization_id !== id) throw new ApiError('invitation_invalid')
    return row
  }

/**
 * Does the same by the id of the invitation; without the token only for an address that the user has verified.
 * @throws ApiError invitation_invalid, member_exists, membership_limit_reached; forbidden if organizations are off.
 */
export const acceptReceivedInvitation = (deps: Deps, call: AnyCall, received: ReceivedInvitationId) =>
  join(deps, call, holdReceived(deps, call, received), received.code !== undefined)

/** @throws ApiError invitation_invalid; forbidden if organizations are off. */
export async function declineReceivedInvitation(deps: Deps, call: AnyCall, received: ReceivedInvitationId) {
  assertOrganizationsEnabled(call)
  return deps.db.transaction(async (tx) => {
    const user = await lockOwnUser(tx, call)
    const row = await holdReceived(deps, call, received)(tx)
    await invitedAddress(tx, user, row, received.code !== undefined)
    return answers.declineHeldInvitation(deps, tx, row, call.actor())
  })
}

/** @throws ApiError invitation_invalid; forbidden if organizations are off. */
export async function declineInvitation(deps: Deps, call: AnyCall, token: string) {
  assertOrganizationsEnabled(call)
  return answers.declineInvitation(deps, call.tenantId, token, call.actor())
}
