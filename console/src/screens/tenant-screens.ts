// The screens of what a tenant sends, stores, bills and remembers, and of its administrators; a part of the list in screens.ts.
import type { Screen } from '../screens.ts'

export const tenantScreens: readonly Screen[] = [
  {
    path: 'webhooks',
    title: 'Webhooks',
    group: 'Development',
    icon: 'webhook',
    permission: 'config:read',
    operations: ['listWebhooks'],
    load: async () => (await import('./webhooks/webhooks.tsx')).Webhooks,
  },
  {
    path: 'webhooks/new',
    title: 'Create a webhook',
    group: 'Development',
    permission: 'config:write',
    operations: ['createWebhook'],
    load: async () => (await import('./webhooks/create-webhook.tsx')).CreateWebhook,
  },
  {
    path: 'webhooks/$id',
    title: 'Webhook',
    group: 'Development',
    permission: 'config:read',
    operations: [
      'getWebhook',
      'updateWebhook',
      'deleteWebhook',
      'rotateWebhookSecret',
      'listWebhookDeliveries',
      'retryWebhookDelivery',
    ],
    load: async () => (await import('./webhooks/webhook.tsx')).Webhook,
  },
  {
    path: 'events',
    title: 'Events',
    group: 'Development',
    icon: 'clock',
    permission: 'events:read',
    operations: ['listEvents', 'streamEvents', 'verifyEvents'],
    load: async () => (await import('./events/events.tsx')).Events,
  },
]
