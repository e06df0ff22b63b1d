// https://developers.facebook.com/docs/whatsapp/cloud-api/messages/text-messages. `from` is the id of the business's number. Texts only
// reach people who have written to the business within a day.
import { type ProviderAnswer, byHttp, jsonRequest, parsedAnswer } from './http-provider.ts'
import { text } from './provider.ts'

/** Too many calls or messages, or the service is unavailable; also reported with status 400. */
const temporaryCodes = new Set([1, 2, 4, 80_007, 130_429, 131_000, 131_016, 131_056])

function judge(answer: ProviderAnswer) {
  const { error } = (parsedAnswer(answer) ?? {}) as { error?: { readonly code?: unknown } | null }
  return typeof error?.code === 'number' && temporaryCodes.has(error.code) ? ({ kind: 'failed' } as const) : undefined
}

export const sendByWhatsApp = byHttp(
  ({ message, settings }) =>
    jsonRequest(
      `https://graph.facebook.com/v25.0/${encodeURIComponent(text(settings, 'from'))}/messages`,
      { authorization: `Bearer ${text(settings, 'apiKey')}` },
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: message.to,
        type: 'text',
        text: { preview_url: false, body: message.text },
      },
    ),
  judge,
)
