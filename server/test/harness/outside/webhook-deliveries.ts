// Runs the delivery of webhooks step by step, by a clock that tests advance.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant, Webhook, WebhookDelivery, WebhookWithSecret } from '@bailiwick/contract'
import type { Deps } from '../../../src/identity/deps.ts'
import { deliverHandler } from '../../../src/messaging/webhooks/deliver.ts'
import { deliverJobKind } from '../../../src/messaging/webhooks/schedule.ts'
import { createClock } from '../../../src/platform/clock.ts'
import { type JobRunner, createJobRunner } from '../../../src/platform/jobs/runner.ts'
import { fanOutEverything } from '../databases/event-log.ts'
import { createTenant, createUser, createWebhook } from '../factories.ts'
import type { TestService } from '../service.ts'
import { WebhookReceiver } from './webhook-receiver.ts'

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute

export interface Setting {
  readonly tenant: Tenant
  readonly webhook: WebhookWithSecret
  readonly receiver: WebhookReceiver
}

export class DeliveryWorld {
  readonly service: TestService
  readonly deps: Deps
  readonly #receivers: WebhookReceiver[] = []
  #aheadMs = 0

  /** @param timeoutMs replaces the twenty seconds that a receiver has. */
  constructor(service: TestService, timeoutMs = 20 * second) {
    this.service = service
    const { egress } = service.deps
    this.deps = {
      ...service.deps,
      clock: createClock(() => Date.now() + this.#aheadMs),
      egress: { ...egress, request: (url, request) => egress.request(url, { ...request, timeoutMs }) },
    }
  }

  /** A tenant whose user.created events go to a receiver of their own. */
  async set(body: object = {}): Promise<Setting> {
    const receiver = await WebhookReceiver.start()
    this.#receivers.push(receiver)
    const { tenant } = await createTenant(this.service)
    const given = { url: receiver.url, events: ['user.created'], ...body }
    return { tenant, receiver, webhook: await createWebhook(this.service, tenant.id, given) }
  }

  async createUsers(tenant: Tenant, count: number): Promise<void> {
    for (let index = 0; index < count; index++) await createUser(this.service, tenant.id)
    await fanOutEverything(this.deps)
  }

  passMs(ms: number) {
    this.#aheadMs += ms
  }

  get nowMs(): number {
    return Date.now() + this.#aheadMs
  }

  node(leaseMs?: number): JobRunner {
    const handlers = { [deliverJobKind]: deliverHandler(this.deps) }
    return createJobRunner(this.deps, handlers, leaseMs === undefined ? {} : { leaseMs })
  }

  /** Does everything that is due now. */
  async run(runner: JobRunner = this.node()): Promise<void> {
    // This clock differs from the service's: within one millisecond events may be in any order.
    await sleep(2)
    while ((await runner.claim()) > 0) await runner.idle()
  }

  async deliveries(
    { webhook }: Pick<Setting, 'webhook'>,
    query: Readonly<Record<string, string>> = {},
  ): Promise<readonly WebhookDelivery[]> {
    const { data } = await this.service.ok<{ data: WebhookDelivery[] }>('listWebhookDeliveries', {
      params: { id: webhook.id },
      query,
    })
    return data
  }

  read({ webhook }: Pick<Setting, 'webhook'>): Promise<Webhook> {
    return this.service.ok<Webhook>('getWebhook', { params: { id: webhook.id } })
  }

  async close(): Promise<void> {
    for (const receiver of this.#receivers) await receiver.stop()
  }
}
