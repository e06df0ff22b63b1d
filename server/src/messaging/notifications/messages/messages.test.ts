import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Message, MessageDayCount, MessageStatistic } from '@bailiwick/contract'
import { serviceInTheFuture, storedEvents } from '../../../../test/harness/databases/stored.ts'
import { createTenant, unique } from '../../../../test/harness/factories.ts'
import { freePort } from '../../../../test/harness/free-port.ts'
import { sendMessages } from '../../../../test/harness/messages.ts'
import { describeService, productionEnv } from '../../../../test/harness/service.ts'
import { createClock } from '../../../platform/clock.ts'
import { dayMs } from '../../../platform/statistics/day-counters.ts'

describeService('messages', (service) => {
  const channel = async (tenantId: string, body: object = {}) =>
    (
      await service().ok<{ id: string }>('createChannel', {
        body: {
          tenantId,
          name: 'The Mail',
          key: 'mail',
          type: 'email',
          provider: 'dev_inbox',
          providerSettings: {},
          ...body,
        },
      })
    ).id
  const template = async (tenantId: string, body: object = {}) =>
    (
      await service().ok<{ id: string }>('createTemplate', {
        body: {
          tenantId,
          type: 'email',
          name: 'receipt',
          subject: 'For {{ user.name }}',
          body: '<p>{{ note }}</p>',
          ...body,
        },
      })
    ).id
  const body = (tenantId: string, over: object = {}) => ({
    tenantId,
    template: 'receipt',
    channel: 'mail',
    variables: { user: { name: 'Ada' }, note: '<img src=x onerror=alert(1)>{{ 7 | times: 7 }}' },
    input: { to: 'ada@example.com' },
    ...over,
  })
  const send = (tenantId: string, over: object = {}) =>
    service().ok<Message>('sendMessage', { body: body(tenantId, over) })
  const read = (id: string) => service().ok<Message>('getMessage', { params: { id } })

  it('are sent by template and channel, each by id, name or key, and read with what they said', async () => {
    const { tenant } = await createTenant(service())
    const channelId = await channel(tenant.id)
    const templateId = await template(tenant.id)
    const queued = await send(tenant.id)
    assert.deepEqual([queued.status, queued.to, queued.attempts], ['queued', 'ada@example.com', 0])
    await sendMessages(service().deps)
    const sent = await read(queued.id)
    assert.deepEqual(
      [sent.status, sent.subject, sent.channelId, sent.templateId],
      ['sent', 'For Ada', channelId, templateId],
    )
    assert.ok(sent.sentAt !== null)
    for (const over of [{ template: templateId, channel: channelId }, { channel: 'the mail' }]) {
      assert.equal((await send(tenant.id, over)).status, 'queued')
    }
    const list = await service().ok<{ data: Message[]; meta: { total: number } }>('listMessages', {
      params: { tenantId: tenant.id },
    })
    assert.equal(list.meta.total, 3)
    assert.equal((await storedEvents(service(), tenant.id, 'message.queued')).length, 3)
  })

  it('insert variables as text, not as HTML or a template', async () => {
    const { tenant } = await createTenant(service())
    await channel(tenant.id)
    await template(tenant.id)
    const { id } = await send(tenant.id)
    await sendMessages(service().deps)
    const { html, text } = await read(id)
    assert.match(html ?? '', /<p class="text"[^>]*>&lt;img src=x onerror=alert\(1\)&gt;\{\{ 7 \| times: 7 \}\}<\/p>/)
    assert.match(text ?? '', /<img src=x onerror=alert\(1\)>\{\{ 7 \| times: 7 \}\}/)
  })

  it('are refused with every reason at its place', async () => {
    const { tenant } = await createTenant(service())
    await channel(tenant.id)
    await channel(tenant.id, { key: 'off', name: 'Off', enabled: false })
    await channel(tenant.id, { key: 'sms', name: 'SMS', type: 'sms' })
    await template(tenant.id)
    const refusals = [
      [{ template: 'nothing', channel: 'nothing' }, ['/template', '/channel']],
      [{ channel: 'off' }, ['/channel']],
      [{ channel: 'sms', input: { to: '+4930123456' } }, ['/template']],
      [{ input: { to: 'a@x.example,b@y.example' } }, ['/input/to']],
      [{ input: { to: 'a@x.example\r\nBcc: b@y.example' } }, ['/input/to']],
      [{ variables: { expiresInMinutes: 'soon' } }, ['/variables/expiresInMinutes']],
      [{ variables: { expiresInMinutes: 1e300 } }, ['/variables/expiresInMinutes']],
    ] as const
    for (const [over, paths] of refusals) {
      const { issues } = await service().refused('sendMessage', 'validation_failed', { body: body(tenant.id, over) })
      assert.deepEqual(
        issues?.map(({ path }) => path),
        paths,
        JSON.stringify(over),
      )
    }
  })

  it('are tried again with growing delays while the channel is unavailable, then given up; until then they can be resent', async () => {
    const { tenant } = await createTenant(service())
    const port = await freePort()
    const from = 'no-reply@acme.example'
    await channel(tenant.id, { provider: 'email_smtp', providerSettings: { host: '127.0.0.1', port, from } })
    await template(tenant.id)
    const { id } = await send(tenant.id)
    // Ahead, because two clocks of one machine differ by parts of a millisecond.
    let aheadMs = 1000
    const deps = { ...service().deps, clock: createClock(() => Date.now() + aheadMs) }
    await sendMessages(deps)
    const tried = await read(id)
    assert.deepEqual([tried.status, tried.attempts, tried.lastError], ['queued', 1, 'The connection failed.'])
    await sendMessages(deps)
    assert.equal((await read(id)).attempts, 1, 'not before its time')
    await service().ok('resendMessage', { params: { id } })
    await sendMessages(deps)
    assert.equal((await read(id)).attempts, 2)
    for (let hours = 0; hours < 24; hours++) {
      aheadMs += 60 * 60_000
      await sendMessages(deps)
    }
    assert.equal((await read(id)).status, 'failed')
    const [failed] = await storedEvents(service(), tenant.id, 'message.failed')
    assert.equal(failed?.subject_id, id)
  })

  it('cannot be sent again once sent, because their variables are removed', async () => {
    const { tenant } = await createTenant(service())
    await channel(tenant.id)
    await template(tenant.id)
    const { id } = await send(tenant.id)
    await sendMessages(service().deps)
    await service().refused('resendMessage', 'message_over', { params: { id } })
  })

  it('are counted by day and by result', async () => {
    const { tenant } = await createTenant(service())
    await channel(tenant.id)
    await template(tenant.id)
    // At noon, so that no day ends between what is sent and what is asked about it.
    const atNoon = await serviceInTheFuture(service(), 1.5 * dayMs - (Date.now() % dayMs))
    for (let sent = 0; sent < 2; sent++) await atNoon.ok<Message>('sendMessage', { body: body(tenant.id) })
    await sendMessages(atNoon.deps)
    const query = { tenantId: tenant.id }
    const days = await atNoon.ok<MessageDayCount[]>('listMessagesByDay', { query })
    assert.equal(days.length, 30)
    const { date, ...counts } = days.at(-1) ?? {}
    assert.deepEqual(counts, { queued: 2, sent: 2, failed: 0 })
    assert.match(date ?? '', /^\d{4}-\d\d-\d\d$/)
    const statistics = await atNoon.ok<MessageStatistic[]>('listMessageStatistics', { query })
    await atNoon.app.close()
    assert.deepEqual(
      statistics.map(({ name, value, changeType }) => [name, value, changeType]),
      [
        ['Messages Queued', 2, 'up'],
        ['Messages Sent', 2, 'up'],
        ['Messages Failed', 0, 'none'],
      ],
    )
  })
})

describeService(
  'messages in production',
  (service) => {
    const headers = { host: 'id.example.com' }

    it('show no bodies, and are limited by tenant and address', async () => {
      const { tenant } = await service()
        .ok<{ tenant?: { id: string }; id: string }>('createTenant', {
          headers,
          body: { name: unique(), environment: 'production' },
        })
        .then((created) => ({ tenant: created }))
      const tenantId = tenant.id
      const url = 'https://hooks.example/in'
      await service().ok('createChannel', {
        headers,
        body: { tenantId, name: 'Hook', key: 'hook', type: 'email', provider: 'webhook', providerSettings: { url } },
      })
      const { deps } = service()
      const answered = {
        ...deps,
        egress: {
          ...deps.egress,
          request: async () => ({ status: 200, headers: {}, body: Buffer.from(''), isTruncated: false }),
        },
      }
      const options = (to: string) => ({
        headers,
        body: { tenantId, template: 'welcome', channel: 'hook', variables: {}, input: { to } },
      })
      const start = performance.now()
      const { id } = await service().ok<Message>('sendMessage', options('ada@example.com'))
      await sendMessages(answered)
      const message = await service().ok<Message>('getMessage', { headers, params: { id } })
      assert.deepEqual([message.status, message.text, message.html], ['sent', null, null])
      for (let sent = 1; sent < 10; sent++) await service().ok('sendMessage', options('ada@example.com'))
      await service().refused('sendMessage', 'rate_limited', options('ADA@example.com'))
      // The one that was refused is counted. One is granted anew each second, of which a slow machine needs some.
      let sent = 11
      const sendAnother = () => service().call<{ code?: string }>('sendMessage', options(`${unique()}@example.com`))
      let answer = await sendAnother()
      while (answer.status === 200 && sent < 600) {
        sent++
        answer = await sendAnother()
      }
      assert.equal(answer.body.code, 'rate_limited')
      const granted = Math.ceil((performance.now() - start) / 1000)
      assert.ok(sent >= 60 && sent <= 60 + granted, `${sent} were taken`)
    })
  },
  productionEnv,
)
