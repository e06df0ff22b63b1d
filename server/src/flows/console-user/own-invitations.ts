// The invitations of the signed-in console user, i.e. those to an address that the user has verified.
import { emailKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import {
  answerInvitation,
  findTenantInvitation,
  invitationsTo,
  joinByInvitation,
  takeInvitationTo,
  tenantInvitationTokenHash,
} from '../../identity/tenant-members/answer-invitation.ts'
import { presentTenantInvitation, presentTenantMember } from '../../identity/tenant-members/present.ts'
import { lockUser } from '../../identity/users/find-user.ts'
import { type UserRecord, presentUserSummary } from '../../identity/users/present.ts'
import { findUser } from '../../identity/users/users.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor, ConsoleUser } from '../../platform/http/credentials/principal.ts'

const verifiedKeys = ({ emailAddresses }: UserRecord) =>
  emailAddresses.filter((address) => address.verified_at !== null).map((address) => emailKey(address.email))

/** @throws ApiError unauthenticated if the user has been deleted. */
export async function whoAmI(deps: Deps, { tenantId, userId }: ConsoleUser): Promise<UserRecord> {
  const user = await findUser(deps, tenantId, userId)
  if (user === undefined) throw new ApiError('unauthenticated')
  return user
}

/**
 * Returns an open invitation to administer a tenant, for whoever has its token.
 * @throws ApiError invitation_invalid
 */
export async function findInvitationByToken(deps: Deps, token: string) {
  const row = await findTenantInvitation(deps, deps.db, tenantInvitationTokenHash(token))
  const tenant = await deps.tenants.byId(row.tenant_id)
  if (tenant === undefined) throw new ApiError('invitation_invalid')
  return { row, tenant: tenant.row }
}

export async function listOwnInvitations(deps: Deps, caller: ConsoleUser) {
  const { tenants } = deps
  const user = await whoAmI(deps, caller)
  const keys = verifiedKeys(user)
  if (keys.length === 0) return []
  const rows = await invitationsTo(deps, keys)
  const entries = await Promise.all(rows.map(async (row) => tenants.byId(row.tenant_id)))
  return rows.flatMap((row, index) => {
    const tenant = entries[index]?.row
    return tenant === undefined ? [] : [presentTenantInvitation(row, tenant, user)]
  })
}

/**
 * Takes an invitation. The user is held first, so that an address cannot be lost meanwhile, then the invitation: another request of the
 * same moment does not find it.
 */
async function take(deps: Deps, tx: Transaction, { tenantId, userId }: ConsoleUser, id: string) {
  const held = await lockUser(tx, tenantId, userId)
  const user = held?.status === 'active' ? await findUser({ ...deps, db: tx }, tenantId, userId) : undefined
  if (user === undefined) throw new ApiError('unauthenticated')
  const keys = verifiedKeys(user)
  if (keys.length === 0) throw notFound()
  return { user, row: await takeInvitationTo(deps, tx, id, keys) }
}

/**
 * Makes the user a member with the flags that the invitation has at this moment.
 * @throws ApiError member_exists; not_found if the invitation has expired, was used or belongs to somebody else.
 */
export async function acceptOwnInvitation(deps: Deps, caller: ConsoleUser, id: string, actor: Actor) {
  return deps.db.transaction(async (tx) => {
    const { user, row } = await take(deps, tx, caller, id)
    return presentTenantMember(await joinByInvitation(deps, tx, row, caller, actor), presentUserSummary(user))
  })
}

/** @throws ApiError not_found if the invitation has expired, was used or belongs to somebody else. */
export async function declineOwnInvitation(deps: Deps, caller: ConsoleUser, id: string, actor: Actor): Promise<true> {
  await deps.db.transaction(async (tx) => {
    const { row } = await take(deps, tx, caller, id)
    await answerInvitation(deps, tx, row, 'tenant_invitation.declined', actor)
  })
  return true
}
