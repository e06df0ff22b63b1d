// https://developers.messagebird.com/api/sms-messaging/
import { byHttp, jsonRequest } from './http-provider.ts'
import { text } from './provider.ts'

export const sendByMessageBird = byHttp(({ message, settings }) =>
  jsonRequest(
    'https://rest.messagebird.com/messages',
    { authorization: `AccessKey ${text(settings, 'apiKey')}` },
    {
      originator: text(settings, 'from'),
      recipients: [message.to.replace('+', '')],
      body: message.text,
      datacoding: 'auto',
      reference: message.id,
    },
  ),
)
