// Providers with an HTTP API: makes the request from the settings and the message, and interprets the answer.
import { EgressError } from '../../../platform/net/egress.ts'
import { retryAfterMs } from '../../webhooks/schedule.ts'
import type { Send, SendResult, Sending } from './provider.ts'

const timeoutMs = 10_000
const answerBytesMax = 16 * 1024
const detailLengthMax = 300
const requestTimeout = 408
const conflict = 409
const tooEarly = 425
const tooManyRequests = 429
/** A conflict means that the provider has not finished another attempt at the same message. */
const temporary = new Set([requestTimeout, conflict, tooEarly, tooManyRequests])

export interface ProviderRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ProviderAnswer {
  readonly status: number
  readonly text: string
}

/** Interprets an answer whose status is not enough; undefined means that the status decides. */
type Judge = (answer: ProviderAnswer) => Pick<SendResult, 'kind'> | undefined

const json = 'application/json'

export const jsonRequest = (url: string, headers: Readonly<Record<string, string>>, body: object): ProviderRequest => ({
  url,
  headers: { accept: json, 'content-type': `${json}; charset=utf-8`, ...headers },
  body: JSON.stringify(body),
})

export const formRequest = (
  url: string,
  headers: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
): ProviderRequest => ({
  url,
  headers: { accept: json, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', ...headers },
  body: new URLSearchParams(fields).toString(),
})

export const basicAuthorization = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

export function parsedAnswer({ text }: ProviderAnswer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function kindOf(status: number): SendResult['kind'] {
  if (status >= 200 && status < 300) return 'sent'
  return status >= 500 || temporary.has(status) ? 'failed' : 'refused'
}

export const byHttp =
  (request: (sending: Sending) => ProviderRequest | Promise<ProviderRequest>, judge?: Judge): Send =>
  async (sending) => {
    const { deps, signal, message } = sending
    const { url, headers, body } = await request(sending)
    try {
      const answer = await deps.egress.request(url, {
        tenantId: message.tenantId,
        method: 'POST',
        headers: { 'user-agent': 'Bailiwick', ...headers },
        body,
        timeoutMs,
        responseBytesMax: answerBytesMax,
        signal,
      })
      const { status } = answer
      const text = answer.body.toString('utf8')
      const { kind } = judge?.({ status, text }) ?? { kind: kindOf(status) }
      if (kind === 'sent') return { kind }
      const holdMs = retryAfterMs(answer.headers['retry-after'], deps.clock.nowMs())
      return { kind, reason: `The provider answered ${status}.`, detail: text.slice(0, detailLengthMax), holdMs }
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      const isForGood = error.code === 'url_refused' || error.code === 'address_refused'
      return { kind: isForGood ? 'refused' : 'failed', reason: error.message }
    }
  }
