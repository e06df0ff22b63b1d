// The job that delivers, and when a failed delivery is tried again: ten attempts within some 75 hours.
import type { Clock } from '../../platform/clock.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { TenantId, WebhookId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The delays before the second attempt, the third, and so on. */
const delaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
export const attemptsMax = delaysMs.length + 1
const jitter = 0.1
const retryAfterMsMax = 24 * hour

/** Returns the delay after that many failures, or undefined to give up. Up to a tenth is added, so that retries spread. */
export function retryDelayMs(failures: number, random: () => number = Math.random): number | undefined {
  const delay = delaysMs[failures - 1]
  return delay === undefined ? undefined : Math.round(delay * (1 + random() * jitter))
}

/**
 * Returns what Retry-After asks for (RFC 9110 §10.2.3: seconds, or a date) in milliseconds, at most a day.
 * @returns undefined if it is absent, malformed or in the past.
 */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined
  const text = header.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - nowMs
  return ms > 0 ? Math.min(ms, retryAfterMsMax) : undefined
}

export const deliverJobKind = 'webhooks.deliver'

/**
 * One job for all deliveries of a webhook. Its lease limits an endpoint to five requests at a time for any number of nodes, and an endpoint
 * that hangs delays only itself.
 */
export const deliverJob = (clock: Clock, tenantId: TenantId, webhookId: WebhookId): Statement =>
  jobStatement(clock, { tenantId, kind: deliverJobKind, key: webhookId })
