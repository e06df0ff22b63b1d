// The console's screens of what a tenant sends, stores and remembers, in Chromium: as the operator does the main task of each, and as a
// member with few flags meets them.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { deliverHandler } from '../../src/messaging/webhooks/deliver.ts'
import { deliverJobKind } from '../../src/messaging/webhooks/schedule.ts'
import { createJobRunner } from '../../src/platform/jobs/runner.ts'
import { getConsoleTenantId } from '../../src/tenancy/tenants/console-tenant.ts'
import { fanOutEverything } from '../harness/databases/event-log.ts'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createFile, createTenant, createUser, createWebhook, unique } from '../harness/factories.ts'
import { drawn, patchwork, png } from '../harness/files/pictures.ts'
import { freePort } from '../harness/free-port.ts'
import { sendMessages } from '../harness/messages.ts'
import { MailServer } from '../harness/outside/mail-server.ts'
import { WebhookReceiver, answer } from '../harness/outside/webhook-receiver.ts'
import { flagsOf } from '../harness/people/sessions.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { Task } from './task.ts'
import { openWatchedPage } from './watched-page.ts'

const password = 'correct horse battery staple'

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the screens of what a tenant sends, stores and remembers', (open) => {
    let service: TestService
    let origin: string
    let browser: Browser
    before(async () => {
      const port = await freePort()
      origin = `http://localhost:${port}`
      const { database } = await open()
      service = await startTestService(database, { ...testEnv, BAILIWICK_BASE_URL: `${origin}/api/v0` })
      await service.app.listen({ port, host: '127.0.0.1' })
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
    })

    const screen = { width: 1280, height: 800 }
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
    const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
    const consoleOf = ({ id }: { readonly id: string }) => `${origin}/console/t/${id}`
    const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true })
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
    const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

    it('let the operator make a webhook and copy its secret unseen, follow events, and check that none was changed', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser, {
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      await page.goto(`${origin}/console/t/${tenant.id}/webhooks/new`)
      await heading(page, 'Create a webhook').waitFor()
      await page.getByLabel('Address').fill('https://hooks.example/in')
      await page.getByLabel('user.created', { exact: true }).check()
      await press(page, 'Create webhook')
      const dialog = page.getByRole('dialog', { name: 'Copy the signing secret' })
      await dialog.getByRole('button', { name: 'Copy' }).click()
      await seen(page, 'The signing secret is copied.')
      const secret = await page.evaluate<string>('navigator.clipboard.readText()')
      assert.match(secret, /^whsec_/)
      assert.ok(!(await page.content()).includes(secret))
      await check()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await heading(page, 'https://hooks.example/in').waitFor()
      await seen(page, 'Nothing has been sent yet')
      await check()

      await page.goto(`${origin}/console/t/${tenant.id}/events`)
      await press(page, 'webhook.created')
      await page.getByRole('dialog', { name: 'webhook.created' }).getByLabel('Data').waitFor()
      await check()
      await page.keyboard.press('Escape')
      await press(page, 'Check the log')
      await seen(page, 'untouched')
      await page.getByLabel('Event', { exact: true }).selectOption('tenant.created')
      await page.getByRole('button', { name: 'webhook.created', exact: true }).waitFor({ state: 'detached' })
      await press(page, 'Follow live')
      await seen(page, 'Waiting for the next event')
      // The stream is open some moment after that: what happens is repeated until it is seen.
      const live = page.getByRole('table', { name: 'Events as they happen' })
      for (let tries = 0; tries < 50 && !(await live.isVisible()); tries++) {
        await createUser(service, tenant.id, { name: 'Ada' })
        await live.waitFor({ timeout: 1000 }).catch(() => undefined)
      }
      await live.getByRole('button', { name: 'user.created' }).first().waitFor()
      await check()
      await context.close()
    })

    it('let the operator write a template beside its preview, send it, and read how that went', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console/t/${tenant.id}/channels/new`)
      await page.getByLabel('Name').fill('Inbox')
      await page.getByLabel('Key').fill('inbox')
      await page.getByLabel('Delivered by').selectOption('email_smtp')
      await page.getByLabel('Host').fill('mail.example.com')
      await page.getByLabel('Delivered by').selectOption('dev_inbox')
      await page.getByLabel('Host').waitFor({ state: 'detached' })
      await press(page, 'Create channel')
      await heading(page, 'Inbox').waitFor()
      await page.goto(`${origin}/console/t/${tenant.id}/templates/new`)
      await page.getByLabel('Name').fill('receipt')
      await page.getByLabel('Subject').fill('Thank you')
      await page.getByLabel('Body').fill('{% if %}')
      await press(page, 'Create template')
      await page.locator('textarea[aria-invalid="true"]').waitFor()
      await page
        .getByLabel('Body')
        .fill('<p style="color: teal">Hello {{ user.name }}</p><script>parent.document.title = 1</script>')
      await press(page, 'Create template')
      await heading(page, 'receipt').waitFor()
      const shown = page.frameLocator('iframe[title="The message"]')
      await shown.getByText('Hello Ada').waitFor()
      await page.getByLabel('Body').fill('<p>Goodbye {{ user.name }}</p>')
      await shown.getByText('Goodbye Ada').waitFor()
      await page.getByLabel('Body').fill('<p>{{ user.name </p>')
      await page.getByRole('alert').first().waitFor()
      await check()

      await page.getByLabel('Channel').selectOption({ label: 'Inbox (E-mail)' })
      await page.getByRole('textbox', { name: 'To', exact: true }).fill('ada@example.com')
      await press(page, 'Send a test')
      await heading(page, 'Message').or(heading(page, 'Thank you')).waitFor()
      await sendMessages(service.deps)
      await seen(page, 'sent')
      await page.goto(`${origin}/console/t/${tenant.id}/messages?status=failed`)
      await seen(page, 'Nothing matches')
      await press(page, 'Clear search and filters')
      await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
      await check()
      await context.close()
    })

    it('let the operator upload a picture, and show it before and after the steps of a transformation', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console/t/${tenant.id}/media/new`)
      const buffer = await png(drawn(64, 40, patchwork))
      await page.getByLabel('File').setInputFiles({ name: 'patches.png', mimeType: 'image/png', buffer })
      await press(page, 'Upload')
      await heading(page, 'patches.png').waitFor()
      await page.getByRole('img', { name: 'patches.png' }).waitFor()
      await check()

      await page.goto(`${origin}/console/t/${tenant.id}/media`)
      await page.locator('.thumbnail img').waitFor()
      await page.evaluate(`document.querySelector('.thumbnail img').decode()`)

      await page.goto(`${origin}/console/t/${tenant.id}/transformations/new`)
      await page.getByLabel('Name').fill('card')
      await page.getByRole('img', { name: 'After' }).waitFor()
      const shown = await page.getByRole('img', { name: 'After' }).getAttribute('src')
      await page.getByLabel('Add a step').selectOption('grayscale')
      await page.getByLabel('Add a step').selectOption('blur')
      await press(page, 'Move Blur up')
      await page.locator(`img[alt="After"]:not([src="${shown ?? ''}"])`).waitFor()
      await check()
      await press(page, 'Create transformation')
      await heading(page, 'card').waitFor()
      const { data } = await service.ok<{ data: { steps: { type: string }[] }[] }>('listTransformations', {
        params: { tenantId: tenant.id },
      })
      assert.deepEqual(
        data[0]?.steps.map(({ type }) => type),
        ['blur', 'grayscale'],
      )
      await context.close()
    })

    it('show a member with few flags what it may see, and let an administrator change those flags', async () => {
      const { tenant } = await createTenant(service)
      const email = `${unique()}@console.example`
      const consoleTenantId = await getConsoleTenantId(service.deps.db)
      const user = await createUser(service, consoleTenantId, { email, name: 'Mary', password })
      await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      await service.ok('createTenantMember', { body: { tenantId: tenant.id, email, ...flagsOf('roleViewConfig') } })
      const webhook = await createWebhook(service, tenant.id)
      const bytes = await png(drawn(8, 8, patchwork))
      await createFile(service, tenant.id, { size: bytes.length }, bytes)

      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console/t/${tenant.id}/administrators`)
      const row = page.getByRole('row', { name: /Mary/ })
      await row.getByRole('button', { name: 'Rights' }).click()
      const dialog = page.getByRole('dialog', { name: 'Rights of Mary' })
      await dialog.getByRole('switch', { name: 'View users' }).check()
      await check()
      await dialog.getByRole('button', { name: 'Save rights' }).click()
      await dialog.waitFor({ state: 'detached' })
      const { data } = await service.ok<{ data: Record<string, unknown>[] }>('listTenantMembers', {
        params: { tenantId: tenant.id },
      })
      assert.deepEqual(
        ['roleViewConfig', 'roleViewUsers', 'roleAdmin'].map((flag) => data[0]?.[flag]),
        [true, true, false],
      )

      const back = encodeURIComponent(`${origin}/console/t/${tenant.id}/webhooks`)
      await page.goto(`${origin}/t/${consoleTenantId}/sign-in?redirect_to=${back}`)
      await page.getByLabel('E-mail address').fill(email)
      await press(page, 'Continue')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await press(page, 'Sign in')
      await heading(page, 'Webhooks').waitFor()
      const create = page.getByRole('button', { name: 'Create a webhook' })
      assert.equal(await create.getAttribute('aria-disabled'), 'true')
      await create.focus()
      await seen(page, 'You need the right “Edit settings” in this tenant.')
      await check()
      for (const path of [`webhooks/${webhook.id}`, 'messages', 'media', 'usage', 'sign-ins', 'sessions']) {
        await page.goto(`${origin}/console/t/${tenant.id}/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await check()
      }
      for (const path of ['events', 'administrators', 'billing', 'webhooks/new']) {
        await page.goto(`${origin}/console/t/${tenant.id}/${path}`)
        await seen(page, 'There is no such page')
      }
      const status = await page.evaluate<number>(
        `fetch('/api/v0/tenants/${tenant.id}/events').then(({ status }) => status)`,
      )
      assert.equal(status, 403)
      await context.close()
    })

    it('send all e-mail through a mail server of the tenant, after a test that has arrived, in 5 clicks', async () => {
      const mail = await MailServer.start()
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      const task = new Task()
      await page.goto(consoleOf(tenant))
      await task.click(link(page, 'Create a channel'))
      await page.getByLabel('Name').fill('Own mail')
      await page.getByLabel('Key').fill('own-mail')
      await page.getByLabel('Delivered by').selectOption('email_smtp')
      await page.getByLabel('Host').fill('127.0.0.1')
      await page.getByLabel('Port').fill(String(mail.port))
      await page.getByLabel('From', { exact: false }).first().fill('hello@northwind.example')
      await task.click(button(page, 'Create channel'))
      await heading(page, 'Own mail').waitFor()
      await page.getByText('not used yet').waitFor()
      assert.equal(await button(page, 'Use for all e-mail').getAttribute('aria-disabled'), 'true')
      await check()
      await page.getByLabel('To', { exact: true }).fill('nadia@ops.example')
      await task.click(button(page, 'Send a test message'))
      await page.getByText('It is being sent.').waitFor()
      await sendMessages(service.deps)
      await page.getByText('The provider has accepted the test to nadia@ops.example.').waitFor()
      assert.deepEqual(mail.received.at(-1)?.to, ['nadia@ops.example'])
      await task.click(button(page, 'Use for all e-mail'))
      await page.getByText('in use', { exact: true }).waitFor()
      task.within(5)
      await check()
      const email = `${unique()}@example.com`
      const { primaryEmailId } = await createUser(service, tenant.id, { email })
      assert.notEqual(primaryEmailId, null)
      await service.ok('sendMessage', {
        body: { tenantId: tenant.id, template: 'welcome', channel: 'own-mail', variables: {}, input: { to: email } },
      })
      await sendMessages(service.deps)
      assert.ok(mail.received.some(({ to }) => to.includes(email)))
      await context.close()
      await mail.stop()
    })

    it('show a webhook that fails, why, and when it is tried again, and deliver again, in 4 clicks', async () => {
      const { tenant } = await createTenant(service)
      const receiver = await WebhookReceiver.start()
      receiver.behaviour = answer(500)
      await createWebhook(service, tenant.id, { url: receiver.url, events: ['user.created'] })
      const runner = createJobRunner(service.deps, { [deliverJobKind]: deliverHandler(service.deps) })
      const deliver = async () => {
        await fanOutEverything(service.deps)
        while ((await runner.claim()) > 0) await runner.idle()
      }
      await createUser(service, tenant.id)
      await deliver()
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      const task = new Task()
      await page.goto(consoleOf(tenant))
      await task.click(link(page, 'Webhooks'))
      await page.getByRole('row', { name: receiver.url }).getByText('failing').waitFor()
      await check()
      await task.click(link(page, receiver.url))
      await heading(page, receiver.url).waitFor()
      const notice = page.getByRole('status').filter({ hasText: 'Failing since' })
      await notice.getByText('The receiver answered 500.').waitFor()
      await notice.getByText('The next attempt is').waitFor()
      task.clicks++
      const filtered = page.waitForResponse((response) => response.url().includes('status=undelivered'))
      await page.getByLabel('Status').selectOption({ label: 'Failed or waiting' })
      await filtered
      await page.getByText('1 in all').waitFor()
      await page.getByRole('cell', { name: 'failing', exact: true }).waitFor()
      await check()
      receiver.behaviour = answer(200)
      await task.click(button(page, 'Send again'))
      await page.getByText('It is sent again now.').waitFor()
      await deliver()
      await page.getByText('Nothing matches').waitFor()
      await notice.waitFor({ state: 'detached' })
      task.within(4)
      assert.equal(receiver.received.length, 2)
      await context.close()
      await receiver.stop()
    })
  })
})
