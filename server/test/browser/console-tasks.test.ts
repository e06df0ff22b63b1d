// The tasks for which people open the console, in Chromium, from the first click to the proven outcome. Each counts its clicks.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { Tenant, User } from '@bailiwick/contract'
import type { Browser, Page } from 'playwright-core'
import { addMilliseconds } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { Browser as Visitor } from '../harness/browser/frontend.ts'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createFile, createRole, createTenant, createUser, unique } from '../harness/factories.ts'
import { drawn, patchwork, png } from '../harness/files/pictures.ts'
import { freePort } from '../harness/free-port.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { addMember, signInConsoleUser } from '../harness/people/sessions.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { startProvider } from './oidc-provider.ts'
import { Task } from './task.ts'
import { openWatchedPage } from './watched-page.ts'

const password = 'correct horse battery staple'
const screen = { width: 1280, height: 800 }

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the tasks of the console', (open) => {
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

    const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true })
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
    const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
    const consoleOf = (tenant: Pick<Tenant, 'id'>, path = '') => `${origin}/console/t/${tenant.id}${path}`

    it('lead from the address of the service to a tenant in which a user has signed in, in 6 clicks', async () => {
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      const task = new Task()
      await page.goto(origin)
      await task.click(link(page, 'Open the console'))
      await task.click(link(page, 'Create a tenant').first())
      const name = `Northwind ${unique().slice(0, 6)}`
      // The list before it has a field for names too.
      await heading(page, 'Create a tenant').waitFor()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await task.click(button(page, 'Create tenant'))
      await heading(page, name).waitFor()
      await check()
      const opened = context.waitForEvent('page')
      await task.click(link(page, 'Open your sign-in page'))
      const user = await opened
      await task.click(link(user, 'Sign up'))
      const email = `${unique()}@example.com`
      await user.getByLabel('E-mail address').fill(email)
      await user.getByLabel('Password', { exact: true }).fill(password)
      await task.click(button(user, 'Sign up'))
      const code = user.getByLabel('Code')
      await code.waitFor()
      // The page sends the code as soon as it is complete.
      await code.fill((await latestMessageTo(service.deps, email)).code ?? '')
      await user.waitForURL(/\/account/)
      task.within(6)
      await page.getByText('1 of 5 steps are proved to work.').waitFor()
      await page.getByText('Sign a first user in').waitFor()
      await check()
      await context.close()
    })

    it('put a logo and colours on the pages, in 4 clicks', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      const task = new Task()
      await page.goto(consoleOf(tenant))
      await task.click(link(page, 'Set the brand'))
      await heading(page, 'Brand').waitFor()
      task.clicks++
      await page
        .getByLabel('Picture')
        .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await png(drawn(240, 80, patchwork)) })
      await page.getByText('The logo is on your pages and e-mails.').waitFor()
      await page.getByLabel('Main colour', { exact: true }).first().fill('#0f766e')
      await task.click(button(page, 'Derive colours'))
      await task.click(button(page, 'Save brand'))
      await page.getByText('The brand is saved.').waitFor()
      task.within(4)
      await check()
      const visitor = await context.newPage()
      await visitor.goto(`${origin}/t/${tenant.slug}/sign-in`)
      const logo = visitor.locator('header img, .brand img, img').first()
      await logo.waitFor()
      await visitor.waitForFunction("document.querySelector('img').naturalWidth > 0")
      const painted = await visitor.evaluate(
        "getComputedStyle(document.querySelector('main form button')).backgroundColor",
      )
      assert.equal(painted, 'rgb(15, 118, 110)')
      const { logoId } = await service.ok<Tenant>('getTenant', { params: { id: tenant.id } })
      assert.notEqual(logoId, null)
      // One that is much taller than wide is seen too.
      const tall = await createFile(service, tenant.id, {}, await png(drawn(30, 200, patchwork)))
      await service.ok('updateTenant', { params: { id: tenant.id }, body: { logoId: tall.id } })
      await visitor.reload()
      await visitor.waitForFunction("document.querySelector('.mark img').clientWidth === 18")
      await context.close()
    })

    it('offer a provider of the tenant that signs users in, in 5 clicks', async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      startProvider(server, issuer, `${origin}/frontend/api/v0/oauth/callback/custom-staff`)
      const { tenant } = await createTenant(service)
      await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { passwordRequired: false } })
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      const task = new Task()
      await page.goto(consoleOf(tenant))
      await task.click(link(page, 'Custom providers'))
      await task.click(link(page, 'Add a provider').first())
      await page.getByLabel('Key').fill('custom-staff')
      await page.getByLabel('Name', { exact: true }).fill('Staff')
      await page.getByLabel('Issuer').fill(issuer)
      await page.getByLabel('Client ID').fill('bailiwick')
      await page.getByLabel('Client secret').first().fill('kept by the provider too')
      await page.getByLabel('Trust its e-mail addresses').check()
      task.clicks++
      await task.click(button(page, 'Add provider'))
      await heading(page, 'Staff').waitFor()
      await page.getByText('enabled', { exact: true }).waitFor()
      await check()
      task.within(5)
      const visitor = await context.newPage()
      await visitor.goto(`${origin}/t/${tenant.slug}/sign-in`)
      await visitor.getByRole('button', { name: /Staff/ }).click()
      await visitor.waitForURL(/\/account/)
      const { data } = await service.ok<{ data: User[] }>('listUsers', { query: { tenantId: tenant.id } })
      assert.deepEqual(
        data.map(({ name }) => name),
        ['Grace Hopper'],
      )
      await context.close()
      server.close()
    })

    it('create a user with a password who can sign in', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      await page.goto(consoleOf(tenant, '/users/new'))
      const email = `${unique()}@example.com`
      await createUser(service, tenant.id, { email: `taken-${email}` })
      await page.getByLabel('E-mail address').fill(`taken-${email}`)
      await page.getByLabel('Password').fill(password)
      await button(page, 'Create user').click()
      // The problem stands beside the field, and disappears with the first change of it.
      const problem = page.locator('[name="email"][aria-invalid="true"]')
      await problem.waitFor()
      await check()
      await page.getByLabel('E-mail address').fill(email)
      await problem.waitFor({ state: 'detached' })
      assert.equal(await page.getByLabel('Mark the address as verified').isChecked(), true)
      await button(page, 'Create user').click()
      await heading(page, email).waitFor()
      const visitor = await context.newPage()
      await visitor.goto(`${origin}/t/${tenant.slug}/sign-in`)
      await visitor.getByLabel('E-mail address').fill(email)
      await visitor.getByRole('button', { name: 'Continue', exact: true }).click()
      await visitor.getByLabel('Password', { exact: true }).fill(password)
      await visitor.getByRole('button', { name: 'Sign in', exact: true }).click()
      await visitor.waitForURL(/\/account/)
      await context.close()
    })

    it('invite an administrator who then has the rights of a developer', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      const task = new Task()
      await page.goto(consoleOf(tenant))
      await task.click(link(page, 'Administrators'))
      await task.click(link(page, 'Invite an administrator').first())
      const email = `${unique()}@example.com`
      await page.getByLabel('E-mail address').fill(email)
      await task.click(page.getByRole('radio', { name: /^Choose the rights/ }))
      await task.click(button(page, 'Send invitation'))
      await page.getByText('Choose at least one right.').waitFor()
      await check()
      await task.click(page.getByRole('radio', { name: /^Developer/ }))
      await task.click(button(page, 'Send invitation'))
      await page.getByText('The invitation is sent.').waitFor()
      const { data } = await service.ok<{ data: readonly Readonly<Record<string, unknown>>[] }>(
        'listTenantInvitations',
        { params: { tenantId: tenant.id } },
      )
      const [sent] = data
      assert.deepEqual(
        [sent?.['roleEditConfig'], sent?.['roleViewUsers'], sent?.['roleEditUsers']],
        [true, true, false],
      )
      const { text, link: address } = await latestMessageTo(service.deps, email)
      assert.doesNotMatch(text, /did not ask for this/)
      const invited = await openWatchedPage(browser, { viewport: screen })
      await invited.page.goto(address ?? '')
      await link(invited.page, 'Create an account').click()
      await invited.page.getByLabel('Password', { exact: true }).fill(password)
      await button(invited.page, 'Sign up').click()
      // Signing up accepts it, and leads to the console.
      await heading(invited.page, tenant.name).waitFor()
      await link(invited.page, 'Roles').click()
      await link(invited.page, 'Create a role').first().waitFor()
      await invited.check()
      await invited.context.close()
      await context.close()
    })

    it('say why a user cannot sign in, and let one in who is locked out, in 3 clicks', async () => {
      const { tenant } = await createTenant(service)
      const email = `${unique()}@contoso.example`
      const { id } = await createUser(service, tenant.id, {
        email,
        password,
        name: 'Björn Eriksson',
        emailVerified: true,
      })
      const visitor = new Visitor(service, tenant.publicKey)
      const attempt = (typed: string) =>
        visitor.call('createSignIn', { body: { identifier: email, strategy: 'email_password', password: typed } })
      await attempt('not the right one at all')
      await service.deps.db.write(() => [
        sql`UPDATE guesses SET failures = 12, blocked_until = ${addMilliseconds(service.deps.clock.now(), 600_000)}
          WHERE tenant_id = ${tenant.id}`,
      ])
      assert.equal((await attempt(password)).status, 429)
      await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { strategyEmailCodeEnabled: false } })
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      const task = new Task()
      await page.goto(consoleOf(tenant, '/sign-ins'))
      await page
        .getByRole('cell', { name: /Wrong password/ })
        .first()
        .waitFor()
      await page.getByText('127.0.0.1').first().waitFor()
      await check()
      await page.goto(consoleOf(tenant, `/explain?identifier=${encodeURIComponent(email)}`))
      await page
        .getByText(/^Locked until|Too many wrong passwords/)
        .first()
        .waitFor()
      await check()
      await page.goto(consoleOf(tenant, `/users/${id}`))
      await page.getByText(/Too many wrong passwords\./).waitFor()
      await check()
      await task.click(button(page, 'Unlock'))
      await page.getByText('The user is unlocked and can sign in again.').waitFor()
      await page.getByText(/Too many wrong passwords\./).waitFor({ state: 'detached' })
      await task.click(link(page, 'Sign-in and security'))
      await page.getByText('has a password').waitFor()
      await page.getByText('can sign in', { exact: true }).waitFor()
      await check()
      await task.click(link(page, 'Activity'))
      await page
        .getByText(/Wrong password/)
        .first()
        .waitFor()
      await page.getByText('user unlocked').waitFor()
      await check()
      task.within(3)
      assert.equal((await attempt(password)).status, 200)
      await context.close()
    })

    it('say why a suspended user, and one whose address is not verified, cannot sign in, in 2 clicks', async () => {
      const { tenant } = await createTenant(service)
      await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { strategyEmailCodeEnabled: false } })
      const [suspended, unverified] = [`${unique()}@example.com`, `${unique()}@example.com`]
      const { id } = await createUser(service, tenant.id, { email: suspended, password, emailVerified: true })
      await service.ok('updateUser', { params: { id }, body: { status: 'suspended' } })
      await createUser(service, tenant.id, { email: unverified, password })
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      for (const [email, reason] of [
        [suspended, 'The user is suspended'],
        [unverified, 'The e-mail address is not verified'],
      ] as const) {
        const task = new Task()
        await page.goto(consoleOf(tenant))
        await task.click(link(page, 'Explain a sign-in'))
        await page.getByLabel('E-mail address, phone number or username').fill(email)
        await task.click(button(page, 'Explain'))
        await page.getByRole('heading', { name: `${email} cannot sign in` }).waitFor()
        await page.getByText(reason).first().waitFor()
        await check()
        task.within(2)
      }
      await context.close()
    })

    it('find a user by any part of an address or a name, and say how many are found, in 2 clicks', async () => {
      const { tenant } = await createTenant(service)
      await createUser(service, tenant.id, { name: 'Björn Alexander Eriksson', email: `${unique()}@contoso.example` })
      await createUser(service, tenant.id, { name: 'Ada King Lovelace', email: `${unique()}@northwind.example` })
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      const task = new Task()
      await page.goto(consoleOf(tenant))
      await task.click(link(page, 'Users'))
      for (const [typed, name] of [
        ['@contoso.example', 'Björn Alexander Eriksson'],
        ['northwind', 'Ada King Lovelace'],
        ['bjorn', 'Björn Alexander Eriksson'],
        ['lovelace king', 'Ada King Lovelace'],
        ['alexander contoso', 'Björn Alexander Eriksson'],
      ] as const) {
        await page.getByRole('searchbox').fill(typed)
        await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
        await page.getByRole('link', { name }).waitFor()
        await page.getByRole('status').filter({ hasText: '1 found' }).waitFor()
        await page.getByRole('searchbox').fill('')
        await page.getByRole('row').nth(2).waitFor()
      }
      await page.getByRole('searchbox').fill('contoso')
      // Rows that are about to be replaced are pale.
      await page.getByRole('status').filter({ hasText: '1 found' }).waitFor()
      await check()
      await task.click(page.getByRole('link', { name: /Björn/ }))
      await heading(page, 'Björn Alexander Eriksson').waitFor()
      task.within(2)
      await context.close()
    })

    it('say what has changed, by whom, before and after, in 3 clicks', async () => {
      const { tenant } = await createTenant(service)
      const nadia = await signInConsoleUser(service)
      await addMember(service, tenant.id, nadia, 'roleEditConfig')
      const { id } = await createRole(service, tenant.id, { name: 'Before' })
      await service.ok('updateRole', { params: { id }, body: { name: 'After' }, token: nadia.token })
      const { context, page, check } = await openWatchedPage(browser, { viewport: screen })
      const task = new Task()
      await page.goto(consoleOf(tenant))
      await task.click(link(page, 'Events'))
      await page.getByRole('cell', { name: nadia.email }).waitFor()
      await check()
      task.clicks++
      await page.getByLabel('By', { exact: true }).selectOption({ label: nadia.email })
      await page.getByText('1 in all').waitFor()
      await task.click(button(page, 'role.updated'))
      const dialog = page.getByRole('dialog', { name: 'role.updated' })
      await dialog.getByText('Before', { exact: true }).waitFor()
      await dialog.getByText('After', { exact: true }).first().waitFor()
      assert.equal(
        await dialog.getByRole('link', { name: 'After' }).getAttribute('href'),
        `/console/t/${tenant.id}/roles/${id}`,
      )
      await check()
      task.within(3)
      await context.close()
    })
  })
})
