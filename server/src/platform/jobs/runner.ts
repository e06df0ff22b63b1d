// Claims jobs with a lease, runs them, and records the results.
import { addMilliseconds } from '../clock.ts'
import { newId } from '../ids.ts'
import type { JobHandlers } from './jobs.ts'
import { leaseJobs } from './lease-jobs.ts'
import { startLoop } from './loop.ts'
import type { RunnerDeps } from './outcomes.ts'
import { createPlaces } from './places.ts'
import { forgetLeases, selectAnyDue } from './queries.ts'
import { type MsAheadAt, runJob } from './run-job.ts'

const pollMs = 500
const concurrencyDefault = 32
/** A tenant may use at most one part in this many of a node's places, because all its jobs may wait for a server that never answers. */
const shares = 8
/**
 * How long the work of a killed node waits for another one. A node renews the lease of a running job every two seconds, so it may stand
 * still, or its clock may be behind, for four seconds before another one does the same work again.
 */
const leaseMsDefault = 6000
const stopGraceMs = 10_000

export interface RunnerOptions {
  readonly concurrency?: number
  /** A node loses its jobs to others when its lease was not renewed for this long. */
  readonly leaseMs?: number
  /** By default no clock is ahead. */
  readonly msAheadAt?: MsAheadAt
  /** Called when a job has ended that another one may have been waiting for. */
  readonly onRoom?: () => void
}

export interface JobRunner {
  /** Claims and starts due jobs as far as there is room, and returns how many. */
  claim(): Promise<number>
  /** Resolves when no job claimed by this runner is running any more. */
  idle(): Promise<void>
  /** Aborts running jobs, and resolves when they have ended or the grace period is over. */
  stop(): Promise<void>
}

/** Resolves when the promise has, or after a time. */
async function waitAtMost(ms: number, promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const isOverdue = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, isOverdue])
  clearTimeout(timer)
}

export function createJobRunner(
  deps: RunnerDeps,
  handlers: JobHandlers,
  { concurrency = concurrencyDefault, leaseMs = leaseMsDefault, msAheadAt = () => 0, onRoom }: RunnerOptions = {},
): JobRunner {
  const { db, clock, log } = deps
  const perTenantMax = Math.ceil(concurrency / shares)
  const stopping = new AbortController()
  /** Whether the last claim may have left jobs behind. */
  let hasLeft = false
  const places = createPlaces(concurrency, () => {
    if (hasLeft) onRoom?.()
  })

  async function claim(): Promise<number> {
    const free = places.free()
    hasLeft = free <= 0
    if (free <= 0 || stopping.signal.aborted || (await selectAnyDue(db, clock.now())) === undefined) return 0
    const lease = newId()
    const terms = () => {
      const now = clock.now()
      return { lease, now, until: addMilliseconds(now, leaseMs) }
    }
    const room = { places: free, perTenantMax, byTenant: places.byTenant(), withSuspects: !places.hasSuspect() }
    const leased = await leaseJobs(db, terms, room)
    hasLeft = leased.hasLeft
    for (const job of leased.jobs) {
      const run = runJob({ deps, handlers, leaseMs, msAheadAt, stopping: stopping.signal }, { job, lease })
      // If the result cannot be written, its lease will run out, and then the job is tried again.
      places.occupy(
        job,
        run.catch((err: unknown) => log.error({ err, kind: job.kind }, 'cannot write how a job went')),
      )
    }
    return leased.jobs.length
  }

  return {
    claim,
    idle: places.idle,
    async stop() {
      stopping.abort()
      await waitAtMost(stopGraceMs, places.idle())
    },
  }
}

export interface Jobs {
  /** Looks for jobs now, because some were just added. */
  wake(): void
  stop(): Promise<void>
}

/** Runs jobs until stopped. */
export async function startJobs(deps: RunnerDeps, handlers: JobHandlers, options?: RunnerOptions): Promise<Jobs> {
  if (deps.db.engine === 'sqlite') await deps.db.write(() => [forgetLeases()])
  const runner = createJobRunner(deps, handlers, { ...options, onRoom: () => loop.wake() })
  const loop = startLoop({ name: 'jobs', log: deps.log, pauseMs: pollMs, step: async () => (await runner.claim()) > 0 })
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop()
      await runner.stop()
    },
  }
}
