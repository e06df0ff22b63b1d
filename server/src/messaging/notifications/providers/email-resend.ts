// https://resend.com/docs/api-reference/emails/send-email; the key keeps a retried message from being sent twice.
import { mailbox } from '../rendering/header-text.ts'
import { byHttp, jsonRequest } from './http-provider.ts'
import { text } from './provider.ts'

export const sendByResend = byHttp(({ message, settings }) =>
  jsonRequest(
    'https://api.resend.com/emails',
    { authorization: `Bearer ${text(settings, 'apiKey')}`, 'idempotency-key': message.id },
    {
      from: mailbox(message.senderName, text(settings, 'from')),
      to: [message.to],
      subject: message.subject ?? '',
      text: message.text,
      html: message.html ?? undefined,
    },
  ),
)
