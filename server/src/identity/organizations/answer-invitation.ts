// Invitations, found by their token. The token is only ever in the message, so whoever has it reads the invited address.
import { tokenPrefixes } from '@bailiwick/contract'
import { hasChannel } from '../../messaging/notifications/channels/find-channel.ts'
import { invitationMessage } from '../../messaging/notifications/messages/invitation-message.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import { type Clock, addMilliseconds } from '../../platform/clock.ts'
import { hashToken, hasValidChecksum, newToken } from '../../platform/crypto/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { OrganizationId, TenantId, UserId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import { isProvenDomain } from './domain-records.ts'
import { getOrganizationInvitation, invitationMs } from './invitations.ts'
import { addMember, newMemberRow } from './members.ts'
import * as queries from './queries.ts'

/** @throws ApiError invitation_invalid for what cannot be a token. */
export function invitationTokenHash(token: string): string {
  if (!token.startsWith(tokenPrefixes.organizationInvitation) || !hasValidChecksum(token))
    throw new ApiError('invitation_invalid')
  return hashToken(token)
}

/**
 * Returns the open invitation of a token, held until the transaction ends: if two requests use it at once, one finds it answered. One that
 * was sent because of a domain is valid only as long as the domain is.
 * @throws ApiError invitation_invalid
 */
export async function holdInvitation({ clock }: Deps, tx: Transaction, tenantId: TenantId, tokenHash: string) {
  return assertOpen(clock, tx, await queries.selectInvitationByTokenForUpdate(tx, tenantId, tokenHash))
}

/**
 * Does the same by the invitation's id, for a caller that has proven in another way to have the invited address.
 * @throws ApiError invitation_invalid
 */
export const holdInvitationById = async ({ clock }: Deps, tx: Transaction, tenantId: TenantId, id: string) =>
  assertOpen(clock, tx, await queries.selectInvitationForUpdate(tx, tenantId, id))

async function assertOpen(clock: Clock, tx: Transaction, row: queries.OrganizationInvitationRow | undefined) {
  if (row === undefined || !isOpen(row, clock.now())) throw new ApiError('invitation_invalid')
  const { tenant_id: tenantId, organization_id: organizationId, domain_id: domainId } = row
  if (domainId === null) return row
  await queries.lockOrganization(tx, tenantId, organizationId)
  if (!(await isProvenDomain(tx, tenantId, organizationId, domainId))) throw new ApiError('invitation_invalid')
  return row
}

/**
 * Does the same without holding it, for a caller that has to do something else before it is used.
 * @throws ApiError invitation_invalid
 */
export async function findInvitation({ db, clock }: Deps, tenantId: TenantId, tokenHash: string) {
  const row = await queries.selectInvitationByToken(db, tenantId, tokenHash)
  if (row === undefined || !isOpen(row, clock.now())) throw new ApiError('invitation_invalid')
  const { organization_id: organizationId, domain_id: domainId } = row
  if (domainId !== null && !(await isProvenDomain(db, tenantId, organizationId, domainId)))
    throw new ApiError('invitation_invalid')
  return row
}

/** Nobody reads more, and a user who has answered some is shown the others. */
const receivedMax = 100

/** Returns the open invitations to verified addresses of a user, newest first; a hundred at most. */
export const findReceivedInvitations = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  tenantId: TenantId,
  userId: UserId,
) => queries.selectReceivedInvitations(db, tenantId, userId, clock.now(), receivedMax)

const isOpen = (row: queries.OrganizationInvitationRow, now: string) =>
  row.accepted_at === null && row.declined_at === null && row.expires_at > now

function answerEvent(
  { clock, personal }: Deps,
  row: queries.OrganizationInvitationRow,
  type: 'organization_invitation.accepted' | 'organization_invitation.declined' | 'organization_invitation.resent',
  actor: Actor,
) {
  return eventStatement(clock, personal, {
    tenantId: row.tenant_id,
    type,
    actor,
    subjectId: row.id,
    data: { organizationId: row.organization_id, roleId: row.role_id },
  })
}

/**
 * Makes a user a member by an invitation that the transaction holds, with the role that the invitation has now.
 * @throws ApiError member_exists, membership_limit_reached
 */
export async function joinByInvitation(
  deps: Deps,
  tx: Transaction,
  { auth }: TenantEntry,
  row: queries.OrganizationInvitationRow,
  userId: UserId,
  actor: Actor,
): Promise<OrganizationId> {
  const { tenant_id: tenantId, organization_id: organizationId, role_id: roleId } = row
  const at = deps.clock.now()
  const expiresAt = row.membership_lifetime === null ? null : addMilliseconds(at, row.membership_lifetime * 1000)
  const member = newMemberRow({ tenantId, organizationId, userId, roleId, expiresAt, at: deps.clock.next() })
  await addMember(deps, tx, member, auth.organizationMembershipLimit, actor)
  await tx.run(queries.updateInvitationAnswer({ ...row, accepted_at: at, updated_at: at }))
  await tx.run(answerEvent(deps, row, 'organization_invitation.accepted', actor))
  return organizationId
}

/** @throws ApiError invitation_invalid */
export function declineInvitation(deps: Deps, tenantId: TenantId, token: string, actor: Actor): Promise<string> {
  const tokenHash = invitationTokenHash(token)
  return deps.db.transaction(async (tx) => {
    const row = await holdInvitation(deps, tx, tenantId, tokenHash)
    return declineHeldInvitation(deps, tx, row, actor)
  })
}

/** Declines an invitation that the transaction holds. */
export async function declineHeldInvitation(
  deps: Deps,
  tx: Transaction,
  row: queries.OrganizationInvitationRow,
  actor: Actor,
): Promise<string> {
  const at = deps.clock.now()
  await tx.run(queries.updateInvitationAnswer({ ...row, declined_at: at, updated_at: at }))
  await tx.run(answerEvent(deps, row, 'organization_invitation.declined', actor))
  return row.id
}

/**
 * Sends an invitation again with a new token, valid from now on. This also works for an expired one.
 * @throws ApiError not_found; invitation_invalid if it was answered; message_quota_reached.
 */
export async function resendInvitation(deps: Deps, { row: tenant, auth }: TenantEntry, id: string, actor: Actor) {
  const { id: tenantId } = tenant
  const token = newToken(tokenPrefixes.organizationInvitation)
  const isSent = await hasChannel(deps, tenantId, 'email')
  await deps.db.transaction(async (tx) => {
    const before = await queries.selectInvitationForUpdate(tx, tenantId, id)
    const organization = before && (await queries.selectOrganization(tx, tenantId, before.organization_id))
    if (before === undefined || organization === undefined) throw notFound()
    if (before.accepted_at !== null || before.declined_at !== null) throw new ApiError('invitation_invalid')
    const at = deps.clock.now()
    // From now on it counts as sent by a person, whatever it was before.
    const row = {
      ...before,
      token_hash: hashToken(token),
      domain_id: null,
      expires_at: addMilliseconds(at, invitationMs),
      updated_at: at,
    }
    await tx.run(queries.updateInvitationToken(row))
    await tx.run(answerEvent(deps, row, 'organization_invitation.resent', actor))
    if (!isSent) return
    const message = invitationMessage(
      {
        tenantId,
        countedFor: tenantId,
        auth,
        type: 'organization-invitation',
        to: row.email,
        userId: null,
        token,
        createdAt: at,
        expiresAt: row.expires_at,
        variables: { organization: { name: organization.name } },
      },
      deps.config,
    )
    await queueMessage(tx, deps, message)
  })
  return getOrganizationInvitation(deps, tenantId, id, { users: false })
}
