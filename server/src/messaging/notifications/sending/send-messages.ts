// Sends the messages that wait in one lane, a few at a time, and records the results.
import { type Timestamp, addMilliseconds } from '../../../platform/clock.ts'
import { addToCounters } from '../../../platform/db/counters.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { type NewEvent, eventsStatement } from '../../../platform/events/append.ts'
import { selectSalts } from '../../../platform/events/present.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { Job, JobHandler, JobResult } from '../../../platform/jobs/jobs.ts'
import { dayCounter } from '../../../platform/statistics/day-counters.ts'
import type { Deps } from '../../deps.ts'
import * as queries from '../message-queries.ts'
import { sealContent } from '../messages/sealed-messages.ts'
import { type Attempt, attemptMessage } from './attempt-message.ts'
import { ChannelOutages } from './channel-outages.ts'
import { messageRetryDelayMs } from './message-schedule.ts'

const parallel = 4
const readAhead = 20
/** After this many batches the lane goes to the end of the queue, behind other lanes. */
const batchesMax = 3
const actor = { type: 'system', id: null, ip: null, ua: null } as const

/** Returns when to try again, or undefined to give up. */
function nextAttempt(row: queries.MessageRow, holdMs: number | undefined, now: Timestamp): Timestamp | undefined {
  const delay = messageRetryDelayMs(row.step + 1)
  if (delay === undefined) return undefined
  const at = addMilliseconds(now, Math.max(delay, holdMs ?? 0))
  return at < row.expires_at ? at : undefined
}

function messageAfter(row: queries.MessageRow, attempt: Attempt, now: Timestamp): queries.MessageRow {
  const { result } = attempt
  const tried: queries.MessageRow = {
    ...row,
    ...attempt.chosen,
    attempts: row.attempts + (attempt.wasTried ? 1 : 0),
    next_attempt_at: null,
    updated_at: now,
  }
  if (result.kind === 'sent') {
    return { ...tried, status: 'sent', last_error: null, sent_at: now, sealed_variables: null }
  }
  const error = result.detail === undefined ? result.reason : `${result.reason} ${result.detail}`
  const failed = { ...tried, status: 'failed' as const, last_error: error.slice(0, 500) }
  const next = result.kind === 'failed' ? nextAttempt(row, result.holdMs, now) : undefined
  return next === undefined ? failed : { ...failed, status: 'queued', step: row.step + 1, next_attempt_at: next }
}

/** @param salt of the user who receives the message, if there is one. */
function outcomeEvent(row: queries.MessageRow, { result }: Attempt, salt: string | undefined): NewEvent {
  const userId = row.user_id as UserId | null
  const about = {
    tenantId: row.tenant_id,
    actor,
    subjectId: row.id,
    // Without a user, the event does not name the recipient, because it could never be made unreadable.
    ...(userId === null || salt === undefined ? {} : { personal: { salt, userId, data: { to: row.recipient } } }),
  }
  const { channel_type: channelType, channel_id: channelId, provider, purpose } = row
  const data = { channelType, channelId, provider, purpose }
  return result.kind === 'sent'
    ? { ...about, type: 'message.sent', data }
    : { ...about, type: 'message.failed', data: { ...data, error: result.reason } }
}

async function record(deps: Deps, before: queries.MessageRow, attempt: Attempt) {
  const { db, clock, personal, sealer, config } = deps
  const isCaught = attempt.chosen.provider === 'dev_inbox'
  const isKept = (config.env === 'development' || isCaught) && attempt.content !== undefined
  const content = isKept && attempt.content ? sealContent(sealer, before, attempt.content) : before.sealed_content
  await db.transaction(async (tx: Transaction) => {
    const now = clock.now()
    const after = { ...messageAfter(before, attempt, now), sealed_content: content }
    if ((await tx.run(queries.updateMessage(before, after))) === 0 || after.status === 'queued') return
    await tx.run(addToCounters(tx, after.tenant_id, { [dayCounter(`messages_${after.status}`, now)]: 1 }))
    const userId = after.user_id as UserId | null
    const salt = userId === null ? undefined : (await selectSalts(tx, after.tenant_id, [userId])).get(userId)
    await tx.run(eventsStatement(clock, personal, [outcomeEvent(after, attempt, salt)]))
  })
}

/** Deletes the message without a trace, so that neither lists nor numbers show that somebody asked for an unknown address. */
async function drop({ db }: Deps, { tenant_id: tenantId, id, created_at: at }: queries.MessageRow) {
  await db.transaction(async (tx) => {
    const removed = await tx.run(queries.deleteMessages(tenantId, [id]))
    if (removed === 0) return
    await tx.run(addToCounters(tx, tenantId, { messages: -1, [dayCounter('messages_queued', at)]: -1 }))
  })
}

/** What the handler keeps from one job to the next. */
interface Sender extends Deps {
  readonly outages: ChannelOutages
}

async function sendAll(deps: Sender, due: readonly queries.MessageRow[], signal: AbortSignal) {
  const waiting = due.values()
  const worker = async () => {
    for (const row of waiting) {
      if (signal.aborted) return
      if (row.recipient === queries.nobody) {
        await drop(deps, row)
        continue
      }
      const attempt = await attemptMessage(deps, row, signal)
      if (attempt === 'interrupted') continue
      deps.outages.note(row.tenant_id, attempt)
      await record(deps, row, attempt)
    }
  }
  const settled = await Promise.allSettled(Array.from({ length: Math.min(parallel, due.length) }, worker))
  const failure = settled.find((each) => each.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}

async function send(deps: Sender, { tenantId, key: lane }: Job, signal: AbortSignal): Promise<JobResult> {
  const { db, clock } = deps
  for (let batch = 0; batch < batchesMax && !signal.aborted; batch++) {
    const due = await queries.selectDueMessages(db, tenantId, lane, clock.now(), readAhead)
    if (due.length === 0) break
    await sendAll(deps, due, signal)
  }
  const next = await queries.selectNextAttempt(db, tenantId, lane)
  return next === undefined ? 'done' : { againAt: next < clock.now() ? clock.now() : next }
}

/** The handler of `messages.send`. It never gives up, because its messages would then be lost. */
export function sendHandler(deps: Deps): JobHandler {
  const sender: Sender = { ...deps, outages: new ChannelOutages(deps.log, deps.meter) }
  return { run: (job, signal) => send(sender, job, signal), failuresMax: Number.POSITIVE_INFINITY }
}
