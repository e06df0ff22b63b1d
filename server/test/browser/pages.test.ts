// The hosted pages as people use them, in Chromium at a phone's width: no error, nothing that the policy refuses, no barrier that axe finds.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { after, before, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { describeOnEachEngine } from '../harness/databases.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { password, signedInPerson } from '../harness/people.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const sample = { width: 320, height: 640 }

describeBrowser('in Chromium', () => {
  describeOnEachEngine('the hosted pages', (open) => {
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

    /** A window whose every page is held to have no errors; `check` is called on each state that is looked at. */
    async function openWindow(options: Parameters<Browser['newContext']>[0] = {}) {
      const context = await browser.newContext({ viewport: sample, ...options })
      const problems: string[] = []
      const watch = (page: Page) => {
        page.on('pageerror', (error) => problems.push(error.message))
        page.on('console', (message) => {
          // A form that was not right is answered with 422, which the console notes as a failure to load.
          const isRefusedForm = message.text().includes('the server responded with a status of 4')
          if (message.type() === 'error' && !isRefusedForm) problems.push(message.text())
        })
      }
      const page = await context.newPage()
      watch(page)
      return { context, page, problems }
    }

    async function barriersOf(page: Page): Promise<string[]> {
      // Playwright's own world is not bound by the policy of the page.
      return page.evaluate(`(async () => { ${axe}; const { violations } = await axe.run(document, { resultTypes: ['violations'] });
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)) })()`)
    }

    async function check(page: Page, problems: readonly string[]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await barriersOf(page), [], `${page.url()} ${colorScheme}`)
      }
      await page.emulateMedia({ colorScheme: 'light' })
      const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')
      assert.deepEqual((widths as number[])[0], sample.width, `${page.url()} is wider than the screen`)
      assert.deepEqual(problems, [], page.url())
    }

    async function addAuthenticator(context: BrowserContext, page: Page) {
      const devTools = await context.newCDPSession(page)
      await devTools.send('WebAuthn.enable')
      await devTools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
    }

    it('sign up with a code, sign out, and sign in with a password and with a passkey', async () => {
      const { tenant } = await createTenant(service)
      const at = `${origin}/t/${tenant.slug}`
      const email = `${unique()}@example.com`
      const { context, page, problems } = await openWindow()
      await page.goto(`${at}/sign-up`)
      await check(page, problems)
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign up' }).click()
      await page.waitForURL(/\/sign-up\/c/)
      await check(page, problems)
      const { code } = await latestMessageTo(service.deps, email)
      // Sends itself.
      await page.getByLabel('Code').fill(code ?? '')
      await page.waitForURL(/\/account/)
      await check(page, problems)

      await page.goto(`${at}/sign-out`)
      await check(page, problems)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
      await check(page, problems)

      await page.goto(`${at}/sign-in`)
      await check(page, problems)
      await page.getByLabel('E-mail address').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Show' }).click()
      const field = page.getByLabel('Password', { exact: true })
      assert.equal(await field.getAttribute('type'), 'text')
      await field.fill('not this one')
      await check(page, problems)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('That does not match').waitFor()
      await check(page, problems)
      await field.fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(/\/account/)
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('sign in with a passkey, and take a recovery code in its place without JavaScript', async () => {
      const { tenant } = await createTenant(service)
      const at = `${origin}/t/${tenant.slug}`
      const person = await signedInPerson(service, tenant)
      const { context, page, problems } = await openWindow()
      await addAuthenticator(context, page)
      await page.goto(`${at}/sign-in`)
      await page.getByLabel('E-mail address').fill(person.email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(/\/account/)
      const [recoveryCode = ''] = await page.evaluate<string[]>(addPasskey(tenant.publicKey))
      await page.goto(`${at}/sign-out`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor()

      await page.goto(`${at}/sign-in`)
      // Where the browser offers the passkey in the field by itself, it has signed in by now.
      const button = page.getByRole('button', { name: 'Sign in with a passkey' })
      await Promise.race([button.click().catch(() => undefined), page.waitForURL(/\/account/)])
      await page.waitForURL(/\/account/)
      await page.goto(`${at}/sign-out`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      assert.deepEqual(problems, [])

      // Conditional mediation would sign in before anything is typed.
      const second = await openWindow({ javaScriptEnabled: false })
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

/** As an account page would, by the frontend interface. */
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
