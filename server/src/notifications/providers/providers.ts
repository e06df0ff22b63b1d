// Every provider that sends.
import type { ChannelProvider } from '@bailiwick/contract'
import { sendToDevInbox } from './dev-inbox.ts'
import type { Send } from './provider.ts'

const notYet: Send = async () => ({ kind: 'refused', reason: 'This provider cannot send yet.' })

export const providers: Readonly<Record<ChannelProvider, Send>> = {
  email_smtp: notYet,
  email_resend: notYet,
  email_postmark: notYet,
  email_sendgrid: notYet,
  email_mailgun: notYet,
  email_aws_ses: notYet,
  sms_twilio: notYet,
  sms_vonage: notYet,
  sms_messagebird: notYet,
  sms_aws_sns: notYet,
  chat_whatsapp: notYet,
  webhook: notYet,
  dev_inbox: sendToDevInbox,
}
