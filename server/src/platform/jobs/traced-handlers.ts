import type { Tracer } from '../telemetry/tracer.ts'
import type { JobHandler, JobHandlers } from './jobs.ts'

/** Begins a trace with each run of a job. */
export function tracedHandlers(handlers: JobHandlers, tracer: Tracer): JobHandlers {
  const traced = ([kind, handler]: [string, JobHandler]) => [
    kind,
    {
      ...handler,
      run: (...call: Parameters<JobHandler['run']>) =>
        tracer.trace(`job ${kind}`, { kind: 'internal' }, () => handler.run(...call)),
    },
  ]
  return Object.fromEntries(Object.entries(handlers).map(traced)) as JobHandlers
}
