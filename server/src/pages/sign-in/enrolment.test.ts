import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageBrowser, type Shown } from '../../../test/harness/browser/page-browser.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { Person, password } from '../../../test/harness/people/people.ts'
import { describeService } from '../../../test/harness/service.ts'

const secretOf = ({ document }: Shown) =>
  new URL(document.querySelector('input[name="uri"]')?.getAttribute('value') ?? '').searchParams.get('secret') ?? ''

describeService('the pages on which users set up a required second factor', (service) => {
  async function home() {
    const { tenant } = await createTenant(service())
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { secondFactorRequired: true } })
    return { tenant, at: `/t/${tenant.slug}`, email: `${unique()}@example.com`, browser: new PageBrowser(service()) }
  }
  const sentCode = async (address: string) => (await latestMessageTo(service().deps, address)).code ?? ''

  it('send a code, show the app and the recovery codes, and end at the account', async () => {
    const { tenant, at, email, browser } = await home()
    const user = await createUser(service(), tenant.id, { email, password, name: 'Ada' })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const asked = await browser.send(await browser.open(`${at}/sign-in`), { identifier: email })
    const intro = await browser.send(asked, { password })
    assert.equal(intro.title, 'Protect your account with a second step')
    assert.ok(!intro.text.includes(email), 'the address is not shown to whoever has the password')
    const code = await browser.send(intro, {})
    const refused = await browser.send(code, { code: '000000' })
    assert.deepEqual(Object.keys(refused.errors), ['code'])
    const choice = await browser.send(refused, { code: await sentCode(email) })
    const app = await browser.send(choice, {}, { button: 'Set up an app' })
    assert.equal(app.title, 'Set up your authenticator app')
    const wrong = await browser.send(app, { code: '000000' })
    assert.deepEqual(Object.keys(wrong.errors), ['code'])
    assert.equal(secretOf(wrong), secretOf(app), 'a wrong code leaves the secret as it is')
    const person = new Person(service(), tenant, user, email)
    const codes = await browser.send(wrong, { code: person.codeOf(secretOf(app)) })
    assert.equal(codes.title, 'Save these codes')
    assert.equal(codes.document.querySelectorAll('.codes li').length, 10)
    const link = [...codes.document.querySelectorAll('a')].find(
      ({ textContent }) => textContent === 'I have saved them',
    )
    const end = await browser.open(link?.getAttribute('href') ?? '')
    assert.equal(new URL(end.url).pathname, `${at}/account`)
    assert.match(end.text, /Ada/)
  })

  it('follow a sign-up without a further code', async () => {
    const { tenant, at, email, browser } = await home()
    const verify = await browser.send(await browser.open(`${at}/sign-up`), { email, password })
    const choice = await browser.send(verify, { code: await sentCode(email) })
    assert.equal(choice.title, 'Protect your account with a second step')
    const app = await browser.send(choice, {}, { button: 'Set up an app' })
    const person = new Person(service(), tenant, { id: '' } as Person['user'], email)
    const codes = await browser.send(app, { code: person.codeOf(secretOf(app)) })
    assert.equal(codes.title, 'Save these codes')
    const end = await browser.open(`${at}/account`)
    assert.equal(new URL(end.url).pathname, `${at}/account`)
  })
})
