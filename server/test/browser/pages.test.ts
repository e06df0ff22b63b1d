// The hosted pages as people use them, in Chromium at a phone's width: no error, nothing that the policy refuses, no barrier that axe finds.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { password, signedInPerson } from '../harness/people/people.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { addAuthenticator, describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the hosted pages', (open) => {
    let service: TestService
    let origin: string
    let browser: Browser
    before(async () => {
      service = await startTestService((await open()).database)
      await service.app.listen({ port: 0, host: '127.0.0.1' })
      origin = `http://localhost:${(service.app.server.address() as AddressInfo).port}`
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
    })

    /** Presses the button of each form again while the form is being sent. Returns what the second presses did. */
    async function pressTwice(page: Page): Promise<readonly string[]> {
      const said: string[] = []
      let hasSaid = Promise.withResolvers<void>()
      page.on('console', (message) => {
        if (message.type() !== 'debug') return
        said.push(message.text())
        hasSaid.resolve()
      })
      await page.addInitScript(`addEventListener('submit', ({ target, defaultPrevented }) => {
        if (globalThis.isSent) return console.debug(defaultPrevented ? 'ignored' : 'sent again')
        globalThis.isSent = true
        setTimeout(() => target.querySelector('[type=submit]').click())
      })`)
      await page.route('**/*', async (route) => {
        const request = route.request()
        if (request.method() === 'POST' && request.isNavigationRequest()) {
          await hasSaid.promise
          hasSaid = Promise.withResolvers()
        }
        await route.continue()
      })
      return said
    }

    it('sign up with a code, sign out, and sign in with a password, however often a button is pressed', async () => {
      const { tenant } = await createTenant(service)
      const at = `${origin}/t/${tenant.slug}`
      const email = `${unique()}@example.com`
      const { context, page, problems, check } = await openWatchedPage(browser)
      const secondPresses = await pressTwice(page)
      await page.goto(`${at}/sign-up`)
      await check()
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign up' }).click()
      await page.waitForURL(/\/sign-up\/c/)
      await check()
      const { code } = await latestMessageTo(service.deps, email)
      // The form sends itself.
      await page.getByLabel('Code').fill(code ?? '')
      await page.waitForURL(/\/account/)
      await check()

      await page.goto(`${at}/sign-out`)
      await check()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
      await check()

      await page.goto(`${at}/sign-in`)
      await check()
      await page.getByLabel('E-mail address').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Show' }).click()
      const field = page.getByLabel('Password', { exact: true })
      assert.equal(await field.getAttribute('type'), 'text')
      await field.fill('not this one')
      await check()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('That does not match').waitFor()
      await check()
      await field.fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(/\/account/)
      // Sign up, verify, sign out, continue, and twice sign in.
      assert.deepEqual(
        secondPresses,
        Array.from({ length: 6 }, () => 'ignored'),
      )
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('solve a puzzle before a sign-up and before a password', async () => {
      const { tenant } = await createTenant(service)
      const rules = {
        challengeOnSignUp: 'always',
        challengeOnSignIn: 'always',
        challengeDifficulty: 1000,
        emailVerificationRequired: false,
      }
      await service.ok('putAuthTenant', { params: { id: tenant.id }, body: rules })
      const at = `${origin}/t/${tenant.slug}`
      const email = `${unique()}@example.com`
      const { context, page, problems, check } = await openWatchedPage(browser)
      await page.goto(`${at}/sign-up`)
      await check()
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign up' }).click()
      // Without an answer the address would be verified first.
      await page.waitForURL(/\/account/)
      await context.clearCookies()
      await page.goto(`${at}/sign-in`)
      await page.getByLabel('E-mail address').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      const field = page.getByLabel('Password', { exact: true })
      await field.fill('not this one')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('That does not match').waitFor()
      await field.fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(/\/account/)
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('offer what needs their script once it is loaded', async () => {
      const { tenant } = await createTenant(service)
      const { page, context, problems } = await openWatchedPage(browser)
      let release = () => {}
      const isReleased = new Promise<void>((resolve) => (release = resolve))
      await page.route(/\/pages\/\w+\.js$/, async (route) => {
        await isReleased
        // The first page, which was refused its script, does not ask for it again.
        await route.continue().catch(() => undefined)
      })
      const byPasskey = page.getByRole('button', { name: 'Sign in with a passkey' })
      const show = page.locator('[data-show]')
      await page.goto(`${origin}/t/${tenant.slug}/sign-in`, { waitUntil: 'commit' })
      await byPasskey.waitFor()
      assert.ok(await byPasskey.isDisabled())
      await page.goto(`${origin}/t/${tenant.slug}/sign-up`, { waitUntil: 'commit' })
      await show.waitFor({ state: 'attached' })
      assert.ok(await show.isHidden())
      release()
      await show.click()
      assert.equal(await page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
      await page.goto(`${origin}/t/${tenant.slug}/sign-in`)
      assert.ok(await byPasskey.isEnabled())
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('sign in with a passkey, and accept a recovery code in its place without JavaScript', async () => {
      const { tenant } = await createTenant(service)
      const at = `${origin}/t/${tenant.slug}`
      const person = await signedInPerson(service, tenant)
      const window = await openWatchedPage(browser)
      const { context, page, problems } = window
      await page.goto(`${at}/sign-in`)
      await page.getByLabel('E-mail address').fill(person.email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('Password', { exact: true }).fill(password)
      // Until the page has told the password manager that there is no passkey, it would remove one that was made beside the page.
      const answer = page.waitForResponse('**/account/passkeys/signals')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(/\/account/)
      await (await answer).finished()
      await addAuthenticator(page)
      const [recoveryCode = ''] = await page.evaluate<string[]>(addPasskey(tenant.publicKey))
      await page.goto(`${at}/sign-out`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor()

      // The browser offers the passkey by itself, and Chromium's simulated authenticator takes the offer at once.
      await page.goto(`${at}/sign-in`)
      await page.waitForURL(/\/account/)
      await page.goto(`${at}/sign-out`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor()

      // The browser says only after the button was pressed that it could offer one: the button has its way.
      const { promise: said, resolve: say } = Promise.withResolvers<undefined>()
      let questions = 0
      await page.route('**/sign-in/passkey/options', async (route) => {
        questions++
        await said
        await route.continue()
      })
      await page.addInitScript(
        'PublicKeyCredential.isConditionalMediationAvailable = () => new Promise((resolve) => { window.offer = () => resolve(true) })',
      )
      await page.goto(`${at}/sign-in`)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.evaluate('offer()')
      say(undefined)
      await page.waitForURL(/\/account/)
      assert.equal(questions, 1)
      await page.goto(`${at}/sign-out`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      assert.deepEqual(problems, [])

      // Conditional mediation would sign in before anything is typed.
      const second = await openWatchedPage(browser, { javaScriptEnabled: false })
      await second.page.goto(`${at}/sign-in`)
      await second.page.getByLabel('E-mail address').fill(person.email)
      await second.page.getByRole('button', { name: 'Continue' }).click()
      await second.page.getByLabel('Password', { exact: true }).fill(password)
      await second.page.getByRole('button', { name: 'Sign in' }).click()
      await second.page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
      await second.page.getByRole('link', { name: 'Use a recovery code' }).click()
      await second.page.getByLabel('Recovery code').fill(recoveryCode)
      await second.page.getByRole('button', { name: 'Confirm' }).click()
      await second.page.waitForURL(/\/account/)
      assert.deepEqual(second.problems, [])
      await second.context.close()
      await context.close()
    })
  })
})

/** As an account page would, through the frontend interface. */
const addPasskey = (publicKey: string) => `(async () => {
  const call = async (path, body) => {
    const response = await fetch('/frontend/api/v0' + path, { method: 'POST', credentials: 'include',
      headers: { 'content-type': 'application/json', 'x-public-key': ${JSON.stringify(publicKey)} },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()).data
  }
  const { publicKeyOptions } = await call('/user/passkeys/options')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(publicKeyOptions)
  const credential = await navigator.credentials.create({ publicKey })
  return (await call('/user/passkeys', { credential: credential.toJSON() })).recoveryCodes
})()`
