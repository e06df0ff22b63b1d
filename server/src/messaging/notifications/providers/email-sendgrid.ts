// https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send. Links are not rewritten, because they contain secrets.
import { senderName } from '../rendering/header-text.ts'
import { byHttp, jsonRequest } from './http-provider.ts'
import { text } from './provider.ts'

export const sendBySendGrid = byHttp(({ message, settings }) =>
  jsonRequest(
    'https://api.sendgrid.com/v3/mail/send',
    { authorization: `Bearer ${text(settings, 'apiKey')}` },
    {
      personalizations: [{ to: [{ email: message.to }] }],
      from: { email: text(settings, 'from'), name: senderName(message.senderName) },
      subject: message.subject ?? '',
      content: [
        { type: 'text/plain', value: message.text },
        ...(message.html === null ? [] : [{ type: 'text/html', value: message.html }]),
      ],
      custom_args: { message_id: message.id },
      tracking_settings: {
        click_tracking: { enable: false, enable_text: false },
        open_tracking: { enable: false },
      },
    },
  ),
)
