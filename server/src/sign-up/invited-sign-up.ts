// Signing up by an invitation to an organization: also where the tenant lets nobody else sign up. Its token was sent to nobody but the
// reader of the invited address, so that the address is verified from the start and no other takes its place.
import { emailKey } from '@bailiwick/contract'
import type { Transaction } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalid } from '../http/api-error.ts'
import type { UserId } from '../ids.ts'
import {
  findInvitation,
  holdInvitation,
  invitationTokenHash,
  joinByInvitation,
} from '../organizations/answer-invitation.ts'
import type { AnyCall } from '../sign-in/flow.ts'
import { selectUserIdByEmailKey } from '../users/queries.ts'
import type { GivenFields } from './requirements.ts'

export const isInvited = ({ invitationHash }: GivenFields) => invitationHash !== undefined

/** @throws ApiError sign_up_disabled; invitation_invalid where the tenant has organizations off, by now too. */
export function assertSignUpEnabled({ tenant: { auth } }: AnyCall, given: GivenFields) {
  if (isInvited(given) && !auth.organizationsEnabled) throw new ApiError('invitation_invalid')
  if (!auth.signUpEnabled && !isInvited(given)) throw new ApiError('sign_up_disabled')
}

/**
 * What an attempt begins with.
 * @throws ApiError invitation_invalid; email_taken, which only who reads the address learns: it is accepted after signing in.
 */
export async function invitedFields(deps: Deps, { tenant, tenantId }: AnyCall, token: string): Promise<GivenFields> {
  const invitationHash = invitationTokenHash(token)
  if (!tenant.auth.organizationsEnabled) throw new ApiError('invitation_invalid')
  const { email, email_key: key } = await findInvitation(deps, tenantId, invitationHash)
  if ((await selectUserIdByEmailKey(deps.db, tenantId, key)) !== undefined) throw new ApiError('email_taken')
  return { email, invitationHash, verified: ['email'] }
}

/** @throws ApiError validation_failed for another address than the invited one. */
export function assertInvitedAddress(given: GivenFields, email: string | undefined) {
  if (!isInvited(given) || email === undefined || given.email === undefined) return
  if (emailKey(email) !== emailKey(given.email)) throw invalid('/email', 'contradicts', 'is not the invited address')
}

/**
 * The invitation is used up together with the attempt: the user is born a member.
 * @throws ApiError invitation_invalid, membership_limit_reached
 */
export async function joinInvitedTo(
  deps: Deps,
  tx: Transaction,
  call: AnyCall,
  { invitationHash }: GivenFields,
  userId: UserId,
): Promise<void> {
  if (invitationHash === undefined) return
  const invitation = await holdInvitation(deps, tx, call.tenantId, invitationHash)
  await joinByInvitation(deps, tx, call.tenant, invitation, userId, call.actor(userId))
}
