import { type Timestamp, addMilliseconds, clockSkewMsMax } from '../clock.ts'
import type { Reader } from '../db/database.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { RowOf } from '../db/table.ts'
import type { TenantId } from '../ids.ts'
import { jobs } from './tables.ts'

const claimable = jobs.only('tenant_id', 'id', 'kind', 'key', 'payload', 'attempts', 'wakes', 'lease', 'lost_runs')
export type JobRow = RowOf<typeof claimable>

/** Brings an existing job forward; one that is running will run again. */
export const upsertJob = (
  row: Pick<JobRow, 'tenant_id' | 'id' | 'kind' | 'key' | 'payload'> & {
    readonly run_at: Timestamp
    readonly created_at: Timestamp
  },
): Statement => sql`${jobs.insert({ ...row, updated_at: row.created_at })}
  ON CONFLICT (tenant_id, kind, key) DO UPDATE SET wakes = jobs.wakes + 1, payload = excluded.payload, dead_at = NULL,
    run_at = CASE WHEN jobs.run_at < excluded.run_at THEN jobs.run_at ELSE excluded.run_at END,
    updated_at = excluded.updated_at`

/** A lease that ends later than any lease can was taken before the clock was set back; nobody renews it. */
const leaseMsMax = 5 * 60_000 + clockSkewMsMax
const isDue = (now: Timestamp) =>
  sql`dead_at IS NULL AND run_at <= ${now}
    AND (leased_until IS NULL OR leased_until <= ${now} OR leased_until > ${addMilliseconds(now, leaseMsMax)})`

export const selectAnyDue = (db: Reader, now: Timestamp) =>
  // In the order of their index: without an order PostgreSQL may read a table of jobs of which none is due yet from end to end.
  db.first<{ id: string }>(sql`SELECT id FROM jobs WHERE ${isDue(now)} ORDER BY run_at LIMIT 1`)

/** The last run of such a job ended without a result: its lease has run out, or it was found at a start. */
const isSuspect = sql`(lost_runs > 0 OR lease IS NOT NULL)`

interface DueChoice {
  readonly without: readonly TenantId[]
  readonly withSuspects: boolean
  readonly locks: boolean
}

/**
 * Selects due jobs that are not running, oldest first, without those of some tenants.
 * @param options.withSuspects whether jobs whose last run ended without a result are among them.
 * @param options.locks whether concurrent nodes get different jobs.
 */
export const selectDueForClaim = (
  db: Reader,
  now: Timestamp,
  limit: number,
  { without, withSuspects, locks }: DueChoice,
) => {
  const skipLocked = locks ? sql` FOR UPDATE SKIP LOCKED` : sql``
  const isWanted = sql.join(
    [isDue(now), ...(withSuspects ? [] : [sql`NOT ${isSuspect}`]), ...without.map((id) => sql`tenant_id <> ${id}`)],
    ' AND ',
  )
  return claimable.all(db)`${isWanted} ORDER BY run_at LIMIT ${limit}${skipLocked}`
}

/** How many runs of a job have ended without a result. A lease that ran out stands for the last of them. */
export const lostRunsOf = (job: JobRow): number => job.lost_runs + (job.lease === null ? 0 : 1)

/** Takes the lease, unless another node has done so meanwhile. */
export const leaseJob = (job: JobRow, lease: string, now: Timestamp, until: Timestamp): Statement =>
  sql`UPDATE jobs SET lease = ${lease}, leased_until = ${until}, lost_runs = ${lostRunsOf(job)}
    WHERE tenant_id = ${job.tenant_id} AND id = ${job.id} AND ${isDue(now)}`

const isHeld = (job: JobRow, lease: string) => sql`tenant_id = ${job.tenant_id} AND id = ${job.id} AND lease = ${lease}`

/** Changes no row once another node has the lease. */
export const renewLease = (job: JobRow, lease: string, until: Timestamp): Statement =>
  sql`UPDATE jobs SET leased_until = ${until} WHERE ${isHeld(job, lease)}`

/** Changes no row if the job was woken meanwhile. */
export const deleteDoneJob = (job: JobRow, lease: string): Statement =>
  sql`DELETE FROM jobs WHERE ${isHeld(job, lease)} AND wakes = ${job.wakes}`

/** Releases the job to run at its time, or at once if it was woken meanwhile. */
export const releaseJob = (
  job: JobRow,
  lease: string,
  change: { readonly runAt: Timestamp; readonly attempts: number; readonly error: string | null },
): Statement => sql`UPDATE jobs SET lease = NULL, leased_until = NULL, attempts = ${change.attempts}, lost_runs = 0,
    last_error = ${change.error}, run_at = CASE WHEN wakes = ${job.wakes} THEN ${change.runAt} ELSE run_at END
  WHERE ${isHeld(job, lease)}`

/** @param lostRuns that remain counted if more work makes the job due again. */
export const giveUpJob = (job: JobRow, lease: string, now: Timestamp, reason: string, lostRuns = 0): Statement =>
  sql`UPDATE jobs SET lease = NULL, leased_until = NULL, attempts = attempts + 1, lost_runs = ${lostRuns}, last_error = ${reason},
    dead_at = ${now}, updated_at = ${now} WHERE ${isHeld(job, lease)}`

/** For an engine with one process: any lease found at the start belongs to a process that has ended. */
export const forgetLeases = (): Statement =>
  sql`UPDATE jobs SET lease = NULL, leased_until = NULL, lost_runs = lost_runs + 1 WHERE lease IS NOT NULL`

/** Makes jobs of a kind that were given up due again, with all their tries. Changes at most `limit`. */
export const reviveJobs = (kind: string, now: Timestamp, limit: number): Statement =>
  sql`UPDATE jobs SET dead_at = NULL, attempts = 0, lost_runs = 0, wakes = wakes + 1, run_at = ${now}, updated_at = ${now}
    WHERE (tenant_id, id) IN
      (SELECT tenant_id, id FROM jobs WHERE kind = ${kind} AND dead_at IS NOT NULL LIMIT ${limit})`

/** Makes jobs of a kind due that have failed and wait for their next try. Changes at most `limit`. */
export const hastenRetries = (kind: string, now: Timestamp, limit: number): Statement =>
  sql`UPDATE jobs SET wakes = wakes + 1, run_at = ${now}, updated_at = ${now}
    WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM jobs
      WHERE dead_at IS NULL AND run_at > ${now} AND attempts > 0 AND leased_until IS NULL AND kind = ${kind}
      ORDER BY run_at LIMIT ${limit})`

/** Makes waiting jobs of a tenant due that would be in a period. Changes at most `limit`. */
export const hastenJobs = (
  tenantId: TenantId,
  { after, until, limit }: { readonly after: Timestamp; readonly until: Timestamp; readonly limit: number },
): Statement =>
  sql`UPDATE jobs SET wakes = wakes + 1, run_at = ${after} WHERE tenant_id = ${tenantId} AND id IN (SELECT id FROM jobs
    WHERE tenant_id = ${tenantId} AND dead_at IS NULL AND run_at > ${after} AND run_at <= ${until} LIMIT ${limit})`

const hasFailed = sql`(dead_at IS NOT NULL OR (attempts > 0 AND leased_until IS NULL))`

export const selectFailedJob = (db: Reader, id: string) =>
  db.first<{ tenant_id: TenantId; id: string; kind: string }>(
    sql`SELECT tenant_id, id, kind FROM jobs WHERE id = ${id} AND ${hasFailed} LIMIT 1`,
  )

/** Makes one failed job due, with all its tries. Changes nothing if it runs by now. */
export const reviveJob = (job: { readonly tenant_id: TenantId; readonly id: string }, now: Timestamp): Statement =>
  sql`UPDATE jobs SET dead_at = NULL, attempts = 0, lost_runs = 0, wakes = wakes + 1, run_at = ${now}, updated_at = ${now}
    WHERE tenant_id = ${job.tenant_id} AND id = ${job.id} AND ${hasFailed}`
