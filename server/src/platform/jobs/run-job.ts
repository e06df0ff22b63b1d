// One run of a job: its lease is renewed until its handler has ended.
import { addMilliseconds } from '../clock.ts'
import { fromJson } from '../json-text.ts'
import { type Job, type JobHandlers, JobRefused } from './jobs.ts'
import { type LeasedJob, type RunnerDeps, giveUpLost, isLost, recordFailure, recordResult } from './outcomes.ts'
import { renewLease } from './queries.ts'

export interface JobRun {
  readonly deps: RunnerDeps
  readonly handlers: JobHandlers
  readonly leaseMs: number
  /** Aborted when the node stops. */
  readonly stopping: AbortSignal
}

/** Renews a lease until stopped. `signal` is aborted when another node has it. */
function keepLease({ db, clock, log }: RunnerDeps, { job, lease }: LeasedJob, leaseMs: number) {
  const lost = new AbortController()
  const renewal = setInterval(() => {
    const until = addMilliseconds(clock.now(), leaseMs)
    db.transaction((tx) => tx.run(renewLease(job, lease, until))).then(
      (rows) => rows === 0 && lost.abort(),
      (err: unknown) => log.warn({ err, kind: job.kind }, 'cannot renew the lease of a job'),
    )
  }, leaseMs / 3)
  return { signal: lost.signal, stop: () => clearInterval(renewal) }
}

/** Runs a job, and records how that ended. */
export async function runJob({ deps, handlers, leaseMs, stopping }: JobRun, leased: LeasedJob): Promise<void> {
  const { job } = leased
  if (isLost(job)) return giveUpLost(deps, leased)
  const handler = handlers[job.kind]
  const kept = keepLease(deps, leased, leaseMs)
  try {
    if (handler === undefined) throw new JobRefused(`nothing here does jobs of kind ${job.kind}`)
    const { tenant_id: tenantId, kind, key } = job
    const work: Job = { tenantId, kind, key, payload: fromJson(job.payload) }
    await recordResult(deps, leased, await handler.run(work, AbortSignal.any([stopping, kept.signal])))
  } catch (error) {
    // A job interrupted by the stop has not failed.
    if (!stopping.aborted) await recordFailure(deps, leased, error, handler?.failuresMax)
    else await recordResult(deps, leased, { againAt: deps.clock.now() })
  } finally {
    kept.stop()
  }
}
