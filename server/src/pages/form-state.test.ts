// What a page keeps of a form that was refused, and what happens to one that is sent twice.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PageBrowser, type Shown } from '../../test/harness/browser/page-browser.ts'
import { createTenant, createUser, unique } from '../../test/harness/factories.ts'
import { latestMessageTo } from '../../test/harness/messages.ts'
import { password, signedInPerson } from '../../test/harness/people/people.ts'
import { type TestService, describeService } from '../../test/harness/service.ts'

const back = 'https://app.example.com/back'

async function home(service: TestService, auth: object = {}) {
  const { tenant } = await createTenant(service)
  await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: [back], ...auth } })
  const email = `${unique()}@example.com`
  return { tenant, email, at: `/t/${tenant.slug}`, browser: new PageBrowser(service) }
}

async function homeOfUser(service: TestService, auth: object = {}) {
  const world = await home(service, auth)
  const user = await createUser(service, world.tenant.id, { email: world.email, password })
  await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
  return world
}

interface Place {
  readonly at: string
  readonly browser: PageBrowser
}

const begin = async ({ at, browser }: Place, path: string, fields: Readonly<Record<string, string>>) =>
  browser.send(await browser.open(at + path), fields)

async function codeSentTo({ deps }: TestService, email: string): Promise<string> {
  const { code } = await latestMessageTo(deps, email)
  assert.ok(code !== null)
  return code
}

const byCode = { strategyEmailPasswordEnabled: false }
const pathOf = ({ url }: Shown) => new URL(url).pathname

/** The addresses to which a page's links to the same state in another language lead. */
const languageLinks = ({ document }: Shown) =>
  ['de', 'ar'].map((tag) => document.querySelector(`.languages a[lang=${tag}]`)?.getAttribute('href') ?? '')

const hiddenOf = ({ document }: Shown, name: string) =>
  document.querySelector(`input[name=${name}]`)?.getAttribute('value')

describeService('a form that was refused', (service) => {
  it('keeps its destination, also in another language', async () => {
    const { at } = await home(service())
    // localhost, where passkeys work.
    const browser = new PageBrowser(service(), 'localhost:4000')
    const query = new URLSearchParams({ redirect_to: back }).toString()
    const start = await browser.open(`${at}/sign-in?${query}`)
    for (const [fields, to] of [
      [{ identifier: '' }, `${at}/sign-in`],
      [{ credential: '' }, `${at}/sign-in/passkey`],
    ] as const) {
      const refused = await browser.send(start, fields)
      assert.deepEqual([refused.status, pathOf(refused)], [422, to])
      const links = languageLinks(refused)
      for (const link of links) {
        assert.ok(link.startsWith(`${at}/sign-in?`), link)
        const shown = await new PageBrowser(service()).open(link)
        assert.deepEqual([shown.status, hiddenOf(shown, 'redirectTo')], [200, back])
        assert.notEqual(shown.title, 'Sign in')
      }
    }
  })

  it('keeps the invitation that it answers, also if it is loaded again', async () => {
    const { tenant, email, at, browser } = await home(service(), { signUpEnabled: false })
    const { id } = await service().ok<{ id: string }>('createOrganization', {
      body: { tenantId: tenant.id, name: unique() },
    })
    await service().ok('createOrganizationInvitation', { body: { organizationId: id, email } })
    const { link } = await latestMessageTo(service().deps, email)
    const invitationToken = new URL(link ?? '').searchParams.get('token') ?? ''
    const start = await browser.open(`${at}/sign-up?${new URLSearchParams({ invitationToken }).toString()}`)
    const refused = await browser.send(start, { password: '' })
    assert.deepEqual(Object.keys(refused.errors), ['password'])
    for (const address of languageLinks(refused)) {
      assert.equal(hiddenOf(await new PageBrowser(service()).open(address), 'invitationToken'), invitationToken)
    }
    const foreign = await browser.send(start, { password }, { headers: { origin: 'https://evil.example' } })
    assert.deepEqual([foreign.status, foreign.title], [403, 'Load this page again'])
    const again = foreign.document.querySelector('.stack a')?.getAttribute('href') ?? ''
    assert.equal(hiddenOf(await browser.open(again), 'invitationToken'), invitationToken)
  })

  it('says so if the chosen strategy has been switched off meanwhile', async () => {
    const { tenant, email, at, browser } = await homeOfUser(service())
    const asked = await browser.send(await browser.open(`${at}/sign-in`), { identifier: email })
    const choice = await browser.open(`${pathOf(asked)}?with=choose`)
    const off = { redirectUris: [back], strategyEmailCodeEnabled: false }
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: off })
    const refused = await browser.send(choice, {}, { button: 'Code by e-mail' })
    assert.equal(refused.status, 422)
    assert.deepEqual(Object.keys(refused.errors), ['form'])
    const end = await browser.send(await browser.open(`${pathOf(asked)}?with=email_password`), { password })
    assert.equal(pathOf(end), `${at}/account`)
  })

  it('says that a link is wrong even without a field, and offers a new link', async () => {
    const byLink = { ...byCode, strategyEmailCodeEnabled: false, strategyEmailLinkEnabled: true }
    const signIn = await homeOfUser(service(), byLink)
    const signUp = await home(service(), { emailVerificationCodeEnabled: false, emailVerificationLinkEnabled: true })
    for (const { world, path, fields, button } of [
      { world: signIn, path: '/sign-in', fields: { identifier: signIn.email }, button: 'Yes, sign in' },
      { world: signUp, path: '/sign-up', fields: { email: signUp.email, password }, button: 'Verify' },
    ]) {
      const { email, browser } = world
      const asked = await begin(world, path, fields)
      const again = await browser.send(asked, {}, { button: 'Send a new link' })
      assert.match(again.text, /A new link is on its way/)
      const { link } = await latestMessageTo(service().deps, email)
      const { pathname, search } = new URL(link ?? '')
      const confirm = await browser.open(pathname + search)
      const right = hiddenOf(confirm, 'code') ?? ''
      const code = `${right.slice(0, -1)}${right.endsWith('a') ? 'b' : 'a'}`
      const refused = await browser.send(confirm, {}, { button, replace: { code } })
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.errors, { form: 'The link is not correct or no longer valid.' })
      const end = await browser.send(await browser.open(pathname + search), {}, { button })
      assert.match(pathOf(end), /\/account$/)
    }
  })

  it('accepts a code in groups, as people read it aloud', async () => {
    const { email, at, browser } = await homeOfUser(service(), byCode)
    const asked = await browser.send(await browser.open(`${at}/sign-in`), { identifier: email })
    const code = await codeSentTo(service(), email)
    const end = await browser.send(asked, { code: ` ${code.slice(0, 3)}-${code.slice(3)} ` })
    assert.equal(pathOf(end), `${at}/account`)
  })
})

describeService('a form that is sent twice', (service) => {
  /** Neither answer reports an error, and the sender is signed in. */
  async function assertSignedIn(browser: PageBrowser, at: string, answers: readonly Shown[]) {
    for (const { status, errors } of answers) assert.deepEqual([status, errors], [200, {}])
    assert.equal((await browser.open(`${at}/account`)).title, 'Your account')
  }

  describe('with a code', () => {
    // Guards: repeated-forms
    it('signs in, at once and one after the other', async () => {
      const { email, at, browser } = await homeOfUser(service(), byCode)
      const asked = await begin({ at, browser }, '/sign-in', { identifier: email })
      const code = await codeSentTo(service(), email)
      const send = () => browser.send(asked, { code })
      await assertSignedIn(browser, at, await Promise.all([send(), send()]))
      await assertSignedIn(browser, at, [await send()])
    })

    it('signs up, at once and one after the other', async () => {
      const { email, at, browser } = await home(service())
      const asked = await begin({ at, browser }, '/sign-up', { email, password })
      const code = await codeSentTo(service(), email)
      const send = () => browser.send(asked, { code })
      await assertSignedIn(browser, at, await Promise.all([send(), send()]))
      await assertSignedIn(browser, at, [await send()])
    })
  })

  // Guards: repeated-forms
  it('asks for the second factor if it contains a password, and counts no wrong one', async () => {
    const { tenant } = await createTenant(service())
    const person = await signedInPerson(service(), tenant)
    await person.addApp()
    const browser = new PageBrowser(service())
    const at = `/t/${tenant.slug}`
    const asked = await begin({ at, browser }, '/sign-in', { identifier: person.email })
    for (const answer of [await browser.send(asked, { password }), await browser.send(asked, { password })]) {
      assert.deepEqual([answer.status, answer.title, answer.errors], [200, 'Confirm that it is you', {}])
    }
  })
})

describeService('the pages of a forgotten password', (service) => {
  // Guards: injected-scripts
  it('exist for everything that can be an id, whether or not it is one, and for nothing else', async () => {
    const { at, browser } = await home(service())
    const shown = await browser.open(`${at}/reset-password/cnobodyhasthisoneatall000`)
    assert.equal(shown.title, 'Choose a new password')
    const hostile = await browser.open(`${at}/reset-password/c%22%3E%3Cscript%3E`)
    assert.equal(hostile.document.querySelector('script:not([src])'), null)
    for (const id of ['%22%3E%3Cscript%3E', 'no-id', 'c'.repeat(65)]) {
      const missing = await browser.open(`${at}/reset-password/${id}`)
      assert.equal(missing.status, 404, id)
      const posted = await browser.send(shown, { code: '000000', password }, { to: `${at}/reset-password/${id}` })
      assert.equal(posted.status, 404, id)
    }
  })

  it('are where password managers lead', async () => {
    const { at, browser } = await home(service())
    assert.equal(pathOf(await browser.open(`${at}/.well-known/change-password`)), `${at}/reset-password`)
  })
})
