import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Passkey } from '@bailiwick/contract'
import { HOTP, Secret } from 'otpauth'
import type { Shown } from '../../../test/harness/browser/page-browser.ts'
import { type PagePerson, pagePerson, placeOf } from '../../../test/harness/browser/page-person.ts'
import { type CreationOptions, SoftwareAuthenticator } from '../../../test/harness/browser/software-authenticator.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { newPhone } from '../../../test/matrix/request-kinds.ts'

const password = 'correct horse battery staple'
const another = 'staple of another colour'
const longMs = 11 * 60_000

describeOnEachEngine('the pages of an account on which signing in is changed', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  /** The text of a page, without its markup. */
  const wordsOf = ({ document }: Shown) => document.querySelector('body')?.textContent ?? ''
  const codeTo = async ({ deps }: TestService, to: string) => (await latestMessageTo(deps, to)).code ?? ''
  const codeFor = (secret: string) =>
    HOTP.generate({
      secret: Secret.fromBase32(secret),
      counter: Math.floor(service.deps.clock.nowMs() / 30_000),
      digits: 6,
    })

  async function optionsOf(me: PagePerson, page: Shown): Promise<CreationOptions> {
    const answer = await me.browser.send(page, { name: '' }, { to: `${me.at}/account/passkeys/options` })
    return (JSON.parse(answer.text) as { publicKeyOptions: CreationOptions }).publicKeyOptions
  }

  const addPasskey = async (me: PagePerson, name: string, key = new SoftwareAuthenticator()) => {
    const page = await me.open('/account/passkeys')
    const credential = JSON.stringify(key.create(await optionsOf(me, page)))
    return me.browser.send(page, { name }, { replace: { credential } })
  }

  describe('/account/emails and /account/phones', () => {
    it('add an address by its code, make it the primary one, and remove the other', async () => {
      const me = await pagePerson(service)
      const email = `${unique()}@example.com`
      const asked = await me.browser.send(await me.open('/account/emails'), { email })
      assert.equal(asked.title, 'Verify your e-mail address')
      assert.ok(wordsOf(asked).includes(email))
      const refused = await me.browser.send(asked, { code: '000000' })
      assert.deepEqual(Object.keys(refused.errors), ['code'])
      const again = await me.browser.send(refused, {}, { button: 'Send a new code' })
      assert.match(again.text, /A new code is on its way/)
      const code = await codeTo(service, email)
      const list = await me.browser.send(again, { code })
      assert.match(list.text, /Your e-mail address is verified/)
      const primary = await me.browser.send(list, {}, { button: 'Make primary' })
      assert.match(primary.text, /Your primary e-mail address is changed/)
      const { data } = await service.ok<{ data: { primaryEmailId: string } }>('getUser', { params: { id: me.user.id } })
      assert.notEqual(data.primaryEmailId, me.user.primaryEmailId)
      const removal = await me.open(`/account/emails/${me.user.primaryEmailId}/remove`)
      assert.ok(wordsOf(removal).includes(me.email))
      const removed = await me.browser.send(removal, {}, { button: 'Remove' })
      assert.ok(!wordsOf(removed).includes(me.email))
      const last = await me.open(`/account/emails/${data.primaryEmailId}/remove`)
      const kept = await me.browser.send(last, {}, { button: 'Remove' })
      assert.match(kept.errors['form'] ?? '', /Add another one first/)
    })

    it('say beside the field what is wrong, and reveal to nobody who has an address', async () => {
      const [me, other] = [await pagePerson(service), await pagePerson(service)]
      const neighbour = await pagePerson(service, { tenant: me.tenant })
      for (const email of ['', 'not an address']) {
        const refused = await me.browser.send(await me.open('/account/emails'), { email })
        assert.deepEqual(Object.keys(refused.errors), ['email'])
        assert.ok(refused.text.includes(`value="${email}"`))
      }
      // An address of another user is answered like any other.
      const asked = await me.browser.send(await me.open('/account/emails'), { email: neighbour.email })
      assert.equal(asked.title, 'Verify your e-mail address')
      for (const { user } of [neighbour, other]) {
        for (const path of ['', '/remove']) {
          assert.equal((await me.open(`/account/emails/${user.primaryEmailId}${path}`)).status, 404)
        }
      }
    })

    it('add a number, and hide numbers if the tenant does not use them', async () => {
      const me = await pagePerson(service, { auth: { phoneSignInEnabled: true } })
      const phone = newPhone()
      const asked = await me.browser.send(await me.open('/account/phones'), { phone })
      assert.equal(asked.title, 'Verify your phone number')
      const code = await codeTo(service, phone)
      const list = await me.browser.send(asked, { code })
      assert.match(list.text, /Your phone number is verified/)
      const refused = await me.browser.send(list, { phone: '123' })
      assert.deepEqual(Object.keys(refused.errors), ['phone'])
    })
  })

  describe('/account/password', () => {
    it('changes it with the old one, ends other sessions, and shows no password in a page', async () => {
      const me = await pagePerson(service, { user: { password } })
      const old = me.browser.cookies.get(`__Host-sid-${me.tenant.id}`) ?? ''
      await me.renew()
      const page = await me.open('/account/password')
      const wrong = await me.browser.send(page, { oldPassword: 'not this one', password: another })
      assert.deepEqual(Object.keys(wrong.errors), ['oldPassword'])
      const weak = await me.browser.send(page, { oldPassword: password, password: 'aaaaaaaa' })
      assert.deepEqual(Object.keys(weak.errors), ['password'])
      const empty = await me.browser.send(page, { oldPassword: '', password: '' })
      assert.deepEqual(Object.keys(empty.errors), ['oldPassword', 'password'])
      for (const { text } of [wrong, weak]) {
        for (const typed of ['not this one', another, password, 'aaaaaaaa']) assert.ok(!text.includes(typed))
      }
      const done = await me.browser.send(weak, { oldPassword: password, password: another })
      assert.match(done.text, /Your password is changed/)
      me.browser.cookies.set(`__Host-sid-${me.tenant.id}`, old)
      assert.equal((await me.open('/account')).title, 'Sign in')
    })

    it('sets the first one, and removes it if another way of signing in is left', async () => {
      const me = await pagePerson(service, { auth: { passwordRequired: false } })
      const page = await me.open('/account/password')
      assert.equal(page.title, 'Set a password')
      const set = await me.browser.send(page, { password: another })
      assert.equal(set.title, 'Change your password')
      const removal = await me.open('/account/password/remove')
      const removed = await me.browser.send(removal, {}, { button: 'Remove the password' })
      assert.match(removed.text, /Your password is removed/)
      assert.equal((await me.open('/account/password/remove')).status, 404)
    })

    it('keeps the last way of signing in', async () => {
      const me = await pagePerson(service, {
        auth: { passwordRequired: false, strategyEmailCodeEnabled: false, strategyEmailLinkEnabled: false },
        user: { password },
      })
      const removal = await me.open('/account/password/remove')
      const kept = await me.browser.send(removal, {}, { button: 'Remove the password' })
      assert.match(kept.errors['form'] ?? '', /only way to sign in/)
      const required = await pagePerson(service, { auth: { passwordRequired: true }, user: { password } })
      assert.ok(!(await required.open('/account/password')).text.includes('/account/password/remove'))
      const forced = await required.browser.send(
        await required.open('/account/password/remove'),
        {},
        { button: 'Remove the password' },
      )
      assert.match(forced.errors['form'] ?? '', /only way to sign in/)
    })
  })

  describe('/account/passkeys', () => {
    it('adds one with recovery codes that are shown once, renames it, and removes it', async () => {
      const me = await pagePerson(service, { auth: { strategySecurityKeyEnabled: true } })
      const codes = await addPasskey(me, 'Laptop')
      assert.equal(codes.title, 'Save these codes')
      const file = [...codes.document.querySelectorAll('a')].find((each) => each.getAttribute('download') !== null)
      const listed = [...codes.document.querySelectorAll('.codes li')].map(({ textContent }) => textContent.trim())
      assert.equal(listed.length, 10)
      for (const code of listed) assert.ok(file?.getAttribute('href')?.includes(code))
      const second = await addPasskey(me, '')
      assert.match(second.text, /Your passkey is added/)
      const user = { params: { id: me.user.id } }
      const data = await service.ok<Passkey[]>('listUserAuthenticators', user)
      const laptop = data.find(({ name }) => name === 'Laptop')
      const named = await me.browser.send(await me.open(`/account/passkeys/${laptop?.id}`), { name: 'Old laptop' })
      assert.match(named.text, /Old laptop/)
      const tooLong = await me.browser.send(await me.open(`/account/passkeys/${laptop?.id}`), { name: 'x'.repeat(65) })
      assert.deepEqual(Object.keys(tooLong.errors), ['name'])
      const removal = await me.open(`/account/passkeys/${laptop?.id}/remove`)
      const removed = await me.browser.send(removal, {}, { button: 'Remove' })
      assert.match(removed.text, /Your passkey is removed/)
      assert.ok(!removed.text.includes('Old laptop'))
      assert.equal((await me.open(`/account/passkeys/${laptop?.id}`)).status, 404)
    })

    it('refuses what is not a passkey, and keeps its name', async () => {
      const me = await pagePerson(service, { auth: { strategySecurityKeyEnabled: true } })
      const page = await me.open('/account/passkeys')
      assert.match(page.document.querySelector('noscript')?.textContent ?? '', /needs JavaScript/)
      for (const credential of ['', '{}', 'not json']) {
        const refused = await me.browser.send(page, { name: 'Laptop' }, { replace: { credential } })
        assert.equal(refused.status, 422)
        assert.match(refused.errors['form'] ?? '', /No passkey was added/)
        assert.ok(refused.text.includes('value="Laptop"'))
      }
    })
  })

  describe('/account/app and /account/recovery-codes', () => {
    it('sets an app up with its code, renews the codes, and removes it', async () => {
      const me = await pagePerson(service, { auth: { strategyAuthenticatorCodeEnabled: true } })
      const setUp = await me.browser.send(await me.open('/account/app'), {}, { button: 'Set up an app' })
      const secret = setUp.document.querySelector('code')?.textContent.replaceAll(' ', '') ?? ''
      assert.match(secret, /^[A-Z2-7]{32}$/)
      assert.ok(setUp.document.querySelector('svg.qr path') !== null)
      const refused = await me.browser.send(setUp, { code: '000000' })
      assert.deepEqual(Object.keys(refused.errors), ['code'])
      // The same secret is shown again, because it is in the app already.
      assert.equal(refused.document.querySelector('code')?.textContent.replaceAll(' ', ''), secret)
      const codes = await me.browser.send(refused, { code: codeFor(secret) })
      assert.equal(codes.title, 'Save these codes')
      const list = await me.open('/account/recovery-codes')
      assert.match(list.text, /10 codes left/)
      const renewed = await me.browser.send(list, {}, { button: 'Make new codes' })
      const readCodes = (page: Shown) =>
        [...page.document.querySelectorAll('.codes li')].map((each) => each.textContent)
      assert.equal(readCodes(renewed).filter((code) => readCodes(codes).includes(code)).length, 0)
      const removed = await me.browser.send(await me.open('/account/app/remove'), {}, { button: 'Remove the app' })
      assert.match(removed.text, /Your authenticator app is removed/)
      assert.match((await me.open('/account/recovery-codes')).text, /Add a passkey or an authenticator app first/)
    })

    it('begin again after ten minutes, and show nothing that somebody else has put into the form', async () => {
      const me = await pagePerson(service, { auth: { strategyAuthenticatorCodeEnabled: true } })
      const setUp = await me.browser.send(await me.open('/account/app'), {}, { button: 'Set up an app' })
      const forged = await me.browser.send(
        setUp,
        { code: '000000' },
        { replace: { uri: 'https://evil.example/?secret=AAAA' } },
      )
      assert.ok(!forged.text.includes('evil.example'))
      const secret = setUp.document.querySelector('code')?.textContent.replaceAll(' ', '') ?? ''
      advance(longMs)
      const late = await me.browser.send(setUp, { code: codeFor(secret) })
      assert.match(late.errors['form'] ?? '', /That took too long/)
      assert.equal(late.title, 'Authenticator app')
    })
  })

  describe('/account/confirm', () => {
    it('asks for the password and leads back, with what was typed but no password', async () => {
      const me = await pagePerson(service, { user: { password } })
      const page = await me.open('/account/emails')
      advance(longMs)
      const email = `${unique()}@example.com`
      const asked = await me.browser.send(page, { email })
      assert.equal(asked.title, 'Confirm that it is you')
      assert.ok(!asked.url.includes(encodeURIComponent(email)) && !asked.url.includes(email))
      const refused = await me.browser.send(asked, { password: 'not this one' })
      assert.deepEqual(Object.keys(refused.errors), ['password'])
      const old = me.browser.cookies.get(`__Host-sid-${me.tenant.id}`)
      const back = await me.browser.send(refused, { password })
      assert.equal(back.title, 'E-mail addresses')
      assert.ok(back.text.includes(`value="${email}"`))
      assert.notEqual(me.browser.cookies.get(`__Host-sid-${me.tenant.id}`), old)
      assert.equal((await me.browser.send(back, { email })).title, 'Verify your e-mail address')
      // The session that it replaces is over.
      me.browser.cookies.set(`__Host-sid-${me.tenant.id}`, old ?? '')
      assert.equal((await me.open('/account')).title, 'Sign in')
    })

    it('appears before every page and form whose operation requires it', async () => {
      const me = await pagePerson(service, {
        auth: { strategyAuthenticatorCodeEnabled: true, strategySecurityKeyEnabled: true, passwordRequired: false },
        user: { password },
      })
      await addPasskey(me, 'Laptop')
      const forms = [
        ['/account/app', 'Set up an app'],
        ['/account/recovery-codes', 'Make new codes'],
      ] as const
      const shown = await Promise.all(forms.map(([path]) => me.open(path)))
      const options = await me.open('/account/passkeys')
      advance(longMs)
      for (const path of [
        '/account/delete',
        '/account/data',
        '/account/password/remove',
        `/account/emails/${me.user.primaryEmailId}/remove`,
      ]) {
        assert.equal(placeOf(await me.open(path)), `/account/confirm?return_to=${encodeURIComponent(path)}`)
      }
      for (const [index, [path, button]] of forms.entries()) {
        const page = shown[index]
        assert.ok(page !== undefined)
        const asked = await me.browser.send(page, {}, { button })
        assert.equal(placeOf(asked), `/account/confirm?return_to=${encodeURIComponent(path)}`)
      }
      const script = await me.browser.send(options, { name: 'Phone' }, { to: `${me.at}/account/passkeys/options` })
      assert.match(placeOf(script), /^\/account\/confirm\?return_to=%2Faccount%2Fpasskeys%3Fdraft%3D/)
    })

    it('sends a code to a user without a password, and asks for the second factor as well', async () => {
      const me = await pagePerson(service, { auth: { strategyAuthenticatorCodeEnabled: true } })
      const setUp = await me.browser.send(await me.open('/account/app'), {}, { button: 'Set up an app' })
      const secret = setUp.document.querySelector('code')?.textContent.replaceAll(' ', '') ?? ''
      await me.browser.send(setUp, { code: codeFor(secret) })
      advance(longMs)
      const asked = await me.open('/account/delete')
      const sent = await me.browser.send(asked, {}, { button: 'Code by e-mail' })
      const code = await codeTo(service, me.email)
      const second = await me.browser.send(sent, { code })
      assert.equal(second.title, 'Confirm that it is you')
      const back = await me.browser.send(second, { code: codeFor(secret) })
      assert.equal(placeOf(back), '/account/delete')
    })

    it('leads only to pages of the account, and shows no draft of another user', async () => {
      const me = await pagePerson(service, { user: { password } })
      for (const then of [
        'https://evil.example/',
        '//evil.example',
        '/sign-out',
        '/account/../sign-out',
        '/accounting',
        '/account\\..',
      ]) {
        const refused = await me.open(`/account/confirm?${new URLSearchParams({ return_to: then }).toString()}`)
        assert.equal(refused.status, 400, then)
        const sent = await me.browser.send(
          await me.open('/account/confirm'),
          { password },
          { replace: { returnTo: then } },
        )
        assert.equal(sent.status, 400, then)
      }
      const page = await me.open('/account/emails')
      advance(longMs)
      const email = `${unique()}@example.com`
      const asked = await me.browser.send(page, { email })
      const then = new URL(asked.url).searchParams.get('return_to') ?? ''
      const neighbour = await pagePerson(service, { tenant: me.tenant })
      const other = await neighbour.open(then)
      assert.equal(other.title, 'E-mail addresses')
      assert.ok(!other.text.includes(email))
    })

    it('does not let a session that impersonates the user confirm', async () => {
      const me = await pagePerson(service, { user: { password } })
      const acting = await service.ok<{ sessionToken: string }>('impersonateUser', {
        params: { id: me.user.id },
        body: { reason: 'a test' },
      })
      me.browser.cookies.set(`__Host-sid-${me.tenant.id}`, acting.sessionToken)
      assert.equal((await me.open('/account')).title, 'Your account')
      const refused = await me.open('/account/delete')
      assert.equal(refused.status, 403)
      assert.equal(refused.title, 'Only the user can do this')
    })
  })
})
