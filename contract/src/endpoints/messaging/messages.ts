import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import {
  array,
  createdRange,
  id,
  narrowedTotal,
  object,
  oneOf,
  optional,
  page,
  pageQuery,
  plainId,
} from '../../schema.ts'
import { channelTypes } from '../../shapes/messaging/channel.ts'
import {
  DayMessages,
  Message,
  MessageDayCount,
  MessageStatistic,
  SendMessage,
  SentMessage,
  TestMessage,
  messageStatuses,
} from '../../shapes/messaging/message.ts'

const tag = 'Notifications'
const params = object({ id: plainId() })
const onMessage = { params: { id: sample.message.id } }
const ofTenant = {
  tag,
  permission: 'config:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  errors: ['not_found'],
} as const

export const sendMessage = endpoint({
  id: 'sendMessage',
  method: 'POST',
  path: '/notifications/send',
  tag,
  summary: 'Send a message from a template',
  description:
    'The message is queued and sent in the background; the list of messages shows the result. A tenant can send at most 60 a minute, and at most 10 an hour to one address.',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: SendMessage,
  response: SentMessage,
  errors: ['not_found'],
  example: {
    body: {
      tenantId: sample.tenantId,
      template: 'receipt',
      channel: 'mail',
      variables: { user: { name: 'Ada' } },
      input: { to: 'ada@example.com' },
    },
    response: sample.message,
  },
})

export const testMessage = endpoint({
  id: 'testMessage',
  method: 'POST',
  path: '/notifications/test',
  tag,
  summary: 'Test a channel with a template',
  description:
    'Sends a message with sample values for the variables that are left out. A tenant can send at most 10 tests an hour.',
  permission: 'config:write',
  tenant: { locates: 'templates', by: 'body.templateId' },
  body: TestMessage,
  response: SentMessage,
  errors: ['not_found'],
  example: {
    body: {
      templateId: sample.template.id,
      channelId: sample.channel.id,
      variables: {},
      input: { to: 'ada@example.com' },
    },
    response: sample.message,
  },
})

export const listMessages = endpoint({
  id: 'listMessages',
  method: 'GET',
  path: '/tenants/{tenantId}/notifications/messages',
  tag,
  summary: 'List the messages of the last 30 days with their results, newest first',
  description: narrowedTotal,
  permission: 'config:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: object({
    ...pageQuery.properties,
    ...createdRange,
    status: optional(oneOf(messageStatuses, { description: 'Only messages with this status' })),
    userId: optional(plainId({ description: 'Only messages to this user' })),
    to: optional(plainId({ description: 'Only messages to this address or number' })),
    channelType: optional(oneOf(channelTypes, { description: 'Only messages by channels of this type' })),
  }),
  response: page(Message),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.message) },
})

export const getMessage = endpoint({
  id: 'getMessage',
  method: 'GET',
  path: '/notifications/messages/{id}',
  tag,
  summary: 'Read a message and the result of sending it',
  permission: 'config:read',
  tenant: { locates: 'messages', by: 'params.id' },
  params,
  response: Message,
  errors: ['not_found'],
  example: { ...onMessage, response: sample.message },
})

export const resendMessage = endpoint({
  id: 'resendMessage',
  method: 'POST',
  path: '/notifications/messages/{id}/resend',
  tag,
  summary: 'Retry a message that could not be sent',
  description:
    'Not possible for a message that was sent or has expired, because its content was removed: create a new one.',
  permission: 'config:write',
  tenant: { locates: 'messages', by: 'params.id' },
  params,
  response: Message,
  errors: ['not_found', 'message_over'],
  example: { ...onMessage, response: { ...sample.message, status: 'queued', sentAt: null } },
})

export const listMessageStatistics = endpoint({
  ...ofTenant,
  id: 'listMessageStatistics',
  method: 'GET',
  path: '/notifications/stats',
  summary: "Read the numbers of a tenant's messages, and their change in 30 days",
  response: array(MessageStatistic),
  example: {
    query: { tenantId: sample.tenantId },
    response: [
      { name: 'Messages Queued', value: 412, change: 12, changeType: 'up' },
      { name: 'Messages Sent', value: 409, change: 12, changeType: 'up' },
      { name: 'Messages Failed', value: 3, change: 0, changeType: 'none' },
    ],
  },
})

export const listMessagesByDay = endpoint({
  ...ofTenant,
  id: 'listMessagesByDay',
  method: 'GET',
  path: '/notifications/stats/messages-by-day',
  summary: 'Count the messages that were queued, sent and given up on each day',
  description: 'Covers the last 30 days in UTC, including today, oldest first.',
  response: array(MessageDayCount),
  example: {
    query: { tenantId: sample.tenantId },
    response: [{ date: '2026-11-20', queued: 14, sent: 13, failed: 1 }],
  },
})

export const countMessagesPerDay = endpoint({
  ...ofTenant,
  id: 'countMessagesPerDay',
  method: 'GET',
  path: '/notifications/stats/day',
  summary: 'Count the messages that were queued on each day',
  description:
    'Covers the last 30 days in UTC, including today, oldest first. The numbers are `queued` of messages-by-day.',
  response: array(DayMessages),
  example: { query: { tenantId: sample.tenantId }, response: [{ day: '2026-11-20', count: 9 }] },
})
