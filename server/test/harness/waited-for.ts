// Two transactions, one of which has to wait for the other.
import assert from 'node:assert/strict'
import type { Transaction } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'

const triesMax = 1000

/**
 * Resolves when another transaction waits for this one. On SQLite it resolves at once: nobody else writes while a transaction runs. It
 * pauses between checks, because each one delays everybody who takes a lock on that server.
 */
export async function untilWaitedFor(tx: Transaction): Promise<void> {
  if (tx.engine === 'sqlite') return
  for (let tries = 0; tries < triesMax; tries++) {
    const waiting = await tx.first(
      sql`SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)) LIMIT 1`,
    )
    if (waiting !== undefined) return
    await tx.first(sql`SELECT 1 AS one FROM pg_sleep(0.02)`)
  }
  assert.fail('no transaction has come to wait for this one')
}
