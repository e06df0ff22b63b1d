import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Event, Tenant, Webhook, WebhookDelivery, WebhookWithSecret } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { fanOutEverything } from '../../../test/harness/databases/event-log.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { createTenant, createUser, createWebhook } from '../../../test/harness/factories.ts'
import { describeService, productionEnv } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

interface Page<Item> {
  readonly data: readonly Item[]
  readonly meta: { readonly total: number; readonly next: string | null }
}

describeService('webhooks', (service) => {
  let tenant: Tenant
  before(async () => {
    ;({ tenant } = await createTenant(service()))
  })
  const newest = async (type: string) => {
    const query = { type, perPage: '1' }
    const { data } = await service().ok<Page<Event>>('listEvents', { params: { tenantId: tenant.id }, query })
    return data[0]
  }

  it('are created with a signing secret that is shown once and stored sealed', async () => {
    const { secret, ...webhook } = await createWebhook(service(), tenant.id, {
      events: ['user.created', 'user.created'],
    })
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(webhook.events, ['user.created'])
    assert.deepEqual([webhook.enabled, webhook.description, webhook.failingSince], [true, null, null])
    assert.deepEqual(await service().ok<Webhook>('getWebhook', { params: { id: webhook.id } }), webhook)
    const listed = await service().ok<Page<Webhook>>('listWebhooks', { params: { tenantId: tenant.id } })
    assert.deepEqual([listed.data, listed.meta.total], [[webhook], 1])
    const stored = JSON.stringify(await dumpTables(service().deps.db))
    assert.ok(!stored.includes(secret) && !stored.includes(secret.slice('whsec_'.length)))
    const other = await createWebhook(service(), tenant.id)
    assert.notEqual(other.secret, secret)
  })

  it('are changed only in the given properties', async () => {
    const created = await createWebhook(service(), tenant.id, { description: 'First' })
    const params = { id: created.id }
    const updated = await service().ok<Webhook>('updateWebhook', { params, body: { events: ['role.created'] } })
    const { secret: _secret, ...webhook } = created
    assert.deepEqual(updated, { ...webhook, events: ['role.created'], updatedAt: updated.updatedAt })
    const cleared = await service().ok<Webhook>('updateWebhook', {
      params,
      body: { description: null, enabled: false, url: 'https://other.example/' },
    })
    assert.deepEqual([cleared.description, cleared.enabled, cleared.url], [null, false, 'https://other.example/'])
  })

  it('are gone once deleted, with what they had delivered', async () => {
    const { id } = await createWebhook(service(), tenant.id)
    const totalBefore = (await service().ok<Page<Webhook>>('listWebhooks', { params: { tenantId: tenant.id } })).meta
      .total
    await service().ok('deleteWebhook', { params: { id } })
    for (const operation of ['getWebhook', 'deleteWebhook', 'listWebhookDeliveries', 'rotateWebhookSecret'] as const) {
      await service().refused(operation, 'not_found', { params: { id } })
    }
    const totalAfter = (await service().ok<Page<Webhook>>('listWebhooks', { params: { tenantId: tenant.id } })).meta
      .total
    assert.equal(totalAfter, totalBefore - 1)
  })

  it('cause events that contain neither the secret nor the path of the address', async () => {
    const { secret, id } = await createWebhook(service(), tenant.id, {
      url: 'https://hooks.example/pathtoken?key=hidden',
    })
    const rotated = await service().ok<WebhookWithSecret>('rotateWebhookSecret', { params: { id } })
    await service().ok('updateWebhook', {
      params: { id },
      body: { url: 'https://hooks.example/othertoken?key=covert' },
    })
    await service().ok('deleteWebhook', { params: { id } })
    const types = ['webhook.created', 'webhook.secret_rotated', 'webhook.updated', 'webhook.deleted']
    for (const type of types) {
      const event = await newest(type)
      assert.equal(event?.subject.id, id, type)
      const text = JSON.stringify(event)
      for (const hidden of [secret, rotated.secret, 'hidden', 'covert', 'pathtoken', 'othertoken'])
        assert.ok(!text.includes(hidden))
    }
  })

  it('accept event types or *, at least one, and nothing else', async () => {
    for (const events of [[], ['user'], ['user.*'], ['User.created'], ['user.created', ''], ['*', 1], 'user.created']) {
      const body = { tenantId: tenant.id, url: 'https://hooks.example/', events }
      await service().refused('createWebhook', 'validation_failed', { body })
    }
  })

  it('refuse a type that does not exist by its name, with the nearest one', async () => {
    const body = { tenantId: tenant.id, url: 'https://hooks.example/', events: ['role.created', 'user.craeted'] }
    const { issues } = await service().refused('createWebhook', 'validation_failed', { body })
    const message = 'must be a known event type: "user.craeted" does not exist; did you mean "user.created"?'
    assert.deepEqual(issues, [{ path: '/events/1', code: 'invalid_value', message }])
    const { id } = await createWebhook(service(), tenant.id)
    const answer = await service().refused('updateWebhook', 'validation_failed', {
      params: { id },
      body: { events: ['x'.repeat(5000)] },
    })
    assert.ok((answer.issues?.[0]?.message.length ?? 0) < 200, 'a long one is not repeated whole')
  })

  it('are refused with one issue for each event type that is not a text', async () => {
    const { id } = await createWebhook(service(), tenant.id)
    const body = { events: [5, 'role.craeted', null] }
    const { issues } = await service().refused('updateWebhook', 'validation_failed', { params: { id }, body })
    assert.deepEqual(
      issues?.map(({ path, code }) => [path, code]),
      [
        ['/events/0', 'invalid_type'],
        ['/events/1', 'invalid_value'],
        ['/events/2', 'invalid_type'],
      ],
    )
  })

  it('that an earlier version stored with a type that does not exist are shown, used and changed as before', async () => {
    const { tenant: own } = await createTenant(service())
    const { id } = await createWebhook(service(), own.id, { events: ['role.created'] })
    const { db } = service().deps
    const events = ['user.craeted', 'user.created']
    await db.transaction((tx) => tx.run(sql`UPDATE webhooks SET events = ${JSON.stringify(events)} WHERE id = ${id}`))
    assert.deepEqual((await service().ok<Webhook>('getWebhook', { params: { id } })).events, events)
    await createUser(service(), own.id)
    await fanOutEverything(service().deps)
    const { data } = await service().ok<Page<WebhookDelivery>>('listWebhookDeliveries', { params: { id } })
    assert.deepEqual(
      data.map(({ eventType }) => eventType),
      ['user.created'],
    )
    const changed = { params: { id }, body: { description: 'Old', url: 'https://other.example/' } }
    assert.deepEqual((await service().ok<Webhook>('updateWebhook', changed)).events, events)
    await service().ok('rotateWebhookSecret', { params: { id } })
  })

  it('are fifty in a tenant at most, however many are created at once', async () => {
    const { tenant: own } = await createTenant(service())
    const body = { tenantId: own.id, url: 'https://hooks.example/', events: ['*'] }
    for (let count = 0; count < 45; count++) await service().ok('createWebhook', { body })
    const answers = await atOnce(20, () => service().call('createWebhook', { body }))
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 5)
    assert.equal(statuses.filter((status) => status === 409).length, 15)
    const { meta } = await service().ok<Page<Webhook>>('listWebhooks', { params: { tenantId: own.id } })
    assert.equal(meta.total, 50)
  })

  it('have a delivery for each event that they want and that comes after them, once', async () => {
    const { tenant: own } = await createTenant(service())
    await createUser(service(), own.id)
    await fanOutEverything(service().deps)
    const all = await createWebhook(service(), own.id)
    const some = await createWebhook(service(), own.id, { events: ['user.created'] })
    const none = await createWebhook(service(), own.id, { enabled: false })
    const { tenant: other } = await createTenant(service())
    await createUser(service(), other.id)
    for (let index = 0; index < 3; index++) await createUser(service(), own.id)
    await Promise.all([1, 2, 3].map(() => fanOutEverything(service().deps)))
    await fanOutEverything(service().deps)
    const deliveriesOf = (id: string, query = {}) =>
      service().ok<Page<WebhookDelivery>>('listWebhookDeliveries', { params: { id }, query })
    const listTypes = async (id: string) => {
      const { data, meta } = await deliveriesOf(id)
      assert.equal(meta.total, data.length)
      return data.map(({ eventType }) => eventType).toReversed()
    }
    const users = ['user.created', 'user.created', 'user.created']
    assert.deepEqual(await listTypes(all.id), ['webhook.created', 'webhook.created', 'webhook.created', ...users])
    assert.deepEqual(await listTypes(some.id), users)
    assert.deepEqual(await listTypes(none.id), [])
    const first = await deliveriesOf(all.id, { perPage: '4' })
    const second = await deliveriesOf(all.id, { perPage: '4', cursor: first.meta.next ?? '' })
    assert.equal(new Set([...first.data, ...second.data].map(({ id }) => id)).size, 6)
    assert.ok(first.data.every(({ status, attempts }) => status === 'pending' && attempts === 0))
  })

  it('cannot be asked to send a delivery again while they are disabled', async () => {
    const { id } = await createWebhook(service(), tenant.id)
    await fanOutEverything(service().deps)
    const { data } = await service().ok<Page<WebhookDelivery>>('listWebhookDeliveries', { params: { id } })
    await service().ok('updateWebhook', { params: { id }, body: { enabled: false } })
    await service().refused('retryWebhookDelivery', 'webhook_disabled', { params: { id: data[0]?.id ?? '' } })
    await service().refused('retryWebhookDelivery', 'not_found', { params: { id: 'cnotthere0000' } })
  })
})

describeService(
  'webhooks in production',
  (service) => {
    const headers = { host: 'id.example.com' }

    it('refuse addresses that are not https or not on the public internet, when they are given', async () => {
      const tenant = await service().ok<Tenant>('createTenant', {
        body: { name: 'Acme', environment: 'production' },
        headers,
      })
      const good = { tenantId: tenant.id, url: 'https://hooks.example/', events: ['*'] }
      const { id } = await service().ok<Webhook>('createWebhook', { body: good, headers })
      const addresses = ['127.0.0.1', '[::ffff:7f00:1]', '0x7f.1', '10.1', '169.254.169.254', 'hooks.example:25']
      for (const url of ['http://hooks.example/', ...addresses.map((each) => `https://${each}/`)]) {
        const refusals = [
          await service().refused('createWebhook', 'validation_failed', { body: { ...good, url }, headers }),
          await service().refused('updateWebhook', 'validation_failed', { params: { id }, body: { url }, headers }),
        ]
        for (const { issues } of refusals) {
          assert.deepEqual(
            issues?.map(({ path, code }) => [path, code]),
            [['/url', 'not_allowed']],
            url,
          )
        }
      }
    })
  },
  productionEnv,
)
