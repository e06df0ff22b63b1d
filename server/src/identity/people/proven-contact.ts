// Records that an owner has proven to read an address or number. The first such proof also removes what somebody else may have prepared:
// whoever signed up with the address without proving to own it may have been anybody (docs/security-tests.md 2.2, pre-registered accounts).
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { inviteByDomain } from '../organizations/automatic-invitation.ts'
import { deleteUnprovenPassword, keepProvenPassword } from '../passwords/passwords.ts'
import { keepProvenConnections, removeUnprovenConnections } from '../social-connections/connections.ts'
import { emailKind, isClaimed, phoneKind, selectContact, updateVerified } from '../users/contact-kinds.ts'
import type { EmailAddressRow } from '../users/user-records.ts'
import { endUnprovenAccess } from './unproven-access.ts'

export interface ProvenContact {
  readonly table: 'email_addresses' | 'phone_numbers'
  readonly id: string
  /** Whether it was proven in a session of the same user: then the account's holder also reads the address, and everything stays. */
  readonly isInSession?: boolean
  /** Whether everything that existed before is removed, whoever entered the address. */
  readonly isTakeOver?: boolean
}

/**
 * Runs in the caller's transaction, which holds the user. If this resolves with true, the user has changed and the caller reads it again.
 */
export async function proveContact(
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  userId: UserId,
  { table, id, isInSession = false, isTakeOver = false }: ProvenContact,
  actor: Actor,
): Promise<boolean> {
  const { clock, personal } = deps
  const kind = table === 'email_addresses' ? emailKind : phoneKind
  const wasClaimed = await isClaimed(tx, kind, tenantId, id)
  if ((await tx.run(updateVerified(kind, tenantId, id, clock.now()))) === 0) return false
  await invalidateUser(tx, deps.sessions, tenantId, userId)
  if (isInSession) for (const keep of [keepProvenPassword, keepProvenConnections]) await tx.run(keep(tenantId, userId))
  const isPasswordRemoved = (await tx.run(deleteUnprovenPassword(tenantId, userId))) > 0
  const isConnectionRemoved = await removeUnprovenConnections(deps, tx, tenantId, userId, actor)
  // A stranger has had time to add a passkey, an authenticator app, or another password.
  if (isTakeOver || isPasswordRemoved || isConnectionRemoved || (wasClaimed && !isInSession)) {
    await endUnprovenAccess(deps, tx, tenantId, userId, { provenId: id, actor })
  }
  await tx.run(
    eventStatement(clock, personal, {
      tenantId,
      type: kind.events.verified,
      actor,
      subjectId: id,
      data: { userId, isPasswordRemoved, isConnectionRemoved },
    }),
  )
  if (table !== 'email_addresses') return true
  const address = await selectContact<EmailAddressRow>(tx, emailKind, tenantId, id)
  if (address !== undefined) await inviteByDomain(deps, tx, { tenantId, userId, email: address.email }, actor)
  return true
}
