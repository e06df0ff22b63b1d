// Who a message can be sent to, on channels of every type, as a send and as a test.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Channel, type ChannelType, type Message, type Template, channelTypes } from '@bailiwick/contract'
import { createTenant } from '../../test/factories.ts'
import { sendMessages } from '../../test/messages.ts'
import { type TestService, describeService } from '../../test/service.ts'

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

  it('are sent to although an earlier message of the channel has a language that is none', async () => {
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
})
