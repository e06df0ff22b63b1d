// A tenant writes the body of its mails, and the service draws the page around it in the process that answers everybody. No body makes that
// slow: one of `<p ` many times once stopped the service for minutes, and again after each restart.
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { it } from 'node:test'
import type { Message, Template } from '@bailiwick/contract'
import { createTenant, unique } from '../harness/factories.ts'
import { sendMessages } from '../harness/messages.ts'
import { describeService } from '../harness/service.ts'

/** The size that a body may have. */
const bodyBytes = 262_144
/** Far more than any step takes on a busy machine, and far less than the attack took. */
const pauseMsMax = 10_000

const repeated = {
  'an opening tag that never ends': '<p ',
  'paragraphs of a class': '<p class="code">',
  'paragraphs with a link that never ends': '<p x><a href=',
  'buttons that never end': '<p class="button"><a href="',
  'buttons whose text never ends': '<p class="button"><a href="">',
  'entities that never end': '&',
  'blank lines': '\r\n',
}

describeService('a mail whose body repeats', (service) => {
  for (const [title, piece] of Object.entries(repeated)) {
    it(`${title} does not stop the service`, async () => {
      const { tenant } = await createTenant(service())
      const times = Math.floor((bodyBytes - 100) / piece.length)
      const template = await service().ok<Template>('createTemplate', {
        body: {
          tenantId: tenant.id,
          type: 'email',
          name: unique(),
          subject: 'Hello',
          body: `{% for i in (1..${times}) %}${piece}{% endfor %}`,
        },
      })
      await service().ok('createChannel', {
        body: {
          tenantId: tenant.id,
          name: 'Out',
          key: 'out',
          type: 'email',
          provider: 'dev_inbox',
          providerSettings: {},
        },
      })
      const { id } = await service().ok<Message>('sendMessage', {
        body: {
          tenantId: tenant.id,
          template: template.id,
          channel: 'out',
          variables: {},
          input: { to: 'a@b.example' },
        },
      })
      const delay = monitorEventLoopDelay()
      delay.enable()
      await sendMessages(service().deps)
      delay.disable()
      assert.ok(delay.max / 1e6 < pauseMsMax, `nothing was answered for ${Math.round(delay.max / 1e6)} ms`)
      assert.equal((await service().ok<Message>('getMessage', { params: { id } })).status, 'sent')
    })
  }
})
