import type { Static } from 'typebox'
import {
  array,
  id,
  integer,
  nullableOneOf,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  plainId,
  text,
  timestamp,
} from '../../schema.ts'
import { Type } from '../../type.ts'
import { changeTypes } from '../statistic.ts'
import { channelProviders, channelTypes } from './channel.ts'

export const messageStatuses = ['queued', 'sent', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** A message that was sent or will be sent to somebody. */
export const Message = object({
  id: text(),
  tenantId: text(),
  userId: nullableText(),
  channelId: nullableText({ description: "null: the deployment's own channel" }),
  channelType: oneOf(channelTypes),
  provider: nullableOneOf(channelProviders, { description: 'null until a channel is chosen' }),
  templateId: nullableText({ description: 'null: the default template' }),
  to: text(),
  subject: nullableText({ description: 'The subject with hidden codes and links; null until the message is sent' }),
  status: oneOf(messageStatuses),
  attempts: integer(),
  lastError: nullableText({
    description:
      'no_channel, channel_disabled, channel_type_mismatch, template_missing, template_type_mismatch, template_broken with the reason, ' +
      'templates_busy while too many templates wait to be rendered, address_malformed, expired, or through the ' +
      "deployment's own channel tenant_not_trusted, tenant_over_quota, creator_over_quota or recipient_over_quota; " +
      'otherwise the error of the provider or the connection',
  }),
  sentAt: nullableTimestamp(),
  text: nullableText({ description: 'Only in development' }),
  html: nullableText({ description: 'Only in development' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Message = Static<typeof Message>

/**
 * A request with one recipient gets its message. A request with a list gets all messages, and the first one also where a single one would
 * be.
 */
export const SentMessage = object({
  ...Message.properties,
  messages: optional(
    array(Message, { description: 'If `to` is a list: one message for each entry, in the same order' }),
  ),
})
export type SentMessage = Static<typeof SentMessage>

const messageStatisticNames = ['Messages Queued', 'Messages Sent', 'Messages Failed'] as const

/** One number about the messages of a tenant, and how it has changed. */
export const MessageStatistic = object({
  name: oneOf(messageStatisticNames),
  value: integer({ description: 'The number in the last 30 days, including today' }),
  change: integer({ description: 'The value minus that of the 30 days before' }),
  changeType: oneOf(changeTypes),
})
export type MessageStatistic = Static<typeof MessageStatistic>

/** How many messages were sent on one day. */
export const MessageDayCount = object({
  date: text({ description: 'A day in UTC: 2026-11-20' }),
  queued: integer(),
  sent: integer(),
  failed: integer(),
})
export type MessageDayCount = Static<typeof MessageDayCount>

/** The messages of a day under the names that clients of other servers read. */
export const DayMessages = object({ day: text({ description: 'A day in UTC: 2026-11-20' }), count: integer() })
export type DayMessages = Static<typeof DayMessages>

const variables = Type.Unsafe<Record<string, unknown>>({ type: 'object', 'x-bytes-max': 16_384 })
/** How many recipients one request may have. */
export const recipientsMax = 50

const input = object({
  to: Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    minLength: 1,
    maxLength: 320,
    items: { type: 'string', minLength: 1, maxLength: 320 },
    minItems: 1,
    maxItems: recipientsMax,
    uniqueItems: true,
    description: `An e-mail address or phone number, as the type of the channel requires, or a list of up to ${recipientsMax}. Each gets a separate message. If one is invalid, no message is sent`,
  }),
})

/** Which template is sent, through which channel, and to whom. */
export const SendMessage = object({
  tenantId: id(),
  template: plainId({ description: 'The id or name of the template' }),
  channel: plainId({ description: 'The id, name or key of the channel' }),
  variables,
  input,
})
export type SendMessage = Static<typeof SendMessage>

/** A message with which a template and a channel are tested. */
export const TestMessage = object({
  templateId: plainId(),
  channelId: plainId(),
  variables: Type.Unsafe<Record<string, unknown> | string>({
    type: ['object', 'string'],
    maxLength: 16_384,
    'x-bytes-max': 16_384,
    description: 'An object, or a string with the object as JSON',
  }),
  input,
})
export type TestMessage = Static<typeof TestMessage>
