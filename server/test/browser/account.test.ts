// The pages of an account as people use them, in Chromium at a phone's width: no error, nothing that the policy refuses, no barrier that
// axe finds.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { HOTP, Secret } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { unique } from '../harness/factories.ts'
import { drawn, patchwork, png } from '../harness/files/pictures.ts'
import { freePort } from '../harness/free-port.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { openSession } from '../harness/people/sessions.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { addAuthenticator, describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const password = 'correct horse battery staple'

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the pages of an account', (open) => {
    let service: TestService
    let origin: string
    let browser: Browser
    before(async () => {
      const port = await freePort()
      origin = `http://localhost:${port}`
      // Pictures come from the deployment's own address.
      service = await startTestService((await open()).database, { ...testEnv, BAILIWICK_BASE_URL: `${origin}/api/v0` })
      await service.app.listen({ port, host: '127.0.0.1' })
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
    })

    async function someone() {
      const tenant = await tenantWith(service, {
        strategySecurityKeyEnabled: true,
        strategyAuthenticatorCodeEnabled: true,
        phoneSignInEnabled: true,
        passwordRequired: false,
      })
      const { user, email } = await signedInUser(service, tenant, { name: 'Ada Lovelace', password })
      return { tenant, user, email, at: `${origin}/t/${tenant.slug}` }
    }

    async function signIn(page: Page, at: string, email: string) {
      await page.goto(`${at}/account`)
      await page.getByLabel('E-mail address').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Your account' }).waitFor()
    }

    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
    const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

    it('set up a passkey and an app, show recovery codes, and end sessions', async () => {
      const { tenant, user, email, at } = await someone()
      const { context, page, check } = await openWatchedPage(browser)
      await signIn(page, at, email)
      await addAuthenticator(page)
      await openSession(service, tenant.id, user.id)
      await page.goto(`${at}/account`)
      await check()
      for (const name of ['Profile', 'E-mail addresses', 'Phone numbers', 'Password', 'Connected accounts']) {
        const link = page.getByRole('link', { name })
        if ((await link.count()) === 0) continue
        await link.click()
        await page.getByRole('link', { name: 'Your account' }).waitFor()
        await check()
        await page.getByRole('link', { name: 'Your account' }).click()
        await page.getByRole('heading', { name: 'Your account' }).waitFor()
      }

      // With the keyboard: to the link at the top of the page, then to the field and the button.
      await page.getByRole('link', { name: 'Passkeys' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
      await check()
      await page.getByLabel('Name').focus()
      await page.keyboard.type('Laptop')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Save these codes' }).waitFor()
      await check()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download' }).click(),
      ])
      assert.equal(download.suggestedFilename(), 'recovery-codes.txt')
      assert.equal(await page.locator('.codes li').count(), 10)
      await page.getByRole('link', { name: 'I have saved them' }).click()
      await seen(page, 'Your passkey is added.')
      await seen(page, 'Laptop')
      await check()
      await page.getByRole('link', { name: 'Rename' }).click()
      await page.getByRole('heading', { name: 'Rename this passkey' }).waitFor()
      await check()

      await page.goto(`${at}/account/app`)
      await check()
      await press(page, 'Set up an app')
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
      await check()
      const secret = (await page.locator('code').innerText()).replaceAll(/\s/g, '')
      const counter = Math.floor(service.deps.clock.nowMs() / 30_000)
      // The form sends itself.
      await page
        .getByLabel('Code', { exact: true })
        .fill(HOTP.generate({ secret: Secret.fromBase32(secret), counter, digits: 6 }))
      await page.getByRole('heading', { name: 'Save these codes' }).waitFor()
      await page.getByRole('link', { name: 'I have saved them' }).click()
      await seen(page, 'Your authenticator app is set up.')
      await check()
      await page.goto(`${at}/account/recovery-codes`)
      await seen(page, '10 codes left')
      await check()

      await page.goto(`${at}/account/sessions`)
      await check()
      await press(page, 'Sign out everywhere else')
      await seen(page, 'You are signed out everywhere else.')
      assert.equal(await page.locator('.items li').count(), 1)

      await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { severalAccountsEnabled: true } })
      await page.goto(`${at}/accounts`)
      await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
      await check()
      await context.close()
    })

    it('work without JavaScript, and are accessible in every state', async () => {
      const { user, email, at } = await someone()
      const { context, page, problems } = await openWatchedPage(browser, { javaScriptEnabled: false })
      await signIn(page, at, email)
      await page.goto(`${at}/account/profile`)
      await page.getByLabel('Name', { exact: true }).fill('Ada King')
      await press(page, 'Save')
      await seen(page, 'Your changes are saved.')
      const buffer = await png(drawn(300, 200, patchwork))
      await page.getByLabel('Choose an image').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
      // The policy lets the page load it.
      const [image] = await Promise.all([
        page.waitForResponse((response) => response.url().includes('/media/')),
        press(page, 'Upload the picture'),
      ])
      assert.match((await image.allHeaders())['content-type'] ?? '', /^image\//)
      await seen(page, 'Your picture is changed.')

      await page.goto(`${at}/account/emails`)
      const another = `${unique()}@example.com`
      await page.getByLabel('E-mail address').fill(another)
      await press(page, 'Add')
      await page.getByRole('heading', { name: 'Verify your e-mail address' }).waitFor()
      const verification = page.url()
      const { code } = await latestMessageTo(service.deps, another)

      // axe needs JavaScript: a second window of the same browser checks the state that the first one has reached.
      const eye = await openWatchedPage(browser, { storageState: await context.storageState() })
      await eye.page.goto(`${at}/account/password`)
      await eye.page.getByLabel('Current password').fill('not this one')
      await eye.page.getByLabel('New password').fill('staple of another colour')
      await press(eye.page, 'Save the password')
      await seen(eye.page, 'This is not your current password.')
      await eye.check()
      const primary = user.primaryEmailId ?? ''
      for (const address of [verification, `${at}/account/profile`, `${at}/account/emails/${primary}/remove`]) {
        await eye.page.goto(address)
        await eye.check()
      }
      await eye.page.setViewportSize({ width: 1280, height: 800 })
      for (const name of ['sessions?lang=ar', 'confirm', 'data', 'delete?lang=en']) {
        await eye.page.goto(`${at}/account/${name}`)
        await eye.check()
      }
      await eye.context.close()

      await page.getByLabel('Code').fill(code ?? '')
      await press(page, 'Verify')
      await seen(page, 'Your e-mail address is verified.')
      await page.getByRole('link', { name: `Remove: ${another}` }).click()
      await press(page, 'Remove')
      await seen(page, 'It has been removed.')
      await page.goto(`${at}/account/data`)
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download the file')])
      assert.match(download.suggestedFilename(), /-data\.json$/)
      await page.goto(`${at}/account/delete`)
      await page.getByLabel('Delete my account for good').check()
      await press(page, 'Delete my account')
      await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
      await service.refused('getUser', 'not_found', { params: { id: user.id } })
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
})
