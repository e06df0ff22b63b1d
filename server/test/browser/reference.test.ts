// The reference page in a real browser: what its buttons send, and that only its own scripts run in it.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { Browser, Page, Response } from 'playwright-core'
import packageJson from '../../package.json' with { type: 'json' }
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'

const attack = '<img src=x onerror="globalThis.isAttacked=1"><svg onload="globalThis.isAttacked=1">'

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the reference in a browser', (open) => {
    let service: TestService
    let address: string
    let browser: Browser
    before(async () => {
      service = await startTestService((await open()).database)
      await service.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = service.app.server.address() as AddressInfo
      address = `http://127.0.0.1:${port}/api/v0/reference/`
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
    })

    async function show(rest = ''): Promise<Page> {
      const page = await browser.newPage()
      await page.goto(address + rest)
      await page
        .getByRole('button', { name: /^Test Request/ })
        .first()
        .waitFor()
      return page
    }

    // Guards: reference-page
    it('sends a request without a credential until one is entered', async () => {
      const page = await show()
      const answers: Response[] = []
      page.on('response', (response) => {
        if (
          !/\/(?:(?:openapi|management|frontend)\.json|favicon\.ico|reference\/.*)$/.test(
            new URL(response.url()).pathname,
          )
        )
          answers.push(response)
      })
      await page
        .getByRole('button', { name: /^Test Request/ })
        .first()
        .click()
      const send = page.getByRole('button', { name: /^Send/ }).first()
      await send.waitFor()
      // The page renders itself in pieces: a click before the button is active does nothing.
      for (let clicks = 0; answers.length === 0 && clicks < 30; clicks++) {
        await send.click()
        await page.waitForLoadState('networkidle')
      }
      const [response = assert.fail('nothing was sent')] = answers
      assert.equal(response.request().headers()['authorization'], undefined)
      assert.notEqual(response.status(), 401)
      await page.close()
    })

    // Guards: reference-page
    it('runs nothing that an address or a description contains', async () => {
      for (const rest of [
        `?url=${encodeURIComponent('https://evil.example/openapi.json')}`,
        `?q=${encodeURIComponent(attack)}&api=${encodeURIComponent(attack)}`,
        `#${attack}`,
        `#tag/${encodeURIComponent(attack)}`,
        `#description/${encodeURIComponent(attack)}`,
      ]) {
        const asked: string[] = []
        const page = await browser.newPage()
        page.on('request', (request) => asked.push(new URL(request.url()).host))
        await page.goto(address + rest)
        await page
          .getByRole('button', { name: /^Test Request/ })
          .first()
          .waitFor()
        // Simulates markup that got through: what is in the document does not run.
        await page.evaluate(`
          document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(attack)})
          const script = document.createElement('script')
          script.textContent = 'globalThis.isAttacked = 1'
          document.body.append(script)`)
        await page.evaluate('Promise.allSettled([...document.images].map((image) => image.decode()))')
        assert.equal(await page.evaluate('globalThis.isAttacked'), undefined, rest)
        assert.deepEqual([...new Set(asked)], [new URL(address).host], rest)
        await page.close()
      }
    })

    it('opens on an introduction and switches between both interfaces, on a phone too, with no error', async () => {
      for (const width of [390, 1280]) {
        const page = await browser.newPage({ viewport: { width, height: 900 } })
        const problems: string[] = []
        page.on('pageerror', (error) => problems.push(error.message))
        page.on('console', (message) => {
          if (message.type() === 'error' && !message.text().includes('favicon')) problems.push(message.text())
        })
        for (const [rest, heading, section] of [
          ['', 'Credentials', 'Signing keys'],
          ['?api=frontend', 'Session', 'Own authenticators'],
        ] as const) {
          await page.goto(address + rest)
          await page.getByRole('heading', { name: heading, exact: true }).first().waitFor()
          await page.getByText(`v${packageJson.version}`).first().waitFor()
          await page.getByText(section, { exact: true }).first().waitFor({ state: 'attached' })
          assert.equal(
            await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
            0,
          )
        }
        assert.equal(await page.evaluate('document.documentElement.lang'), 'en')
        assert.match(await page.title(), /^Bailiwick \d/)
        assert.deepEqual(problems, [])
        await page.close()
      }
    })
  })
})
