// Invitations to administer a tenant. The token that accepts one is only ever in the message that carries it.
import { type CreateTenantInvitation, canonicalEmail, emailKey, tokenPrefixes } from '@bailiwick/contract'
import { hasChannel } from '../../messaging/notifications/channels/find-channel.ts'
import { type Invitation, invitationMessage } from '../../messaging/notifications/messages/invitation-message.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import { type Timestamp, addMilliseconds, machineTime } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { isPast, readEnd } from '../../platform/http/ends.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectCountedPage } from '../../platform/http/lists/page.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { findUserByEmail } from '../users/find-user.ts'
import { findUserWithContacts } from '../users/users.ts'
import { flagColumns, presentFlags } from './flags.ts'
import { presentTenantInvitation } from './present.ts'
import * as queries from './queries.ts'

/** The id that is looked for if nobody has the address. */
const nobody = '' as UserId

const invitationMs = 7 * 24 * 60 * 60 * 1000

/** Returns when an invitation can no longer be accepted: after seven days, or when the rights that it gives end. */
export function endOfInvitation(since: Timestamp, rightsEnd: Timestamp | null): Timestamp {
  const end = addMilliseconds(since, invitationMs)
  return rightsEnd !== null && rightsEnd < end ? rightsEnd : end
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listTenantInvitations(deps: Deps, tenantId: TenantId, query: PageQuery) {
  const { row: tenant } = await getTenant(deps, tenantId)
  const { db } = deps
  const request = pageRequest(query)
  const list = { source: queries.invitationSource(tenantId), tenantId, counter: 'invitations' }
  const { page, total } = await selectCountedPage(db, list, request)
  const data = page.rows.map((row) => presentTenantInvitation(row, tenant))
  return pageEnvelope(page, data, total, request.perPage)
}

/** What the message about an invitation needs beside its row. */
interface About {
  readonly consoleTenantId: TenantId
  readonly auth: Invitation['auth']
  readonly token: string
  readonly tenantName: string
  /** The administrator who invites; null for an operator or a key, which have no name. */
  readonly inviter: string | null
  readonly user: { readonly id: UserId; readonly name: string | null } | undefined
  readonly now: Timestamp
}

/**
 * Returns the message that carries the token. It is sent by the console's own channel: a member who may set up the tenant's channel must not
 * get hold of a token that makes an administrator.
 */
const messageAbout = (row: queries.TenantInvitationRow, about: About) => ({
  tenantId: about.consoleTenantId,
  countedFor: row.tenant_id,
  auth: about.auth,
  type: 'tenant-invitation' as const,
  to: row.email,
  userId: about.user?.id ?? null,
  token: about.token,
  createdAt: about.now,
  expiresAt: row.expires_at,
  variables: {
    invitation: { tenantName: about.tenantName },
    user: { name: about.user?.name ?? null },
    inviter: { name: about.inviter },
  },
})

/** Returns the name of the administrator who invites. */
async function inviterName(tx: Transaction, consoleTenantId: TenantId, { type, id }: Actor): Promise<string | null> {
  if (type !== 'console_user' || id === null) return null
  const inviter = await findUserWithContacts(tx, consoleTenantId, id)
  return inviter?.row.name ?? inviter?.emailAddresses[0]?.email ?? null
}

/**
 * Invites an address to administer the tenant; the invitation is valid for seven days. Whether anybody has an account with the address is
 * not revealed.
 * @throws ApiError member_exists, invitation_exists, message_quota_reached; not_found for a tenant that does not exist; validation_failed for
 * an end that is not in the future.
 */
export async function inviteTenantMember(
  deps: Deps,
  tenantId: TenantId,
  { expiresAt = null, ...input }: Omit<CreateTenantInvitation, 'tenantId'>,
  actor: Actor,
) {
  const { row: tenant } = await getTenant(deps, tenantId)
  const { db, clock, personal } = deps
  const consoleTenantId = await getConsoleTenantId(db)
  const email = canonicalEmail(input.email)
  const key = emailKey(email)
  const token = newToken(tokenPrefixes.tenantInvitation)
  const tokenHash = hashToken(token)
  const { auth } = await getTenant(deps, consoleTenantId)
  const isSent = await hasChannel(deps, consoleTenantId, 'email')
  return db.transaction(async (tx) => {
    // The same statements run whether or not somebody has the address, so that the time they take does not tell either.
    const user = await findUserByEmail(tx, consoleTenantId, key)
    const member = await queries.selectMember(tx, tenantId, user?.id ?? nobody)
    if (member !== undefined && !isPast(member.expires_at, machineTime(clock))) throw new ApiError('member_exists')
    const [now, at] = [clock.now(), clock.next()]
    const rightsEnd = readEnd(machineTime(clock), '/expiresAt', expiresAt)
    const removed = await tx.run(queries.deleteExpiredInvitation(tenantId, key, now))
    const row: queries.TenantInvitationRow = {
      tenant_id: tenantId,
      id: newId<'InvitationId'>(),
      email,
      email_key: key,
      token_hash: tokenHash,
      expires_at: endOfInvitation(now, rightsEnd),
      ...flagColumns(input),
      rights_expire_at: rightsEnd,
      created_at: at,
      updated_at: at,
    }
    await tx.run(queries.insertInvitation(row))
    if (removed === 0) await tx.run(addToCounters(tx, tenantId, { invitations: 1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant_invitation.created',
        actor,
        subjectId: row.id,
        data: { flags: presentFlags(row), expiresAt: row.expires_at, rightsExpireAt: rightsEnd },
      }),
    )
    if (isSent) {
      const inviter = await inviterName(tx, consoleTenantId, actor)
      const about = { consoleTenantId, auth, token, tenantName: tenant.name, inviter, user, now }
      const message = messageAbout(row, about)
      await queueMessage(tx, deps, invitationMessage(message, deps.config))
    }
    return presentTenantInvitation(row, tenant)
  })
}
