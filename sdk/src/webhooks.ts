// Receives webhooks as Standard Webhooks specify: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec
import { type Bytes, bytesOfBase64 } from './base64.ts'
import type { EventOf, EventType } from './events.gen.ts'
import { importSecret, signedBytes } from './signed-message.ts'

export type WebhookErrorCode =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'no_matching_signature'
  | 'malformed_body'

/**
 * Thrown when a request must not be trusted; answer it with 400.
 * @example
 * ```ts
 * import { WebhookError, verifyWebhook } from '@bailiwick/sdk/webhooks'
 *
 * export async function POST(request: Request) {
 *   const secret = process.env.WEBHOOK_SECRET ?? ''
 *   try {
 *     await verifyWebhook({ body: await request.text(), headers: request.headers, secret })
 *     return new Response(null, { status: 204 })
 *   } catch (error) {
 *     if (error instanceof WebhookError) return new Response(error.code, { status: 400 })
 *     throw error
 *   }
 * }
 * ```
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** `Headers`, or an object such as Node's `request.headers`; the names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhookRequest {
  /** The secret that the service returned when the webhook was created: `whsec_…`. */
  readonly secret: string
  readonly headers: WebhookHeaders
  /** The body as it was received, not parsed and serialised again. */
  readonly body: string | Uint8Array
  /** How many seconds the request's time may differ from this machine's; 300 by default. */
  readonly toleranceSeconds?: number
}

/** The event that a message of one type brings. */
export interface WebhookPayloadOf<Type extends EventType> {
  readonly type: Type
  /** When the event happened. */
  readonly timestamp: string
  /** The event. One of more than 64 KiB has only `truncated` in its own `data`: fetch what you need. */
  readonly data: EventOf<Type> & { readonly data: { readonly truncated?: true } }
}

/**
 * What a webhook brings: an event of any type that this version knows. Comparing `type` narrows `data` to it. A newer service can send further
 * types: let the last branch of a `switch` expect them.
 */
export type WebhookPayload = { [Type in EventType]: WebhookPayloadOf<Type> }[EventType]

export interface WebhookMessage<Payload = WebhookPayload> {
  /** The same when a delivery is repeated: remember it to handle each message once. */
  readonly id: string
  readonly sentAt: Date
  readonly payload: Payload
}

const toleranceSecondsDefault = 300
const signaturesMax = 16
// Without a dot, because the signed text would not show where the id ends and the time begins.
const messageId = /^[\w-]{1,256}$/
const unixSeconds = /^[1-9]\d{0,11}$/

/**
 * Returns the message if the request is from the service, unchanged and recent.
 * @example
 * ```ts
 * import { verifyWebhook } from '@bailiwick/sdk/webhooks'
 *
 * export async function POST(request: Request) {
 *   const secret = process.env.WEBHOOK_SECRET ?? ''
 *   const { id, payload } = await verifyWebhook({ body: await request.text(), headers: request.headers, secret })
 *   if (payload.type === 'user.created') console.log(id, payload.data.subject.id, payload.data.data.personal?.name)
 *   return new Response(null, { status: 204 })
 * }
 * ```
 * @throws WebhookError with the reason if it is not.
 * @throws TypeError for a secret or tolerance with which no request could be checked.
 */
export async function verifyWebhook<Payload = WebhookPayload>(
  request: WebhookRequest,
): Promise<WebhookMessage<Payload>> {
  const { body, headers, secret, toleranceSeconds = toleranceSecondsDefault } = request
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw new TypeError('toleranceSeconds must be a number of seconds, at least 0')
  }
  const key = await importSecret(secret, 'verify')
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')
  if (!messageId.test(id)) throw new WebhookError('malformed_header', 'The header webhook-id is not a message id.')
  const sentAt = checkedTime(timestamp, toleranceSeconds)
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const isSigned = await hasSignature(key, signatures, signedBytes(id, timestamp, content))
  if (!isSigned)
    throw new WebhookError(
      'no_matching_signature',
      'None of the signatures matches this body and secret. Pass the raw body, not parsed JSON.',
    )
  // It is signed by the service, which sends nothing else.
  return { id, sentAt, payload: parsePayload(content) as Payload }
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const values: unknown[] =
    'get' in headers && typeof headers.get === 'function'
      ? [headers.get(name)]
      : Object.entries(headers).flatMap(([key, value]: [string, unknown]) => (key.toLowerCase() === name ? value : []))
  const found = values.filter((value) => value !== undefined && value !== null && value !== '')
  if (found.length === 0) throw new WebhookError('missing_header', `The header ${name} is missing.`)
  const [value] = found
  if (found.length > 1 || typeof value !== 'string')
    throw new WebhookError('malformed_header', `The header ${name} appears twice.`)
  return value
}

function checkedTime(timestamp: string, toleranceSeconds: number): Date {
  if (!unixSeconds.test(timestamp))
    throw new WebhookError('malformed_header', 'The header webhook-timestamp is not a timestamp.')
  const ageSeconds = Date.now() / 1000 - Number(timestamp)
  if (ageSeconds > toleranceSeconds) throw new WebhookError('timestamp_too_old', 'The message is too old.')
  if (ageSeconds < -toleranceSeconds)
    throw new WebhookError('timestamp_too_new', 'The timestamp of the message is in the future.')
  return new Date(Number(timestamp) * 1000)
}

/** A sender that replaces its secret signs with the old and the new one. `verify` compares in constant time. */
async function hasSignature(key: Parameters<typeof crypto.subtle.verify>[1], header: string, signed: Bytes) {
  for (const entry of header.split(' ').slice(0, signaturesMax)) {
    if (!entry.startsWith('v1,')) continue
    const signature = bytesOfBase64(entry.slice('v1,'.length))
    if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true
  }
  return false
}

function parsePayload(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content)) as unknown
  } catch {
    throw new WebhookError('malformed_body', 'The body is not JSON in UTF-8.')
  }
}
