import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Tenant } from '@bailiwick/contract'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo, sendMessages } from '../../../test/harness/messages.ts'
import { password, signedInPerson } from '../../../test/harness/people/people.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

/** A tenant with a user whose address is verified. */
async function home(service: TestService, auth: object = {}) {
  const { tenant } = await createTenant(service)
  if (Object.keys(auth).length > 0) await service.ok('putAuthTenant', { params: { id: tenant.id }, body: auth })
  const email = `${unique()}@example.com`
  const user = await createUser(service, tenant.id, { email, password, name: 'Ada' })
  await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
  return { tenant, user, email, at: `/t/${tenant.slug}` }
}

const begin = async (browser: PageBrowser, at: string, identifier: string) =>
  browser.send(await browser.open(`${at}/sign-in`), { identifier })

describeService('the pages of signing in', (service) => {
  describe('with a password', () => {
    it('sign in and end at the account', async () => {
      const { email, at } = await home(service())
      const browser = new PageBrowser(service())
      const asked = await begin(browser, at, email)
      assert.equal(asked.title, 'Enter your password')
      const end = await browser.send(asked, { password })
      assert.equal(new URL(end.url).pathname, `${at}/account`)
      assert.match(end.text, /Ada/)
    })

    it('say beside the field what was wrong, and keep the identifier', async () => {
      const { email, at } = await home(service())
      const browser = new PageBrowser(service())
      const refused = await browser.send(await begin(browser, at, email), { password: 'not this one' })
      assert.equal(refused.status, 422)
      assert.deepEqual(Object.keys(refused.errors), ['password'])
      assert.ok(refused.text.includes(email))
      assert.ok(!refused.text.includes('not this one'))
      assert.match(refused.document.title, /^Error: /)
      const end = await browser.send(refused, { password })
      assert.equal(new URL(end.url).pathname, `${at}/account`)
    })

    it('require a new password if an administrator has set the present one', async () => {
      const { user, email, at } = await home(service())
      await service().ok('changeUserPassword', {
        params: { id: user.id },
        body: { password: 'given by somebody else' },
      })
      const browser = new PageBrowser(service())
      const asked = await browser.send(await begin(browser, at, email), { password: 'given by somebody else' })
      assert.equal(asked.title, 'Choose a new password')
      const fields = { password: 'given by somebody else', newPassword: 'aaaaaaaaaa' }
      const refused = await browser.send(asked, fields)
      assert.deepEqual(Object.keys(refused.errors), ['newPassword'])
      const end = await browser.send(refused, { ...fields, newPassword: 'a password of my own' })
      assert.equal(new URL(end.url).pathname, `${at}/account`)
    })
  })

  describe('with what is sent', () => {
    it('accept the code', async () => {
      const { email, at } = await home(service(), { strategyEmailPasswordEnabled: false })
      const browser = new PageBrowser(service())
      const asked = await begin(browser, at, email)
      assert.equal(asked.title, 'Check your e-mail')
      const refused = await browser.send(asked, { code: '000000' })
      assert.deepEqual(Object.keys(refused.errors), ['code'])
      const { code } = await latestMessageTo(service().deps, email)
      const end = await browser.send(refused, { code: ` ${code?.slice(0, 3)} ${code?.slice(3)}` })
      assert.equal(new URL(end.url).pathname, `${at}/account`)
    })

    it('send a new code on demand', async () => {
      const { email, at } = await home(service(), { strategyEmailPasswordEnabled: false })
      const browser = new PageBrowser(service())
      const again = await browser.send(await begin(browser, at, email), {}, { button: 'Send a new code' })
      assert.match(again.text, /A new code is on its way/)
      await sendMessages(service().deps)
      assert.equal((await messagesTo(service().deps, email)).length, 2)
    })

    it('ask before a link signs in, and only in the browser that asked for it', async () => {
      const { email, at } = await home(service(), { strategyEmailLinkEnabled: true })
      const browser = new PageBrowser(service())
      const asked = await begin(browser, at, email)
      const choice = await browser.open(`${new URL(asked.url).pathname}?with=choose`)
      const sent = await browser.send(choice, {}, { button: 'Link by e-mail' })
      assert.match(sent.text, /Open it in this browser/)
      const { link } = await latestMessageTo(service().deps, email)
      const { pathname, search } = new URL(link ?? '')
      assert.equal(pathname, `${at}/sign-in/link`)
      const another = new PageBrowser(service())
      const wrong = await another.open(`${pathname}${search.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))}`)
      assert.equal(wrong.title, 'Open the link in the other browser')
      const scanned = await browser.open(pathname + search)
      const confirm = await browser.open(pathname + search)
      assert.equal(confirm.title, scanned.title)
      const end = await browser.send(confirm, {}, { button: 'Yes, sign in' })
      assert.equal(new URL(end.url).pathname, `${at}/account`)
    })
  })

  // Guards: link-scanners
  it('show a code to whoever opens a link elsewhere, which signs in only the browser that asked for it', async () => {
    const { email, at } = await home(service(), { strategyEmailLinkEnabled: true })
    const browser = new PageBrowser(service())
    // One click: the page that asks for the password offers the link, too.
    const sent = await browser.send(await begin(browser, at, email), {}, { button: 'Link by e-mail' })
    const { link } = await latestMessageTo(service().deps, email)
    const { pathname, search } = new URL(link ?? '')
    const another = new PageBrowser(service())
    const elsewhere = await another.open(pathname + search)
    assert.equal(elsewhere.title, 'Enter this code in the other browser')
    const [, code = ''] = /class="sent-code"[^>]*>(\d{8})</.exec(elsewhere.text) ?? []
    const refused = await browser.send(sent, { code: code === '00000000' ? '00000001' : '00000000' })
    assert.deepEqual(Object.keys(refused.errors), ['code'])
    assert.equal((await another.open(`${at}/account`)).title, 'Sign in')
    const end = await browser.send(refused, { code })
    assert.equal(new URL(end.url).pathname, `${at}/account`)
    // It is used up with the link.
    assert.equal((await another.open(pathname + search)).title, 'Open the link in the other browser')
  })

  it('are where a link leads if it is the only strategy, even if the tenant has a page of its own', async () => {
    const { email, at } = await home(service(), {
      strategyEmailPasswordEnabled: false,
      strategyEmailCodeEnabled: false,
      strategyEmailLinkEnabled: true,
      signInUri: 'https://app.example.com/sign-in',
      redirectUris: ['https://app.example.com/sign-in'],
    })
    const asked = await begin(new PageBrowser(service()), at, email)
    assert.match(asked.text, /Open it in this browser/)
    const { link } = await latestMessageTo(service().deps, email)
    assert.equal(new URL(link ?? '').pathname, `${at}/sign-in/link`)
  })

  describe('with a second factor', () => {
    it('accept a recovery code in place of the app', async () => {
      const { tenant } = await createTenant(service())
      const person = await signedInPerson(service(), tenant)
      const { recoveryCodes } = await person.addApp()
      const at = `/t/${tenant.slug}`
      const browser = new PageBrowser(service())
      const asked = await browser.send(await begin(browser, at, person.email), { password })
      assert.equal(asked.title, 'Confirm that it is you')
      assert.deepEqual(Object.keys((await browser.send(asked, { code: '000000' })).errors), ['code'])
      const recovery = await browser.open(`${new URL(asked.url).pathname}?with=recovery`)
      const end = await browser.send(recovery, { code: recoveryCodes[0] ?? '' })
      assert.equal(new URL(end.url).pathname, `${at}/account`)
    })
  })

  it('show the same for known and for unknown identifiers', async () => {
    for (const auth of [
      {},
      { strategyEmailPasswordEnabled: false },
      { strategyEmailLinkEnabled: true, strategyEmailPasswordEnabled: false, strategyEmailCodeEnabled: false },
    ]) {
      const { email, at } = await home(service(), auth)
      const pages = await Promise.all(
        [email, `${unique()}@example.com`].map(async (identifier) => {
          const browser = new PageBrowser(service())
          const asked = await begin(browser, at, identifier)
          const fields = asked.text.includes('name="password"')
            ? { password: 'wrong one here' }
            : asked.text.includes('name="code"')
              ? { code: '000000' }
              : undefined
          const refused = fields === undefined ? asked : await browser.send(asked, fields)
          const neutral = (text: string) =>
            text
              .replaceAll(identifier, 'X')
              .replaceAll(/value="[\w-]{43}"/g, '')
              .replaceAll(/\/c\w{24}/g, '/ID')
          return [asked, refused].map(({ status, text }) => [status, neutral(text)])
        }),
      )
      assert.deepEqual(pages[0], pages[1])
    }
  })

  // Guards: own-pages
  it('end only at an address that the tenant has listed', async () => {
    const back = 'https://app.example.com/back?a=1'
    const { email, at } = await home(service(), { redirectUris: [back] })
    const browser = new PageBrowser(service())
    const start = await browser.open(`${at}/sign-in?${new URLSearchParams({ redirect_to: back }).toString()}`)
    const end = await browser.send(await browser.send(start, { identifier: email }), { password })
    assert.equal(end.status, 200)
    assert.equal(end.headers['refresh'], `0;url=${back}`)
    for (const address of [
      'https://evil.example/',
      'https://app.example.com/',
      '//evil.example',
      'javascript:alert(1)',
    ]) {
      const query = new URLSearchParams({ redirect_to: address }).toString()
      const refused = await browser.open(`${at}/sign-in?${query}`)
      assert.equal(refused.status, 400, address)
      const posted = await browser.send(start, { identifier: email }, { replace: { redirectTo: address } })
      assert.equal(posted.status, 400, address)
    }
  })

  it('say in every other browser that an attempt is over', async () => {
    const { email, at } = await home(service())
    const asked = await begin(new PageBrowser(service()), at, email)
    const elsewhere = await new PageBrowser(service()).open(new URL(asked.url).pathname)
    assert.equal(elsewhere.status, 409)
    assert.equal(elsewhere.title, 'This page has expired')
  })

  it('work in two tabs at once', async () => {
    const { email, at } = await home(service())
    const browser = new PageBrowser(service())
    const first = await begin(browser, at, email)
    await begin(browser, at, `${unique()}@example.com`)
    const end = await browser.send(first, { password })
    assert.equal(new URL(end.url).pathname, `${at}/account`)
  })

  it('are closed if the tenant has sign-in off', async () => {
    const { at } = await home(service(), { signInEnabled: false })
    const closed = await new PageBrowser(service()).open(`${at}/sign-in`)
    assert.equal(closed.status, 403)
    assert.equal(closed.title, 'Sign-in is closed')
  })

  it('offer a signed-in user to continue, or to use another account', async () => {
    const { email, at } = await home(service())
    const browser = new PageBrowser(service())
    await browser.send(await begin(browser, at, email), { password })
    const again = await browser.open(`${at}/sign-in`)
    assert.equal(again.title, 'You are signed in')
    assert.equal((await browser.open(`${at}/sign-in?prompt=login`)).title, 'Sign in')
  })
})

describeService('the hosted pages', (service) => {
  const tenantOf = async (): Promise<Tenant> => (await createTenant(service())).tenant

  // Guards: own-forms
  it('refuse a form from elsewhere, from another browser, and without its token', async () => {
    const { email, at } = await home(service())
    const browser = new PageBrowser(service())
    const asked = await begin(browser, at, email)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const refused = await browser.send(asked, { password }, { headers })
      assert.equal(refused.status, 403, JSON.stringify(headers))
    }
    const other = await new PageBrowser(service()).open(`${at}/sign-in`)
    const token = other.document.querySelector('input[name=formToken]')?.getAttribute('value')
    assert.ok(typeof token === 'string' && token.length > 0)
    for (const formToken of [token, 'x', '']) {
      assert.equal((await browser.send(asked, { password }, { replace: { formToken } })).status, 403)
    }
    const end = await browser.send(asked, { password })
    assert.equal(new URL(end.url).pathname, `${at}/account`)
  })

  // Guards: shared-hosts
  it('separate the cookies and the attempts of tenants on one host', async () => {
    const first = await home(service())
    const second = await home(service())
    const browser = new PageBrowser(service())
    const asked = await begin(browser, first.at, first.email)
    const path = new URL(asked.url).pathname
    const crossed = await browser.open(path.replace(first.at, second.at))
    assert.equal(crossed.title, 'This page has expired')
    await browser.send(asked, { password })
    assert.equal((await browser.open(`${second.at}/account`)).title, 'Sign in')
    // As if the browser sent the first tenant's session under the second one's name.
    const session = browser.cookies.get(`__Host-sid-${first.tenant.id}`)
    assert.ok(session !== undefined)
    assert.equal((await browser.open(`${first.at}/account`)).title, 'Your account')
    browser.cookies.set(`__Host-sid-${second.tenant.id}`, session)
    assert.equal((await browser.open(`${second.at}/account`)).title, 'Sign in')
  })

  it('are found by slug and by id, and nowhere else', async () => {
    const tenant = await tenantOf()
    const browser = new PageBrowser(service())
    for (const name of [tenant.slug, tenant.slug.toUpperCase(), tenant.id]) {
      assert.equal((await browser.open(`/t/${name}/sign-in`)).status, 200, name)
    }
    for (const path of ['/t/nobody-has-this/sign-in', `/t/${tenant.slug}/nothing`, '/sign-in']) {
      const { status, title } = await browser.open(path)
      assert.equal(status, 404, path)
      assert.equal(title, 'Page not found')
    }
  })

  // Guards: injected-scripts
  it('allow only their own style sheets and scripts, and are never cached, whatever they contain', async () => {
    const at = `/t/${(await tenantOf()).slug}`
    const browser = new PageBrowser(service())
    const start = await browser.open(`${at}/sign-in`)
    const refused = await browser.send(start, { identifier: '' })
    const foreign = await browser.send(start, { identifier: 'x' }, { headers: { origin: 'https://evil.example' } })
    const missing = await browser.open(`${at}/nothing`)
    const nowhere = await browser.open('/t/nobody-has-this/sign-in')
    const shown = [start, refused, foreign, missing, nowhere]
    assert.deepEqual(
      shown.map(({ status }) => status),
      [200, 422, 403, 404, 404],
    )
    for (const { status, headers, text } of shown) {
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
          "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        String(status),
      )
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['referrer-policy'], 'same-origin')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.doesNotMatch(text, /<style|<script(?! type="module" src=)| style=| on\w+=/)
    }
  })

  // Guards: injected-scripts
  it('show hostile names as text', async () => {
    const { tenant } = await createTenant(service(), { name: '<img src=x onerror=alert(1)>"\u202e' })
    const { text, document } = await new PageBrowser(service()).open(`/t/${tenant.slug}/sign-in`)
    assert.equal(document.querySelector('img'), null)
    assert.ok(text.includes('&lt;img'))
  })
})
