// Signing up by an invitation, even if the tenant's sign-up is closed: to an organization of the tenant, from its waiting list, or at the
// console to administer a tenant. The token was sent only to the invited address, so that address is verified from the start and no other can replace it.
import { emailKey, tokenPrefixes } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import {
  findInvitation,
  holdInvitation,
  invitationTokenHash,
  joinByInvitation,
} from '../../identity/organizations/answer-invitation.ts'
import {
  findTenantInvitation,
  joinByToken,
  isTenantInvitation,
  tenantInvitationTokenHash,
} from '../../identity/tenant-members/answer-invitation.ts'
import { findUserByEmail } from '../../identity/users/find-user.ts'
import { findApproved, useApproval, waitlistTokenHash } from '../../identity/waitlist/joining.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, invalid } from '../../platform/http/api-error.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { AnyCall } from '../frontend/flow.ts'
import type { GivenFields } from './requirements.ts'

export const isInvited = ({ invitationHash, tenantInvitationHash, waitlistHash }: GivenFields) =>
  (invitationHash ?? tenantInvitationHash ?? waitlistHash) !== undefined

/**
 * An invitation to an organization lets somebody into a tenant whose sign-up is closed, but not into the console: every console user can
 * create an organization there and invite to it.
 * @throws ApiError sign_up_disabled; invitation_invalid if the tenant has switched organizations off, even meanwhile.
 */
export function assertSignUpEnabled({ tenant: { row, auth } }: AnyCall, given: GivenFields) {
  if (given.tenantInvitationHash !== undefined) return
  const isInvitedToOrganization = given.invitationHash !== undefined
  if (isInvitedToOrganization && !auth.organizationsEnabled) throw new ApiError('invitation_invalid')
  if (given.waitlistHash !== undefined && auth.waitlistEnabled) return
  if (auth.signUpEnabled || (isInvitedToOrganization && row.kind !== 'console')) return
  throw new ApiError('sign_up_disabled')
}

/** The address that a token was sent to, and the fields that store the token. */
async function invitationOf(deps: Deps, { tenant, tenantId }: AnyCall, token: string) {
  if (tenant.row.kind === 'console' && isTenantInvitation(token)) {
    const tenantInvitationHash = tenantInvitationTokenHash(token)
    return { row: await findTenantInvitation(deps, deps.db, tenantInvitationHash), fields: { tenantInvitationHash } }
  }
  if (token.startsWith(tokenPrefixes.waitlistInvitation)) {
    const waitlistHash = waitlistTokenHash(token)
    return { row: await findApproved(deps, deps.db, tenantId, waitlistHash), fields: { waitlistHash } }
  }
  const invitationHash = invitationTokenHash(token)
  if (!tenant.auth.organizationsEnabled) throw new ApiError('invitation_invalid')
  return { row: await findInvitation(deps, tenantId, invitationHash), fields: { invitationHash } }
}

/**
 * Returns what an attempt begins with.
 * @throws ApiError invitation_invalid; email_taken, which only a person who reads the address learns: that user signs in and accepts the
 * invitation.
 */
export async function invitedFields(deps: Deps, call: AnyCall, token: string): Promise<GivenFields> {
  const { row, fields } = await invitationOf(deps, call, token)
  if (await isTaken(deps, call.tenantId, row.email_key)) throw new ApiError('email_taken')
  return { email: row.email, ...fields, verified: ['email'] }
}

const isTaken = async ({ db }: Deps, tenantId: TenantId, key: string) =>
  (await findUserByEmail(db, tenantId, key)) !== undefined

/** @throws ApiError validation_failed for an address other than the invited one. */
export function assertInvitedAddress(given: GivenFields, email: string | undefined) {
  if (!isInvited(given) || email === undefined || given.email === undefined) return
  if (emailKey(email) !== emailKey(given.email)) throw invalid('/email', 'contradicts', 'is not the invited address')
}

/**
 * Uses the invitation up together with the attempt, so that the user is a member from the beginning.
 * @throws ApiError invitation_invalid, membership_limit_reached
 */
export async function joinInvitedTo(
  deps: Deps,
  tx: Transaction,
  call: AnyCall,
  { invitationHash, tenantInvitationHash, waitlistHash }: GivenFields,
  userId: UserId,
): Promise<void> {
  const { tenant, tenantId } = call
  if (tenantInvitationHash !== undefined) {
    await joinByToken(deps, tx, tenantInvitationHash, { tenantId, userId }, call.actor(userId))
  }
  if (waitlistHash !== undefined) {
    await useApproval(deps, tx, tenantId, waitlistHash, { userId, actor: call.actor(userId) })
  }
  if (invitationHash === undefined) return
  const invitation = await holdInvitation(deps, tx, tenantId, invitationHash)
  await joinByInvitation(deps, tx, tenant, invitation, userId, call.actor(userId))
}
