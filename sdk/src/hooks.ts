// Answers the hooks of a tenant, which ask before a sign-up or a sign-in: docs/hooks.md.
import type { HookDecision, HookPoint } from '@bailiwick/contract'
import { importSecret, signedBytes } from './signed-message.ts'
import { type WebhookRequest, verifyWebhook } from './webhooks.ts'

export { WebhookError } from './webhooks.ts'

/** What the service asks about. */
export interface HookQuestion {
  readonly type: HookPoint
  /** When the service asked. */
  readonly timestamp: string
  readonly data: {
    /** The person; `id` is null for somebody who is not a user yet. */
    readonly user: {
      readonly id: string | null
      readonly name: string | null
      readonly username: string | null
      readonly email: string | null
    }
    readonly ip: string | null
    readonly userAgent: string | null
    readonly language: string | null
    /** Of a sign-in: the attempt, and the factors that were proven. */
    readonly attemptId?: string
    readonly firstFactor?: string | null
    readonly secondFactor?: string | null
    /** True for a call of `POST /hooks/{id}/test`. */
    readonly test?: boolean
  }
}

/** What your server decides. */
export interface HookReply {
  readonly decision: HookDecision
  /** With `deny` only: what the person reads, by language; plain text of at most 300 characters. */
  readonly message?: Readonly<Record<string, string>>
}

/** The response to send: status 200 with these headers and this body. */
export interface SignedReply {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Checks that a call of a hook is from the service, asks `decide`, and returns the signed response. If it throws, answer with an error status:
 * the hook then does what its `onFailure` says.
 * @param request the secret of the hook, and the call's headers and body as they were received.
 * @example
 * ```ts
 * import { answerHook } from '@bailiwick/sdk/hooks'
 *
 * export async function POST(request: Request) {
 *   const secret = process.env.HOOK_SECRET ?? ''
 *   const call = { secret, headers: request.headers, body: await request.text() }
 *   const { headers, body } = await answerHook(call, ({ data }) =>
 *     data.user.email?.endsWith('@example.com')
 *       ? { decision: 'allow' }
 *       : { decision: 'deny', message: { en: 'Ask your manager for access.' } },
 *   )
 *   return new Response(body, { headers })
 * }
 * ```
 * @throws WebhookError for a request that is not from the service, or not recent.
 * @throws TypeError for a secret with which no request could be checked.
 */
export async function answerHook(
  request: WebhookRequest,
  decide: (question: HookQuestion) => HookReply | Promise<HookReply>,
): Promise<SignedReply> {
  const { id, payload } = await verifyWebhook(request)
  // It is signed by the service, which sends nothing else.
  const body = JSON.stringify(await decide(payload as HookQuestion))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = await importSecret(request.secret, 'sign')
  const mac = await crypto.subtle.sign('HMAC', key, signedBytes(id, timestamp, new TextEncoder().encode(body)))
  const signature = btoa(String.fromCharCode(...new Uint8Array(mac)))
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  }
}
