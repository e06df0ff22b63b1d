// The documentation in a real browser: the search, the examples with the reader's own tenant, a phone, and addresses that mean ill.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createTenant } from '../harness/factories.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const attack = '<img src=x onerror="globalThis.isAttacked=1"><svg onload="globalThis.isAttacked=1">'

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the documentation in a browser', (open) => {
    let service: TestService
    let origin: string
    let browser: Browser
    before(async () => {
      service = await startTestService((await open()).database)
      await service.app.listen({ port: 0, host: '127.0.0.1' })
      origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
    })

    it('is searched by keyboard on a phone, without a barrier', async () => {
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/docs/`)
      await page.getByRole('heading', { name: 'Bailiwick documentation' }).waitFor()
      await check()
      await page.getByRole('button', { name: 'Search' }).waitFor()
      // Letters typed before the search is loaded are kept.
      await page.keyboard.type('/scim')
      const dialog = page.getByRole('dialog', { name: 'Search' })
      await dialog
        .getByRole('link', { name: /^Provisioning by SCIM/ })
        .first()
        .waitFor()
      await check()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Provisioning by SCIM', level: 1 }).waitFor()
      await check()
      await page.getByRole('button', { name: 'Pages' }).click()
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks', exact: true }).click()
      await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
      await context.close()
    })

    it("shows operations with the reader's own tenant, which goes along to other pages and stays out of the address", async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser, { viewport: { width: 1280, height: 800 } })
      await page.goto(`${origin}/docs/reference/#createRole&tenant=${tenant.id}`)
      await page.waitForURL(`${origin}/docs/reference/roles/#createRole`)
      await page.getByText(`The examples use your tenant ${tenant.name} (${tenant.id}).`).waitFor()
      const operation = page.locator('#createRole')
      const command = await operation.locator('[data-language=curl] code').innerText()
      assert.ok(command.includes(`curl -X POST '${origin}/api/v0/auth/roles'`), command)
      assert.ok(command.includes(tenant.id), command)
      await operation.getByRole('button', { name: 'TypeScript' }).click()
      assert.match(await operation.locator('[data-language=ts] code').innerText(), /bailiwick\.createRole\(\{/)
      // Guards: reference-page
      const sent = page.waitForRequest((request) => request.url() === `${origin}/api/v0/auth/roles`)
      await context.addCookies([{ name: 'probe', value: 'x', domain: '127.0.0.1', path: '/' }])
      await operation.getByRole('button', { name: 'Try it' }).click()
      await operation.getByLabel('Body').fill(JSON.stringify({ tenantId: tenant.id, name: 'auditor' }))
      await operation.getByRole('button', { name: 'Send' }).click()
      await operation.getByText('"name": "auditor"').last().waitFor()
      const { cookie, authorization } = await (await sent).allHeaders()
      assert.deepEqual([cookie, authorization], [undefined, undefined])
      await check()
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Sign-in', exact: true }).click()
      await page.locator('#createSignIn [data-language=ts]').getByText(tenant.publicKey).waitFor()
      assert.equal(new URL(page.url()).hash, '')
      await context.close()
    })

    // Guards: reference-page
    it('runs nothing that an address contains, and asks nobody but the service', async () => {
      const encoded = encodeURIComponent(attack)
      for (const rest of [
        `reference/?url=${encodeURIComponent('https://evil.example/openapi.json')}`,
        `reference/users/#${attack}`,
        `reference/users/#createUser&tenant=${encoded}`,
        `#search=${encoded}`,
      ]) {
        const asked: string[] = []
        const page = await browser.newPage()
        page.on('request', (request) => asked.push(new URL(request.url()).origin))
        await page.goto(`${origin}/docs/${rest}`, { waitUntil: 'networkidle' })
        // Simulates markup that got through: what is in the document does not run.
        await page.evaluate(`
          document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(attack)})
          const script = document.createElement('script')
          script.textContent = 'globalThis.isAttacked = 1'
          document.body.append(script)`)
        await page.evaluate('Promise.allSettled([...document.images].map((image) => image.decode()))')
        assert.equal(await page.evaluate('globalThis.isAttacked'), undefined, rest)
        assert.deepEqual([...new Set(asked)], [origin], rest)
        await page.close()
      }
    })
  })
})
