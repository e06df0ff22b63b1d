// Templates that take all they can, through the front door: whoever asks for one hears why it is refused, others notice nothing.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorBody, Message, RenderedTemplate, Template } from '@bailiwick/contract'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { hostileTemplates } from '../../../test/harness/files/hostile-templates.ts'
import { sendMessages } from '../../../test/harness/messages.ts'
import { type TestService, describeService, startTestService } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'
import type { OpenDatabase } from '../../platform/db/open.ts'
import { dayMs } from '../../platform/statistics/day-counters.ts'
import { TemplatePool } from './rendering/template-pool.ts'

const slow = hostileTemplates['a condition of thousands of terms over a range'] ?? ''
const big = hostileTemplates['long captured texts without number'] ?? ''
const long = '{% for i in (1..30000) %}0123456789{% endfor %}'

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function tenantWith(service: TestService, type: Template['type'], body: string, subject: string | null = null) {
  const { tenant } = await createTenant(service)
  const template = await service.ok<Template>('createTemplate', {
    body: { tenantId: tenant.id, type, name: unique(), body, subject },
  })
  const channel = await service.ok<{ id: string }>('createChannel', {
    body: { tenantId: tenant.id, name: 'Out', key: 'out', type, provider: 'dev_inbox', providerSettings: {} },
  })
  const preview = () =>
    service.call<RenderedTemplate & ErrorBody>('previewTemplate', {
      params: { id: template.id },
      body: { variables: {} },
    })
  const to = type === 'email' ? 'ada@example.com' : '+49301234567'
  const send = () =>
    service.ok<Message>('sendMessage', {
      body: { tenantId: tenant.id, template: template.id, channel: 'out', variables: {}, input: { to } },
    })
  const test = () =>
    service.ok<Message>('testMessage', {
      body: { templateId: template.id, channelId: channel.id, variables: {}, input: { to } },
    })
  return { tenant, template, preview, send, test }
}

const read = (service: TestService, id: string) => service.ok<Message>('getMessage', { params: { id } })

/** Whatever a template takes too much of, its messages fail and those of other tenants are sent. */
async function assertFailsItsMessages(service: TestService, type: Template['type'], body: string, reason: string) {
  const hostile = await tenantWith(service, type, body)
  const other = await tenantWith(service, type, 'for {{ user.name }}')
  const refused = await hostile.preview()
  assert.equal(refused.body.issues?.[0]?.message, `cannot be rendered: ${reason}`)
  const [sent, tested, others] = [await hostile.send(), await hostile.test(), await other.send()]
  await sendMessages(service.deps)
  for (const { id } of [sent, tested]) {
    const { status, lastError, attempts } = await read(service, id)
    assert.deepEqual([status, lastError, attempts], ['failed', `template_broken: ${reason}`, 0])
  }
  assert.equal((await read(service, others.id)).status, 'sent')
  assert.equal((await storedEvents(service, hostile.tenant.id, 'message.failed')).length, 2)
}

describeService('a hostile template', (service) => {
  // Guards: hostile-templates
  it('is previewed while other requests are answered, and its process is killed', async () => {
    const hostile = await tenantWith(service(), 'email', slow)
    const other = await tenantWith(service(), 'email', '<p>{{ user.name }}</p>')
    const state = { isOver: false }
    const refused = hostile.preview().finally(() => (state.isOver = true))
    let answered = 0
    const seen = new Set<number>()
    for (; !state.isOver; answered++) {
      assert.equal((await service().request({ method: 'GET', url: '/livez' })).status, 200)
      const { id } = other.template
      assert.equal((await service().call('getTemplate', { params: { id } })).status, 200)
      for (const pid of service().deps.templatePool.pids) seen.add(pid)
      // Leaves the processor to the template, which has a low priority: it is killed once it has used a second of it.
      await sleep(20)
    }
    const { status, body } = await refused
    assert.deepEqual(
      [status, body.issues],
      [
        400,
        [
          {
            path: '/variables',
            code: 'invalid_template',
            message: 'cannot be rendered: the body takes longer than 1,000 ms',
          },
        ],
      ],
    )
    assert.ok(answered > 5, `${answered} others were answered meanwhile`)
    assert.ok([...seen].some((pid) => !isThere(pid)))
    assert.equal((await other.preview()).body.text, 'Ada')
  })

  // Guards: hostile-templates
  it('lets another tenant’s be previewed while it is under way', async () => {
    const hostile = await tenantWith(service(), 'email', slow)
    const other = await tenantWith(service(), 'sms', 'for {{ user.name }}')
    const storm = Promise.all(Array.from({ length: 2 }, () => hostile.preview()))
    const { status, body } = await other.preview()
    assert.deepEqual([status, body.text], [200, 'for Ada'])
    // 503 on a machine that is so busy that the template got no second of it.
    for (const answer of await storm) assert.ok([400, 429, 503].includes(answer.status), String(answer.status))
  })

  for (const [what, type, body, reason] of [
    ['time', 'email', slow, 'the body takes longer than 1,000 ms'],
    ['memory', 'sms', big, 'the body takes more than 64 MB of memory'],
    ['room in a mail', 'email', long, 'the body produces more than 262,144 bytes'],
  ] as const) {
    // Guards: hostile-templates
    it(`that takes too much ${what} fails its messages for good, and no others`, () =>
      assertFailsItsMessages(service(), type, body, reason))
  }

  it('is refused with the place of each part that takes too much to read', async () => {
    const { tenant, template } = await tenantWith(service(), 'email', 'x')
    const body = '{% if true %}'.repeat(3800)
    const { issues } = await service().refused('createTemplate', 'validation_failed', {
      body: { tenantId: tenant.id, type: 'email', name: unique(), subject: '{% x %}', body },
    })
    assert.deepEqual(
      issues?.map(({ path }) => path),
      ['/subject', '/body'],
    )
    const refusal = await service().refused('updateTemplate', 'validation_failed', {
      params: { id: template.id },
      body: { body },
    })
    assert.deepEqual(
      refusal.issues?.map(({ path }) => path),
      ['/body'],
    )
  })
})

describeService('a template of a tenant', (service) => {
  it('that takes too much room in a text fails its messages for good, and no others', () =>
    assertFailsItsMessages(service(), 'sms', long, 'the body produces more than 1,600 characters'))

  for (const [whose, settings, code, status] of [
    ['the tenant’s own', { waitingOfOwnerMax: 0 }, 'rate_limited', 429],
    ['those of all tenants', { waitingMax: 0 }, 'unavailable', 503],
  ] as const) {
    // Guards: hostile-templates
    it(`is rendered later if too many wait, of ${whose}`, async () => {
      const full = new TemplatePool(settings)
      const crowded = await startTestService(service().deps.db as OpenDatabase, undefined, () => ({
        templatePool: full,
      }))
      const own = await tenantWith(service(), 'email', 'own')
      const answer = await crowded.call<ErrorBody>('previewTemplate', {
        params: { id: own.template.id },
        body: { variables: {} },
      })
      assert.deepEqual([answer.status, answer.body.code, answer.headers['retry-after']], [status, code, '5'])
      const created = await crowded.call<ErrorBody>('createTemplate', {
        body: { tenantId: own.tenant.id, type: 'email', name: unique(), body: 'new' },
      })
      assert.deepEqual([created.status, created.headers['retry-after']], [status, '5'])
      const { id } = await own.send()
      // By the clock that the message was written by: that of another service may be a moment behind.
      await sendMessages({ ...service().deps, templatePool: full })
      const waiting = await read(service(), id)
      assert.deepEqual([waiting.status, waiting.lastError, waiting.attempts], ['queued', 'templates_busy', 0])
      const clock = createClock(() => Date.now() + dayMs / 24)
      await sendMessages({ ...service().deps, clock })
      assert.equal((await read(service(), id)).status, 'sent')
      await crowded.app.close()
    })
  }
})
