// Work that is recorded in the transaction that causes it and done in the background by any node. A job runs at least once: a node can die
// after the work and before recording its end, so handlers are idempotent.
import { type Clock, type Timestamp, machineTimeAt } from '../clock.ts'
import type { Statement } from '../db/sql.ts'
import { type TenantId, newId } from '../ids.ts'
import { toJson } from '../json-text.ts'
import { upsertJob } from './queries.ts'

export interface NewJob {
  /** The tenant that the work belongs to; the console's tenant for the deployment's own work. */
  readonly tenantId: TenantId
  /** Names the handler, such as `webhooks.deliver`. */
  readonly kind: string
  /** At most one job of a kind and key exists; adding another brings it forward. Without a key, each is a job of its own. */
  readonly key?: string
  /** Any JSON value without secrets. */
  readonly payload?: unknown
  /** The earliest time to run; by default now. */
  readonly runAt?: Timestamp
}

/** A job as passed to its handler. */
export interface Job {
  readonly tenantId: TenantId
  readonly kind: string
  readonly key: string
  readonly payload: unknown
}

/** For a transaction's `run`, or one of the statements of a `write`. */
export function jobStatement(clock: Clock, job: NewJob): Statement {
  const id = newId()
  const at = clock.next()
  return upsertJob({
    tenant_id: job.tenantId,
    id,
    kind: job.kind,
    key: job.key ?? id,
    payload: toJson<unknown>(job.payload ?? null),
    run_at: machineTimeAt(job.runAt ?? clock.now()),
    created_at: at,
  })
}

/** The result of a handler that did not fail: the job is done, or runs again at the given time. */
export type JobResult = 'done' | { readonly againAt: Timestamp }

export interface JobHandler {
  /**
   * Does the work; if it throws, the job is tried again later. The signal is aborted when the node stops or has lost the job to another
   * one; unfinished work is left to the next run.
   */
  readonly run: (job: Job, signal: AbortSignal) => Promise<JobResult>
  /** Consecutive failures after which the job is set aside with its reason; by default 20, which takes some five hours. */
  readonly failuresMax?: number
}

export type JobHandlers = Readonly<Record<string, JobHandler>>

/** Thrown by a handler when trying again would be useless. */
export class JobRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JobRefused'
  }
}
