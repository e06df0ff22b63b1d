// https://postmarkapp.com/developer/api/email-api. Links are not rewritten, because they contain secrets.
import { mailbox } from '../rendering/header-text.ts'
import { byHttp, jsonRequest } from './http-provider.ts'
import { text } from './provider.ts'

export const sendByPostmark = byHttp(({ message, settings }) =>
  jsonRequest(
    'https://api.postmarkapp.com/email',
    { 'x-postmark-server-token': text(settings, 'apiKey') },
    {
      From: mailbox(message.senderName, text(settings, 'from')),
      To: message.to,
      Subject: message.subject ?? '',
      TextBody: message.text,
      HtmlBody: message.html ?? undefined,
      MessageStream: 'outbound',
      TrackOpens: false,
      TrackLinks: 'None',
      Metadata: { 'message-id': message.id },
    },
  ),
)
