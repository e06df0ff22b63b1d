import type { Static, TProperties, TSchema } from 'typebox'
import { anyJson, boolean, id, integer, nullableText, object, oneOf, optional, text, timestamp } from '../../schema.ts'
import { Type } from '../../type.ts'

export const channelTypes = ['email', 'sms', 'push', 'webhook', 'inapp', 'chat'] as const
export type ChannelType = (typeof channelTypes)[number]

const secret = () => text({ minLength: 1, maxLength: 4096, 'x-secret': true })
const plain = () => text({ minLength: 1, maxLength: 512 })
/** The sender that a message shows. It does not affect where the provider's secrets are sent. */
const mailFrom = () => text({ format: 'email', 'x-harmless': true })
const sender = () => text({ minLength: 1, maxLength: 512, 'x-harmless': true })
const aws = { accessKeyId: plain(), secretAccessKey: secret(), region: text({ pattern: '^[a-z]{2}(-[a-z]+)+-[0-9]$' }) }

/**
 * The settings of each provider. Fields marked `x-secret` are stored sealed and masked on reading. When a field with neither this mark nor
 * `x-harmless` changes, the secrets have to be given again.
 */
export const providerSettings = {
  email_smtp: {
    host: text({ format: 'host-name' }),
    port: integer({ minimum: 1, maximum: 65_535 }),
    secure: optional(boolean()),
    username: optional(plain()),
    password: optional(secret()),
    from: mailFrom(),
  },
  email_resend: { apiKey: secret(), from: mailFrom() },
  email_postmark: { apiKey: secret(), from: mailFrom() },
  email_sendgrid: { apiKey: secret(), from: mailFrom() },
  email_mailgun: {
    apiKey: secret(),
    from: mailFrom(),
    domain: text({ format: 'host-name' }),
    region: optional(oneOf(['us', 'eu'])),
  },
  email_aws_ses: { ...aws, from: mailFrom() },
  sms_twilio: { accountSid: plain(), apiKey: secret(), from: sender() },
  sms_vonage: { apiKey: secret(), apiSecret: secret(), from: sender() },
  sms_messagebird: { apiKey: secret(), from: sender() },
  sms_aws_sns: { ...aws, from: optional(sender()) },
  chat_whatsapp: { apiKey: secret(), from: sender() },
  webhook: { url: text({ format: 'web-uri' }), secret: optional(secret()) },
  dev_inbox: {},
} as const satisfies Record<string, TProperties>

export type ChannelProvider = keyof typeof providerSettings
export const channelProviders = Object.keys(providerSettings) as ChannelProvider[]

/** The message type of each provider; `dev_inbox` and `webhook` accept any. */
export function providerSends(provider: ChannelProvider, type: ChannelType): boolean {
  if (provider === 'dev_inbox' || provider === 'webhook') return true
  return provider.startsWith(`${type}_`)
}

/** Returns the names of a provider's secret settings. */
export const secretSettings = (provider: ChannelProvider): string[] =>
  Object.entries<object>(providerSettings[provider])
    .filter(([, schema]) => 'x-secret' in schema)
    .map(([name]) => name)

/** Returns the names of a provider's settings that may change while its secrets stay. */
export const harmlessSettings = (provider: ChannelProvider): string[] =>
  Object.entries<object>(providerSettings[provider])
    .filter(([, schema]) => 'x-harmless' in schema)
    .map(([name]) => name)

/** One schema for each provider. */
export const providerSettingsSchemas = Object.fromEntries(
  Object.entries<TProperties>(providerSettings).map(([provider, settings]) => [provider, object(settings)]),
  // There is one schema for each provider.
) as unknown as Readonly<Record<ChannelProvider, TSchema>>

/** A way in which a tenant sends messages. */
export const Channel = object({
  id: text(),
  tenantId: text(),
  name: text(),
  key: text(),
  description: nullableText(),
  type: oneOf(channelTypes),
  provider: oneOf(channelProviders),
  enabled: boolean(),
  providerSettings: anyJson({ description: 'Secrets are masked' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Channel = Static<typeof Channel>

const name = text({ minLength: 1, maxLength: 64, format: 'text', pattern: '\\S' })
const key = text({ pattern: '^[a-z-_.]+$', maxLength: 64 })
const description = optional(nullableText({ maxLength: 1000 }))
const settings = Type.Unsafe<Record<string, unknown>>({ type: 'object', 'x-bytes-max': 16_384 })

/** What a channel is created with. */
export const CreateChannel = object({
  tenantId: id(),
  name,
  key,
  description,
  type: oneOf(channelTypes),
  provider: oneOf(channelProviders),
  enabled: optional(boolean()),
  providerSettings: settings,
})
export type CreateChannel = Static<typeof CreateChannel>

/**
 * A new provider needs its settings. A secret that is sent in its masked form stays, unless a setting that could decide where it is sent
 * changes.
 */
export const UpdateChannel = object({
  name: optional(name),
  key: optional(key),
  description,
  type: optional(oneOf(channelTypes, { description: 'The present type of the channel; it cannot be changed' })),
  provider: optional(oneOf(channelProviders)),
  enabled: optional(boolean()),
  providerSettings: optional(settings),
})
export type UpdateChannel = Static<typeof UpdateChannel>
