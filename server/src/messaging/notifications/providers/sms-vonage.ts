// https://developer.vonage.com/en/api/sms. Refusals also have status 200; the meaning of the codes is listed at
// https://developer.vonage.com/en/api-errors/sms.
import { type ProviderAnswer, byHttp, formRequest, parsedAnswer } from './http-provider.ts'
import { text } from './provider.ts'

/** Throttled, internal error, too many connections. */
const temporaryStatuses = new Set(['1', '5', '10'])

function judge(answer: ProviderAnswer) {
  if (answer.status !== 200) return undefined
  const { messages } = (parsedAnswer(answer) ?? {}) as { messages?: readonly { readonly status?: unknown }[] }
  const statuses = Array.isArray(messages) ? messages.map(({ status }) => String(status)) : []
  const refusals = statuses.filter((status) => status !== '0')
  if (statuses.length > 0 && refusals.length === 0) return { kind: 'sent' } as const
  const isTemporary = statuses.length === 0 || refusals.every((status) => temporaryStatuses.has(status))
  return { kind: isTemporary ? 'failed' : 'refused' } as const
}

const isAscii = (message: string) => /^[\n\r -~]*$/.test(message)

export const sendByVonage = byHttp(
  ({ message, settings }) =>
    formRequest(
      'https://rest.nexmo.com/sms/json',
      {},
      {
        api_key: text(settings, 'apiKey'),
        api_secret: text(settings, 'apiSecret'),
        from: text(settings, 'from'),
        to: message.to.replace('+', ''),
        text: message.text,
        type: isAscii(message.text) ? 'text' : 'unicode',
        'client-ref': message.id,
      },
    ),
  judge,
)
