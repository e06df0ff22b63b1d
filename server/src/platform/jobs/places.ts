// The places for jobs on a node, and who has them.
import type { TenantId } from '../ids.ts'
import { type JobRow, lostRunsOf } from './queries.ts'

export interface Places {
  readonly free: () => number
  /** Returns how many jobs of each tenant are running, in a map that the caller may change. */
  readonly byTenant: () => Map<TenantId, number>
  /** Returns whether a job is running whose last run ended without a result. */
  readonly hasSuspect: () => boolean
  /** Gives a job a place until its run has ended. The run must not reject. */
  readonly occupy: (job: JobRow, run: Promise<void>) => void
  /** Resolves when no job is running any more. */
  readonly idle: () => Promise<void>
}

/** @param onFree called when a job has ended. */
export function createPlaces(count: number, onFree: () => void): Places {
  const running = new Set<Promise<void>>()
  const byTenant = new Map<TenantId, number>()
  let hasSuspect = false
  return {
    free: () => count - running.size,
    byTenant: () => new Map(byTenant),
    hasSuspect: () => hasSuspect,
    occupy(job, run) {
      const { tenant_id: id } = job
      const isSuspect = lostRunsOf(job) > 0
      hasSuspect ||= isSuspect
      byTenant.set(id, (byTenant.get(id) ?? 0) + 1)
      const ended = run.finally(() => {
        running.delete(ended)
        if (isSuspect) hasSuspect = false
        const left = (byTenant.get(id) ?? 0) - 1
        if (left > 0) byTenant.set(id, left)
        else byTenant.delete(id)
        onFree()
      })
      running.add(ended)
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
