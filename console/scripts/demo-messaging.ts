// What the demo tenant sends: channels, templates, messages of which one fails, and webhooks of which one has been failing for days.
import type { Channel, Tenant, Template } from '@bailiwick/contract'
import { deliverHandler } from '../../server/src/messaging/webhooks/deliver.ts'
import { deliverJobKind } from '../../server/src/messaging/webhooks/schedule.ts'
import { createJobRunner } from '../../server/src/platform/jobs/runner.ts'
import { fanOutEverything } from '../../server/test/harness/databases/event-log.ts'
import { createWebhook } from '../../server/test/harness/factories.ts'
import { runMediaJobs } from '../../server/test/harness/files/media.ts'
import { sendMessages } from '../../server/test/harness/messages.ts'
import { answer, WebhookReceiver } from '../../server/test/harness/outside/webhook-receiver.ts'
import type { TestService } from '../../server/test/harness/service.ts'

/** Sends and delivers everything that is due. */
export async function settle(service: TestService): Promise<void> {
  const { deps } = service
  await fanOutEverything(deps)
  await sendMessages(deps)
  const runner = createJobRunner(deps, { [deliverJobKind]: deliverHandler(deps) })
  while ((await runner.claim()) > 0) await runner.idle()
  await runMediaJobs(service)
}

export async function messagingOf(service: TestService, { id: tenantId }: Tenant) {
  const channel = (name: string, key: string, body: object) =>
    service.ok<Channel>('createChannel', { body: { tenantId, name, key, providerSettings: {}, ...body } })
  await channel('Inbox of this deployment', 'inbox', { type: 'email', provider: 'dev_inbox' })
  const failing = await channel('Transactional mail', 'mail', {
    type: 'email',
    provider: 'email_smtp',
    enabled: false,
    description: 'Receipts and invitations, by our own mail server in Frankfurt',
    providerSettings: {
      host: '127.0.0.1',
      port: 9,
      username: 'shop',
      password: 'kept sealed',
      from: 'shop@northwind.example',
    },
  }).catch(() => undefined)
  await channel('Text messages', 'sms', { type: 'sms', provider: 'dev_inbox' })
  const template = await service.ok<Template>('createTemplate', {
    body: {
      tenantId,
      type: 'email',
      name: 'receipt',
      subject: 'Thank you for your order, {{ user.name }}',
      body:
        '<h1 style="color:#0f766e">Thank you, {{ user.name }}!</h1>\n<p>Your order {{ order.number }} is on its way.</p>\n' +
        '{% if order.isGift %}<p>It is wrapped as a gift.</p>{% endif %}',
    },
  })
  const receiver = await WebhookReceiver.start()
  receiver.behaviour = answer(204)
  const webhook = await createWebhook(service, tenantId, {
    url: receiver.url,
    description: 'Keeps the customer records of the shop in step',
    events: ['user.created', 'user.updated', 'session.created'],
  })
  const broken = await createWebhook(service, tenantId, {
    url: 'http://127.0.0.1:9/a/path/that/is/long/enough/to/need/a/second/line/on/a/phone?environment=production',
    description: 'The data warehouse',
    events: ['*'],
  })
  const hook = await service.ok<{ id: string }>('createHook', {
    body: { tenantId, point: 'sign_up.before', url: receiver.url, onFailure: 'allow', enabled: false },
  })
  return { template, failing, webhook, broken, hook, receiver }
}

export const sendReceipt = (service: TestService, tenantId: string, to: string, name: string) =>
  service.ok<{ id: string }>('sendMessage', {
    body: {
      tenantId,
      template: 'receipt',
      channel: 'inbox',
      variables: { user: { name }, order: { number: 'N-1024', isGift: true } },
      input: { to },
    },
  })
