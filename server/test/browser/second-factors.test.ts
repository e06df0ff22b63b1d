// A tenant that requires a second factor, as a newcomer uses it in Chromium at a phone's width: signs up, sets up an app, signs in with it,
// and is then not asked on the same device.
import { after, before, it } from 'node:test'
import { HOTP, Secret } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { unique } from '../harness/factories.ts'
import { freePort } from '../harness/free-port.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { startServiceWithClock } from '../harness/people/sessions.ts'
import { tenantWith } from '../harness/people/signed-in-user.ts'
import { type TestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const password = 'correct horse battery staple'

describeBrowser('in Chromium', () => {
  describeOnOneEngine('second factors in a browser', (open) => {
    let service: TestService
    let advance: (ms: number) => void
    let origin: string
    let browser: Browser
    before(async () => {
      const port = await freePort()
      origin = `http://localhost:${port}`
      const env = { ...testEnv, BAILIWICK_BASE_URL: `${origin}/api/v0` }
      ;({ service, advance } = await startServiceWithClock((await open()).database, env))
      await service.app.listen({ port, host: '127.0.0.1' })
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
    })

    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
    const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

    function codeOf(secret: string) {
      // Each code is accepted once.
      advance(30_000)
      const counter = Math.floor(service.deps.clock.nowMs() / 30_000)
      return HOTP.generate({ secret: Secret.fromBase32(secret), counter, digits: 6 })
    }

    async function signOut(page: Page, at: string) {
      await page.goto(`${at}/sign-out`)
      await press(page, 'Sign out')
      await page.waitForURL(/sign-(?:in|out)/)
    }

    async function enterPassword(page: Page, at: string, email: string) {
      await page.goto(`${at}/sign-in`)
      await page.getByLabel('E-mail address').fill(email)
      await press(page, 'Continue')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await press(page, 'Sign in')
    }

    it('are set up by a newcomer, asked for at the next sign-in, and spared on a trusted device', async () => {
      const tenant = await tenantWith(service, { secondFactorRequired: true, trustedDeviceDays: 30 })
      const at = `${origin}/t/${tenant.slug}`
      const email = `${unique()}@example.com`
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${at}/sign-up`)
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page
        .getByRole('button', { name: /Continue|Sign up|Create/ })
        .first()
        .click()
      await page.getByRole('textbox', { name: 'Code' }).waitFor()
      await page.getByRole('textbox', { name: 'Code' }).fill((await latestMessageTo(service.deps, email)).code ?? '')
      await heading(page, 'Protect your account with a second step')
      await check()
      await press(page, 'Set up an app')
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
      const secret = (await page.locator('code').innerText()).replaceAll(/\s/g, '')
      await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
      await heading(page, 'Save these codes')
      await page.getByRole('link', { name: 'I have saved them' }).click()
      await heading(page, 'Your account')

      await signOut(page, at)
      await enterPassword(page, at, email)
      await page.getByLabel('Do not ask on this device for 30 days').check()
      await check()
      await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
      await page.locator('form:has(input[name="code"]) button').click()
      await heading(page, 'Your account')

      await signOut(page, at)
      await enterPassword(page, at, email)
      await heading(page, 'Your account')
      await page.goto(`${at}/account/sessions`)
      await heading(page, 'Devices without the second step')
      await check()
      await page.getByRole('button', { name: /^Ask again on / }).click()
      await page.getByText('You will be asked for the second step on this device again.').waitFor()

      await signOut(page, at)
      await enterPassword(page, at, email)
      await page.getByLabel('Do not ask on this device for 30 days').waitFor()
      await context.close()
    })
  })
})
