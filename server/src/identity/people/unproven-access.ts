// Nobody has proven to own this account: when the owner of its address arrives, every way of signing in that existed before is removed,
// because a stranger who registered the address first may have set it up (docs/security-tests.md 2.2).
import { hasChannel } from '../../messaging/notifications/channels/find-channel.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { invalid } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { SessionId, TenantId, UserId } from '../../platform/ids.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { removeAuthenticatorsOf } from '../authenticators/remove-all.ts'
import type { Deps } from '../deps.ts'
import { endCodesOf } from '../one-time-codes/one-time-codes.ts'
import { deletePassword } from '../passwords/passwords.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { removeConnection, selectConnectionsOf } from '../social-connections/connections.ts'
import { deleteCandidatesOf } from '../users/contact-candidates.ts'
import { type ContactKind, emailKind, phoneKind, selectGivenContacts } from '../users/contact-kinds.ts'
import { getUserRow } from '../users/find-user.ts'
import {
  type EmailAddressRow,
  type PhoneNumberRow,
  type UserRow,
  selectUser,
  selectUserForUpdate,
} from '../users/user-records.ts'
import { markUpgraded } from '../users/user-rows.ts'
import { recordOfRow } from '../users/users.ts'
import { addContact, removeContact } from './contacts.ts'

interface Coming {
  /** The id of the address or number that its owner has proven to read. */
  readonly provenId: string
  /** The session that goes on, if there is one. */
  readonly sessionId?: SessionId
  readonly actor: Actor
}

/** The others are removed, because codes would still be sent to them. */
async function removeOthers<Row extends EmailAddressRow | PhoneNumberRow>(
  deps: Deps,
  tx: Transaction,
  kind: ContactKind<Row>,
  user: UserRow,
  { provenId, actor }: Coming,
): Promise<readonly Row[]> {
  const rows = await selectGivenContacts<Row>(tx, kind, user.tenant_id, user.id, provenId)
  // The primary one is removed last, so that no other one becomes primary in its place.
  const isPrimary = ({ id }: Row) => id === user[kind.primaryColumn]
  for (const row of rows.toSorted((one, other) => Number(isPrimary(one)) - Number(isPrimary(other)))) {
    await removeContact(deps, tx, kind, user, row, actor)
  }
  return rows
}

/**
 * Tells everybody who has proven to read an address or number that it no longer belongs to the account. The notice says nothing about the
 * new owner: neither address nor name nor language. An address that was never verified may be a stranger's, who is told nothing.
 */
async function notifyRemoved<Row extends EmailAddressRow | PhoneNumberRow>(
  deps: Deps,
  tx: Transaction,
  kind: ContactKind<Row>,
  user: UserRow,
  removed: readonly Row[],
) {
  const { tenant_id: tenantId } = user
  const verified = removed.filter(({ verified_at: verifiedAt }) => verifiedAt !== null)
  const isEmail = kind.resource === 'email'
  const channelType = isEmail ? 'email' : 'sms'
  // Texts are sent by the configured channels; a notice that cannot be sent would appear in the list as failed.
  if (verified.length === 0 || !(await hasChannel({ config: deps.config, db: tx }, tenantId, channelType))) return
  for (const row of verified) {
    await queueMessage(tx, deps, {
      tenantId,
      channelType,
      template: { type: isEmail ? 'email-changed' : 'phone-changed' },
      to: kind.valueOf(row),
      userId: user.id,
      variables: { user: { name: null } },
      purpose: isEmail ? 'email_changed' : 'phone_changed',
    })
  }
}

/** Runs in the caller's transaction, which holds the user. */
export async function endUnprovenAccess(
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  id: UserId,
  coming: Coming,
): Promise<void> {
  const { actor } = coming
  const user = await selectUser(tx, tenantId, id)
  if (user === undefined) return
  const hadPassword = (await tx.run(deletePassword(tenantId, id))) > 0
  const authenticators = await removeAuthenticatorsOf(deps, tx, user, actor)
  await tx.run(endCodesOf(tenantId, id))
  const connections = await selectConnectionsOf(tx, tenantId, id)
  for (const row of connections) await removeConnection(deps, tx, row, { salt: user.personal_salt, actor })
  const emails = await removeOthers(deps, tx, emailKind, user, coming)
  const phones = await removeOthers(deps, tx, phoneKind, user, coming)
  await notifyRemoved(deps, tx, emailKind, user, emails)
  await notifyRemoved(deps, tx, phoneKind, user, phones)
  await tx.run(deleteCandidatesOf(tenantId, id))
  const sessions = await endSessionsOf(deps, tx, tenantId, id, actor, coming.sessionId)
  await tx.run(
    eventStatement(deps.clock, deps.personal, {
      tenantId,
      type: 'user.unproven_access_ended',
      actor,
      subjectId: id,
      data: {
        hadPassword,
        authenticators,
        connections: connections.length,
        contacts: emails.length + phones.length,
        sessions,
      },
    }),
  )
}

/**
 * Adds an unverified contact to a user, by the tenant's authority; it becomes the primary one if there is no other. An anonymous user is a
 * real one from then on, without what somebody else may have added in the same browser.
 * @throws ApiError email_taken, phone_taken, contact_limit_reached; not_found for a tenant that does not exist; validation_failed for a
 * user of another tenant.
 */
export async function createContact<Row extends EmailAddressRow | PhoneNumberRow>(
  deps: Deps,
  kind: ContactKind<Row>,
  tenantId: TenantId,
  input: { readonly userId: string; readonly value: string },
  actor: Actor,
): Promise<Row> {
  await getTenant(deps, tenantId)
  return deps.db.transaction(async (tx) => {
    const user = await selectUserForUpdate(tx, tenantId, input.userId)
    if (user === undefined) throw invalid('/userId', 'unknown_reference', 'is not a user of this tenant')
    const contact = { value: input.value }
    if (user.is_anonymous === 0) return addContact(deps, tx, kind, user, contact, actor)
    await endUnprovenAccess(deps, tx, tenantId, user.id, { provenId: '', actor })
    const row = await addContact(deps, tx, kind, await getUserRow(tx, tenantId, user.id), contact, actor)
    const after = await recordOfRow({ ...deps, db: tx }, await getUserRow(tx, tenantId, user.id))
    await tx.runAll(markUpgraded(deps, tx, after, actor))
    return row
  })
}
