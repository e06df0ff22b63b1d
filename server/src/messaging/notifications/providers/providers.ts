// All providers.
import type { ChannelProvider } from '@bailiwick/contract'
import type { TenantId } from '../../../platform/ids.ts'
import { isTenantInTestMode } from '../../../tenancy/test-mode/test-mode.ts'
import { sendByWhatsApp } from './chat-whatsapp.ts'
import { sendBySes } from './email-aws-ses.ts'
import { sendByMailgun } from './email-mailgun.ts'
import { sendByPostmark } from './email-postmark.ts'
import { sendByResend } from './email-resend.ts'
import { sendBySendGrid } from './email-sendgrid.ts'
import { sendBySmtp } from './email-smtp.ts'
import type { Send } from './provider.ts'
import { sendBySns } from './sms-aws-sns.ts'
import { sendByMessageBird } from './sms-messagebird.ts'
import { sendByTwilio } from './sms-twilio.ts'
import { sendByVonage } from './sms-vonage.ts'
import { sendToWebhook } from './webhook.ts'

/** Keeps the message where the inbox page shows it, and sends it to nobody. */
const sendToDevInbox: Send = async ({ deps, message: { tenantId } }) =>
  deps.config.env === 'development' || (await isTenantInTestMode(deps, tenantId as TenantId))
    ? { kind: 'sent' }
    : {
        kind: 'refused',
        reason: 'The provider dev_inbox is only available in a development deployment or in test mode.',
      }

export const providers: Readonly<Record<ChannelProvider, Send>> = {
  email_smtp: sendBySmtp,
  email_resend: sendByResend,
  email_postmark: sendByPostmark,
  email_sendgrid: sendBySendGrid,
  email_mailgun: sendByMailgun,
  email_aws_ses: sendBySes,
  sms_twilio: sendByTwilio,
  sms_vonage: sendByVonage,
  sms_messagebird: sendByMessageBird,
  sms_aws_sns: sendBySns,
  chat_whatsapp: sendByWhatsApp,
  webhook: sendToWebhook,
  dev_inbox: sendToDevInbox,
}
