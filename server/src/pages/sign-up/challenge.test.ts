// Pages that ask for the answer to a puzzle, in a browser without JavaScript.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { password } from '../../../test/harness/people/people.ts'
import { describeService } from '../../../test/harness/service.ts'

const rules = { challengeOnSignUp: 'always', challengeOnSignIn: 'always', challengeOnPasswordReset: 'always' }
const newEmail = () => `${unique()}@example.com`
const readPath = ({ url }: { readonly url: string }) => new URL(url).pathname

describeService('the pages of a tenant that asks for a puzzle', (service) => {
  async function home(auth: object = {}) {
    const { tenant } = await createTenant(service())
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { ...rules, ...auth } })
    return { tenant, at: `/t/${tenant.slug}`, browser: new PageBrowser(service()) }
  }
  const codeTo = async (email: string) => (await latestMessageTo(service().deps, email)).code ?? ''

  it('load the script that solves it, and no other page does', async () => {
    const { at, browser } = await home({ challengeOnPasswordReset: 'off' })
    const start = await browser.open(`${at}/sign-up`)
    const [, script = ''] = /src="(\/pages\/\w+\.js)"><\/script>\s*(?:<p|<\/div)/.exec(start.text) ?? []
    const solver = await browser.open(script)
    assert.match(solver.text, /maxnumber/)
    assert.doesNotMatch((await browser.open(`${at}/reset-password`)).text, /data-challenge/)
  })

  it('verify the address of a new user before the password is entered', async () => {
    const { at, browser } = await home()
    const email = newEmail()
    const verify = await browser.send(await browser.open(`${at}/sign-up`), { email, password })
    assert.equal(verify.title, 'Verify your e-mail address')
    const missing = await browser.send(verify, { code: await codeTo(email) })
    assert.equal(readPath(await browser.send(missing, { password })), `${at}/account`)
  })

  it('say what to do where no code can be sent', async () => {
    const { at, browser } = await home({ emailVerificationCodeEnabled: false, strategyEmailCodeEnabled: false })
    const refused = await browser.send(await browser.open(`${at}/sign-up`), { email: newEmail(), password })
    assert.match(refused.text, /Turn on JavaScript/)
  })

  it('send a code instead of accepting a password', async () => {
    const { tenant, at, browser } = await home()
    const email = newEmail()
    await createUser(service(), tenant.id, { email, password, emailVerified: true })
    const asked = await browser.send(await browser.open(`${at}/sign-in`), { identifier: email })
    const code = await browser.send(asked, { password })
    assert.equal(readPath(await browser.send(code, { code: await codeTo(email) })), `${at}/account`)
  })
})
