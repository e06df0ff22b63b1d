// Events of messages, their channels and templates, and of webhooks.
import {
  array,
  boolean,
  integer,
  nullableOneOf,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
} from '../schema.ts'
import { channelProviders, channelTypes } from '../shapes/messaging/channel.ts'
import { hookFailureRules, hookPoints } from '../shapes/messaging/hook.ts'
import { messageStatuses } from '../shapes/messaging/message.ts'
import { change, event, texts } from './event-definition.ts'

const channel = {
  name: text(),
  key: text(),
  description: nullableText(),
  provider: oneOf(channelProviders),
  enabled: boolean(),
}
const template = { name: text(), type: oneOf(channelTypes), subject: nullableText(), body: text() }
const copiedFrom = {
  copiedFrom: optional(text({ description: 'The id of the template from which it was copied, in another tenant' })),
}
const delivered = {
  channelType: oneOf(channelTypes),
  channelId: nullableText({ description: "null is the deployment's own channel" }),
  provider: nullableOneOf(channelProviders),
  purpose: text(),
}
const recipient = object({ to: text() })
const hook = {
  point: oneOf(hookPoints),
  origin: text({ description: "The origin of the server's URL; the rest of the URL can be secret" }),
  timeoutMs: integer(),
  onFailure: oneOf(hookFailureRules),
  enabled: boolean(),
  roleIds: array(text()),
}
const webhook = {
  origin: text({ description: "The origin of the receiver's URL; the rest of the URL can be secret" }),
  events: texts(),
  enabled: boolean(),
  description: nullableText(),
}

export const messagingEvents = {
  'channel.created': event({
    subject: 'channel',
    permission: 'config:read',
    sentence: 'A channel for messages was created.',
    data: object({ after: object(channel) }),
  }),
  'channel.updated': event({
    subject: 'channel',
    permission: 'config:read',
    sentence: 'A channel for messages was changed.',
    data: object({ ...change(channel), settingsChanged: boolean() }),
  }),
  'channel.deleted': event({
    subject: 'channel',
    permission: 'config:read',
    sentence: 'A channel for messages was deleted.',
    data: object({ before: object(channel) }),
  }),
  'template.created': event({
    subject: 'template',
    permission: 'config:read',
    sentence: 'A message template was created.',
    data: object({ after: object(template), ...copiedFrom }),
  }),
  'template.updated': event({
    subject: 'template',
    permission: 'config:read',
    sentence: 'A message template was changed.',
    data: object({ ...change(template), ...copiedFrom }),
  }),
  'template.deleted': event({
    subject: 'template',
    permission: 'config:read',
    sentence: 'A message template was deleted.',
    data: object({ before: object(template) }),
  }),
  'message.queued': event({
    subject: 'message',
    permission: 'config:read',
    sentence: 'The tenant sent a message, or a test message.',
    data: object({ purpose: text(), templateId: text(), channelId: text() }),
  }),
  'message.sent': event({
    subject: 'message',
    permission: 'config:read',
    sentence: 'A message was handed over to the provider that delivers it.',
    data: object(delivered),
    personal: recipient,
  }),
  'message.failed': event({
    subject: 'message',
    permission: 'config:read',
    sentence: 'A message could not be sent, and no further attempt is made.',
    data: object({ ...delivered, error: text() }),
    personal: recipient,
  }),
  'message.resent': event({
    subject: 'message',
    permission: 'config:read',
    sentence: 'A message was put into the queue again.',
    data: object(change({ status: oneOf(messageStatuses) })),
  }),
  'hook.created': event({
    subject: 'hook',
    permission: 'config:read',
    sentence: 'A hook was created.',
    data: object({ after: object(hook) }),
  }),
  'hook.updated': event({
    subject: 'hook',
    permission: 'config:read',
    sentence: 'A hook was changed.',
    data: object(change(hook)),
  }),
  'hook.deleted': event({
    subject: 'hook',
    permission: 'config:read',
    sentence: 'A hook was deleted.',
    data: object({ before: object(hook) }),
  }),
  'hook.secret_rotated': event({
    subject: 'hook',
    permission: 'config:read',
    sentence: "A hook's signing secret was replaced.",
    data: object({ previousUntil: nullableTimestamp({ description: 'How long the previous secret is also valid' }) }),
  }),
  'webhook.created': event({
    subject: 'webhook',
    permission: 'config:read',
    sentence: 'A webhook was created.',
    data: object({ after: object(webhook) }),
  }),
  'webhook.updated': event({
    subject: 'webhook',
    permission: 'config:read',
    sentence: 'A webhook was changed.',
    data: object(change(webhook)),
  }),
  'webhook.deleted': event({
    subject: 'webhook',
    permission: 'config:read',
    sentence: 'A webhook was deleted.',
    data: object({ before: object(webhook) }),
  }),
  'webhook.disabled': event({
    subject: 'webhook',
    permission: 'config:read',
    sentence: 'A webhook was disabled because its receiver failed for five days, or answered 410.',
    data: object({ reason: oneOf(['gone', 'failing']), failingSince: nullableTimestamp() }),
  }),
  'webhook.secret_rotated': event({
    subject: 'webhook',
    permission: 'config:read',
    sentence: "A webhook's signing secret was replaced.",
    data: object({
      previousUntil: nullableTimestamp({ description: 'How long the previous secret continues to sign' }),
    }),
  }),
}
