import type { Timestamp } from '../clock.ts'
import type { Transaction } from '../db/database.ts'
import { hastenRetries, reviveJobs } from './queries.ts'

/**
 * Makes failed jobs of a kind due: first those that were given up, then those that wait for their next try.
 * @returns how many, `limit` at most.
 */
export async function retryFailed(tx: Transaction, kind: string, now: Timestamp, limit: number): Promise<number> {
  const revived = await tx.run(reviveJobs(kind, now, limit))
  return revived === limit ? revived : revived + (await tx.run(hastenRetries(kind, now, limit - revived)))
}
