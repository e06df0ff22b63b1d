// What runs beside the requests. Every node runs all of it: jobs are divided by leases, and the readers of the event log by their place in
// it, which only one of them can advance.
import type { Deps } from '../identity/deps.ts'
import type { JobHandlers } from '../platform/jobs/jobs.ts'
import { startLoop } from '../platform/jobs/loop.ts'
import { startJobs } from '../platform/jobs/runner.ts'
import type { Tracer } from '../platform/telemetry/tracer.ts'
import { msAheadAt } from '../tenancy/test-mode/test-mode.ts'
import { features } from './features.ts'
import { ownFeatures } from './own-features.ts'

const jobHandlers = (deps: Deps): JobHandlers => Object.assign({}, ...features.map(({ jobs }) => jobs?.(deps)))

async function tracedIfAsked(handlers: JobHandlers, tracer: Tracer | undefined): Promise<JobHandlers> {
  if (tracer === undefined) return handlers
  const { tracedHandlers } = await import('../platform/jobs/traced-handlers.ts')
  return tracedHandlers(handlers, tracer)
}

/** Starts everything; resolves with what stops it. */
export async function startBackground(deps: Deps, tracer?: Tracer): Promise<() => Promise<void>> {
  const { log } = deps
  for (const { beforeJobs } of features) await beforeJobs?.(deps)
  const handlers = await tracedIfAsked(jobHandlers(deps), tracer)
  const jobs = await startJobs(deps, handlers, { msAheadAt: (tenantId) => msAheadAt(deps, tenantId) })
  const repeated = [...features, ...ownFeatures].flatMap(({ loops }) => loops?.(deps, () => jobs.wake()) ?? [])
  const running = repeated.map((loop) => startLoop({ ...loop, log }))
  return async () => {
    await Promise.all([...running.map((loop) => loop.stop()), jobs.stop()])
  }
}
