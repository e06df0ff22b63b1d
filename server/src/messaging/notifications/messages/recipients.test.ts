// Who a message can be sent to, on channels of every type, as a send and as a test.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  type Channel,
  type ChannelType,
  type Message,
  type SentMessage,
  type Template,
  channelTypes,
} from '@bailiwick/contract'
import { storedEvents } from '../../../../test/harness/databases/stored.ts'
import { assertWritesNothing } from '../../../../test/harness/databases/table-dump.ts'
import { createTenant } from '../../../../test/harness/factories.ts'
import { sendMessages } from '../../../../test/harness/messages.ts'
import { type TestService, describeService } from '../../../../test/harness/service.ts'

const accepted: Readonly<Record<ChannelType, string>> = {
  email: 'ada@example.com',
  sms: '+49 30 1234567',
  chat: '+49 30 1234567',
  push: 'device-1',
  webhook: 'anything-1',
  inapp: 'user-1',
}

const lines = ['a b', 'a,b', 'a;b', 'a\nb', 'a\r\nBcc: b@y.example', '\u0000', '\u0085', ' ']
const noNumber = [
  '12',
  '+',
  '+12',
  'x',
  '+49 30 12345678901234567',
  '٠١٢٣٤٥٦٧',
  '+49 30 1234567 or else',
  'a@example.com',
]
const noAddress = [
  '12',
  '@',
  'a@',
  '@b',
  'a@b',
  'a@x.example,b@y.example',
  '<a@x.example>',
  `${'a'.repeat(65)}@x.example`,
]
const refused: Readonly<Record<ChannelType, readonly string[]>> = {
  email: [...noAddress, ...lines],
  sms: [...noNumber, ...lines],
  chat: [...noNumber, ...lines],
  push: lines,
  webhook: lines,
  inapp: lines,
}

async function channelOf(service: TestService, tenantId: string, type: ChannelType) {
  const channel = await service.ok<Channel>('createChannel', {
    body: { tenantId, name: type, key: type, type, provider: 'dev_inbox', providerSettings: {} },
  })
  const template = await service.ok<Template>('createTemplate', { body: { tenantId, type, name: type, body: 'x' } })
  const send = (to: string, variables: object = {}) =>
    ({
      id: 'sendMessage',
      body: { tenantId, template: template.id, channel: channel.id, variables, input: { to } },
    }) as const
  const test = (to: string, variables: object = {}) =>
    ({ id: 'testMessage', body: { templateId: template.id, channelId: channel.id, variables, input: { to } } }) as const
  return { send, test }
}

describeService('recipients of messages', (service) => {
  for (const type of channelTypes) {
    // Guards: single-recipients
    it(`are refused with an issue at /input/to where ${type} cannot be sent to them`, async () => {
      const { tenant } = await createTenant(service())
      const { send, test } = await channelOf(service(), tenant.id, type)
      for (const ask of [send, test]) {
        for (const to of refused[type]) {
          const { id, body } = ask(to)
          const { issues } = await service().refused(id, 'validation_failed', { body })
          const paths = issues?.map(({ path }) => path) ?? []
          assert.deepEqual([...new Set(paths)], ['/input/to'], `${id} ${JSON.stringify(to)}`)
        }
        const { id, body } = ask(accepted[type])
        const { status } = await service().ok<Message>(id, { body })
        assert.equal(status, 'queued')
      }
    })
  }

  // Guards: single-recipients
  it('get messages although an earlier message of the channel has an invalid language', async () => {
    const { tenant } = await createTenant(service())
    const { send, test } = await channelOf(service(), tenant.id, 'email')
    for (const ask of [send, test]) {
      for (const language of [5, null, {}, ['de']]) {
        const { id, body } = ask('ada@example.com', { language })
        const { issues } = await service().refused(id, 'validation_failed', { body })
        assert.deepEqual(
          issues?.map(({ path }) => path),
          ['/variables/language'],
        )
      }
    }
    const { id, body } = send('ada@example.com', { language: 'de-AT' })
    const message = await service().ok<Message>(id, { body })
    await sendMessages(service().deps)
    assert.equal((await service().ok<Message>('getMessage', { params: { id: message.id } })).status, 'sent')
  })

  it('may be several, each with a message of its own', async () => {
    const { tenant } = await createTenant(service())
    const { send, test } = await channelOf(service(), tenant.id, 'email')
    for (const ask of [send, test]) {
      const { id, body } = ask('ada@example.com')
      const to = ['ada@example.com', 'Grace@example.com', 'x@example.com']
      const answer = await service().ok<SentMessage>(id, { body: { ...body, input: { to } } })
      const { messages = [], ...first } = answer
      assert.deepEqual(messages[0], first)
      assert.deepEqual(
        messages.map((each) => each.to),
        to,
      )
      assert.equal(new Set(messages.map((each) => each.id)).size, 3)
      const events = await storedEvents(service(), tenant.id, 'message.queued')
      for (const each of messages) assert.ok(events.some(({ subject_id: subject }) => subject === each.id))
      await sendMessages(service().deps)
      for (const each of messages) {
        const params = { id: each.id }
        assert.equal((await service().ok<Message>('getMessage', { params })).status, 'sent')
      }
      const one = await service().ok<SentMessage>(id, { body: { ...body, input: { to: ['ada@example.com'] } } })
      assert.equal(one.messages?.length, 1)
      assert.ok(!('messages' in (await service().ok<object>(id, { body }))))
    }
  })

  it('all get the message or none: an invalid one is named, and nothing is written', async () => {
    const { tenant } = await createTenant(service())
    const { send, test } = await channelOf(service(), tenant.id, 'email')
    const many = Array.from({ length: 51 }, (_, at) => `user${at}@example.com`)
    for (const ask of [send, test]) {
      const { id, body } = ask('ada@example.com')
      await assertWritesNothing(service().deps.db, async () => {
        for (const [to, path] of [
          [['ada@example.com', 'nobody'], '/input/to/1'],
          [['ada@example.com', 'ada@EXAMPLE.com'], '/input/to/1'],
          [['ada@example.com', 'ada@example.com'], '/input/to'],
          [[], '/input/to'],
          [many, '/input/to'],
          [[5], '/input/to/0'],
          [5, '/input/to'],
          [{ to: 'ada@example.com' }, '/input/to'],
        ] as const) {
          const { issues } = await service().refused(id, 'validation_failed', { body: { ...body, input: { to } } })
          assert.deepEqual([...new Set(issues?.map((issue) => issue.path))], [path], JSON.stringify(to))
        }
      })
    }
  })
})
