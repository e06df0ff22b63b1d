// The readers of the event log wait for every open transaction of the PostgreSQL server, including those of other tests' databases; tests
// wait with them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../../src/identity/deps.ts'
import { fanOutAll } from '../../../src/messaging/webhooks/fan-out.ts'
import { findHorizon } from '../../../src/platform/db/citus/horizon.ts'
import type { Database } from '../../../src/platform/db/database.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import { sealAll } from '../../../src/platform/events/sealer.ts'

const lookEveryMs = 10

/** Resolves when everything that has been written so far can be read by the followers of the log. */
export async function settled(db: Database): Promise<void> {
  if (db.engine === 'sqlite') return
  for (;;) {
    const horizon = await findHorizon(db)
    const end =
      horizon === undefined ? sql`pg_snapshot_xmin(pg_current_snapshot())` : sql`CAST(CAST(${horizon} AS text) AS xid8)`
    const row = await db.first<{ settled: number }>(
      sql`SELECT NOT EXISTS (SELECT 1 FROM events WHERE transaction_id >= ${end}) AS settled`,
    )
    if (row?.settled === 1) return
    await sleep(lookEveryMs)
  }
}

export async function sealEverything(deps: Deps): Promise<void> {
  await settled(deps.db)
  await sealAll(deps)
}

export async function fanOutEverything(deps: Deps): Promise<void> {
  await settled(deps.db)
  await fanOutAll(deps)
}
