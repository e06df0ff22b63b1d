// The fields of a channel: its settings depend on the provider that delivers.
import { schemas } from 'virtual:operation-schemas'
import { providers } from 'virtual:provider-settings'
import type { FieldSpec } from '../../form/field-spec.ts'
import { type Schema, choicesOf, isRequiredAt, isSecret, schemaAt } from '../../form/schema.ts'

type Body = Readonly<Record<string, unknown>>

const kindNames: Readonly<Record<string, string>> = {
  email: 'E-mail',
  sms: 'SMS',
  push: 'Push',
  webhook: 'Webhook',
  inapp: 'In the app',
  chat: 'Chat',
}

const providerNames: Readonly<Record<string, string>> = {
  email_smtp: 'SMTP',
  email_resend: 'Resend',
  email_postmark: 'Postmark',
  email_sendgrid: 'SendGrid',
  email_mailgun: 'Mailgun',
  email_aws_ses: 'Amazon SES',
  sms_twilio: 'Twilio',
  sms_vonage: 'Vonage',
  sms_messagebird: 'MessageBird',
  sms_aws_sns: 'Amazon SNS',
  chat_whatsapp: 'WhatsApp',
  webhook: 'An address of yours (webhook)',
  dev_inbox: 'Development inbox',
}

export const kindNameOf = (kind: string) => kindNames[kind] ?? kind
export const providerNameOf = (provider: string) => providerNames[provider] ?? provider

const kinds = choicesOf(schemaAt(schemas.createChannel.body, 'type'))

const sends = (provider: string, kind: string) =>
  provider === 'webhook' || provider === 'dev_inbox' || provider.startsWith(`${kind}_`)

/** The choice of the provider that delivers, for each kind of message. */
const providerFields: readonly FieldSpec[] = kinds.map(({ value: kind }) => ({
  name: 'provider',
  label: 'Delivered by',
  options: Object.keys(providers)
    .filter((provider) => sends(provider, kind))
    .map((value) => ({ value, label: providerNameOf(value) })),
  isShown: ({ type }: Body) => type === kind,
}))

/** @param isKept whether secrets that are left empty stay as they are. */
const settingsFields = (isKept: boolean): readonly FieldSpec[] =>
  Object.entries<Schema>(providers).flatMap(([provider, schema]) =>
    Object.entries(schema.properties ?? {}).map(([name, setting]) => ({
      name: `providerSettings/${name}`,
      schema: setting,
      isRequired: isRequiredAt(schema, name) && !(isKept && isSecret(setting)),
      ...(isKept && isSecret(setting) ? { placeholder: 'Unchanged' } : {}),
      isShown: ({ provider: chosen }: Body) => chosen === provider,
    })),
  )

const nameFields: readonly FieldSpec[] = [
  'name',
  { name: 'key', hint: 'Its name in code: lower-case letters, hyphens, dots and underscores.' },
  { name: 'description', isMultiline: true },
]

export const newChannelFields: readonly FieldSpec[] = [
  ...nameFields,
  { name: 'type', label: 'Kind', options: kinds.map(({ value }) => ({ value, label: kindNameOf(value) })) },
  ...providerFields,
  ...settingsFields(false),
]

export const channelFields: readonly FieldSpec[] = [...nameFields, 'enabled', ...settingsFields(true)]

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null

/** Returns the body without settings that only a previously chosen provider has. */
export function withOwnSettings(body: Body): Body {
  const { provider, providerSettings } = body
  const names = Object.keys(providers[String(provider)]?.properties ?? {})
  const given = isObject(providerSettings) ? providerSettings : {}
  const kept = Object.entries(given).filter(([name]) => names.includes(name))
  return { ...body, providerSettings: Object.fromEntries(kept) }
}

/** Returns the settings without the secret ones, which the service returns masked. */
export function withoutMasks(provider: string, settings: unknown): Body {
  const schema = providers[provider]
  const given = isObject(settings) ? settings : {}
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isSecret(schemaAt(schema, name))))
}

/** Settings are replaced as a whole, so unchanged ones are sent back as they were returned, secrets with their mask. */
export function withOtherSettings(settings: unknown, body: Body): Body {
  if (!isObject(body['providerSettings'])) return body
  return { ...body, providerSettings: { ...(isObject(settings) ? settings : {}), ...body['providerSettings'] } }
}
