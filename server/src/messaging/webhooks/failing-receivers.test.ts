import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Event, Tenant } from '@bailiwick/contract'
import { DeliveryWorld, hour, minute, second } from '../../../test/harness/outside/webhook-deliveries.ts'
import { WebhookReceiver, answer } from '../../../test/harness/outside/webhook-receiver.ts'
import { describeService } from '../../../test/harness/service.ts'

const day = 24 * hour
/** Of Standard Webhooks' schedule, the pauses between the ten attempts. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

describeService('a receiver that fails', (service) => {
  let world: DeliveryWorld
  before(() => {
    world = new DeliveryWorld(service())
  })
  after(() => world.close())

  const disabledEvent = async (tenant: Tenant) => {
    const query = { type: 'webhook.disabled' }
    const { data } = await service().ok<{ data: Event[] }>('listEvents', { params: { tenantId: tenant.id }, query })
    return data[0]
  }

  it('that is down is tried ten times within some 75 hours, then given up, and the webhook is marked as failing', async () => {
    const setting = await world.set()
    await setting.receiver.stop()
    await world.createUsers(setting.tenant, 1)
    let firstTriedAt = ''
    for (const [index, pause] of pauses.entries()) {
      await world.run()
      const [delivery] = await world.deliveries(setting)
      assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', index + 1])
      assert.equal(delivery?.responseStatus, null)
      assert.equal(delivery?.error, 'The connection failed.')
      if (index === 0) firstTriedAt = delivery.lastAttemptAt ?? ''
      const waitMs = Date.parse(delivery.nextAttemptAt ?? '') - Date.parse(delivery.lastAttemptAt ?? '')
      assert.ok(waitMs >= pause && waitMs <= pause * 1.1, `pause ${index + 1} is ${waitMs} ms`)
      assert.equal((await world.read(setting)).failingSince, null)
      world.passMs(Date.parse(delivery.nextAttemptAt ?? '') - world.nowMs - pause / 2)
      await world.run()
      assert.equal((await world.deliveries(setting))[0]?.attempts, index + 1, 'not before its time')
      world.passMs(pause / 2 + 500)
    }
    await world.run()
    const [delivery] = await world.deliveries(setting)
    assert.deepEqual([delivery?.status, delivery?.attempts, delivery?.nextAttemptAt], ['failed', 10, null])
    const webhook = await world.read(setting)
    assert.equal(webhook.enabled, true)
    assert.ok(Math.abs(Date.parse(webhook.failingSince ?? '') - Date.parse(firstTriedAt)) < 1000)
  })

  it('appears among what is undelivered from the first failure on, of every type and of one, until it answers', async () => {
    const setting = await world.set()
    const { receiver, tenant } = setting
    await world.createUsers(tenant, 1)
    await world.run()
    receiver.behaviour = answer(500)
    await world.createUsers(tenant, 2)
    await world.run()
    const undelivered = async (more: Readonly<Record<string, string>> = {}) =>
      (await world.deliveries(setting, { status: 'undelivered', ...more })).map(({ attempts, error }) => [
        attempts,
        error,
      ])
    const failed = [1, 'The receiver answered 500.']
    assert.deepEqual(await undelivered(), [failed, failed])
    assert.deepEqual(await undelivered({ eventType: 'user.created' }), [failed, failed])
    assert.deepEqual(await undelivered({ eventType: 'user.deleted' }), [])
    const [newest] = await world.deliveries(setting)
    assert.deepEqual(await undelivered({ createdBefore: newest?.createdAt ?? '' }), [failed])
    receiver.behaviour = answer(200)
    world.passMs(minute)
    await world.run()
    assert.deepEqual(await undelivered(), [])
  })

  it('for five days is not called until it is enabled again, and then gets the waiting events', async () => {
    const setting = await world.set()
    setting.receiver.behaviour = answer(500)
    await world.createUsers(setting.tenant, 2)
    await world.run()
    world.passMs(5 * day)
    await world.run()
    const disabled = await world.read(setting)
    assert.equal(disabled.enabled, false)
    assert.notEqual(disabled.failingSince, null)
    const event = await disabledEvent(setting.tenant)
    assert.deepEqual(event?.subject, { type: 'webhook', id: setting.webhook.id })
    assert.deepEqual(event.data, { reason: 'failing', failingSince: disabled.failingSince })
    const calls = setting.receiver.received.length
    world.passMs(day)
    await world.run()
    assert.equal(setting.receiver.received.length, calls)
    setting.receiver.behaviour = answer(200)
    await service().ok('updateWebhook', { params: { id: setting.webhook.id }, body: { enabled: true } })
    world.passMs(day)
    await world.run()
    assert.equal((await world.read(setting)).failingSince, null)
    assert.deepEqual(
      (await world.deliveries(setting)).map(({ status }) => status),
      ['succeeded', 'succeeded'],
    )
  })

  it('and recovers gets the same message again under the same id, and is no longer failing', async () => {
    const setting = await world.set()
    setting.receiver.behaviour = answer(503)
    await world.createUsers(setting.tenant, 1)
    await world.run()
    assert.equal((await world.deliveries(setting))[0]?.error, 'The receiver answered 503.')
    world.passMs(4 * day)
    setting.receiver.behaviour = answer(200)
    await world.run()
    const [delivery] = await world.deliveries(setting)
    assert.deepEqual([delivery?.status, delivery?.error], ['succeeded', null])
    const [first, other] = setting.receiver.received
    assert.equal(first?.headers['webhook-id'], other?.headers['webhook-id'])
    assert.equal(first?.body, other?.body)
    // Had the first failure not been forgotten, this one would be the fifth day's.
    setting.receiver.behaviour = answer(500)
    world.passMs(2 * day)
    await world.createUsers(setting.tenant, 1)
    await world.run()
    assert.deepEqual(
      (await world.deliveries(setting)).map(({ attempts }) => attempts),
      [1, 2],
    )
    assert.equal((await world.read(setting)).enabled, true)
  })

  it('by never answering is given up after its time', async () => {
    const impatient = new DeliveryWorld(service(), 500)
    const setting = await impatient.set()
    setting.receiver.behaviour = () => undefined
    await impatient.createUsers(setting.tenant, 1)
    await impatient.run()
    const [delivery] = await impatient.deliveries(setting)
    await impatient.close()
    assert.deepEqual([delivery?.status, delivery?.error], ['pending', 'There was no response in time.'])
  })

  it('by redirecting to another address is not followed', async () => {
    const setting = await world.set()
    const sink = await WebhookReceiver.start()
    for (const status of [301, 302, 303, 307, 308]) {
      setting.receiver.behaviour = answer(status, { location: sink.url })
      await world.createUsers(setting.tenant, 1)
      await world.run()
      assert.equal((await world.deliveries(setting))[0]?.responseStatus, status)
    }
    assert.ok((await world.deliveries(setting)).every(({ status }) => status === 'pending'))
    assert.equal(sink.received.length, 0)
    await sink.stop()
  })

  it('by sending less of an answer than it promised is not counted as successful', async () => {
    const setting = await world.set()
    setting.receiver.behaviour = (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('only this')
      setTimeout(() => response.destroy(), 20)
    }
    await world.createUsers(setting.tenant, 1)
    await world.run()
    const [delivery] = await world.deliveries(setting)
    assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 1])
    assert.equal(delivery?.error, 'The connection was closed before the response was complete.')
    setting.receiver.behaviour = answer(200)
    world.passMs(10 * second)
    await world.run()
    assert.equal((await world.deliveries(setting))[0]?.status, 'succeeded')
    assert.equal(new Set(setting.receiver.ids).size, 1)
  })

  it('by answering without end is read for 16 KiB only', async () => {
    const setting = await world.set()
    let sent = 0
    setting.receiver.behaviour = (response) => {
      const more = () => {
        if (response.destroyed) return
        sent += 65_536
        response.write('x'.repeat(65_536), () => setImmediate(more))
      }
      more()
    }
    await world.createUsers(setting.tenant, 1)
    await world.run()
    assert.equal((await world.deliveries(setting))[0]?.status, 'succeeded')
    assert.ok(sent < 64 * 1024 * 1024)
  })

  it('and sends Retry-After gets nothing at all until then', async () => {
    const setting = await world.set()
    setting.receiver.behaviour = answer(429, { 'retry-after': '600' })
    await world.createUsers(setting.tenant, 1)
    await world.run()
    assert.equal(setting.receiver.received.length, 1)
    setting.receiver.behaviour = answer(200)
    await world.createUsers(setting.tenant, 3)
    world.passMs(9 * minute)
    await world.run()
    assert.equal(setting.receiver.received.length, 1)
    world.passMs(minute + second)
    await world.run()
    assert.equal(new Set(setting.receiver.ids).size, 4)
    assert.ok((await world.deliveries(setting)).every(({ status }) => status === 'succeeded'))
  })

  it('with 410 is disabled at once', async () => {
    const setting = await world.set()
    setting.receiver.behaviour = answer(410)
    await world.createUsers(setting.tenant, 1)
    await world.run()
    assert.equal((await world.read(setting)).enabled, false)
    const event = await disabledEvent(setting.tenant)
    assert.equal((event?.data as { reason: string } | undefined)?.reason, 'gone')
    await world.createUsers(setting.tenant, 1)
    world.passMs(day)
    await world.run()
    assert.equal(setting.receiver.received.length, 1)
  })
})
