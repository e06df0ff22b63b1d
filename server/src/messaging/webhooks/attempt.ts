// One attempt to deliver one event: the request, and the meaning of the answer.
import type { Event } from '@bailiwick/contract'
import { machineMs } from '../../platform/clock.ts'
import { findEvent } from '../../platform/events/present.ts'
import { EgressError } from '../../platform/net/egress.ts'
import type { Deps } from '../deps.ts'
import type { DeliveryRow, WebhookRow } from './queries.ts'
import { retryAfterMs } from './schedule.ts'
import { secretsAt, webhookHeaders } from './secret.ts'

const timeoutMs = 20_000
const responseBytesMax = 16 * 1024
const bodyBytesMax = 64 * 1024
const gone = 410

export type Outcome =
  | { readonly kind: 'succeeded'; readonly status: number }
  | {
      readonly kind: 'failed'
      /** null means that there was no answer. */
      readonly status: number | null
      readonly error: string
      /** The receiver asked for this long a pause. */
      readonly holdMs: number | undefined
      /** The receiver wants no more deliveries at all. */
      readonly isGone: boolean
    }
  /** The node is stopping; this does not count as an attempt. */
  | { readonly kind: 'interrupted' }
  /** The event no longer exists. */
  | { readonly kind: 'event_missing' }

/** Returns the message. An event that is too large is sent without its data, which can be read in the list of events. */
export function messageOf(event: Event): string {
  const message = (data: object) => JSON.stringify({ type: event.type, timestamp: event.createdAt, data })
  const whole = message(event)
  if (Buffer.byteLength(whole) <= bodyBytesMax) return whole
  return message({ ...event, data: { truncated: true } })
}

/**
 * Sends the event. The message's id is the event's at each attempt, so that a receiver recognises repetitions: a node can die after the
 * answer and before recording it.
 */
export async function attempt(
  deps: Deps,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  signal: AbortSignal,
): Promise<Outcome> {
  const { clock, sealer, egress } = deps
  const { tenant_id: tenantId, event_id: id, event_position: position } = delivery
  const event = await findEvent(deps, { tenantId, id, position })
  if (event === undefined) return { kind: 'event_missing' }
  const body = messageOf(event)
  // The receiver compares it with its own clock.
  const seconds = Math.floor(machineMs(clock) / 1000)
  const signed = webhookHeaders(secretsAt(sealer, webhook, clock.now()), event.id, seconds, body)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Bailiwick-Webhooks/1', ...signed }
  try {
    const answer = await egress.request(webhook.url, {
      tenantId: webhook.tenant_id,
      method: 'POST',
      headers,
      body,
      timeoutMs,
      responseBytesMax,
      signal,
      isKeptAlive: true,
    })
    const { status } = answer
    if (status >= 200 && status < 300) return { kind: 'succeeded', status }
    return {
      kind: 'failed',
      status,
      error: `The receiver answered ${status}.`,
      holdMs: retryAfterMs(answer.headers['retry-after'], machineMs(clock)),
      isGone: status === gone,
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (signal.aborted) return { kind: 'interrupted' }
    return { kind: 'failed', status: null, error: error.message, holdMs: undefined, isGone: false }
  }
}
