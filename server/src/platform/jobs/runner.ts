// Claims jobs with a lease, runs them, and records the results.
import type { Logger } from 'pino'
import { type Clock, addMilliseconds } from '../clock.ts'
import type { Database, Transaction } from '../db/database.ts'
import { type TenantId, newId } from '../ids.ts'
import { fromJson } from '../json-text.ts'
import type { Meter } from '../telemetry/meter.ts'
import { type Job, type JobHandlers, type JobResult, JobRefused } from './jobs.ts'
import { startLoop } from './loop.ts'
import * as queries from './queries.ts'

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

export interface RunnerOptions {
  readonly concurrency?: number
  /** A node loses its jobs to others when its lease was not renewed for this long. */
  readonly leaseMs?: number
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

/** Doubles with each failure, up to half an hour, with jitter so that jobs that failed together are not retried together. */
export const backOff = (failures: number) =>
  Math.min(backOffMs * 2 ** failures, backOffMsMax) * (0.5 + Math.random() / 2)

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, reasonLengthMax)

export function createJobRunner(
  { db, clock, log, meter }: RunnerDeps,
  handlers: JobHandlers,
  { concurrency = concurrencyDefault, leaseMs = leaseMsDefault, onRoom }: RunnerOptions = {},
): JobRunner {
  const perTenantMax = Math.ceil(concurrency / shares)
  const running = new Set<Promise<void>>()
  const runningOf = new Map<TenantId, number>()
  /** Whether a job is running whose last run ended without a result. */
  let runsSuspect = false
  /** Whether the last claim may have left jobs behind. */
  let hasLeft = false
  const stopping = new AbortController()

  async function settle(job: queries.JobRow, lease: string, result: JobResult) {
    meter.count('jobs', { kind: job.kind, outcome: result === 'done' ? 'done' : 'again' })
    if (result === 'done' && (await db.transaction((tx) => tx.run(queries.deleteDoneJob(job, lease)))) > 0) return
    const runAt = result === 'done' ? clock.now() : result.againAt
    await db.write(() => [queries.releaseJob(job, lease, { runAt, attempts: 0, error: null })])
  }

  async function fail(job: queries.JobRow, lease: string, error: unknown) {
    const failures = job.attempts + 1
    const reason = reasonOf(error)
    const isLast = error instanceof JobRefused || failures >= (handlers[job.kind]?.failuresMax ?? failuresMaxDefault)
    meter.count('jobs', { kind: job.kind, outcome: isLast ? 'given_up' : 'failed' })
    log.warn({ err: error, kind: job.kind, tenantId: job.tenant_id, failures, isLast }, 'a job failed')
    await db.write(() => {
      if (isLast) return [queries.giveUpJob(job, lease, clock.now(), reason)]
      const runAt = addMilliseconds(clock.now(), backOff(failures))
      return [queries.releaseJob(job, lease, { runAt, attempts: failures, error: reason })]
    })
  }

  /** Gives up a job that ends its process. If more work makes it due again, it is tried once. */
  async function giveUpLost(job: queries.JobRow, lease: string) {
    const reason = `${queries.lostRunsOf(job)} runs ended without a result`
    meter.count('jobs', { kind: job.kind, outcome: 'given_up' })
    log.error({ kind: job.kind, tenantId: job.tenant_id, key: job.key }, `a job is given up: ${reason}`)
    await db.write(() => [queries.giveUpJob(job, lease, clock.now(), reason, lostRunsMax - 1)])
  }

  async function run(job: queries.JobRow, lease: string) {
    if (queries.lostRunsOf(job) >= lostRunsMax) return giveUpLost(job, lease)
    const lost = new AbortController()
    const renewal = setInterval(() => {
      const until = addMilliseconds(clock.now(), leaseMs)
      db.transaction((tx) => tx.run(queries.renewLease(job, lease, until))).then(
        (rows) => rows === 0 && lost.abort(),
        (err: unknown) => log.warn({ err, kind: job.kind }, 'cannot renew the lease of a job'),
      )
    }, leaseMs / 3)
    try {
      const handler = handlers[job.kind]
      if (handler === undefined) throw new JobRefused(`nothing here does jobs of kind ${job.kind}`)
      const given: Job = {
        tenantId: job.tenant_id,
        kind: job.kind,
        key: job.key,
        payload: fromJson(job.payload),
      }
      await settle(job, lease, await handler.run(given, AbortSignal.any([stopping.signal, lost.signal])))
    } catch (error) {
      // A job interrupted by the stop has not failed.
      if (!stopping.signal.aborted) await fail(job, lease, error)
      else await settle(job, lease, { againAt: clock.now() })
    } finally {
      clearInterval(renewal)
    }
  }

  async function claim(): Promise<number> {
    const room = concurrency - running.size
    hasLeft = room <= 0
    if (room <= 0 || stopping.signal.aborted || (await queries.selectAnyDue(db, clock.now())) === undefined) return 0
    const lease = newId()
    const claimed = await db.transaction((tx) => take(tx, lease, room))
    for (const job of claimed) start(job, lease)
    return claimed.length
  }

  /** Leases jobs up to the available places and each tenant's share. */
  async function take(tx: Transaction, lease: string, room: number): Promise<queries.JobRow[]> {
    const now = clock.now()
    const until = addMilliseconds(now, leaseMs)
    const mine: queries.JobRow[] = []
    const held = new Map(runningOf)
    const isFull = (id: TenantId) => (held.get(id) ?? 0) >= perTenantMax
    let withSuspects = !runsSuspect
    for (;;) {
      let skipsSuspects = false
      const full = [...held.keys()].filter(isFull)
      const due = await queries.selectDueForClaim(tx, now, room - mine.length, { without: full, withSuspects })
      for (const job of due) {
        const isSuspect = queries.lostRunsOf(job) > 0
        if (isSuspect && !withSuspects) skipsSuspects = true
        if (isFull(job.tenant_id) || (isSuspect && !withSuspects)) continue
        if ((await tx.run(queries.leaseJob(job, lease, now, until))) === 0) continue
        if (isSuspect) withSuspects = false
        mine.push(job)
        held.set(job.tenant_id, (held.get(job.tenant_id) ?? 0) + 1)
      }
      const fullNow = [...held.keys()].filter(isFull).length
      hasLeft = mine.length === room || fullNow > 0 || !withSuspects
      // Jobs that were skipped are suspects or belong to tenants whose share is full; the next round leaves these out.
      const isSame = fullNow === full.length && !skipsSuspects
      if (due.length === 0 || mine.length === room || isSame) return mine
    }
  }

  function start(job: queries.JobRow, lease: string) {
    const { tenant_id: id } = job
    const isSuspect = queries.lostRunsOf(job) > 0
    runsSuspect ||= isSuspect
    runningOf.set(id, (runningOf.get(id) ?? 0) + 1)
    const ended = run(job, lease)
      // Its lease will run out, and then the job is tried again.
      .catch((err: unknown) => log.error({ err, kind: job.kind }, 'cannot write how a job went'))
      .finally(() => {
        running.delete(ended)
        if (isSuspect) runsSuspect = false
        const left = (runningOf.get(id) ?? 0) - 1
        if (left > 0) runningOf.set(id, left)
        else runningOf.delete(id)
        if (hasLeft) onRoom?.()
      })
    running.add(ended)
  }

  const idle = async () => {
    while (running.size > 0) await Promise.all(running)
  }

  return {
    claim,
    idle,
    async stop() {
      stopping.abort()
      let timer: NodeJS.Timeout | undefined
      const isOverdue = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopGraceMs)
      })
      await Promise.race([idle(), isOverdue])
      clearTimeout(timer)
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
  if (deps.db.engine === 'sqlite') await deps.db.write(() => [queries.forgetLeases()])
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
