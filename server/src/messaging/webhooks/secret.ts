// A webhook's signing secret, and the signatures of Standard Webhooks (standardwebhooks.com, version 1): HMAC-SHA256 over
// `id.timestamp.body`. After a rotation the previous secret also signs for a day, so that receivers need not change over at once.
import { createHmac, randomBytes } from 'node:crypto'
import { tokenPrefixes } from '@bailiwick/contract'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import type { TenantId, WebhookId } from '../../platform/ids.ts'
import type { WebhookRow } from './queries.ts'
import { webhooks } from './tables.ts'

const secretBytes = 32
const overlapMs = 24 * 60 * 60 * 1000

export const newWebhookSecret = () => tokenPrefixes.webhookSecret + randomBytes(secretBytes).toString('base64')

export const sealWebhookSecret = (sealer: Sealer, tenantId: TenantId, id: WebhookId, secret: string) =>
  sealer.seal(secret, webhooks.place('sealed_secret', { tenant_id: tenantId, id }))

/** Returns the row with a new secret; the present one stays valid beside it for a day. */
export function withNewSecret(sealer: Sealer, row: WebhookRow, secret: string, now: Timestamp): WebhookRow {
  const present = sealer.open(row.sealed_secret, webhooks.place('sealed_secret', row))
  return {
    ...row,
    sealed_secret: sealWebhookSecret(sealer, row.tenant_id, row.id, secret),
    sealed_previous_secret: sealer.seal(present, webhooks.place('sealed_previous_secret', row)),
    previous_secret_until: addMilliseconds(now, overlapMs),
    updated_at: now,
  }
}

/** Returns the secrets that sign at this time, the present one first. */
export function secretsAt(sealer: Sealer, row: WebhookRow, now: Timestamp): string[] {
  const secrets = [sealer.open(row.sealed_secret, webhooks.place('sealed_secret', row))]
  const { sealed_previous_secret: previous, previous_secret_until: until } = row
  if (previous !== null && until !== null && now < until) {
    secrets.push(sealer.open(previous, webhooks.place('sealed_previous_secret', row)))
  }
  return secrets
}

const keyOf = (secret: string) => Buffer.from(secret.slice(tokenPrefixes.webhookSecret.length), 'base64')

/** @param seconds since 1970. */
export function webhookHeaders(secrets: readonly string[], id: string, seconds: number, body: string) {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}
