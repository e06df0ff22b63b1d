// The console as administrators use it, in Chromium at a phone's width: no error, nothing that the policy refuses, no barrier that axe finds.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { promisify } from 'node:util'
import type { RoleFlag, Tenant, User } from '@bailiwick/contract'
import type { Browser, Page } from 'playwright-core'
import { importJobHandler, importJobKind } from '../../src/identity/import-jobs/work.ts'
import { endSession } from '../../src/identity/sessions/sessions.ts'
import type { UserId } from '../../src/platform/ids.ts'
import { createJobRunner } from '../../src/platform/jobs/runner.ts'
import { getConsoleTenantId } from '../../src/tenancy/tenants/console-tenant.ts'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createTenant, createUser, unique } from '../harness/factories.ts'
import { freePort } from '../harness/free-port.ts'
import { flagsOf } from '../harness/people/sessions.ts'
import { type TestService, operatorKey, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const run = promisify(execFile)
const password = 'correct horse battery staple'
const repository = join(import.meta.dirname, '../../..')
const system = { type: 'system', id: null, ip: null, ua: null } as const

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the console', (open) => {
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
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
    /** The status of a request that the page makes by itself, with the session of whoever is signed in. */
    const readStatus = (page: Page, method: string, path: string, body?: object) =>
      page.evaluate<number>(
        `fetch('/api/v0${path}', ${JSON.stringify({
          method,
          ...(body === undefined
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        })}).then(({ status }) => status)`,
      )
    const tenantsNamed = async (query: string) => service.ok<Tenant[]>('listTenants', { query: { query } })

    /** A console user who is a member of a tenant with these flags. */
    async function member(tenantId: string, ...flags: readonly RoleFlag[]) {
      const email = `${unique()}@console.example`
      const consoleTenantId = await getConsoleTenantId(service.deps.db)
      const user = await createUser(service, consoleTenantId, { email, name: 'Mary', password })
      await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      const { id: memberId } = await service.ok<{ id: string }>('createTenantMember', {
        body: { tenantId, email, ...flagsOf(...flags) },
      })
      return { email, memberId, userId: user.id as UserId, consoleTenantId }
    }

    async function fillSignIn(page: Page, email: string) {
      await page.getByLabel('E-mail address').fill(email)
      await press(page, 'Continue')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await press(page, 'Sign in')
    }

    it('lets the operator of a development deployment create a tenant, by the form and by the code that it shows', async () => {
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console`)
      await page.getByText('Development: you are the operator').waitFor()
      await heading(page, 'Tenants').waitFor()
      await check()
      await page.getByRole('link', { name: 'Create a tenant' }).first().click()
      await heading(page, 'Create a tenant').waitFor()
      await press(page, 'Create tenant')
      assert.equal(await page.getByLabel(/^Name/).getAttribute('aria-invalid'), 'true')
      const name = `Acme ${unique()}`
      await page.getByLabel(/^Name/).fill(name)
      await page.getByText('As code').click()
      await check()
      const curl = await page.getByLabel('As curl', { exact: true }).innerText()
      await press(page, 'SDK')
      const code = await page.getByLabel('As SDK code', { exact: true }).innerText()
      await run('bash', ['-c', `${curl} --fail --silent`], { timeout: 120_000 })
      await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: repository, timeout: 120_000 })
      assert.equal((await tenantsNamed(name)).length, 2)

      await press(page, 'Create tenant')
      await heading(page, name).waitFor()
      assert.equal((await tenantsNamed(name)).length, 3)
      await page.locator('.chart canvas').first().waitFor()
      await check()
      await context.close()
    })

    it('finds users as one types, and creates one by keyboard alone', async () => {
      const { tenant } = await createTenant(service)
      for (const name of ['Ada Lovelace', 'Grace Hopper']) await createUser(service, tenant.id, { name })
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console/t/${tenant.id}/users`)
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
      await check()
      await page.getByRole('searchbox', { name: /^Search by/ }).fill('gra')
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
      assert.match(page.url(), /query=gra/)

      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: 'Search and commands' })
      await palette.getByRole('menuitem', { name: 'Users', exact: true }).waitFor()
      await check()
      await page.keyboard.type('create a user')
      await palette.getByRole('menuitem', { name: 'Users', exact: true }).waitFor({ state: 'detached' })
      const wanted = palette.getByRole('menuitem', { name: 'Create a user' })
      await wanted.and(page.locator('[data-focused]')).waitFor()
      await page.keyboard.press('Enter')
      await heading(page, 'Create a user').waitFor()
      await page.locator('h1:focus').waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.type('Alan Turing')
      await page.keyboard.press('Tab')
      await page.keyboard.type(`${unique()}@example.com`)
      await page.keyboard.press('Enter')
      await heading(page, 'Alan Turing').waitFor()
      await page.getByRole('link', { name: 'Sign-in and security' }).click()
      await page.getByText('can sign in', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Activity' }).click()
      await page.getByText('user created').waitFor()
      await check()
      for (const path of ['settings', 'users/transfer']) {
        await page.goto(`${origin}/console/t/${tenant.id}/${path}`)
        await page.getByRole('heading', { level: 2 }).first().waitFor()
        await check()
      }
      await context.close()
    })

    it('imports a file of users in the background, and shows how far that is after a reload, and what was refused', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console/t/${tenant.id}/users/transfer`)
      const lines = [...Array.from({ length: 20 }, () => ({ email: `${unique()}@example.com` })), { email: 'nobody' }]
      const buffer = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      const field = page.getByLabel('File (.csv or .ndjson)')
      await field.setInputFiles({ name: 'people.ndjson', mimeType: '', buffer })
      await page.getByText('21 users in the file. 1 line has problems.').waitFor()
      await press(page, 'Import 21 users')
      await page.getByText('people.ndjson has arrived').waitFor()
      await page.reload()
      await page.getByText('0 of 21').waitFor()
      await check()
      const runner = createJobRunner(service.deps, { [importJobKind]: importJobHandler(service.deps) })
      while ((await runner.claim()) > 0) await runner.idle()
      await page.getByText('Completed').waitFor()
      const row = page.getByRole('table', { name: 'Imports' }).getByRole('row').last()
      assert.match(await row.innerText(), /21 of 21\s+20\s+0\s+1\s/)
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save refusals')])
      const saved = await readFile(await download.path(), 'utf8')
      const { line, status } = JSON.parse(saved) as { line: number; status: string }
      assert.deepEqual([line, status], [21, 'error'])
      const table = `Mail;Vorname;Team\n${unique()}@example.com;Ada;"Engines; large"\nnobody;Grace;\n`
      await field.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
      await page.getByText('2 users in the file. 1 line has problems.').waitFor()
      await page.getByText('Line 3: /email must be an e-mail address').waitFor()
      await page.getByLabel('Import Team as').selectOption({ label: 'E-mail address' })
      await page.getByText('Only one column can be imported as “E-mail address”.').first().waitFor()
      await page.getByLabel('Import Team as').selectOption({ label: 'Public data, under the name of the column' })
      await check()
      await press(page, 'Import 2 users')
      await page.getByText('people.csv has arrived').waitFor()
      while ((await runner.claim()) > 0) await runner.idle()
      const { data } = await service.ok<{ data: User[] }>('listUsers', {
        query: { tenantId: tenant.id, query: 'Ada' },
      })
      assert.deepEqual(
        data.map(({ name, publicMeta }) => [name, publicMeta]),
        [['Ada', { Team: 'Engines; large' }]],
      )
      // The list has the newest first.
      await page.getByText('2 of 2').waitFor()
      await page.getByRole('button', { name: 'Remove', exact: true }).first().click()
      await page.getByRole('dialog', { name: 'Remove' }).getByRole('button', { name: 'Remove' }).click()
      await page.getByText('2 of 2').waitFor({ state: 'detached' })
      await check()
      await press(page, 'Remove')
      await page.getByRole('dialog', { name: 'Remove' }).getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('table', { name: 'Imports' }).waitFor({ state: 'detached' })
      await context.close()
    })

    it('lets a member who may view and edit users do that and nothing else, and the service refuses the rest', async () => {
      const { tenant } = await createTenant(service)
      const { email, memberId, consoleTenantId } = await member(tenant.id, 'roleViewUsers')
      const { context, page, check } = await openWatchedPage(browser, { viewport: { width: 1280, height: 800 } })
      const at = `${origin}/console/t/${tenant.id}`
      await page.goto(`${origin}/t/${consoleTenantId}/sign-in?redirect_to=${encodeURIComponent(`${at}/users`)}`)
      await fillSignIn(page, email)
      await heading(page, 'Users').waitFor()
      const create = page.getByRole('button', { name: 'Create a user' }).first()
      assert.equal(await create.getAttribute('aria-disabled'), 'true')
      await create.focus()
      await page.getByText('You need the right “Edit users” in this tenant.').first().waitFor()
      assert.equal(await readStatus(page, 'POST', '/auth/users', { tenantId: tenant.id, name: 'Joan Clarke' }), 403)

      await service.ok('updateTenantMember', {
        params: { id: memberId },
        body: flagsOf('roleViewUsers', 'roleEditUsers'),
      })
      await page.reload()
      await heading(page, 'Users').waitFor()
      const links = await page.getByRole('navigation', { name: 'Tenant' }).getByRole('link').allInnerTexts()
      assert.deepEqual(
        links.map((text) => text.trim()),
        ['Overview', 'Users', 'Waiting list', 'Sign-ins', 'Sessions', 'Explain a sign-in'],
      )
      await check()
      await page.getByRole('link', { name: 'Create a user' }).first().click()
      await page.getByLabel(/^Name/).fill('Joan Clarke')
      await press(page, 'Create user')
      await heading(page, 'Joan Clarke').waitFor()
      await check()
      await page.getByLabel('Name', { exact: true }).fill('Joan Murray')
      await press(page, 'Save')
      await heading(page, 'Joan Murray').waitFor()
      await press(page, 'Suspend')
      await page.getByRole('dialog', { name: 'Suspend' }).getByRole('button', { name: 'Suspend' }).click()
      await press(page, 'Reactivate')
      await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
      await press(page, 'Delete user')
      const dialog = page.getByRole('dialog', { name: 'Delete user' })
      await dialog.getByRole('textbox').fill('Joan Murray')
      await dialog.getByRole('button', { name: 'Delete user' }).click()
      await page.getByText('There are no users yet').waitFor()

      // No screen for any other right, and no answer from the service.
      const { tenant: other } = await createTenant(service)
      for (const path of ['settings', 'organizations', 'events', 'administrators', 'billing']) {
        await page.goto(`${at}/${path}`)
        await page.getByText('There is no such page').waitFor()
      }
      const refused = [
        ['GET', `/tenants/${tenant.id}`],
        ['PUT', `/auth/tenants/${tenant.id}`, { signUpEnabled: false }],
        ['GET', `/tenants/${tenant.id}/auth/organizations`],
        ['POST', '/auth/organizations', { tenantId: tenant.id, name: 'Hut 8' }],
        ['GET', `/tenants/${tenant.id}/events`],
        ['GET', `/tenants/${tenant.id}/members`],
        ['GET', `/tenants/${tenant.id}/billing`],
        ['GET', '/deployment/health'],
        ['POST', `/deployment/tenants/${tenant.id}/archive`, { passphrase: 'four words nobody guesses' }],
      ] as const
      for (const [method, path, body] of refused) {
        assert.equal(await readStatus(page, method, path, body), 403, `${method} ${path}`)
      }
      await page.goto(`${origin}/console/t/${other.id}/users`)
      await page.getByText('There is no such tenant').waitFor()
      await page.goto(`${origin}/console/deployment`)
      await page.getByText('There is no such page').waitFor()
      await context.close()
    })

    it('lets in the operator with the key, who reaches the deployment, and forgets the key with the page', async () => {
      const { tenant } = await createTenant(service)
      // As in production: nobody on this machine has rights without a credential.
      const { context, page, check } = await openWatchedPage(browser, {
        extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.1' },
      })
      await page.goto(`${origin}/console/deployment`)
      await page.getByText('Enter as the operator').click()
      const key = page.getByLabel('Operator key', { exact: true })
      for (const wrong of ['not a key', `op_${'0'.repeat(64)}`]) {
        await key.fill(wrong)
        await press(page, 'Enter')
        await page.getByRole('alert').getByText('This is not the key').waitFor()
      }
      await check()
      await key.fill(operatorKey)
      await press(page, 'Enter')
      await heading(page, 'Deployment').waitFor()
      await page.getByText('You are signed in with the operator').waitFor()
      await page.getByRole('heading', { name: 'Health' }).waitFor()
      await check()
      await page
        .getByRole('link', { name: 'All tenants' })
        .or(page.getByRole('link', { name: 'Tenants' }))
        .first()
        .click()
      await page.getByRole('link', { name: tenant.name }).click()
      await heading(page, tenant.name).waitFor()
      const stored = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      )
      assert.ok(!stored.includes(operatorKey) && !(await page.content()).includes(operatorKey))
      await page.reload()
      await heading(page, 'Sign in to the console').waitFor()
      await context.close()
    })

    it('goes on with a form after a sign-in in a second window, where the session has ended', async () => {
      const { tenant } = await createTenant(service)
      const { email, userId, consoleTenantId } = await member(tenant.id, 'roleViewUsers', 'roleEditUsers')
      const { context, page, check } = await openWatchedPage(browser)
      const back = encodeURIComponent(`${origin}/console/t/${tenant.id}/users/new`)
      await page.goto(`${origin}/t/${consoleTenantId}/sign-in?redirect_to=${back}`)
      await fillSignIn(page, email)
      await page.getByLabel(/^Name/).fill('Katherine Johnson')
      const sessions = await service.ok<{ data: { id: string }[] }>('listUserSessions', { params: { userId } })
      for (const { id } of sessions.data) await endSession(service.deps, consoleTenantId, id, system)
      await press(page, 'Create user')
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
      await check()
      const [second] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('link', { name: 'Sign in in a new window' }).click(),
      ])
      await fillSignIn(second, email)
      await heading(page, 'Katherine Johnson').waitFor()
      const users = await service.ok<{ data: User[] }>('listUsers', { query: { tenantId: tenant.id } })
      assert.equal(users.data.length, 1)
      await context.close()
    })
  })
})
