import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { password } from '../../../test/harness/people/people.ts'
import { type TestService, describeService, describeServiceWith } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'

async function home(service: TestService, auth: object = {}) {
  const { tenant } = await createTenant(service)
  if (Object.keys(auth).length > 0) await service.ok('putAuthTenant', { params: { id: tenant.id }, body: auth })
  return { tenant, at: `/t/${tenant.slug}`, email: `${unique()}@example.com` }
}

const pathOf = ({ url }: { readonly url: string }) => new URL(url).pathname

describeService('the pages of signing up', (service) => {
  it('ask for what is required, verify the address and end at the account', async () => {
    const { at, email } = await home(service(), { nameRequired: true })
    const browser = new PageBrowser(service())
    const start = await browser.open(`${at}/sign-up`)
    const asked = await browser.send(start, { email, name: 'Ada', password })
    assert.equal(asked.title, 'Verify your e-mail address')
    assert.deepEqual(Object.keys((await browser.send(asked, { code: '000000' })).errors), ['code'])
    const { code } = await latestMessageTo(service().deps, email)
    const end = await browser.send(asked, { code: code ?? '' })
    assert.equal(pathOf(end), `${at}/account`)
    assert.match(end.text, /Ada/)
  })

  it('name every field that is missing or wrong, and keep the others', async () => {
    const { at, email } = await home(service(), { nameRequired: true })
    const browser = new PageBrowser(service())
    const start = await browser.open(`${at}/sign-up`)
    const refused = await browser.send(start, { email, name: '', password: '' })
    assert.deepEqual(Object.keys(refused.errors).toSorted(), ['name', 'password'])
    const wrong = await browser.send(refused, { email: 'nobody', name: 'Ada', password: 'short' })
    assert.deepEqual(Object.keys(wrong.errors).toSorted(), ['email', 'password'])
    assert.match(wrong.text, /value="Ada"/)
    assert.doesNotMatch(wrong.text, /value="short"/)
    const common = await browser.send(wrong, { email, name: 'Ada', password: 'aaaaaaaaaa' })
    assert.match(common.errors['password'] ?? '', /simple pattern/)
  })

  it('verify by a link, in the browser that asked for it', async () => {
    const { at, email } = await home(service(), {
      emailVerificationCodeEnabled: false,
      emailVerificationLinkEnabled: true,
    })
    const browser = new PageBrowser(service())
    const asked = await browser.send(await browser.open(`${at}/sign-up`), { email, password })
    assert.match(asked.text, /Open the link/)
    const { link } = await latestMessageTo(service().deps, email)
    const { pathname, search } = new URL(link ?? '')
    assert.equal((await new PageBrowser(service()).open(`${pathname}${search.slice(0, -1)}`)).status, 404)
    const end = await browser.send(await browser.open(pathname + search), {}, { button: 'Verify' })
    assert.equal(pathOf(end), `${at}/account`)
  })

  it('verify by the code that a link shows in another browser', async () => {
    const { at, email } = await home(service(), {
      emailVerificationCodeEnabled: false,
      emailVerificationLinkEnabled: true,
    })
    const browser = new PageBrowser(service())
    const asked = await browser.send(await browser.open(`${at}/sign-up`), { email, password })
    const { link } = await latestMessageTo(service().deps, email)
    const { pathname, search } = new URL(link ?? '')
    const elsewhere = await new PageBrowser(service()).open(pathname + search)
    const [, code = ''] = /class="sent-code"[^>]*>(\d{8})</.exec(elsewhere.text) ?? []
    assert.equal(pathOf(await browser.send(asked, { code })), `${at}/account`)
  })

  it('show the same for an address that a user has', async () => {
    const { tenant, at, email } = await home(service())
    await createUser(service(), tenant.id, { email })
    const texts = await Promise.all(
      [email, `${unique()}@example.com`].map(async (address) => {
        const browser = new PageBrowser(service())
        const asked = await browser.send(await browser.open(`${at}/sign-up`), { email: address, password })
        const refused = await browser.send(asked, { code: '000000' })
        return [asked, refused].map(({ status, text }) => [
          status,
          text
            .replaceAll(address, 'X')
            .replaceAll(/value="[\w-]{43}"/g, '')
            .replaceAll(/\/c\w{24}/g, '/ID'),
        ])
      }),
    )
    assert.deepEqual(texts[0], texts[1])
  })

  it('are closed if sign-up is off, except to invited people', async () => {
    const { tenant, at, email } = await home(service(), { signUpEnabled: false })
    const browser = new PageBrowser(service())
    const closed = await browser.open(`${at}/sign-up`)
    assert.equal(closed.status, 403)
    assert.equal(closed.title, 'Sign-up is closed')
    const { id } = await service().ok<{ id: string }>('createOrganization', {
      body: { tenantId: tenant.id, name: unique() },
    })
    await service().ok('createOrganizationInvitation', { body: { organizationId: id, email } })
    const { link } = await latestMessageTo(service().deps, email)
    const { pathname, search } = new URL(link ?? '')
    assert.equal(pathname, `/t/${tenant.id}/invitation`)
    const invited = await browser.open(pathname + search)
    assert.equal(invited.title, 'You have been invited')
    const start = await browser.open(hrefOf(invited.text, 'Create an account'))
    const end = await browser.send(start, { password })
    assert.equal(pathOf(end), `${at}/account`)
    const again = await new PageBrowser(service()).open(hrefOf(invited.text, 'Create an account'))
    const used = await new PageBrowser(service()).open(`${at}/sign-up`)
    assert.equal(used.status, 403)
    const other = new PageBrowser(service())
    const late = await other.send(await other.open(pathOf(again) + new URL(again.url).search), { password })
    assert.equal(late.title, 'This invitation is no longer valid')
  })

  it('say in every other browser that a sign-up is over', async () => {
    const { at, email } = await home(service())
    const browser = new PageBrowser(service())
    const asked = await browser.send(await browser.open(`${at}/sign-up`), { email, password })
    const elsewhere = await new PageBrowser(service()).open(pathOf(asked))
    assert.equal(elsewhere.title, 'This page has expired')
  })
})

const minute = 60_000
let isLaterBy = 0

describeServiceWith(
  'a page that was left open for too long',
  () => ({ clock: createClock(() => Date.now() + isLaterBy) }),
  (service) => {
    it('says that the sign-up is over, when it is sent and when it is loaded again', async () => {
      const { at, email } = await home(service())
      const browser = new PageBrowser(service())
      const asked = await browser.send(await browser.open(`${at}/sign-up`), { email, password })
      isLaterBy += 61 * minute
      for (const late of [await browser.open(pathOf(asked)), await browser.send(asked, { code: '000000' })]) {
        assert.deepEqual([late.status, late.title], [410, 'This sign-up is over'])
        const again = await browser.open(hrefOf(late.text, 'Start again'))
        assert.equal(again.title, 'Create your account')
      }
    })

    it('says that the sign-in has expired', async () => {
      const { at, email } = await home(service())
      const browser = new PageBrowser(service())
      const asked = await browser.send(await browser.open(`${at}/sign-in`), { identifier: email })
      isLaterBy += 61 * minute
      for (const late of [await browser.open(pathOf(asked)), await browser.send(asked, { password })]) {
        assert.deepEqual([late.status, late.title], [409, 'This page has expired'])
      }
    })
  },
)

describeService('the pages of a forgotten password', (service) => {
  it('send a code and accept a new password', async () => {
    const { tenant, at, email } = await home(service())
    await createUser(service(), tenant.id, { email, password })
    const browser = new PageBrowser(service())
    const asked = await browser.send(await browser.open(`${at}/reset-password`), { identifier: email })
    assert.deepEqual(
      Object.keys((await browser.send(asked, { code: '000000', password: 'a new one of mine' })).errors),
      ['code'],
    )
    const { code } = await latestMessageTo(service().deps, email)
    const weak = await browser.send(asked, { code: code ?? '', password: 'aaaaaaaaaa' })
    assert.deepEqual(Object.keys(weak.errors), ['password'])
    const done = await browser.send(weak, { password: 'a new one of mine' })
    assert.equal(done.title, 'Your password is changed')
    const start = await browser.open(`${at}/sign-in`)
    const end = await browser.send(await browser.send(start, { identifier: email }), { password: 'a new one of mine' })
    assert.equal(pathOf(end), `${at}/account`)
  })

  it('show the same if no user has the identifier', async () => {
    const { tenant, at, email } = await home(service())
    await createUser(service(), tenant.id, { email, password })
    const texts = await Promise.all(
      [email, `${unique()}@example.com`].map(async (identifier) => {
        const browser = new PageBrowser(service())
        const asked = await browser.send(await browser.open(`${at}/reset-password`), { identifier })
        return [asked.status, asked.text.replaceAll(/value="[\w-]{43}"/g, '').replaceAll(/\/c\w{24}/g, '/ID')]
      }),
    )
    assert.deepEqual(texts[0], texts[1])
  })
})

describeService('the page of signing out', (service) => {
  it('asks first, and then ends the session', async () => {
    const { tenant, at, email } = await home(service(), { emailVerificationRequired: false })
    await createUser(service(), tenant.id, { email, password })
    const browser = new PageBrowser(service())
    await browser.send(await browser.send(await browser.open(`${at}/sign-in`), { identifier: email }), { password })
    const asked = await browser.open(`${at}/sign-out`)
    assert.equal(asked.title, 'Sign out')
    assert.equal((await browser.open(`${at}/account`)).title, 'Your account')
    const done = await browser.send(asked, {}, { button: 'Sign out' })
    assert.equal(done.title, 'You are signed out')
    assert.equal((await browser.open(`${at}/account`)).title, 'Sign in')
  })
})

/** Returns the address of a link, by its text. */
const hrefOf = (text: string, label: string) =>
  (new RegExp(`href="([^"]+)">${label}<`).exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
