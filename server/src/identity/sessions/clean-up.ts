// Ends expired sessions, so that lists and counters are right without looking at every row, and removes data that may not be kept any
// longer: addresses and user agents of sign-ins are kept for 90 days.
import { fromMs } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { TenantId } from '../../platform/ids.ts'
import { removeAttemptsBefore } from '../attempts/clean-up.ts'
import type { Deps } from '../deps.ts'
import { tellFollowersOfEnded } from './followers.ts'
import * as queries from './queries.ts'
import { sessionsCounter } from './tables.ts'

export const keptMs = 90 * 24 * 60 * 60 * 1000
const batchSize = 500

interface Found {
  readonly tenant_id: TenantId
  readonly id: string
}

const byTenant = (rows: readonly Found[]) => Map.groupBy(rows, (row) => row.tenant_id)

async function endExpired({ db, clock }: Deps): Promise<number> {
  const now = clock.now()
  const found = await queries.selectExpiredSessions(db, now, batchSize)
  for (const [tenantId, rows] of byTenant(found)) {
    await db.transaction(async (tx) => {
      const ids = rows.map(({ id }) => id)
      const ended = await tx.run(queries.endExpiredSessions(tenantId, ids, now))
      if (ended === 0) return
      await tx.run(addToCounters(tx, tenantId, { [sessionsCounter]: -ended }))
      await tellFollowersOfEnded(clock, tx, tenantId, ids, now)
    })
  }
  return found.length
}

/** Does one bounded piece of work; returns whether there is more. */
export async function cleanUpSessions(deps: Deps): Promise<boolean> {
  const { db, clock } = deps
  const before = fromMs(clock.nowMs() - keptMs)
  const counts = [
    await endExpired(deps),
    await removeAttemptsBefore(deps, 'sign_in_attempts', before, batchSize),
    await removeAttemptsBefore(deps, 'sign_up_attempts', before, batchSize),
  ]
  const removed = await db.write(() => [queries.deleteSessionsEndedBefore(before, batchSize)])
  return [...counts, removed].some((count) => count >= batchSize)
}
