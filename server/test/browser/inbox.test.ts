// The message inbox in a real browser: it obeys its policy, fits a phone, and shows new messages by itself.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { queueMessage } from '../../src/messaging/notifications/messages/queue-message.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { sendMessages } from '../harness/messages.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the message inbox', (open) => {
    let service: TestService
    let address: string
    let browser: Browser
    before(async () => {
      service = await startTestService((await open()).database)
      await service.app.listen({ port: 0, host: '127.0.0.1' })
      address = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}/dev/inbox`
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
    })

    async function send(to: string) {
      const { deps } = service
      const { tenant } = await createTenant(service)
      const id = await deps.db.transaction((tx) =>
        queueMessage(tx, deps, {
          tenantId: tenant.id as TenantId,
          channelType: 'email',
          template: { type: 'password-reset' },
          to,
          userId: null,
          variables: {
            code: '493817',
            link: `https://acme.example/reset?token=${'long'.repeat(100)}`,
            user: { name: '<script>alert(1)</script>' },
            expiresInMinutes: 10,
          },
          purpose: 'password_reset',
        }),
      )
      await sendMessages(deps)
      return `${address}/${tenant.id}/${id}`
    }

    /** A page on a phone, with the errors that occurred on it. */
    async function onPhone(url: string): Promise<{ page: Page; problems: string[] }> {
      const context = await browser.newContext({
        viewport: { width: 390, height: 844 },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      const page = await context.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('favicon')) problems.push(message.text())
      })
      await page.goto(url)
      return { page, problems }
    }
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

    it('copies a code, and shows new messages by itself', async () => {
      const [first, second] = [`${unique()}@example.com`, `${unique()}@example.com`]
      await send(first)
      const { page, problems } = await onPhone(address)
      await page.getByText(first).waitFor()
      await page.getByRole('button', { name: 'Copy the code' }).first().click()
      await page.getByText('Copied').waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), '493817')
      assert.equal(await page.evaluate(overflow), 0)
      await send(second)
      await page.getByText(second).waitFor()
      assert.equal(await page.locator('li').first().locator('.to').textContent(), second)
      assert.deepEqual(problems, [])
      await page.context().close()
    })

    it('shows a mail in its full height, and runs nothing in it', async () => {
      const { page, problems } = await onPhone(await send(`${unique()}@example.com`))
      const frame = page.frameLocator('iframe')
      await frame.getByRole('heading').first().waitFor()
      await page.waitForFunction(`(() => {
        const frame = document.querySelector('iframe')
        const { scrollHeight, scrollWidth } = frame.contentDocument.documentElement
        return frame.clientHeight >= scrollHeight && frame.clientHeight - scrollHeight < 8 && scrollWidth <= frame.clientWidth
      })()`)
      assert.equal(await page.evaluate(overflow), 0)
      assert.deepEqual(problems, [])
      await page.context().close()
    })
  })
})
