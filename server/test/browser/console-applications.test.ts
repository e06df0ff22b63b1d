// The console's screens of applications, resources and custom providers, in Chromium at a phone's width, with an object store that the
// browser sends pictures to.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Application, CustomProvider, Resource } from '@bailiwick/contract'
import type { Browser, Page } from 'playwright-core'
import { endSession } from '../../src/identity/sessions/sessions.ts'
import { createS3Storage } from '../../src/media/storage/s3.ts'
import { createClock } from '../../src/platform/clock.ts'
import { getConsoleTenantId } from '../../src/tenancy/tenants/console-tenant.ts'
import { storeGrant } from '../harness/applications.ts'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createApplication, createResource, createTenant, createUser, unique } from '../harness/factories.ts'
import { runMediaJobs } from '../harness/files/media.ts'
import { drawn, patchwork, png } from '../harness/files/pictures.ts'
import { freePort } from '../harness/free-port.ts'
import { type ObjectStore, startObjectStore } from '../harness/outside/object-store.ts'
import { password } from '../harness/people/people.ts'
import { flagsOf } from '../harness/people/sessions.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { Task } from './task.ts'
import { openWatchedPage } from './watched-page.ts'

interface Metadata {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
}

const system = { type: 'system', id: null, ip: null, ua: null } as const

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the screens of applications in the console', (open) => {
    const directory = mkdtempSync(join(tmpdir(), 'bailiwick-s3-'))
    let service: TestService
    let store: ObjectStore
    let origin: string
    let browser: Browser
    let aheadMs = 0
    before(async () => {
      const port = await freePort()
      origin = `http://localhost:${port}`
      store = await startObjectStore(directory, origin)
      const { database } = await open()
      const env = { ...testEnv, BAILIWICK_BASE_URL: `${origin}/api/v0` }
      service = await startTestService(database, env, ({ config }) => ({
        config: { ...config, s3: store.config },
        storage: createS3Storage(store.config),
        clock: createClock(() => Date.now() + aheadMs),
      }))
      await service.app.listen({ port, host: '127.0.0.1' })
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
      await store.stop()
      rmSync(directory, { recursive: true, force: true })
    })

    const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true })
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
    const readApplication = (id: string) => service.ok<Application>('getApplication', { params: { id } })

    it('let the operator add a resource and register a service with its scopes, by keyboard alone', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser)
      const { keyboard } = page
      await page.goto(`${origin}/console/t/${tenant.id}/resources/new`)
      await page.getByLabel('Resource indicator').fill('https://api.acme.example')
      await keyboard.press('Tab')
      await keyboard.type('Reports API')
      await page.getByRole('button', { name: 'Add a scope' }).press('Enter')
      await page.getByLabel('Name of scope 1').fill('not a scope')
      await page.getByRole('button', { name: 'Add resource' }).press('Enter')
      await page.locator('.field-problem').waitFor()
      await check()
      await page.locator(':focus').fill('reports:read')
      await keyboard.press('Tab')
      await keyboard.type('Read your reports')
      await page.getByRole('button', { name: 'Add resource' }).press('Enter')
      await heading(page, 'Reports API').waitFor()
      await check()
      const { data } = await service.ok<{ data: readonly Resource[] }>('listResources', {
        params: { tenantId: tenant.id },
      })
      assert.deepEqual(data[0]?.scopes, [{ name: 'reports:read', description: 'Read your reports' }])

      await page.goto(`${origin}/console/t/${tenant.id}/applications/new`)
      await heading(page, 'Create an application').waitFor()
      await check()
      await page.getByLabel('Type', { exact: true }).selectOption('machine')
      await page.getByLabel('Name').fill('Nightly export')
      await page.getByLabel('Add a resource').selectOption({ label: 'Reports API' })
      await page.getByRole('button', { name: 'Create application' }).press('Enter')
      // A resource without a scope is refused, and the form says so where the scopes are.
      await page.getByRole('group', { name: 'Reports API' }).locator('.field-problem').waitFor()
      await check()
      await page.getByRole('checkbox', { name: 'reports:read' }).press('Space')
      await page.getByRole('button', { name: 'Create application' }).press('Enter')
      const secret = page.getByRole('dialog', { name: 'Copy the client secret' })
      await secret.waitFor()
      await check()
      await secret.getByRole('button', { name: 'Done' }).press('Enter')
      await heading(page, 'Nightly export').waitFor()
      await check()
      const { machineScopes, grantTypes } = await readApplication(page.url().split('/').at(-1) ?? '')
      assert.deepEqual(machineScopes, [{ resourceId: data[0]?.id, scopes: ['reports:read'] }])
      assert.deepEqual(grantTypes, ['client_credentials'])
      await context.close()
    })

    it('register an application that signs users in, in 4 clicks', async () => {
      const { tenant } = await createTenant(service)
      const email = `${unique()}@example.com`
      await createUser(service, tenant.id, { email, password, emailVerified: true })
      const { context, page, check } = await openWatchedPage(browser, { viewport: { width: 1280, height: 800 } })
      const callback = 'https://app.example.com/callback'
      const task = new Task()
      await page.goto(`${origin}/console/t/${tenant.id}`)
      await task.click(page.getByRole('link', { name: 'Applications', exact: true }))
      await task.click(page.getByRole('link', { name: 'Create an application' }).first())
      await page.getByLabel('Name', { exact: true }).fill('Shop')
      task.clicks++
      await page.getByLabel('Type', { exact: true }).selectOption('spa')
      await page.getByLabel('Redirect addresses').fill(callback)
      await check()
      await task.click(page.getByRole('button', { name: 'Create application', exact: true }))
      await heading(page, 'Shop').waitFor()
      task.within(4)
      const id = page.url().split('/').at(-1) ?? ''
      const { clientId } = await readApplication(id)
      const { issuer } = await service.ok<{ issuer: string }>('getOAuthSettings', { params: { id: tenant.id } })
      const metadata = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Metadata
      const verifier = 'v'.repeat(64)
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: callback,
        response_type: 'code',
        scope: 'openid email',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })
      const visitor = await context.newPage()
      await visitor.route(`${callback}**`, (route) => route.fulfill({ body: 'Welcome back' }))
      await visitor.goto(`${metadata.authorization_endpoint}?${query.toString()}`)
      await visitor.getByLabel('E-mail address').fill(email)
      await press(visitor, 'Continue')
      await visitor.getByLabel('Password', { exact: true }).fill(password)
      await press(visitor, 'Sign in')
      await press(visitor, 'Allow')
      await visitor.getByText('Welcome back').waitFor()
      const code = new URL(visitor.url()).searchParams.get('code') ?? ''
      const answer = await fetch(metadata.token_endpoint, {
        method: 'POST',
        headers: { origin: new URL(callback).origin },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          code_verifier: verifier,
          client_id: clientId,
          redirect_uri: callback,
        }),
      })
      const { id_token: token } = (await answer.json()) as { id_token: string }
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { email: string }
      assert.equal(claims.email, email)
      await context.close()
    })

    it('send a logo straight to the object store, show it, and keep the entered values when another administrator saves first', async () => {
      const { tenant } = await createTenant(service)
      const { id } = await createApplication(service, tenant.id)
      const resource = await createResource(service, tenant.id, { indicator: 'https://api.acme.example' })
      const user = await createUser(service, tenant.id, { name: 'Ada Lovelace' })
      await storeGrant(service, { tenantId: tenant.id, userId: user.id, applicationId: id })
      const { context, page, check } = await openWatchedPage(browser)
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().startsWith(store.config.endpoint)) sent.push(request.url())
      })
      await page.goto(`${origin}/console/t/${tenant.id}/applications/${id}`)
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
      await page.getByRole('link', { name: resource.name }).waitFor()

      const buffer = await png(drawn(64, 64, patchwork))
      await page.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
      const logo = page.getByRole('img', { name: 'Logo' })
      // The service looks for what was sent after a while; its jobs run here until it has found the picture.
      for (let tries = 0; tries < 50 && !(await logo.isVisible()); tries++) {
        aheadMs += 10_000
        await runMediaJobs(service)
        await logo.waitFor({ timeout: 1000 }).catch(() => undefined)
      }
      await page.evaluate(`document.querySelector('img[alt="Logo"]').decode()`)
      assert.equal(sent.length, 1)
      await check()

      await page.getByLabel('Name', { exact: true }).fill('Acme Reports 2')
      await page.getByLabel('Token exchange').check()
      await service.ok('updateApplication', { params: { id }, body: { requirePar: true } })
      await press(page, 'Save')
      await page.getByRole('status').getByText('The application is saved.').waitFor()
      const saved = await readApplication(id)
      assert.deepEqual([saved.name, saved.requirePar, saved.grantTypes.length], ['Acme Reports 2', true, 3])
      assert.ok(saved.logoId !== null)
      await page.getByLabel('Require pushed requests (PAR)').and(page.locator(':checked')).waitFor()
      await check()
      await context.close()
    })

    it('go on with the rows of a form after a sign-in in a second window, where the session has ended', async () => {
      const { tenant } = await createTenant(service)
      const { id } = await createResource(service, tenant.id)
      const email = `${unique()}@console.example`
      const consoleTenantId = await getConsoleTenantId(service.deps.db)
      const person = await createUser(service, consoleTenantId, { email, password })
      await service.ok('verifyEmailAddress', { body: { id: person.primaryEmailId } })
      const flags = flagsOf('roleViewConfig', 'roleEditConfig')
      await service.ok('createTenantMember', { body: { tenantId: tenant.id, email, ...flags } })
      const { context, page } = await openWatchedPage(browser)
      const signIn = async (on: Page) => {
        await on.getByLabel('E-mail address').fill(email)
        await press(on, 'Continue')
        await on.getByLabel('Password', { exact: true }).fill(password)
        await press(on, 'Sign in')
      }
      const back = encodeURIComponent(`${origin}/console/t/${tenant.id}/resources/${id}`)
      await page.goto(`${origin}/t/${consoleTenantId}/sign-in?redirect_to=${back}`)
      await signIn(page)
      await press(page, 'Add a scope')
      await page.getByLabel('Name of scope 2').fill('reports:write')
      const sessions = await service.ok<{ data: { id: string }[] }>('listUserSessions', {
        params: { userId: person.id },
      })
      for (const each of sessions.data) await endSession(service.deps, consoleTenantId, each.id, system)
      await press(page, 'Save')
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
      const [second] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('link', { name: 'Sign in in a new window' }).click(),
      ])
      await signIn(second)
      await page.getByRole('status').getByText('The resource is saved.').waitFor()
      const { scopes } = await service.ok<Resource>('getResource', { params: { id } })
      assert.deepEqual(
        scopes.map(({ name }) => name),
        ['reports:read', 'reports:write'],
      )
      await context.close()
    })

    it('hide a provider whose issuer does not answer, and say why', async () => {
      const { tenant } = await createTenant(service)
      const { context, page } = await openWatchedPage(browser, { viewport: { width: 1280, height: 800 } })
      await page.goto(`${origin}/console/t/${tenant.id}/custom-providers/new`)
      await page.getByLabel('Key').fill('custom-staff')
      await page.getByLabel('Name', { exact: true }).fill('Staff')
      await page.getByLabel('Issuer').fill(`http://127.0.0.1:${await freePort()}`)
      await page.getByLabel('Client ID').fill('bailiwick')
      await press(page, 'Add provider')
      await page.getByText('The provider is added, but hidden from users:').waitFor()
      await heading(page, 'Staff').waitFor()
      await page.getByText('disabled', { exact: true }).waitFor()
      const visitor = await context.newPage()
      await visitor.goto(`${origin}/t/${tenant.slug}/sign-in`)
      await visitor.getByLabel('E-mail address').waitFor()
      assert.equal(await visitor.getByRole('button', { name: /Staff/ }).count(), 0)
      await context.close()
    })

    it('let the operator add a custom provider, learn that it cannot be reached, and remove it', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console/t/${tenant.id}/custom-providers/new`)
      await page.getByLabel('Key').fill('custom-acme')
      await page.getByLabel('Name', { exact: true }).fill('Acme staff')
      await page.getByLabel('Issuer').fill('http://127.0.0.1:9')
      await page.getByLabel('Client ID').fill('bailiwick')
      await check()
      await page.getByRole('button', { name: 'Add provider' }).press('Enter')
      await heading(page, 'Acme staff').waitFor()
      await page.getByRole('button', { name: 'Check the provider' }).press('Enter')
      await page.getByText('does not work', { exact: true }).waitFor()
      await check()
      await page.getByRole('button', { name: 'Remove provider' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Remove provider' })
      await dialog.getByRole('textbox').fill('Acme staff')
      await page.keyboard.press('Enter')
      await heading(page, 'Custom providers').waitFor()
      await page.getByText('There are no custom providers yet').waitFor()
      await check()
      assert.deepEqual(
        await service.ok<CustomProvider[]>('listCustomProviders', { query: { tenantId: tenant.id } }),
        [],
      )
      await page.goto(`${origin}/console/t/${tenant.id}/oauth`)
      await page.getByLabel('Domain of the issuer').waitFor()
      await check()
      await context.close()
    })
  })
})
