import type { Timestamp } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Deps } from '../deps.ts'
import { deleteAttempts, selectOldAttempts } from './queries.ts'
import type { AttemptTable } from './tables.ts'

/**
 * Removes some attempts, of any tenant, that were made before a time.
 * @returns how many it found, at most `limit`.
 */
export async function removeAttemptsBefore(
  { db }: Pick<Deps, 'db'>,
  table: AttemptTable,
  before: Timestamp,
  limit: number,
): Promise<number> {
  const found = await selectOldAttempts(db, table, before, limit)
  for (const [tenantId, rows] of Map.groupBy(found, (row) => row.tenant_id)) {
    await db.transaction(async (tx) => {
      const ids = rows.map(({ id }) => id)
      const removed = await tx.run(deleteAttempts(table, tenantId, ids))
      if (removed > 0) await tx.run(addToCounters(tx, tenantId, { [table]: -removed }))
    })
  }
  return found.length
}
