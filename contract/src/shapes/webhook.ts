import type { Static } from 'typebox'
import { eventTypes } from '../events.ts'
import {
  array,
  boolean,
  id,
  integer,
  nullableNumber,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../schema.ts'

const url = () => text({ format: 'webhook-url', maxLength: 2048 })

/** A webhook's subscription: events of one type, or all events. */
export const EventTypeOrAll = oneOf(['*', ...eventTypes], { title: 'event type' })
export type EventTypeOrAll = Static<typeof EventTypeOrAll>

const events = () =>
  array(EventTypeOrAll, { minItems: 1, maxItems: 100, description: 'Types of events, or * for all of them' })
const description = () => nullableText({ maxLength: 500, format: 'text' })

const webhookProperties = {
  id: text(),
  tenantId: text(),
  url: text(),
  description: nullableText(),
  events: array(text(), {
    description: 'As they were entered; a webhook that an earlier version stored may name types that no longer exist',
  }),
  enabled: boolean(),
  failingSince: nullableTimestamp({
    description: 'Since when no delivery has succeeded, once one was given up; after five days the webhook is disabled',
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

export const Webhook = object(webhookProperties)
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = object({
  ...webhookProperties,
  secret: text({ description: 'Signs the messages, as Standard Webhooks specify; shown only here' }),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const CreateWebhook = object({
  tenantId: id(),
  url: url(),
  events: events(),
  description: optional(description()),
  enabled: optional(boolean()),
})
export type CreateWebhook = Static<typeof CreateWebhook>

export const UpdateWebhook = object({
  url: optional(url()),
  events: optional(events()),
  description: optional(description()),
  enabled: optional(boolean({ description: 'true also resets its failures' })),
})
export type UpdateWebhook = Static<typeof UpdateWebhook>

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const WebhookDelivery = object({
  id: text(),
  tenantId: text(),
  webhookId: text(),
  eventId: text({ description: 'Sent as webhook-id, the same in every attempt' }),
  eventType: text(),
  status: oneOf(deliveryStatuses),
  attempts: integer(),
  responseStatus: nullableNumber({ description: 'The last answer of the receiver' }),
  error: nullableText({ description: 'Why the last attempt failed' }),
  nextAttemptAt: nullableTimestamp(),
  lastAttemptAt: nullableTimestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookAttemptDayCount = object({
  date: text({ description: 'A day in UTC: 2026-11-20' }),
  succeeded: integer(),
  failed: integer({ description: 'Attempts without an answer of 200 to 299; most are repeated later' }),
})
export type WebhookAttemptDayCount = Static<typeof WebhookAttemptDayCount>
