import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NamedEvent, WebhookAttemptDayCount, WebhookWithSecret } from '@bailiwick/contract'
import { Webhook as Verifier } from 'standardwebhooks'
import { DeliveryWorld, hour } from '../../../test/harness/outside/webhook-deliveries.ts'
import { answer, type Received } from '../../../test/harness/outside/webhook-receiver.ts'
import { describeService } from '../../../test/harness/service.ts'

const headersOf = ({ headers }: Received) => ({
  'webhook-id': String(headers['webhook-id']),
  'webhook-timestamp': String(headers['webhook-timestamp']),
  'webhook-signature': String(headers['webhook-signature']),
})
const verify = (secret: string, received: Received) => new Verifier(secret).verify(received.body, headersOf(received))

describeService('the delivery of webhooks', (service) => {
  let world: DeliveryWorld
  before(() => {
    world = new DeliveryWorld(service())
  })
  after(() => world.close())

  it('posts the event as the list shows it, signed as Standard Webhooks say', async () => {
    const setting = await world.set()
    const { receiver, tenant, webhook } = setting
    await world.createUsers(tenant, 1)
    await world.run()
    const { data } = await service().ok<{ data: NamedEvent[] }>('listEvents', {
      params: { tenantId: tenant.id },
      query: { type: 'user.created' },
    })
    const [event] = data
    const [received] = receiver.received
    assert.ok(event !== undefined && received !== undefined && receiver.received.length === 1)
    // The list also names who acted on whom, as they are called when it is read.
    const { actorName: _actorName, subjectName: _subjectName, ...posted } = event
    assert.deepEqual(verify(webhook.secret, received), {
      type: 'user.created',
      timestamp: event.createdAt,
      data: posted,
    })
    assert.equal(received.headers['webhook-id'], event.id)
    assert.equal(received.headers['content-type'], 'application/json; charset=utf-8')
    const [delivery] = await world.deliveries(setting)
    assert.deepEqual(
      [delivery?.status, delivery?.attempts, delivery?.responseStatus, delivery?.error, delivery?.nextAttemptAt],
      ['succeeded', 1, 200, null, null],
    )
    assert.equal(delivery?.eventId, event.id)
  })

  it('signs so that a change of any part is noticed', async () => {
    const { receiver, tenant, webhook } = await world.set()
    await world.createUsers(tenant, 1)
    await world.run()
    const [received] = receiver.received
    assert.ok(received !== undefined)
    const sentAt = Number(received.headers['webhook-timestamp'])
    const wrong: Received[] = [
      { ...received, body: received.body.replace('user.created', 'user.deleted') },
      { ...received, headers: { ...received.headers, 'webhook-id': 'cother00000' } },
      { ...received, headers: { ...received.headers, 'webhook-timestamp': String(sentAt - 1) } },
    ]
    for (const each of wrong) assert.throws(() => verify(webhook.secret, each))
    const { webhook: other } = await world.set()
    assert.throws(() => verify(other.secret, received))
  })

  it('signs with both secrets for a day after a rotation, then with the new one alone', async () => {
    // A clock of its own, for the verifier looks at the real time.
    const own = new DeliveryWorld(service())
    const { receiver, tenant, webhook } = await own.set()
    const { secret } = await service().ok<WebhookWithSecret>('rotateWebhookSecret', { params: { id: webhook.id } })
    await own.createUsers(tenant, 1)
    await own.run()
    const [received] = receiver.received
    assert.ok(received !== undefined)
    for (const each of [webhook.secret, secret]) verify(each, received)
    own.passMs(24 * hour + 1000)
    await own.createUsers(tenant, 1)
    await own.run()
    const signatures = receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length)
    assert.deepEqual(signatures, [2, 1])
    const third = await service().ok<WebhookWithSecret>('rotateWebhookSecret', { params: { id: webhook.id } })
    const again = new DeliveryWorld(service())
    await again.createUsers(tenant, 1)
    await again.run()
    const last = receiver.received.at(-1)
    assert.ok(last !== undefined)
    for (const each of [secret, third.secret]) verify(each, last)
    assert.throws(() => verify(webhook.secret, last), 'the one before the last signs no longer')
    await own.close()
  })

  it('sends at most five at a time to one receiver, with one node or several', async () => {
    const { receiver, tenant } = await world.set()
    receiver.behaviour = (response) => void setTimeout(() => response.writeHead(204).end(), 50)
    await world.createUsers(tenant, 30)
    await Promise.all([world.run(), world.run(), world.run()])
    await world.run()
    assert.ok(receiver.concurrentMax > 1 && receiver.concurrentMax <= 5, `${receiver.concurrentMax} at a time`)
    assert.equal(new Set(receiver.ids).size, 30)
    assert.equal(receiver.received.length, 30, 'and each once')
  })

  it('is not held up for others by a receiver that hangs', async () => {
    const own = new DeliveryWorld(service())
    const hanging = await own.set()
    const quick = await own.set()
    hanging.receiver.behaviour = () => undefined
    await own.createUsers(hanging.tenant, 10)
    await own.createUsers(quick.tenant, 3)
    const runner = own.node()
    await runner.claim()
    while (quick.receiver.received.length < 3 || hanging.receiver.received.length === 0) await sleep(10)
    assert.equal(quick.receiver.received.length, 3)
    assert.ok(hanging.receiver.concurrent >= hanging.receiver.received.length, 'none that hangs was given up for that')
    await runner.stop()
    await own.close()
  })

  it('sends a delivery again on request, under the same id, and counts each attempt by day', async () => {
    const setting = await world.set()
    const { receiver, tenant } = setting
    await world.createUsers(tenant, 1)
    await world.run()
    const [delivery] = await world.deliveries(setting)
    const retried = await service().ok<{ status: string }>('retryWebhookDelivery', {
      params: { id: delivery?.id ?? '' },
    })
    assert.equal(retried.status, 'pending')
    await world.run()
    assert.equal(receiver.received.length, 2)
    assert.equal(new Set(receiver.ids).size, 1)
    assert.deepEqual(
      (await world.deliveries(setting)).map(({ status, attempts }) => [status, attempts]),
      [['succeeded', 2]],
    )
    receiver.behaviour = answer(500)
    await world.createUsers(tenant, 1)
    await world.run()
    const days = await service().ok<WebhookAttemptDayCount[]>('listWebhookAttemptsByDay', {
      query: { tenantId: tenant.id },
    })
    assert.equal(days.length, 30)
    const { succeeded, failed } = days.at(-1) ?? assert.fail()
    assert.deepEqual([succeeded, failed], [2, 1], 'each attempt counts')
  })

  it('does not count attempts interrupted by a stopping node, and sends them again under the same id', async () => {
    const setting = await world.set()
    const { receiver, tenant } = setting
    receiver.behaviour = () => undefined
    await world.createUsers(tenant, 1)
    const stopping = world.node()
    await stopping.claim()
    while (receiver.received.length === 0) await sleep(10)
    await stopping.stop()
    const [interrupted] = await world.deliveries(setting)
    assert.deepEqual([interrupted?.status, interrupted?.attempts], ['pending', 0])
    receiver.behaviour = answer(200)
    await world.run()
    assert.deepEqual([receiver.received.length, new Set(receiver.ids).size], [2, 1])
    assert.equal((await world.deliveries(setting))[0]?.status, 'succeeded')
  })

  it('waits while the webhook is disabled, and sends the waiting deliveries once it is enabled', async () => {
    const setting = await world.set()
    const { receiver, tenant, webhook } = setting
    await world.createUsers(tenant, 2)
    await service().ok('updateWebhook', { params: { id: webhook.id }, body: { enabled: false } })
    await world.run()
    assert.equal(receiver.received.length, 0)
    await service().ok('updateWebhook', { params: { id: webhook.id }, body: { enabled: true } })
    await world.run()
    assert.equal(receiver.received.length, 2)
  })

  it('sends nothing more of a webhook that was deleted', async () => {
    const { receiver, tenant, webhook } = await world.set()
    await world.createUsers(tenant, 1)
    await service().ok('deleteWebhook', { params: { id: webhook.id } })
    await world.run()
    assert.equal(receiver.received.length, 0)
  })
})
