import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type UserDetails, frontendEndpoints } from '@bailiwick/contract'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { pagePerson, placeOf } from '../../../test/harness/browser/page-person.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { decoded, drawn, patchwork, png } from '../../../test/harness/files/pictures.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { accountRoutes } from './routes.ts'

const minuteMs = 60_000
const pathsOf = (method: string) =>
  accountRoutes.filter((route) => route.method === method).map(({ path }) => path.replace(':id', 'cabcdefgh0123456789'))

describeOnEachEngine('the pages of an account', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  /** Sends a form of the account's pages from another page or browser, or without a session. */
  const send = (browser: PageBrowser, url: string, fields: Record<string, string>, headers: object = {}) =>
    service.request({
      method: 'POST',
      url,
      headers: {
        host: browser.host,
        accept: 'text/html',
        origin: `http://${browser.host}`,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
      payload: new URLSearchParams(fields).toString(),
    })
  const readToken = ({ text }: { text: string }) => /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? ''

  describe('without a session, or from another place', () => {
    it('send the reader to sign in first, and then back to the same page', async () => {
      const { tenant } = await createTenant(service)
      for (const path of pathsOf('GET')) {
        const shown = await new PageBrowser(service).open(`/t/${tenant.slug}${path}?done=saved`)
        assert.equal(shown.title, 'Sign in', path)
        const back = new URL(shown.url).searchParams.get('redirect_to') ?? ''
        assert.ok(back.endsWith(`/t/${tenant.slug}${path}?done=saved`), back)
      }
    })

    it('accept no form without a session, nor with the session of another tenant', async () => {
      const other = await pagePerson(service)
      const { tenant } = await createTenant(service)
      const browser = new PageBrowser(service)
      const formToken = readToken(await browser.open(`/t/${tenant.slug}/sign-in`))
      const token = other.browser.cookies.get(`__Host-sid-${other.tenant.id}`)
      for (const session of [undefined, token]) {
        if (session !== undefined) browser.cookies.set(`__Host-sid-${tenant.id}`, session)
        for (const path of pathsOf('POST')) {
          const { status, headers } = await send(browser, `/t/${tenant.slug}${path}`, { formToken, understood: '1' })
          assert.equal(status, 303, path)
          assert.match(String(headers['location']), new RegExp(`^/t/${tenant.slug}/sign-in\\?`), path)
        }
      }
      assert.equal((await other.open('/account')).status, 200)
    })

    it('accept no form that was not shown in this browser', async () => {
      const me = await pagePerson(service, {
        user: { password: 'correct horse battery staple' },
        auth: { userApiKeysEnabled: true },
      })
      const stranger = await new PageBrowser(service).open(`${me.at}/sign-in`)
      for (const path of pathsOf('POST').filter((each) => !each.endsWith('/picture'))) {
        const url = me.at + path
        const own = readToken(await me.open('/account/profile'))
        const forged = [
          await send(me.browser, url, { understood: '1' }),
          await send(me.browser, url, { understood: '1', formToken: readToken(stranger) }),
          await send(me.browser, url, { understood: '1', formToken: own }, { origin: 'https://evil.example' }),
          await send(me.browser, url, { understood: '1', formToken: own }, { 'sec-fetch-site': 'cross-site' }),
        ]
        assert.deepEqual(
          forged.map(({ status }) => status),
          [403, 403, 403, 403],
          path,
        )
        assert.match(forged[0]?.text ?? '', /Load this page again/)
        // The page to which the link leads exists.
        const again = /href="([^"]+)"[^>]*>Load it again/.exec(forged[0]?.text ?? '')?.[1] ?? ''
        const { status } = await me.browser.open(again)
        assert.ok(status === 200 || (status === 404 && path.includes('cabcdefgh')), `${path}: ${again}`)
      }
      assert.equal((await me.open('/account')).status, 200)
    })
  })

  describe('/account', () => {
    it('shows what the tenant allows, and its present state', async () => {
      const me = await pagePerson(service, { auth: { phoneSignInEnabled: false, strategySecurityKeyEnabled: true } })
      const shown = await me.open('/account')
      assert.equal(shown.title, 'Your account')
      for (const text of ['Ada', me.email, 'Passkeys', 'Not set', '2 devices', 'Delete your account']) {
        assert.ok(shown.text.includes(text), text)
      }
      for (const text of ['Phone numbers', 'Connected accounts', 'Recovery codes']) {
        assert.ok(!shown.text.includes(text), text)
      }
      const bare = await pagePerson(service, {
        auth: {
          passwordsEnabled: false,
          strategyUsernamePasswordEnabled: false,
          strategyEmailPasswordEnabled: false,
          strategyPhonePasswordEnabled: false,
          passwordRequired: false,
          strategySecurityKeyEnabled: false,
          strategyAuthenticatorCodeEnabled: false,
        },
      })
      const without = await bare.open('/account')
      for (const path of ['password', 'passkeys', 'app']) assert.ok(!without.text.includes(`/account/${path}`), path)
      assert.equal((await bare.open('/account/password')).status, 404)
    })

    it("leads back to the tenant's own app", async () => {
      const homeUri = 'https://app.shop.example/start'
      const me = await pagePerson(service, { auth: { homeUri } })
      for (const path of ['/account', '/account/profile']) {
        const link = (await me.open(path)).document.querySelector('a.home')
        assert.deepEqual([link?.getAttribute('href'), link?.textContent], [homeUri, `Back to ${me.tenant.name}`], path)
      }
      const { document } = await (await pagePerson(service)).open('/account')
      assert.equal(document.querySelector('a.home'), null)
    })

    it('say what was done only in their own words', async () => {
      const me = await pagePerson(service)
      assert.match((await me.open('/account/profile?done=saved')).text, /Your changes are saved/)
      for (const name of ['toString', 'You+have+won', '__proto__']) {
        assert.doesNotMatch((await me.open(`/account/profile?done=${name}`)).text, /class="notice/)
      }
    })

    it('is where password managers and providers lead', async () => {
      const me = await pagePerson(service, { user: { password: 'correct horse battery staple' } })
      assert.equal(placeOf(await me.open('/.well-known/change-password')), '/account/password')
      const nobody = await new PageBrowser(service).open(`${me.at}/.well-known/change-password`)
      assert.equal(placeOf(nobody), '/reset-password')
    })
  })

  describe('/account/profile', () => {
    it('saves name and username, and removes what may be empty', async () => {
      const me = await pagePerson(service, { auth: { usernameSignInEnabled: true } })
      const username = `ada${Date.now()}`
      const saved = await me.browser.send(await me.open('/account/profile'), { name: ' Ada L. ', username })
      assert.equal(placeOf(saved), '/account/profile?done=saved')
      const values = [...saved.document.querySelectorAll('input[type=text]')].map((each) => each.getAttribute('value'))
      assert.deepEqual(values, ['Ada L.', username, '', ''])
      const emptied = await me.browser.send(saved, { name: '', username: '' })
      assert.equal(placeOf(emptied), '/account/profile?done=saved')
    })

    it('saves the parts of the name, the language and the time zone, and unsets them', async () => {
      const me = await pagePerson(service)
      const read = async () => (await service.ok<{ data: UserDetails }>('getUser', { params: { id: me.user.id } })).data
      const details = { firstName: 'Ada', lastName: 'Lovelace', locale: 'de', timezone: 'Europe/Vienna' }
      const saved = await me.browser.send(await me.open('/account/profile'), details)
      assert.equal(placeOf(saved), '/account/profile?done=saved')
      const { firstName, lastName, locale, timezone } = await read()
      assert.deepEqual({ firstName, lastName, locale, timezone }, details)
      const page = await me.open('/account/profile')
      assert.equal(page.document.documentElement.getAttribute('lang'), 'de')
      const chosen = [...page.document.querySelectorAll('option[selected]')].map((each) => each.getAttribute('value'))
      assert.deepEqual(chosen, ['de', 'Europe/Vienna'])
      await me.browser.send(page, { firstName: '', lastName: '', locale: '', timezone: '' })
      const emptied = await read()
      assert.deepEqual([emptied.firstName, emptied.locale, emptied.timezone], [null, null, null])
      const forged = await me.browser.send(await me.open('/account/profile'), { timezone: 'Mars/Olympus' })
      assert.equal(forged.status, 422)
    })

    it('keeps what was typed beside what is wrong with it', async () => {
      const me = await pagePerson(service, { auth: { usernameSignInEnabled: true, nameRequired: true } })
      const refused = await me.browser.send(await me.open('/account/profile'), { name: '', username: 'not a name!' })
      assert.equal(refused.status, 422)
      assert.deepEqual(Object.keys(refused.errors), ['username'])
      assert.ok(refused.text.includes('value="not a name!"'))
      const nameless = await me.browser.send(refused, { name: '', username: '' })
      assert.deepEqual(Object.keys(nameless.errors), ['name'])
    })

    it('accepts a picture, shows it, and removes it', async () => {
      const me = await pagePerson(service)
      const page = await me.open('/account/profile')
      const image = await png(drawn(300, 200, patchwork))
      const saved = await me.browser.send(page, {}, { button: 'Upload the picture', file: image })
      assert.equal(placeOf(saved), '/account/profile?done=picture-saved')
      const source = saved.document.querySelector('img.picture')?.getAttribute('src') ?? ''
      const policy = String(saved.headers['content-security-policy'])
      assert.ok(policy.includes(`img-src 'self' ${new URL(source).origin};`), policy)
      const { rawPayload } = await service.app.inject({ method: 'GET', url: new URL(source).pathname })
      assert.equal((await decoded(rawPayload)).width, 512)
      const removed = await me.browser.send(saved, {}, { button: 'Remove the picture' })
      assert.equal(removed.document.querySelector('img.picture'), null)
    })

    it('refuses what is not a picture, a missing one, and a form with a wrong token', async () => {
      const me = await pagePerson(service)
      const page = await me.open('/account/profile')
      const button = 'Upload the picture'
      for (const file of [undefined, Buffer.from('not a picture')]) {
        const refused = await me.browser.send(page, {}, { button, ...(file === undefined ? {} : { file }) })
        assert.equal(refused.status, 422)
        assert.deepEqual(Object.keys(refused.errors), ['picture'])
      }
      const image = await png(drawn(30, 20, patchwork))
      const forged = await me.browser.send(page, {}, { button, file: image, replace: { formToken: 'x' } })
      assert.equal(forged.status, 403)
      // A form without a field for a file accepts none.
      const elsewhere = await me.browser.send(page, {}, { button, file: image, to: `${me.at}/account/profile` })
      assert.equal(elsewhere.status, 415)
      const tooLarge = await me.browser.send(page, {}, { button, file: Buffer.alloc(6 * 1024 * 1024) })
      assert.equal(tooLarge.status, 413)
      assert.match(tooLarge.text, /too large/)
      assert.equal((await me.open('/account/profile')).document.querySelector('img.picture'), null)
    })

    it('reads no file unless the user is signed in', async () => {
      const me = await pagePerson(service)
      const page = await me.open('/account/profile')
      me.browser.cookies.delete(`__Host-sid-${me.tenant.id}`)
      const file = Buffer.alloc(6 * 1024 * 1024)
      const shown = await me.browser.send(page, {}, { button: 'Upload the picture', file })
      // Not 413: its length was not even checked.
      assert.equal(shown.title, 'Sign in')
    })
  })

  describe('/account/sessions', () => {
    it('shows where the user is signed in, and ends one, then all others', async () => {
      const me = await pagePerson(service)
      const here = me.browser.cookies.get(`__Host-sid-${me.tenant.id}`) ?? ''
      for (let more = 0; more < 3; more++) await me.renew()
      me.browser.cookies.set(`__Host-sid-${me.tenant.id}`, here)
      const list = await me.open('/account/sessions')
      assert.equal([...list.document.querySelectorAll('.items li')].length, 5)
      assert.match(list.text, /Firefox 144 on Linux/)
      const ended = await me.browser.send(list, {}, { button: 'Sign out' })
      assert.match(ended.text, /That device is signed out/)
      assert.equal([...ended.document.querySelectorAll('.items li')].length, 4)
      const again = await me.browser.send(list, {}, { button: 'Sign out' })
      assert.match(again.text, /no longer exists/)
      const alone = await me.browser.send(again, {}, { button: 'Sign out everywhere else' })
      assert.match(alone.text, /signed out everywhere else/)
      assert.equal([...alone.document.querySelectorAll('.items li')].length, 1)
      assert.equal((await me.open('/account')).title, 'Your account')
    })

    it('ends no session of another user', async () => {
      const [me, other] = [await pagePerson(service), await pagePerson(service)]
      const neighbour = await pagePerson(service, { tenant: me.tenant })
      await me.renew()
      const list = await me.open('/account/sessions')
      for (const { user, tenant } of [other, neighbour]) {
        const { data } = await service.ok<{ data: { id: string }[] }>('listUserSessions', {
          params: { userId: user.id },
        })
        const to = `${me.at}/account/sessions/${data[0]?.id}/end`
        assert.match((await me.browser.send(list, {}, { button: 'Sign out', to })).text, /no longer exists/, tenant.id)
      }
      assert.equal((await other.open('/account')).title, 'Your account')
      assert.equal((await neighbour.open('/account')).title, 'Your account')
    })
  })

  describe('/account/data and /account/delete', () => {
    it('sends everything as a file, once the user has confirmed their identity', async () => {
      const me = await pagePerson(service)
      const page = await me.open('/account/data')
      const file = await me.browser.send(page, {})
      assert.equal(file.status, 200)
      assert.equal(file.headers['content-disposition'], `attachment; filename="${me.tenant.slug}-data.json"`)
      const data = JSON.parse(file.text) as Record<string, unknown>
      assert.deepEqual(
        Object.keys(data).toSorted(),
        Object.keys(frontendEndpoints.exportOwnData.data.properties).toSorted(),
      )
      assert.ok(JSON.stringify(data['user']).includes(me.email))
      advance(11 * minuteMs)
      assert.equal(placeOf(await me.browser.send(page, {})), '/account/confirm?return_to=%2Faccount%2Fdata')
    })

    it('deletes the account once its owner has agreed, and not before', async () => {
      const me = await pagePerson(service)
      const page = await me.open('/account/delete')
      const refused = await me.browser.send(page, {}, { button: 'Delete my account' })
      assert.deepEqual(Object.keys(refused.errors), ['understood'])
      const done = await me.browser.send(refused, { understood: '1' })
      assert.equal(done.title, 'Your account is deleted')
      assert.ok(![...me.browser.cookies.keys()].some((name) => name.startsWith('__Host-sid')))
      await service.refused('getUser', 'not_found', { params: { id: me.user.id } })
    })
  })
})
