// https://documentation.mailgun.com/docs/mailgun/api-reference/openapi-final/tag/Messages. Links are not rewritten, because they contain
// secrets.
import { mailbox } from '../rendering/header-text.ts'
import { basicAuthorization, byHttp, formRequest } from './http-provider.ts'
import { text } from './provider.ts'

export const sendByMailgun = byHttp(({ message, settings }) => {
  const host = text(settings, 'region') === 'eu' ? 'api.eu.mailgun.net' : 'api.mailgun.net'
  const domain = text(settings, 'domain')
  return formRequest(
    `https://${host}/v3/${encodeURIComponent(domain)}/messages`,
    { authorization: basicAuthorization('api', text(settings, 'apiKey')) },
    {
      from: mailbox(message.senderName, text(settings, 'from')),
      to: message.to,
      subject: message.subject ?? '',
      text: message.text,
      ...(message.html === null ? {} : { html: message.html }),
      'h:Message-Id': `<${message.id}@${domain}>`,
      'o:tracking': 'no',
    },
  )
})
