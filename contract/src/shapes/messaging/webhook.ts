import type { Static } from 'typebox'
import { eventTypes } from '../../events.ts'
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
} from '../../schema.ts'

const url = () => text({ format: 'webhook-url', maxLength: 2048 })

/** A webhook's subscription: events of one type, or all events. */
export const EventTypeOrAll = oneOf(['*', ...eventTypes], { title: 'event type' })
export type EventTypeOrAll = Static<typeof EventTypeOrAll>

const events = () =>
  array(EventTypeOrAll, { minItems: 1, maxItems: 100, description: 'The types of events to send, or * for all types' })
const description = () => nullableText({ maxLength: 500, format: 'text' })

const webhookProperties = {
  id: text(),
  tenantId: text(),
  url: text(),
  description: nullableText(),
  events: array(text(), {
    description:
      'The types of events as they were entered. A webhook that was created with an earlier version can name types that no longer exist',
  }),
  enabled: boolean(),
  failingSince: nullableTimestamp({
    description:
      'The beginning of the failures, set once a delivery was given up and no later one succeeded. After five days the webhook is disabled',
  }),
  firstFailedAt: nullableTimestamp({
    description: 'The first failed attempt since the last one that succeeded; null while deliveries succeed',
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** An address to which events are delivered. */
export const Webhook = object(webhookProperties)
export type Webhook = Static<typeof Webhook>

/** A webhook with the secret that signs its deliveries, which is shown only here. */
export const WebhookWithSecret = object({
  ...webhookProperties,
  secret: text({ description: 'The secret that signs the messages, as Standard Webhooks specifies; shown only here' }),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

/** What a webhook is created with. */
export const CreateWebhook = object({
  tenantId: id(),
  url: url(),
  events: events(),
  description: optional(description()),
  enabled: optional(boolean()),
})
export type CreateWebhook = Static<typeof CreateWebhook>

/** The properties of a webhook to change. */
export const UpdateWebhook = object({
  url: optional(url()),
  events: optional(events()),
  description: optional(description()),
  enabled: optional(boolean({ description: 'true also resets `failingSince`' })),
})
export type UpdateWebhook = Static<typeof UpdateWebhook>

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** What deliveries are listed by: one status, or every one that has not reached its receiver. */
export const deliveryFilters = [...deliveryStatuses, 'undelivered'] as const
export type DeliveryFilter = (typeof deliveryFilters)[number]

/** One event on its way to a webhook. */
export const WebhookDelivery = object({
  id: text(),
  tenantId: text(),
  webhookId: text(),
  eventId: text({ description: 'The value of the header webhook-id, the same in every attempt' }),
  eventType: text(),
  status: oneOf(deliveryStatuses),
  attempts: integer(),
  responseStatus: nullableNumber({ description: "The status of the receiver's last response" }),
  error: nullableText({ description: 'Why the last attempt failed' }),
  nextAttemptAt: nullableTimestamp(),
  lastAttemptAt: nullableTimestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

/** How many deliveries were attempted on one day. */
export const WebhookAttemptDayCount = object({
  date: text({ description: 'A day in UTC: 2026-11-20' }),
  succeeded: integer(),
  failed: integer({ description: 'Attempts without a response of 200 to 299; most are repeated later' }),
})
export type WebhookAttemptDayCount = Static<typeof WebhookAttemptDayCount>
