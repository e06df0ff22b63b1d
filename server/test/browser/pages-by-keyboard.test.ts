// The hosted pages for people who use no mouse, read German or Arabic, choose their own colours, go back and forth, or have lost their
// cookies.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createTenant } from '../harness/factories.ts'
import { password, signedInPerson } from '../harness/people/people.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

/** Returns the focused element's name or text, and whether an outline shows the focus. */
const focused = (page: Page) =>
  page.evaluate<[name: string, isOutlined: boolean]>(`(() => {
    const { activeElement: element } = document
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return [element.name || element.textContent.trim(), outlineStyle !== 'none' && outlineWidth !== '0px']
  })()`)

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the hosted pages, by keyboard', (open) => {
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

    async function home() {
      const { tenant } = await createTenant(service)
      const { email } = await signedInPerson(service, tenant)
      return { at: `${origin}/t/${tenant.slug}`, email }
    }

    it('can be used by the keyboard alone, and show the focus', async () => {
      const { at, email } = await home()
      const { page, context, problems } = await openWatchedPage(browser)
      const { keyboard } = page
      const walk = async (names: readonly string[]) => {
        for (const name of names) {
          await keyboard.press('Tab')
          assert.deepEqual(await focused(page), [name, true])
        }
      }
      await page.goto(`${at}/sign-in`)
      assert.deepEqual(await focused(page), ['identifier', true])
      await walk(['Continue', 'Sign in with a passkey', 'Sign up', 'Language: English'])
      await keyboard.press('Enter')
      await walk(['Deutsch', 'Français'])
      await page.locator('[name=identifier]').focus()
      await keyboard.type(email)
      await keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Enter your password' }).waitFor()
      assert.deepEqual(await focused(page), ['password', true])
      await keyboard.type('not this one')
      await keyboard.press('Enter')
      await page.getByText('That does not match').waitFor()
      assert.deepEqual(await focused(page), ['password', true])
      await page.getByRole('button', { name: 'Show' }).waitFor()
      await walk(['Show', 'Sign in', 'Forgot your password?', 'Use another way'])
      await page.locator('[name=password]').focus()
      await keyboard.type(password)
      await keyboard.press('Enter')
      await page.waitForURL(/\/account/)
      assert.deepEqual(problems, [])
      await context.close()
    })

    it('have no barrier in German and Arabic, nor with colours of the reader', async () => {
      const { at, email } = await home()
      for (const options of [
        { locale: 'de-DE' },
        { locale: 'ar-EG' },
        { locale: 'ar-EG', javaScriptEnabled: true, viewport: { width: 1280, height: 800 } },
        { locale: 'de-DE', forcedColors: 'active' },
      ] as const) {
        const { page, context, check } = await openWatchedPage(browser, options)
        for (const path of ['/sign-up', '/reset-password', '/nothing', '/sign-in']) {
          await page.goto(at + path)
          await check()
        }
        await page.locator('[name=identifier]').fill(email)
        await page.locator('[name=identifier]').press('Enter')
        await page.locator('[name=password]').fill('not this one')
        await page.locator('[name=password]').press('Enter')
        await page.locator('[aria-invalid=true]').waitFor()
        await check()
        await context.close()
      }
    })

    it('survive going back, loading again, and losing their cookies', async () => {
      const { at, email } = await home()
      const { page, context, problems } = await openWatchedPage(browser)
      await page.goto(`${at}/sign-in`)
      await page.locator('[name=identifier]').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.locator('[name=password]').fill('not this one')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('That does not match').waitFor()
      // Sends the form once more.
      await page.reload()
      await page.getByText('That does not match').waitFor()
      await context.clearCookies()
      await page.locator('[name=password]').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('link', { name: 'Load it again' }).click()
      await page.getByRole('link', { name: 'Start again' }).click()
      await page.locator('[name=identifier]').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.locator('[name=password]').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(/\/account/)
      await page.goBack()
      // The attempt is complete: its page leads to where it ended.
      await page.waitForURL(/\/account/)
      await page.getByRole('heading', { name: 'Your account' }).waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
})
