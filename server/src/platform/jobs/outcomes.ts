// How a run of a job ended, written to its row. Nothing is written once another node has the lease.
import type { Logger } from 'pino'
import { type Clock, addMilliseconds } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Meter } from '../telemetry/meter.ts'
import { type JobResult, JobRefused } from './jobs.ts'
import * as queries from './queries.ts'

const failuresMaxDefault = 20
/**
 * After so many runs without a result a job is given up: it may be what ends or stops its process. Of such jobs a node runs one at a time,
 * so that those that were only beside the cause are not given up with it.
 */
const lostRunsMax = 5
const backOffMs = 2000
const backOffMsMax = 30 * 60_000
const reasonLengthMax = 500

export interface RunnerDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly meter: Meter
}

/** A job of which this node has the lease. */
export interface LeasedJob {
  readonly job: queries.JobRow
  readonly lease: string
}

/** Doubles with each failure, up to half an hour, with jitter so that jobs that failed together are not retried together. */
const backOff = (failures: number) => Math.min(backOffMs * 2 ** failures, backOffMsMax) * (0.5 + Math.random() / 2)

const reasonFor = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, reasonLengthMax)

export async function recordResult({ db, clock, meter }: RunnerDeps, { job, lease }: LeasedJob, result: JobResult) {
  meter.count('jobs', { kind: job.kind, outcome: result === 'done' ? 'done' : 'again' })
  if (result === 'done' && (await db.write(() => [queries.deleteDoneJob(job, lease)])) > 0) return
  const runAt = result === 'done' ? clock.now() : result.againAt
  await db.write(() => [queries.releaseJob(job, lease, { runAt, attempts: 0, error: null })])
}

/** Sets the job to a later time, or aside after its last failure. */
export async function recordFailure(
  { db, clock, log, meter }: RunnerDeps,
  { job, lease }: LeasedJob,
  error: unknown,
  failuresMax = failuresMaxDefault,
) {
  const failures = job.attempts + 1
  const reason = reasonFor(error)
  const isLast = error instanceof JobRefused || failures >= failuresMax
  meter.count('jobs', { kind: job.kind, outcome: isLast ? 'given_up' : 'failed' })
  log.warn({ err: error, kind: job.kind, tenantId: job.tenant_id, failures, isLast }, 'a job failed')
  await db.write(() => {
    if (isLast) return [queries.giveUpJob(job, lease, clock.now(), reason)]
    const runAt = addMilliseconds(clock.now(), backOff(failures))
    return [queries.releaseJob(job, lease, { runAt, attempts: failures, error: reason })]
  })
}

/** Returns whether a job has lost so many runs that it must not run again. */
export const isLost = (job: queries.JobRow) => queries.lostRunsOf(job) >= lostRunsMax

/** Gives up a job that ends its process. If more work makes it due again, it is tried once. */
export async function giveUpLost({ db, clock, log, meter }: RunnerDeps, { job, lease }: LeasedJob) {
  const reason = `${queries.lostRunsOf(job)} runs ended without a result`
  meter.count('jobs', { kind: job.kind, outcome: 'given_up' })
  log.error({ kind: job.kind, tenantId: job.tenant_id, key: job.key }, `a job is given up: ${reason}`)
  await db.write(() => [queries.giveUpJob(job, lease, clock.now(), reason, lostRunsMax - 1)])
}
