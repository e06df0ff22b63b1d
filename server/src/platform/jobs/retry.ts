import type { Timestamp } from '../clock.ts'
import type { Transaction } from '../db/database.ts'
import type { TenantId } from '../ids.ts'
import { hastenJobs, hastenRetries, reviveJob, reviveJobs, selectFailedJob } from './queries.ts'

/**
 * Makes failed jobs of a kind due: first those that were given up, then those that wait for their next try.
 * @returns how many, `limit` at most.
 */
export async function retryFailed(tx: Transaction, kind: string, now: Timestamp, limit: number): Promise<number> {
  const revived = await tx.run(reviveJobs(kind, now, limit))
  return revived === limit ? revived : revived + (await tx.run(hastenRetries(kind, now, limit - revived)))
}

const jobsOfTenantMax = 1000

/** Makes the jobs of a tenant due that wait for a time until then; each finds out by itself whether there is something to do. */
export const hastenTenant = (tx: Transaction, tenantId: TenantId, now: Timestamp, until: Timestamp): Promise<number> =>
  tx.run(hastenJobs(tenantId, { after: now, until, limit: jobsOfTenantMax }))

/** Makes one failed job due, with all its tries. Returns its kind; undefined if no failed job has the id. */
export async function retryOne(tx: Transaction, id: string, now: Timestamp): Promise<string | undefined> {
  const job = await selectFailedJob(tx, id)
  if (job === undefined || (await tx.run(reviveJob(job, now))) === 0) return undefined
  return job.kind
}
