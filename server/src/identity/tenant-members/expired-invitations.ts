// Removes invitations of administrators that have expired long ago.
import { addMilliseconds } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Deps } from '../deps.ts'
import { tenantInvitations } from './tables.ts'

/** How long an invitation is kept after it has expired. */
export const expiredInvitationsKeptMs = 90 * 24 * 60 * 60_000
const batchSize = 500
const found = tenantInvitations.only('tenant_id', 'id')

/** Does one bounded piece of work; returns whether there is more. */
export async function removeExpiredInvitations({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  const before = addMilliseconds(clock.now(), -expiredInvitationsKeptMs)
  const rows = await found.all(db)`expires_at < ${before} ORDER BY expires_at LIMIT ${batchSize}`
  for (const [tenantId, own] of Map.groupBy(rows, (row) => row.tenant_id)) {
    const ids = own.map(({ id }) => id)
    await db.transaction(async (tx) => {
      const removed = await tx.run(sql`DELETE FROM tenant_invitations
        WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)}) AND expires_at < ${before}`)
      if (removed > 0) await tx.run(addToCounters(tx, tenantId, { invitations: -removed }))
    })
  }
  return rows.length === batchSize
}
