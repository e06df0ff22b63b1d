// Names of people, organizations and keys are plain text in every mail that contains them. Regression: HTML of a name in a service's own
// mails (next-auth CVE-2022-31127), pages that repeat their input (Ory Hydra GO-2026-4861, Zitadel CVE-2026-29191).
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OwnOrganization, SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { parseHtml } from '../../../test/harness/browser/html-document.ts'
import { SoftwareAuthenticator, type CreationOptions } from '../../../test/harness/browser/software-authenticator.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { sendMessages } from '../../../test/harness/messages.ts'
import { MailServer } from '../../../test/harness/outside/mail-server.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

const page = 'http://localhost:3000/in'
const hostedPage = /^http:\/\/localhost:4000\/t\/[a-z0-9-]+\/(?:invitation|secure-account)$/
const password = 'correct horse battery staple'

/** Each as one name, which begins with the tenant's. */
const hostile: Readonly<Record<string, string>> = {
  HTML: `<img src=x onerror=alert(1)><!--"><script>alert(2)</script>'><form action=//evil.example><button></title></style><style>*{}</style>`,
  links: '<a href=//evil.example>Click</a><iframe src=javascript:alert(3)>&lt;img src=x&gt;&#60;b&#62;',
  templates: '{{ 1234 | times: 5678 }}${1234*5678}{{1234*5678}}<%= 1234*5678 %>{% for i in (1..9) %}x{% endfor %}',
  headers: '=?utf-8?q?=0D=0ABcc:_eve=40evil.example?= A\r\nBcc: eve@evil.example\n\n<b>\u2028\u0085\u001b[2J\r',
}

interface Sent {
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly raw: string
  readonly to: readonly string[]
}

describeService('hostile names', (service) => {
  let mails: MailServer
  before(async () => {
    mails = await MailServer.start()
  })
  after(() => mails.stop())

  /** Every kind of mail that contains somebody's name, sent by the tenant's own server. */
  async function mailsThatSay(name: string, use: TestService): Promise<{ sent: Sent[]; addresses: Set<string> }> {
    const tenant = await tenantWith(use, {}, { name: name.slice(0, 32) })
    const channel = await use.ok<{ id: string }>('createChannel', {
      body: {
        tenantId: tenant.id,
        name: 'Mail',
        key: 'mail',
        type: 'email',
        provider: 'email_smtp',
        providerSettings: { host: '127.0.0.1', port: mails.port, from: 'no-reply@acme.example' },
      },
    })
    await use.ok('putAuthTenant', {
      params: { id: tenant.id },
      body: { emailChannelId: channel.id, strategyEmailLinkEnabled: true, redirectUris: [page] },
    })
    const [email, guest, newcomer] = [unique(), unique(), unique()].map((each) => `${each}@example.com`) as [
      string,
      string,
      string,
    ]
    const user = await createUser(use, tenant.id, { email, name, password })
    await use.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const { token } = await openSession(use, tenant.id, user.id)
    const browser = new Browser(use, tenant.publicKey, { authorization: `Bearer ${token}` })
    const anonymous = () => new Browser(use, tenant.publicKey)
    const first = mails.received.length

    await anonymous().ok<SignInAnswer>('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
    await anonymous().ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_link', redirectUri: page },
    })
    await anonymous().ok('createPasswordReset', { body: { identifier: email } })
    const signUps = anonymous()
    for (const address of [newcomer, email]) {
      const body = { email: address, name, password: 'a horse of another battery' }
      const { signUpAttempt } = await signUps.ok<SignUpAnswer>('createSignUp', { body })
      const params = { id: signUpAttempt.id }
      await signUps.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    }
    const { organization } = await browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body: { name: name.slice(0, 100) },
    })
    await browser.ok('sendInvitation', { params: { id: organization.id }, body: { email: guest } })
    await browser.ok('updateOwnPassword', { body: { oldPassword: password, password: 'a horse of another battery' } })
    const { publicKeyOptions } = await browser.ok<{ publicKeyOptions: CreationOptions }>('createPasskeyOptions')
    const credential = new SoftwareAuthenticator().create(publicKeyOptions)
    await browser.ok('createPasskey', { body: { credential, name: name.slice(0, 64) } })
    await sendMessages(use.deps)

    const sent = await Promise.all(
      mails.received.slice(first).map(async (mail) => {
        const { subject = '', html = '', text = '' } = await mails.parse(mail)
        return { subject, html, text, raw: mail.raw, to: mail.to }
      }),
    )
    return { sent, addresses: new Set([email, guest, newcomer]) }
  }

  for (const [kind, name] of Object.entries(hostile)) {
    // Guards: header-injection, names-as-text
    it(`are text in every mail, and nothing else: ${kind}`, async () => {
      const { sent, addresses } = await mailsThatSay(name, service())
      assert.ok(sent.length >= 8, String(sent.length))
      assert.ok(sent.some(({ html }) => parseHtml(html).body.textContent?.includes(name.slice(0, 12))))
      for (const { subject, html, raw, to } of sent) {
        const document = parseHtml(html)
        assert.equal(document.querySelectorAll('script, img, form, iframe, object, button, body style').length, 0, html)
        assert.equal(document.querySelectorAll('style').length, 1, html)
        for (const element of document.querySelectorAll('*')) {
          const handlers = element.getAttributeNames().filter((each) => each.startsWith('on'))
          assert.deepEqual(handlers, [], html)
        }
        for (const { href } of document.querySelectorAll('a')) {
          const { origin, pathname } = new URL(href ?? '')
          // The links of invitations and security notices lead to the hosted pages: the tenant has no pages for them.
          if (origin !== new URL(page).origin) assert.match(origin + pathname, hostedPage)
        }
        const said = subject + (document.body.textContent ?? '')
        assert.doesNotMatch(said, /7006652|xxxxxxxxx/)
        assert.doesNotMatch(subject, /\p{Cc}/u)
        assert.doesNotMatch(raw.split('\r\n\r\n')[0] ?? '', /^bcc:/im)
        assert.equal(to.length, 1)
        assert.ok(addresses.has(to[0] ?? ''))
      }
    })
  }

  // Guards: single-recipients
  it('cannot be part of an address: one with a control character, a second address or a comment is refused everywhere', async () => {
    const tenant = await tenantWith(service())
    const user = await createUser(service(), tenant.id)
    const { token } = await openSession(service(), tenant.id, user.id)
    const browser = new Browser(service(), tenant.publicKey, { authorization: `Bearer ${token}` })
    const addresses = [
      '\r\nBcc: eve@evil.example',
      '\n',
      '\r',
      '\0',
      '\u2028',
      '\u0085',
      ',eve@evil.example',
      ' (eve@evil.example)',
    ]
      .flatMap((end) => [`ada@example.com${end}`, `ada${end}@example.com`])
      .concat(
        '"eve@evil.example"@example.com',
        'eve@evil.example>@example.com',
        'ada＠example.com',
        'team:ada@example.com;',
      )
    for (const email of addresses) {
      const answers = [
        await browser.call('createSignUp', { body: { email } }),
        await browser.call('createOwnEmail', { body: { email } }),
        await browser.call('sendInvitation', { params: { id: 'cnobodyhasthis' }, body: { email } }),
        await service().call('createUser', { body: { tenantId: tenant.id, email } }),
        await service().call('createEmailAddress', { body: { tenantId: tenant.id, userId: user.id, email } }),
        await service().call('inviteTenantMember', { body: { tenantId: tenant.id, email } }),
      ]
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([400]), JSON.stringify(email))
    }
  })
})
