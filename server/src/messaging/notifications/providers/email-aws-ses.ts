// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
import { mailbox } from '../rendering/header-text.ts'
import { signedForAws } from './aws.ts'
import { byHttp, jsonRequest } from './http-provider.ts'
import { text } from './provider.ts'

const utf8 = (data: string) => ({ Data: data, Charset: 'UTF-8' })

export const sendBySes = byHttp(({ deps, message, settings }) =>
  signedForAws(
    jsonRequest(
      `https://email.${text(settings, 'region')}.amazonaws.com/v2/email/outbound-emails`,
      {},
      {
        FromEmailAddress: mailbox(message.senderName, text(settings, 'from')),
        Destination: { ToAddresses: [message.to] },
        Content: {
          Simple: {
            Subject: utf8(message.subject ?? ''),
            Body: { Text: utf8(message.text), ...(message.html === null ? {} : { Html: utf8(message.html) }) },
          },
        },
      },
    ),
    { service: 'ses', settings, clock: deps.clock },
  ),
)
