import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { canonicalEmail, isEmail } from '@bailiwick/contract'
import fc from 'fast-check'
import { pino } from 'pino'
import { freePort } from '../../../../test/harness/free-port.ts'
import { MailServer } from '../../../../test/harness/outside/mail-server.ts'
import { testEnv } from '../../../../test/harness/service.ts'
import { createClock } from '../../../platform/clock.ts'
import { readConfig } from '../../../platform/config.ts'
import { createEgress } from '../../../platform/net/egress.ts'
import type { Deps } from '../../deps.ts'
import { sendBySmtp } from './email-smtp.ts'
import type { OutgoingMessage, Settings } from './provider.ts'

const production = { ...testEnv, BAILIWICK_ENV: 'production', BAILIWICK_BASE_URL: 'https://id.example.com' }

/** The dependencies of sending by SMTP. */
function depsOf(env: NodeJS.ProcessEnv, isPrivateAllowed: boolean) {
  const config = readConfig(env)
  const egress = createEgress({ isPrivateAllowed })
  return { config, egress, clock: createClock(), log: pino({ level: 'silent' }) } as unknown as Deps
}

const message: OutgoingMessage = {
  id: 'c0123456789abcdefghijklmn',
  tenantId: 'c1123456789abcdefghijklmn',
  purpose: 'sign_in',
  type: 'email',
  to: 'ada@example.com',
  senderName: 'Acme',
  subject: 'Hello',
  text: 'Your code is 123456',
  html: '<p>Your code is <strong>123456</strong></p>',
}

describe('mail by SMTP', () => {
  let server: MailServer
  before(async () => {
    server = await MailServer.start()
  })
  after(() => server.stop())

  const send = (over: Partial<OutgoingMessage> = {}, settings: Settings = {}, deps = depsOf(testEnv, true)) =>
    sendBySmtp({
      deps,
      message: { ...message, ...over },
      settings: { host: '127.0.0.1', port: server.port, from: 'no-reply@acme.example', ...settings },
      signal: new AbortController().signal,
    })
  const latest = () => {
    const mail = server.received.at(-1)
    assert.ok(mail !== undefined)
    return mail
  }

  it('arrives as text and HTML, with an id that stays the same', async () => {
    assert.deepEqual(await send(), { kind: 'sent' })
    const mail = latest()
    assert.deepEqual([mail.from, mail.to], ['no-reply@acme.example', ['ada@example.com']])
    const { subject, text, html, from, to, messageId } = await server.parse(mail)
    assert.deepEqual([subject, text?.trim(), html?.trim()], ['Hello', message.text, message.html])
    assert.deepEqual([from?.name, from?.address], ['Acme', 'no-reply@acme.example'])
    assert.deepEqual(
      to?.map(({ address }) => address),
      ['ada@example.com'],
    )
    assert.equal(messageId, `<${message.id}@acme.example>`)
    await send()
    assert.equal((await server.parse(latest())).messageId, messageId)
  })

  // Guards: single-recipients
  it('goes to exactly the stored address, whatever acceptable address that is', async () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,12}$/)
    const local = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))
    const label = fc.stringMatching(/^[a-z0-9]{1,10}(-[a-z0-9]{1,5})?$/)
    const domain = fc.tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom('com', 'example', 'co.uk'))
    const address = fc
      .tuple(local, domain)
      .map(([name, [labels, top]]) => `${name}@${labels.join('.')}.${top}`)
      .filter(isEmail)
    const mails = fc.uniqueArray(address.map(canonicalEmail), { minLength: 25, maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(mails, async (all) => {
        const first = server.received.length
        const ids = all.map((_to, index) => `c${String(index).padStart(24, '0')}`)
        await Promise.all(all.map((to, index) => send({ to, id: ids[index] ?? '' })))
        const arrived = server.received.slice(first)
        assert.equal(arrived.length, all.length)
        for (const [index, to] of all.entries()) {
          const mail = arrived.find(({ raw }) => raw.includes(`<${ids[index]}@`))
          assert.deepEqual(mail?.to, [to])
        }
      }),
      { numRuns: 40 },
    )
  })

  it('takes a domain that is not ASCII', async () => {
    await send({ to: canonicalEmail('ada@bücher.example') })
    assert.deepEqual(latest().to, ['ada@bücher.example'])
    assert.doesNotMatch(latest().raw, /To:.*bücher/)
  })

  // Guards: header-injection
  it('accepts no header, recipient or line from a name, subject or address', async () => {
    const count = server.received.length
    for (const evil of [
      '\r\nBcc: eve@evil.example',
      '\nBcc: eve@evil.example',
      '\r',
      '\0',
      '\u2028Bcc: eve@evil.example',
    ]) {
      await send({ senderName: `Acme${evil}`, subject: `Hello${evil}` })
      const { headers, bcc } = await server.parse(latest())
      assert.equal(bcc, undefined)
      assert.equal(headers.filter(({ key }) => key === 'bcc').length, 0)
      assert.deepEqual(latest().to, ['ada@example.com'])
    }
    for (const mail of server.received.slice(count)) assert.doesNotMatch(mail.to.join(), /evil/)
  })

  it('is not sent to an invalid address', async () => {
    const count = server.received.length
    const evil = ['ada@example.com\r\nBcc: eve@evil.example', 'a@x.example,b@y.example', '"e@evil.example"@x.example']
    for (const to of [...evil, 'ada＠example.com', 'Ada <ada@x.example>', 'group: a@x.example;', '']) {
      assert.equal((await send({ to })).kind, 'refused', to)
    }
    assert.equal(server.received.length, count)
  })

  it('reads no file and no address that a body looks like', async () => {
    await send({ text: '/etc/passwd', html: '<img src="file:///etc/passwd"><img src="http://127.0.0.1/">' })
    const { attachments, text } = await server.parse(latest())
    assert.deepEqual([attachments, text?.trim()], [[], '/etc/passwd'])
  })

  it('that is refused for good is not tried again; what is refused for now is', async () => {
    const answers = [
      [550, 'refused'],
      [553, 'refused'],
      [450, 'failed'],
      [421, 'failed'],
    ] as const
    for (const [code, kind] of answers) {
      server.refuseWith = { code, text: 'no such user here' }
      const result = await send()
      assert.ok(result.kind !== 'sent')
      assert.deepEqual([result.kind, result.reason], [kind, `The mail server answered ${code}.`])
      assert.match(result.detail ?? '', /no such user here/)
    }
    server.refuseWith = undefined
  })

  it('signs in if the channel has a user, and does not try a wrong password again', async () => {
    await send({}, { username: 'acme', password: 'right' })
    assert.equal(latest().user, 'acme')
    assert.equal((await send({}, { username: 'acme', password: 'wrong' })).kind, 'refused')
  })

  it('is tried again if the server is unavailable', async () => {
    assert.deepEqual(await send({}, { port: await freePort() }), {
      kind: 'failed',
      reason: 'The connection failed.',
    })
  })

  it('ends at once if the node stops while the server is silent', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const stopping = new AbortController()
    silent.once('connection', () => stopping.abort())
    const { port } = silent.address() as AddressInfo
    const result = await sendBySmtp({
      deps: depsOf(testEnv, true),
      message,
      settings: { host: '127.0.0.1', port, from: 'no-reply@acme.example' },
      signal: stopping.signal,
    })
    assert.equal(result.kind, 'failed')
    silent.close()
  })

  describe('in production', () => {
    it('goes to no private network for a tenant, nor to a port of another service', async () => {
      const guarded = depsOf(production, false)
      const count = server.received.length
      assert.deepEqual(await send({}, { port: 25 }, guarded), {
        kind: 'refused',
        reason: 'The host is not on the public internet.',
      })
      assert.equal((await send({}, {}, guarded)).kind, 'refused')
      assert.equal((await send({}, { host: 'localhost', port: 587 }, guarded)).kind, 'refused')
      assert.equal(server.received.length, count)
    })

    it('is not sent without TLS', async () => {
      const own = depsOf(
        {
          ...production,
          BAILIWICK_SMTP_URL: `smtp://acme:right@127.0.0.1:${server.port}`,
          BAILIWICK_SMTP_FROM: 'no-reply@acme.example',
        },
        false,
      )
      const count = server.received.length
      const result = await sendBySmtp({ deps: own, message, settings: undefined, signal: new AbortController().signal })
      assert.notEqual(result.kind, 'sent')
      assert.equal(server.received.length, count)
    })

    it("goes by the deployment's own server, also one in a private network", async () => {
      const own = depsOf(
        {
          ...production,
          BAILIWICK_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
          BAILIWICK_SMTP_FROM: 'no-reply@acme.example',
        },
        false,
      )
      const result = await sendBySmtp({ deps: own, message, settings: undefined, signal: new AbortController().signal })
      assert.deepEqual(result, { kind: 'sent' })
      assert.equal(latest().from, 'no-reply@acme.example')
    })
  })

  describe("by the deployment's own server", () => {
    const html = '<html><body><p>Hello</p></body></html>'
    const sent = async (over: Partial<OutgoingMessage>, contact?: string) => {
      const own = depsOf(
        {
          ...testEnv,
          BAILIWICK_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
          BAILIWICK_SMTP_FROM: 'no-reply@operator.example',
          ...(contact === undefined ? {} : { BAILIWICK_ABUSE_CONTACT: contact }),
        },
        false,
      )
      const { signal } = new AbortController()
      const mail = { ...message, html, ...over }
      assert.deepEqual(await sendBySmtp({ deps: own, message: mail, settings: undefined, signal }), { kind: 'sent' })
      const parsed = await server.parse(latest())
      const header = (name: string) => parsed.headers.find(({ key }) => key === name)?.value
      return { parsed, header }
    }

    // Guards: complaints
    it('says whose message it is, and whom its recipient can complain to', async () => {
      for (const [contact, shown] of [
        ['mailto:abuse@operator.example?subject=Spam', 'abuse@operator.example?subject=Spam'],
        ['https://operator.example/abuse?from=mail&lang=en', 'https://operator.example/abuse?from=mail&lang=en'],
      ] as const) {
        const { parsed, header } = await sent({}, contact)
        assert.equal(header('x-report-abuse'), `<${contact}>`)
        assert.equal(header('feedback-id'), `sign_in:${message.tenantId}:bailiwick`)
        assert.match(parsed.text ?? '', /^Your code is 123456\n\n-- \n/)
        assert.ok(parsed.text?.includes(shown), parsed.text)
        const href = contact.replaceAll('&', '&amp;')
        assert.match(parsed.html ?? '', /^<html><body><p>Hello<\/p><p [^]*<\/p>\n<\/body><\/html>/)
        assert.ok(parsed.html?.includes(`<a href="${href}">`), parsed.html)
      }
    })

    // Guards: complaints
    it('lets the recipient unsubscribe from invitations alone', async () => {
      const contact = 'mailto:abuse@operator.example'
      for (const purpose of ['organization_invitation', 'tenant_invitation'])
        assert.equal((await sent({ purpose }, contact)).header('list-unsubscribe'), `<${contact}>`)
      for (const purpose of ['sign_in', 'password_reset', 'security_notice'])
        assert.equal((await sent({ purpose }, contact)).header('list-unsubscribe'), undefined)
    })

    it('names no contact if the deployment has none, nor in mail through a channel of the tenant', async () => {
      const { parsed, header } = await sent({ purpose: 'tenant_invitation' })
      assert.deepEqual([header('x-report-abuse'), header('list-unsubscribe')], [undefined, undefined])
      assert.deepEqual([parsed.text?.trim(), parsed.html?.trim()], [message.text, html])
      const withContact = depsOf({ ...testEnv, BAILIWICK_ABUSE_CONTACT: 'mailto:abuse@operator.example' }, true)
      assert.deepEqual(await send({ purpose: 'tenant_invitation' }, {}, withContact), { kind: 'sent' })
      assert.doesNotMatch(latest().raw, /operator\.example|feedback-id|list-unsubscribe/i)
    })
  })
})
