// Requests of messaging.
import { unique } from '../../harness/factories.ts'
import { type Requests, onTenant, inTenant, onRecord, queryingTenant } from '../request-kinds.ts'

const messageContent = { variables: { code: '1' }, input: { to: 'ada@example.com' } }
const messageBody = (tenantId: string) => ({ ...messageContent, tenantId, template: 'welcome', channel: 'outbox' })

const noAnswer = { id: 'unknown', status: 200, headers: {}, body: '{}' }

export const messagingRequests = {
  createChannel: inTenant(({ tenantId }) => ({
    tenantId,
    name: unique(),
    key: `mail.${unique().replaceAll(/\d/g, 'x')}`,
    description: 'Receipts',
    type: 'email' as const,
    provider: 'email_resend' as const,
    enabled: true,
    providerSettings: { apiKey: 're_secret', from: 'hello@acme.example' },
  })),
  listChannels: onTenant,
  getChannel: onRecord('channelId'),
  updateChannel: {
    valid: ({ channelId }) => ({
      params: { id: channelId },
      body: { name: unique(), description: null, enabled: false },
    }),
    foreign: (_own, { channelId }) => [
      { naming: 'id', request: { params: { id: channelId }, body: { enabled: false } }, answer: 'not_found' },
    ],
  },
  deleteChannel: onRecord('spareChannelId'),
  createTemplate: inTenant(({ tenantId }) => ({
    tenantId,
    type: 'email' as const,
    name: unique(),
    subject: 'Hello {{ user.name }}',
    body: '<p>{{ code }}</p>',
  })),
  listTemplates: onTenant,
  getTemplate: onRecord('templateId'),
  getTemplateContent: onRecord('templateId'),
  updateTemplateContent: {
    valid: ({ templateId }) => ({ params: { id: templateId }, body: { subject: null, body: 'Hi' } }),
    foreign: (_own, { templateId }) => [
      { naming: 'id', request: { params: { id: templateId }, body: { body: 'Hi' } }, answer: 'not_found' },
    ],
  },
  cloneAllTemplates: {
    // A tenant's own key knows no other tenant to copy to.
    valid: ({ tenantId }) => ({ body: { fromTenantId: tenantId, toTenantId: tenantId } }),
    foreign: (own, other) => [
      {
        naming: 'fromTenantId',
        request: { body: { fromTenantId: other.tenantId, toTenantId: own.tenantId } },
        answer: 'not_found',
      },
      {
        naming: 'toTenantId',
        request: { body: { fromTenantId: own.tenantId, toTenantId: other.tenantId } },
        answer: 'not_found',
      },
    ],
  },
  updateTemplate: {
    valid: ({ templateId }) => ({ params: { id: templateId }, body: { name: unique(), subject: null, body: 'Hi' } }),
    foreign: (_own, { templateId }) => [
      { naming: 'id', request: { params: { id: templateId }, body: { body: 'Hi' } }, answer: 'not_found' },
    ],
  },
  cloneTemplates: {
    // A tenant's own key knows no other tenant to copy to.
    valid: ({ tenantId, templateId }) => ({ body: { tenantId, toTenantId: tenantId, templates: [templateId] } }),
    foreign: (own, other) => [
      {
        naming: 'tenantId',
        request: { body: { tenantId: other.tenantId, toTenantId: own.tenantId } },
        answer: 'not_found',
      },
      {
        naming: 'toTenantId',
        request: { body: { tenantId: own.tenantId, toTenantId: other.tenantId } },
        answer: 'not_found',
      },
      {
        naming: 'templates',
        request: { body: { tenantId: own.tenantId, toTenantId: own.tenantId, templates: [other.templateId] } },
        answer: { issueAt: '/templates/0' },
      },
    ],
  },
  previewTemplate: {
    valid: ({ templateId }) => ({ params: { id: templateId }, body: { variables: { code: '1' } } }),
    foreign: (_own, { templateId }) => [
      { naming: 'id', request: { params: { id: templateId }, body: { variables: {} } }, answer: 'not_found' },
    ],
  },
  sendMessage: {
    valid: ({ tenantId }) => ({ body: messageBody(tenantId) }),
    foreign: (own, other) => [
      { naming: 'tenantId', request: { body: messageBody(other.tenantId) }, answer: 'not_found' },
      {
        naming: 'template',
        request: { body: { ...messageBody(own.tenantId), template: other.templateId } },
        answer: { issueAt: '/template' },
      },
      {
        naming: 'channel',
        request: { body: { ...messageBody(own.tenantId), channel: other.channelId } },
        answer: { issueAt: '/channel' },
      },
    ],
  },
  testMessage: {
    valid: ({ templateId, outboxId }) => ({ body: { ...messageContent, templateId, channelId: outboxId } }),
    foreign: (own, other) => [
      {
        naming: 'templateId',
        request: { body: { ...messageContent, templateId: other.templateId, channelId: own.outboxId } },
        answer: 'not_found',
      },
      {
        naming: 'channelId',
        request: { body: { ...messageContent, templateId: own.templateId, channelId: other.channelId } },
        answer: { issueAt: '/channelId' },
      },
    ],
  },
  listMessages: onTenant,
  getMessage: onRecord('messageId'),
  resendMessage: onRecord('messageId'),
  listMessageStatistics: queryingTenant,
  listMessagesByDay: queryingTenant,
  countMessagesPerDay: queryingTenant,
  listWebhookAttemptsByDay: queryingTenant,
  deleteTemplate: onRecord('spareTemplateId'),
  createHook: inTenant(({ tenantId }) => ({
    tenantId,
    point: 'sign_in.before_session',
    url: 'https://hooks.example/decide?key=1',
    timeoutMs: 500,
    onFailure: 'allow',
    // Nobody in the world's tenants signs in through it.
    enabled: false,
    roleIds: [],
    receivesPasswords: false,
  })),
  listHooks: onTenant,
  getHook: onRecord('hookId'),
  updateHook: {
    valid: ({ hookId }) => ({
      params: { id: hookId },
      body: { url: 'https://hooks.example/other', timeoutMs: 100, onFailure: 'deny', enabled: false, roleIds: [] },
    }),
    foreign: (_own, { hookId }) => [
      { naming: 'id', request: { params: { id: hookId }, body: { enabled: false } }, answer: 'not_found' },
    ],
  },
  deleteHook: onRecord('spareHookId'),
  rotateHookSecret: onRecord('hookId'),
  testHook: onRecord('hookId'),
  receiveHookCalls: {
    valid: ({ tenantId }) => ({ params: { tenantId }, body: { waitSeconds: 0 } }),
    foreign: (_own, { tenantId }) => [
      { naming: 'tenantId', request: { params: { tenantId }, body: { waitSeconds: 0 } }, answer: 'not_found' },
    ],
  },
  answerHookCall: {
    valid: ({ tenantId }) => ({ params: { tenantId }, body: noAnswer }),
    foreign: (_own, { tenantId }) => [
      { naming: 'tenantId', request: { params: { tenantId }, body: noAnswer }, answer: 'not_found' },
    ],
  },
  listHookCalls: onRecord('hookId'),
  createWebhook: inTenant(({ tenantId }) => ({
    tenantId,
    url: 'https://hooks.example/in?key=1',
    events: ['role.created', 'webhook.created'],
    description: 'To the data warehouse',
    enabled: true,
  })),
  listWebhooks: onTenant,
  getWebhook: onRecord('webhookId'),
  updateWebhook: {
    valid: ({ webhookId }) => ({
      params: { id: webhookId },
      body: { url: 'https://hooks.example/other', events: ['role.created'], description: null, enabled: true },
    }),
    foreign: (_own, { webhookId }) => [
      { naming: 'id', request: { params: { id: webhookId }, body: { enabled: false } }, answer: 'not_found' },
    ],
  },
  deleteWebhook: onRecord('spareWebhookId'),
  rotateWebhookSecret: onRecord('webhookId'),
  listWebhookDeliveries: onRecord('webhookId'),
  retryWebhookDelivery: onRecord('webhookDeliveryId'),
} satisfies Requests
