// Work that is written in the transaction that causes it and done in the background, by whichever node comes first.
// A job runs at least once: a node can die after the work and before its end is written, so handlers are idempotent.
import type { Clock, Timestamp } from '../clock.ts'
import type { Statement } from '../db/sql.ts'
import { type TenantId, newId } from '../ids.ts'
import { upsertJob } from './queries.ts'

export interface NewJob {
  /** Whose work it is; the console's tenant for the deployment's own. */
  readonly tenantId: TenantId
  /** Names the handler, such as `webhooks.deliver`. */
  readonly kind: string
  /** At most one job of a kind and key exists: a second one brings the first forward. Left out: a job of its own. */
  readonly key?: string
  /** Anything that JSON holds; no secrets. */
  readonly payload?: unknown
  /** Not before; now unless said. */
  readonly runAt?: Timestamp
}

/** A job as its handler gets it. */
export interface Job {
  readonly tenantId: TenantId
  readonly kind: string
  readonly key: string
  readonly payload: unknown
}

/** For a transaction's `run`, or among the statements of a `write`. */
export function jobStatement(clock: Clock, job: NewJob): Statement {
  const id = newId()
  const at = clock.next()
  return upsertJob({
    tenant_id: job.tenantId,
    id,
    kind: job.kind,
    key: job.key ?? id,
    payload: JSON.stringify(job.payload ?? null),
    run_at: job.runAt ?? clock.now(),
    created_at: at,
  })
}

/** What a handler that did not fail says: the job is done, or is to run again at a time. */
export type JobResult = 'done' | { readonly againAt: Timestamp }

export interface JobHandler {
  /**
   * Does the work; throwing means that it is tried again later. The signal is aborted when the node stops or has lost the
   * job to another one: what is not done by then is left to the next run.
   */
  readonly run: (job: Job, signal: AbortSignal) => Promise<JobResult>
  /** Failures in a row after which the job is put aside with its reason; 20 unless said, some five hours. */
  readonly failuresMax?: number
}

export type JobHandlers = Readonly<Record<string, JobHandler>>

/** Thrown by a handler where trying again is of no use. */
export class JobRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JobRefused'
  }
}
