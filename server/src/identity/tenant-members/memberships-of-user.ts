// The tenants that a console user administers: read for an export of the user's data, and ended when the user is deleted.
import { addToCounters } from '../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { presentFlags } from './flags.ts'
import {
  type TenantMemberRow,
  deleteMember,
  lockTwoAdmins,
  selectMemberForUpdate,
  selectMembershipsOfUser,
} from './queries.ts'

const batchSize = 200

/** Reads in batches, because nothing limits how many tenants a console user administers. */
export async function* tenantMembershipsOfUser(
  db: Reader,
  userTenantId: TenantId,
  userId: UserId,
): AsyncGenerator<readonly TenantMemberRow[]> {
  for (let after = ''; ;) {
    const rows = await selectMembershipsOfUser(db, userTenantId, userId, after, batchSize)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    after = last.id
  }
}

/**
 * Ends a user's memberships in tenants: their rows, counters and events. The caller holds the user's row.
 * @throws ApiError last_admin if a tenant would be left without one.
 */
export async function endTenantMemberships(
  { clock, personal }: Deps,
  tx: Transaction,
  userTenantId: TenantId,
  userId: UserId,
  actor: Actor,
): Promise<void> {
  for await (const rows of tenantMembershipsOfUser(tx, userTenantId, userId)) {
    for (const { tenant_id: tenantId, id } of rows) {
      // The administrators are held before the member, in the order of the other operations; otherwise two of them could deadlock.
      const admins = await lockTwoAdmins(tx, tenantId, userTenantId)
      const row = await selectMemberForUpdate(tx, tenantId, id)
      // Another request that has removed it since has subtracted it already.
      if (row === undefined) continue
      if (row.role_admin === 1 && row.expires_at === null && admins.every((admin) => admin.id === id))
        throw new ApiError('last_admin')
      await tx.run(deleteMember(tenantId, id))
      await tx.run(addToCounters(tx, tenantId, { members: -1 }))
      await tx.run(
        eventStatement(clock, personal, {
          tenantId,
          type: 'tenant_membership.deleted',
          actor,
          subjectId: id,
          data: { userId, flags: presentFlags(row), expiresAt: row.expires_at },
        }),
      )
    }
  }
}
