// Answers an invitation to administer a tenant. Its token is only ever in the message, so whoever has it reads the invited address.
import { tokenPrefixes } from '@bailiwick/contract'
import { inheritSendingAccount } from '../../messaging/notifications/messages/sending-account.ts'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { hashToken, hasValidChecksum } from '../../platform/crypto/tokens.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { findTenantRow } from '../../tenancy/tenants/find-tenant.ts'
import type { Deps } from '../deps.ts'
import { presentFlags } from './flags.ts'
import * as queries from './queries.ts'
import { memberRow, memberStatements, removeIfEnded } from './tenant-members.ts'

export const isTenantInvitation = (token: string): boolean => token.startsWith(tokenPrefixes.tenantInvitation)
const listMax = 100

/** A user of the console's own tenant. */
export interface Invited {
  readonly tenantId: TenantId
  readonly userId: UserId
}

/** Subtracts from the counter an invitation that the transaction has taken, and records the outcome as an event. */
export async function answerInvitation(
  { clock, personal }: Deps,
  tx: Transaction,
  row: queries.TenantInvitationRow,
  type: 'tenant_invitation.accepted' | 'tenant_invitation.declined',
  actor: Actor,
): Promise<void> {
  await tx.run(addToCounters(tx, row.tenant_id, { invitations: -1 }))
  await tx.run(
    eventStatement(clock, personal, {
      tenantId: row.tenant_id,
      type,
      actor,
      subjectId: row.id,
      data: { flags: presentFlags(row) },
    }),
  )
}

/**
 * Makes a console user a member by an invitation that the transaction has taken, with the flags and the end that it has at this moment.
 * @throws ApiError member_exists
 */
export async function joinByInvitation(
  deps: Deps,
  tx: Transaction,
  invitation: queries.TenantInvitationRow,
  user: Invited,
  actor: Actor,
): Promise<queries.TenantMemberRow> {
  await removeIfEnded(deps, tx, invitation.tenant_id, user.userId)
  const member = memberRow(deps, invitation.tenant_id, user.tenantId, user.userId, {
    ...presentFlags(invitation),
    expiresAt: invitation.rights_expire_at,
  })
  await answerInvitation(deps, tx, invitation, 'tenant_invitation.accepted', actor)
  for (const statement of memberStatements(deps, tx.shard, member, actor)) await tx.run(statement)
  await invalidateUser(tx, deps.sessions, user.tenantId, user.userId)
  return member
}

/** @throws ApiError invitation_invalid for what cannot be a token. */
export function tenantInvitationTokenHash(token: string): string {
  if (!isTenantInvitation(token) || !hasValidChecksum(token)) throw new ApiError('invitation_invalid')
  return hashToken(token)
}

/**
 * Returns the open invitation of a token. An invitation of a deleted tenant does not exist.
 * @throws ApiError invitation_invalid
 */
export async function findTenantInvitation({ clock }: Deps, db: Reader, tokenHash: string) {
  const row = await queries.selectInvitationByToken(db, tokenHash, clock.now())
  if (row === undefined || (await findTenantRow(db, row.tenant_id)) === undefined) {
    throw new ApiError('invitation_invalid')
  }
  return row
}

/** Returns the open invitations of any tenant to these addresses, newest first. */
export const invitationsTo = ({ db, clock }: Deps, emailKeys: readonly string[]) =>
  queries.selectInvitationsTo(db, emailKeys, clock.now(), listMax)

/**
 * Takes an open invitation to one of these addresses, so that another request of the same moment does not find it.
 * @throws ApiError not_found, also if the tenant is deleted.
 */
export async function takeInvitationTo({ clock }: Deps, tx: Transaction, id: string, emailKeys: readonly string[]) {
  const row = await queries.selectInvitationToForUpdate(tx, id, emailKeys, clock.now())
  if (row === undefined || (await findTenantRow(tx, row.tenant_id)) === undefined) throw notFound()
  if ((await tx.run(queries.deleteInvitation(row.tenant_id, row.id))) === 0) throw notFound()
  return row
}

/**
 * Does the same for a user who has just signed up with the token, and uses the invitation up.
 * @throws ApiError invitation_invalid
 */
export async function joinByToken(deps: Deps, tx: Transaction, tokenHash: string, user: Invited, actor: Actor) {
  const { tenant_id: tenantId, id } = await findTenantInvitation(deps, tx, tokenHash)
  const invitation = await queries.selectInvitationForUpdate(tx, tenantId, id)
  if (invitation === undefined || (await tx.run(queries.deleteInvitation(tenantId, id))) === 0) {
    throw new ApiError('invitation_invalid')
  }
  await joinByInvitation(deps, tx, invitation, user, actor)
  await inheritSendingAccount(tx, user, tenantId, deps.clock.now())
}
