// Deletes a user. With the row goes the salt that opens what events say about the person, in every copy of the log.
import { removePicture } from '../../media/uploads/pictures.ts'
import { eraseMessagesOf } from '../../messaging/notifications/messages/old-messages.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { departureCounts } from '../../platform/statistics/day-counters.ts'
import { eraseAttemptsOf } from '../attempts/attempts.ts'
import type { Deps } from '../deps.ts'
import { uncountMemberships } from '../organizations/memberships-of-user.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { endAllAccesses } from '../social-connections/connections.ts'
import { endTenantMemberships } from '../tenant-members/memberships-of-user.ts'
import { countContacts, emailKind, phoneKind } from '../users/contact-kinds.ts'
import { addCounts, countsOf } from '../users/user-counters.ts'
import { deleteUser as deleteUserRow, selectUserForUpdate } from '../users/user-records.ts'
import { removeTerms } from '../users/user-terms.ts'
import { leaveWaitlist } from '../waitlist/joining.ts'

/** A check that a caller makes on a user, who is held, before anything is removed. */
export type DeletionCheck = (tx: Transaction) => Promise<void>

/**
 * Removes a user with everything that belongs to them.
 * @throws ApiError not_found; last_admin for a console user without whom a tenant would have no administrator.
 */
export async function deleteUser(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  actor: Actor,
  check?: DeletionCheck,
): Promise<void> {
  const { db, clock, personal } = deps
  await db.transaction(async (tx) => {
    const user = await selectUserForUpdate(tx, tenantId, id)
    if (user === undefined) throw notFound()
    await check?.(tx)
    await endSessionsOf(deps, tx, tenantId, user.id, actor)
    await endAllAccesses(deps, tx, tenantId, user.id, actor)
    await eraseAttemptsOf(tx, tenantId, user.id)
    await eraseMessagesOf(tx, tenantId, user.id)
    await endTenantMemberships(deps, tx, tenantId, user.id, actor)
    await leaveWaitlist(deps, tx, tenantId, user.id, actor)
    const emails = await countContacts(tx, emailKind, tenantId, user.id)
    const phones = await countContacts(tx, phoneKind, tenantId, user.id)
    const memberships = await uncountMemberships(tx, tenantId, user.id)
    await removeTerms(tx, user)
    await tx.run(deleteUserRow(tenantId, id))
    if (user.picture_id !== null) await removePicture(deps, tx, tenantId, user.picture_id, actor)
    const contacts = { email_addresses: -(emails?.count ?? 0), phone_numbers: -(phones?.count ?? 0) }
    const counts = addCounts(countsOf(user, -1), contacts, departureCounts(user.last_active_at, clock.now()))
    if (counts !== undefined) await tx.run(addToCounters(tx, tenantId, counts))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'user.deleted',
        actor,
        subjectId: id,
        data: { roleId: user.role_id, status: user.status, organizationMemberships: memberships },
      }),
    )
  })
}
