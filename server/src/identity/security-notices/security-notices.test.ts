// What users are told about their account, and what the link of such a notice does.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { EmailAddress, OwnEmail } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo, sendMessages, tokenOf } from '../../../test/harness/messages.ts'
import {
  authorize,
  beginAuthorization,
  createApplication,
  relyingParty,
  VisitingBrowser,
} from '../../../test/harness/people/authorization.ts'
import { keptAccess, storeKeptAccess } from '../../../test/harness/people/kept-access.ts'
import { type Person, password, signInWithPasskey, signedInPerson } from '../../../test/harness/people/people.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'

const dayMs = 24 * 60 * 60_000

describeOnEachEngine('security notices', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const settings = (tenantId: string, body: object) => service.ok('putAuthTenant', { params: { id: tenantId }, body })
  const typesTo = async (email: string) =>
    (await messagesTo(service.deps, email)).map(({ template_type: type }) => type).filter((type) => type !== null)
  const changePassword = ({ browser }: Person, from: string, to: string) =>
    browser.ok('updateOwnPassword', { body: { oldPassword: from, password: to } })
  const report = ({ publicKey }: Person, token: string) =>
    new Browser(service, publicKey).call('reportSecurityNotice', { body: { token } })

  async function addEmail({ browser }: Person, email = `${unique()}@example.com`) {
    const { email: candidate } = await browser.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email } })
    const params = { id: candidate.id }
    await browser.ok('prepareOwnEmail', { params })
    const { code } = await latestMessageTo(service.deps, email)
    await browser.ok('verifyOwnEmail', { params, body: { code } })
    return candidate
  }

  // Guards: notices-end-access, asvs-notices
  it('take everything back that a stranger did: address, passkey, password, sessions and tokens of applications', async () => {
    const { tenant } = await createTenant(service)
    const owner = await signedInPerson(service, tenant)
    const application = await createApplication(service, tenant.id)
    const rp = await relyingParty(service, tenant.id, application)
    const begun = await beginAuthorization(rp, { scope: 'openid' })
    await authorize(new VisitingBrowser(service), owner.browser, begun)
    await storeKeptAccess(service, tenant.id, owner.user.id)
    advance(2 * 60_000)
    const thief = await addEmail(owner)
    const { key } = await owner.addPasskey()
    await settings(tenant.id, { userApiKeysEnabled: true })
    const { key: apiKey } = await service.ok<{ key: string }>('createUserApiKey', {
      body: { tenantId: tenant.id, userId: owner.user.id, name: 'Of the stranger', scopes: [] },
    })
    const isValid = async () => {
      const body = { tenantId: tenant.id, key: apiKey }
      return (await service.ok<{ valid: boolean }>('verifyUserApiKey', { body })).valid
    }
    const token = tokenOf(await latestMessageTo(service.deps, owner.email))
    await owner.browser.ok('makeOwnEmailPrimary', { params: { id: thief.id } })
    const { emails } = await owner.browser.ok<{ emails: OwnEmail[] }>('listOwnEmails')
    const own = emails.find(({ email }) => email === owner.email)
    await owner.browser.ok('deleteOwnEmail', { params: { id: own?.id ?? '' } })
    await changePassword(owner, password, 'the stranger has chosen this')

    assert.equal(await isValid(), true)
    assert.equal((await report(owner, token)).status, 200)
    assert.equal(await isValid(), false)
    await owner.browser.refused('getProfile', 'unauthenticated')
    const elsewhere = owner.elsewhere()
    assert.notEqual((await signInWithPasskey(elsewhere, key)).status, 200, 'the passkey of the stranger is gone')
    const { user } = owner
    const { data } = await service.ok<{ data: EmailAddress[] }>('listUserEmailAddresses', {
      params: { userId: user.id },
    })
    assert.deepEqual(
      data.map(({ email, verifiedAt }) => [email, verifiedAt !== null]),
      [[owner.email, true]],
    )
    const [event] = await storedEvents(service, tenant.id, 'user.secured')
    const { notice, hadPassword, authenticators, contacts, grants } = (event?.data ?? {}) as Record<string, unknown>
    assert.deepEqual([notice, hadPassword, authenticators, contacts, grants], ['factor-added', true, 1, 1, 3])
    assert.deepEqual(await keptAccess(service, tenant.id), { kept: 0, toRevoke: 1 })
    for (const wrong of [password, 'the stranger has chosen this'])
      await elsewhere.refused('createSignIn', 'factor_refused', {
        body: { identifier: owner.email, strategy: 'email_password', password: wrong },
      })
    const { passwordReset } = await elsewhere.ok<{ passwordReset: { id: string } }>('createPasswordReset', {
      body: { identifier: owner.email },
    })
    const { code } = await latestMessageTo(service.deps, owner.email)
    await elsewhere.ok('attemptPasswordReset', { params: { id: passwordReset.id }, body: { code, password } })
  })

  // Guards: notices-end-access
  it('have a link that opens a page, works once, and at no other tenant', async () => {
    const [owner, other] = [await signedInPerson(service), await signedInPerson(service)]
    await changePassword(owner, password, 'another horse battery')
    const { link, html, text } = await latestMessageTo(service.deps, owner.email)
    const address = new URL(link ?? '')
    assert.ok(html?.includes(address.href) === true && text.includes(address.href))
    const token = tokenOf({ link })
    assert.equal((await report(other, token)).status, 409)
    const scanner = new PageBrowser(service)
    const opened = await scanner.open(address.pathname + address.search)
    assert.equal(opened.title, 'Was this not you?')
    await owner.browser.ok('getProfile')
    const done = await scanner.send(opened, {})
    assert.equal(done.title, 'Your account is secured')
    await owner.browser.refused('getProfile', 'unauthenticated')
    assert.equal((await scanner.open(address.pathname + address.search)).status, 410)
  })

  // Guards: notices-end-access
  it('end access once, however many requests come at once, and not after seven days', async () => {
    const [owner, late] = [await signedInPerson(service), await signedInPerson(service)]
    await changePassword(owner, password, 'another horse battery')
    await changePassword(late, password, 'another horse battery')
    const [token, lateToken] = [
      tokenOf(await latestMessageTo(service.deps, owner.email)),
      tokenOf(await latestMessageTo(service.deps, late.email)),
    ]
    const answers = await atOnce(10, () => report(owner, token))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    advance(7 * dayMs)
    assert.equal((await report(late, lateToken)).status, 409)
  })

  // Guards: notices-own-target
  it("lead to the service's own page whatever the tenant's template says", async () => {
    const { tenant } = await createTenant(service)
    const owner = await signedInPerson(service, tenant)
    const body = '<p>Own</p><a href="https://evil.example/?{{ link }}">{{ link }}</a>'
    for (const name of ['password-changed', 'factor-added'])
      await service.ok('createTemplate', { body: { tenantId: tenant.id, type: 'email', name, subject: 'Own', body } })
    await service
      .ok('createChannel', {
        body: {
          tenantId: tenant.id,
          name: 'Out',
          key: 'out',
          type: 'email',
          provider: 'dev_inbox',
          providerSettings: {},
        },
      })
      .then((channel) => settings(tenant.id, { emailChannelId: (channel as { id: string }).id }))
    await changePassword(owner, password, 'another horse battery')
    const { html, text, link } = await latestMessageTo(service.deps, owner.email)
    assert.ok(html?.includes('Own') === true && link !== null)
    assert.ok(html.includes('https://evil.example/?"'), 'the template does not learn the link')
    assert.equal(html.split(`href="${link}"`).length, 2)
    assert.equal(text.split(link).length, 2)
  })

  // Guards: asvs-suspicious
  it('are sent for a device that is new to the user, if the tenant wants it', async () => {
    const { tenant } = await createTenant(service)
    const owner = await signedInPerson(service, tenant)
    const signIn = async (browser: Browser) => {
      await owner.begin(browser)
      return (await typesTo(owner.email)).filter((type) => type === 'new-device').length
    }
    const strange = () =>
      new Browser(service, owner.publicKey, { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' })
    assert.equal(await signIn(strange()), 0, 'off by default')
    await settings(tenant.id, { noticeNewDevice: true })
    const iphone = new Browser(service, owner.publicKey, { 'user-agent': 'Mozilla/5.0 (iPhone) Version/18.0 Safari/1' })
    assert.equal(await signIn(iphone), 1)
    await sendMessages(service.deps)
    const { text } = await latestMessageTo(service.deps, owner.email)
    assert.match(text, /Safari 18, iOS/)
    assert.equal(await signIn(iphone), 1, 'it is known now')
    assert.equal(await signIn(strange()), 1, 'nor is a browser new that has come from the same address before')
    const first = await signedInPerson(service, tenant)
    assert.deepEqual(
      (await typesTo(first.email)).filter((type) => type === 'new-device'),
      [],
    )
  })

  // Guards: asvs-suspicious
  it('are sent for a sign-in that followed several wrong passwords, unless the tenant has turned them off', async () => {
    const { tenant } = await createTenant(service)
    const owner = await signedInPerson(service, tenant)
    const notices = async () => (await typesTo(owner.email)).filter((type) => type === 'failed-attempts').length
    const guessAndSignIn = async (wrong: number) => {
      const browser = owner.elsewhere()
      for (let n = 0; n < wrong; n++) {
        const body = { identifier: owner.email, strategy: 'email_password', password: `wrong ${n} horse battery` }
        await browser.refused('createSignIn', 'factor_refused', { body })
        advance(60_000)
      }
      await owner.begin(browser)
      return notices()
    }
    assert.equal(await guessAndSignIn(3), 0)
    assert.equal(await guessAndSignIn(5), 1)
    await sendMessages(service.deps)
    assert.match((await latestMessageTo(service.deps, owner.email)).text, /several wrong passwords/)
    assert.equal(await guessAndSignIn(0), 1, 'the tries are forgotten by then')
    await settings(tenant.id, { noticeFailedAttempts: false })
    assert.equal(await guessAndSignIn(6), 1)
  })

  it('are not sent where the tenant has turned them off, and no more than ten of a kind in a day', async () => {
    const { tenant } = await createTenant(service)
    const owner = await signedInPerson(service, tenant)
    let current = password
    const change = async (index: number) => {
      const next = `another horse battery ${index}`
      await changePassword(owner, current, next)
      current = next
    }
    await settings(tenant.id, { noticePasswordChanged: false })
    await change(0)
    assert.deepEqual(await typesTo(owner.email), [])
    await settings(tenant.id, { noticePasswordChanged: true })
    for (let index = 1; index <= 12; index++) await change(index)
    assert.equal((await typesTo(owner.email)).length, 10)
    advance(dayMs)
  })
})
