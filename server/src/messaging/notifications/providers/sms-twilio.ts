// https://www.twilio.com/docs/messaging/api/message-resource
import { basicAuthorization, byHttp, formRequest } from './http-provider.ts'
import { text } from './provider.ts'

export const sendByTwilio = byHttp(({ message, settings }) => {
  const account = text(settings, 'accountSid')
  const from = text(settings, 'from')
  return formRequest(
    `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`,
    { authorization: basicAuthorization(account, text(settings, 'apiKey')) },
    {
      To: message.to,
      Body: message.text,
      // A messaging service chooses one of its own numbers.
      ...(/^MG[\da-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from }),
    },
  )
})
