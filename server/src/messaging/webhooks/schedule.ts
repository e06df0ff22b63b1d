// The job that delivers, and when a delivery that failed is tried again (SECURITY: W1): ten attempts within some 75 hours.
import type { Clock } from '../../platform/clock.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { TenantId, WebhookId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Before the second attempt, the third, and so on. */
const delaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
export const attemptsMax = delaysMs.length + 1
const jitter = 0.1
const retryAfterMsMax = 24 * hour

/** How long to wait after that many failures; undefined: it is given up. Up to a tenth more, so that retries spread. */
export function retryDelayMs(failures: number, random: () => number = Math.random): number | undefined {
  const delay = delaysMs[failures - 1]
  return delay === undefined ? undefined : Math.round(delay * (1 + random() * jitter))
}

/**
 * What Retry-After asks for (RFC 9110 §10.2.3: seconds, or a date), in milliseconds, a day at most.
 * @returns undefined where it is absent, malformed or over.
 */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined
  const text = header.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - nowMs
  return ms > 0 ? Math.min(ms, retryAfterMsMax) : undefined
}

export const deliverJobKind = 'webhooks.deliver'

/**
 * One job for all that a webhook has to deliver: its lease is what keeps an endpoint to five requests at a time however many
 * nodes there are, and an endpoint that hangs holds up none but itself.
 */
export const deliverJob = (clock: Clock, tenantId: TenantId, webhookId: WebhookId): Statement =>
  jobStatement(clock, { tenantId, kind: deliverJobKind, key: webhookId })
