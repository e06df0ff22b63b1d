// A tenant's server that decides about sign-ups and sign-ins as a test says, and signs its answers.
import { webhookHeaders } from '../../../src/messaging/webhooks/secret.ts'
import type { Behaviour } from './webhook-receiver.ts'

export interface AnswerOptions {
  readonly secret: string
  /** The call that is answered; the present one unless set. */
  readonly callId?: string
  /** Added to the time of the call. */
  readonly seconds?: number
  readonly status?: number
}

/** Answers with this body, signed for the call that it answers. */
export const decide =
  (body: object | string, { secret, callId, seconds = 0, status = 200 }: AnswerOptions): Behaviour =>
  (response, _request, { headers }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const at = Number(headers['webhook-timestamp']) + seconds
    response.writeHead(status, webhookHeaders([secret], callId ?? String(headers['webhook-id']), at, text)).end(text)
  }
