// Delivers the waiting events of one webhook, five requests at a time, and records the results.
import { type Timestamp, addMilliseconds, toMs } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Job, JobHandler, JobResult } from '../../platform/jobs/jobs.ts'
import { dayCounter } from '../../platform/statistics/day-counters.ts'
import type { Deps } from '../deps.ts'
import { type Outcome, attempt } from './attempt.ts'
import * as queries from './queries.ts'
import { retryDelayMs } from './schedule.ts'

const parallel = 5
const readAhead = 50
const failingMsMax = 5 * 24 * 60 * 60 * 1000
const actor = { type: 'system', id: null, ip: null, ua: null } as const

/** Returns the delivery after an attempt. */
function deliveryAfter(row: queries.DeliveryRow, outcome: Outcome, now: Timestamp): queries.DeliveryRow {
  const tried = { ...row, attempts: row.attempts + 1, last_attempt_at: now, updated_at: now }
  switch (outcome.kind) {
    case 'interrupted':
      return row
    case 'event_missing':
      return { ...row, status: 'failed', error: 'The event is gone.', next_attempt_at: null, updated_at: now }
    case 'succeeded':
      return { ...tried, status: 'succeeded', response_status: outcome.status, error: null, next_attempt_at: null }
    case 'failed': {
      const step = row.step + 1
      const delay = retryDelayMs(step)
      const failed = { ...tried, step, response_status: outcome.status, error: outcome.error }
      if (delay === undefined) return { ...failed, status: 'failed', next_attempt_at: null }
      return { ...failed, next_attempt_at: addMilliseconds(now, Math.max(delay, outcome.holdMs ?? 0)) }
    }
  }
}

/** Returns the webhook after an attempt; the same object if nothing changes. */
function webhookAfter(
  row: queries.WebhookRow,
  outcome: Outcome,
  isGivenUp: boolean,
  now: Timestamp,
): queries.WebhookRow {
  if (outcome.kind === 'succeeded') {
    if (row.first_failed_at === null) return row
    return { ...row, first_failed_at: null, failing_since: null, updated_at: now }
  }
  if (outcome.kind !== 'failed') return row
  const since = row.first_failed_at ?? now
  const isOver = outcome.isGone || toMs(now) - toMs(since) >= failingMsMax
  const failed = {
    first_failed_at: since,
    failing_since: row.failing_since ?? (isGivenUp || isOver ? since : null),
    held_until: outcome.holdMs === undefined ? row.held_until : addMilliseconds(now, outcome.holdMs),
    enabled: isOver ? 0 : row.enabled,
  }
  const isSame = Object.entries(failed).every(([name, value]) => row[name as keyof typeof failed] === value)
  return isSame ? row : { ...row, ...failed, updated_at: now }
}

async function writeWebhook(
  { clock, personal }: Deps,
  tx: Transaction,
  before: queries.WebhookRow,
  outcome: Outcome,
  isGivenUp: boolean,
) {
  const after = webhookAfter(before, outcome, isGivenUp, clock.now())
  if (after === before) return
  await tx.run(queries.updateWebhook(after))
  if (after.enabled === before.enabled) return
  await tx.run(
    eventStatement(clock, personal, {
      tenantId: after.tenant_id,
      type: 'webhook.disabled',
      actor,
      subjectId: after.id,
      data: {
        reason: outcome.kind === 'failed' && outcome.isGone ? 'gone' : 'failing',
        failingSince: after.failing_since,
      },
    }),
  )
}

/** Records the result of an attempt. Changes made meanwhile, by a requested retry or a removal, are kept. */
async function record(deps: Deps, delivery: queries.DeliveryRow, outcome: Outcome) {
  if (outcome.kind === 'interrupted') return
  if (outcome.kind !== 'event_missing') deps.meter.count('webhook_attempts', { outcome: outcome.kind })
  await deps.db.transaction(async (tx) => {
    const webhook = await queries.selectWebhookForUpdate(tx, delivery.tenant_id, delivery.webhook_id)
    const after = deliveryAfter(delivery, outcome, deps.clock.now())
    const isRecorded = (await tx.run(queries.updateDelivery(delivery, after))) > 0
    if (isRecorded && outcome.kind !== 'event_missing') {
      const counter = dayCounter(`webhook_attempts_${outcome.kind}`, deps.clock.now())
      await tx.run(addToCounters(tx, delivery.tenant_id, { [counter]: 1 }))
    }
    if (webhook === undefined || webhook.enabled === 0) return
    await writeWebhook(deps, tx, webhook, outcome, after.status === 'failed')
  })
}

/** Returns when the webhook may be called: now, at a given time, or not at all. */
async function findReady(deps: Deps, tenantId: TenantId, id: string) {
  const webhook = await queries.selectWebhook(deps.db, tenantId, id)
  if (webhook === undefined || webhook.enabled === 0) return { webhook: undefined, heldUntil: undefined }
  const isHeld = webhook.held_until !== null && webhook.held_until > deps.clock.now()
  return { webhook, heldUntil: isHeld ? (webhook.held_until ?? undefined) : undefined }
}

/** Delivers several at a time. Before each, it checks whether the webhook may still be called. */
async function deliverAll(deps: Deps, due: readonly queries.DeliveryRow[], signal: AbortSignal) {
  const waiting = due.values()
  const worker = async () => {
    for (const delivery of waiting) {
      const { webhook, heldUntil } = await findReady(deps, delivery.tenant_id, delivery.webhook_id)
      if (signal.aborted || webhook === undefined || heldUntil !== undefined) return
      await record(deps, delivery, await attempt(deps, webhook, delivery, signal))
    }
  }
  const settled = await Promise.allSettled(Array.from({ length: Math.min(parallel, due.length) }, worker))
  const failure = settled.find((each) => each.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}

async function deliver(deps: Deps, job: Job, signal: AbortSignal): Promise<JobResult> {
  const { db, clock } = deps
  for (;;) {
    const { webhook, heldUntil } = await findReady(deps, job.tenantId, job.key)
    if (webhook === undefined) return 'done'
    if (heldUntil !== undefined) return { againAt: heldUntil }
    const due = await queries.selectDueDeliveries(db, job.tenantId, webhook.id, clock.now(), readAhead)
    if (due.length === 0 || signal.aborted) {
      const next = await queries.selectNextAttempt(db, job.tenantId, webhook.id)
      return next === undefined ? 'done' : { againAt: next }
    }
    await deliverAll(deps, due, signal)
  }
}

/** The handler of `webhooks.deliver`. It never gives up, because its deliveries would then be lost. */
export const deliverHandler = (deps: Deps): JobHandler => ({
  run: (job, signal) => deliver(deps, job, signal),
  failuresMax: Number.POSITIVE_INFINITY,
})
