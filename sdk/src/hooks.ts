// Answers the hooks of a tenant, which ask before something happens: docs/hooks.md.
import type { HookAdditions, HookDecision, HookPoint } from '@bailiwick/contract'
import { importSecret, signedBytes } from './signed-message.ts'
import { type WebhookRequest, verifyWebhook } from './webhooks.ts'

export { WebhookError } from './webhooks.ts'

/** What the service asks about. */
export interface HookQuestion {
  readonly type: HookPoint
  /** When the service asked. */
  readonly timestamp: string
  readonly data: {
    /** Of sign-ups, sign-ins, new users and tokens: the person; `id` is null for somebody who is not a user yet. */
    readonly user?: {
      readonly id: string | null
      readonly name: string | null
      readonly username: string | null
      readonly email: string | null
    }
    readonly ip?: string | null
    readonly userAgent?: string | null
    readonly language?: string | null
    /** Of a new user: `management`, `import`, `sign_up`, `connection`, `directory` or `migration`. */
    readonly origin?: string
    /** Of a password to check in your former system, with the password itself if the hook receives passwords. */
    readonly identifier?: string
    readonly password?: string
    /** Of a user who is here already: the id, and the foreign hash with which the user was imported. */
    readonly userId?: string
    readonly passwordHash?: string
    /** Of a token: `session`, `id` or `access`. */
    readonly token?: string
    readonly organizationId?: string | null
    readonly applicationId?: string | null
    readonly audience?: string | null
    readonly scopes?: readonly string[]
    /** Of an invitation. */
    readonly invitation?: { readonly email: string; readonly roleId: string | null; readonly userId: string | null }
    readonly organization?: { readonly id: string; readonly name: string; readonly slug: string | null }
    /** Of a message: all of it, to send it yourself. */
    readonly message?: {
      readonly id: string
      readonly type: string
      readonly purpose: string
      readonly to: string
      readonly userId: string | null
      readonly expiresAt: string
      readonly subject: string | null
      readonly text: string
      readonly html: string | null
      readonly code: string | null
      readonly link: string | null
    }
    /** Of a sign-in: the attempt, and the factors that were proven. */
    readonly attemptId?: string
    readonly firstFactor?: string | null
    readonly secondFactor?: string | null
    /** True for a call of `POST /hooks/{id}/test`. */
    readonly test?: boolean
  }
}

/** What your server decides, and what it adds with `allow` where the point takes it. */
export interface HookReply extends HookAdditions {
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
 *     data.user?.email?.endsWith('@example.com')
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
  const { id, payload } = await verifyWebhook<HookQuestion>(request)
  const body = JSON.stringify(await decide(payload))
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
