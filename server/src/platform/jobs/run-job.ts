// One run of a job: its lease is renewed until its handler has ended.
import { addMilliseconds, aheadBy } from '../clock.ts'
import type { TenantId } from '../ids.ts'
import { fromJson } from '../json-text.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { type Job, type JobHandlers, type JobResult, JobRefused } from './jobs.ts'
import { type LeasedJob, type RunnerDeps, giveUpLost, isLost, recordFailure, recordResult } from './outcomes.ts'
import { renewLease } from './queries.ts'

/** Returns by how many milliseconds the clock of a tenant is ahead. */
export type MsAheadAt = (tenantId: TenantId) => MaybePromise<number>

/** Runs a handler by the clock of its tenant. The time at which it wants to run again is one of the machine. */
async function runAhead(ms: number, run: () => Promise<JobResult>): Promise<JobResult> {
  const result = await aheadBy(ms, run)
  return ms === 0 || result === 'done' ? result : { againAt: addMilliseconds(result.againAt, -ms) }
}

export interface JobRun {
  readonly deps: RunnerDeps
  readonly handlers: JobHandlers
  readonly leaseMs: number
  readonly msAheadAt: MsAheadAt
  /** Aborted when the node stops. */
  readonly stopping: AbortSignal
}

/** Renews a lease until stopped. `signal` is aborted when another node has it. */
function keepLease({ db, clock, log }: RunnerDeps, { job, lease }: LeasedJob, leaseMs: number) {
  const lost = new AbortController()
  const renewal = setInterval(() => {
    const until = addMilliseconds(clock.now(), leaseMs)
    db.write(() => [renewLease(job, lease, until)]).then(
      (rows) => rows === 0 && lost.abort(),
      (err: unknown) => log.warn({ err, kind: job.kind }, 'cannot renew the lease of a job'),
    )
  }, leaseMs / 3)
  return { signal: lost.signal, stop: () => clearInterval(renewal) }
}

/** Runs a job, and records how that ended. */
export async function runJob(
  { deps, handlers, leaseMs, msAheadAt, stopping }: JobRun,
  leased: LeasedJob,
): Promise<void> {
  const { job } = leased
  if (isLost(job)) return giveUpLost(deps, leased)
  const handler = handlers[job.kind]
  const kept = keepLease(deps, leased, leaseMs)
  try {
    if (handler === undefined) throw new JobRefused(`nothing here does jobs of kind ${job.kind}`)
    const { tenant_id: tenantId, kind, key } = job
    const work: Job = { tenantId, kind, key, payload: fromJson(job.payload) }
    const signal = AbortSignal.any([stopping, kept.signal])
    const ms = await msAheadAt(tenantId)
    await recordResult(deps, leased, await runAhead(ms, () => handler.run(work, signal)))
  } catch (error) {
    // A job interrupted by the stop has not failed.
    if (!stopping.aborted) await recordFailure(deps, leased, error, handler?.failuresMax)
    else await recordResult(deps, leased, { againAt: deps.clock.now() })
  } finally {
    kept.stop()
  }
}
