// The five minutes of the README, walked in the console and on the hosted pages without one curl; and the way into the console of somebody
// with a second factor.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Deployment, Tenant } from '@bailiwick/contract'
import type { Browser, Page } from 'playwright-core'
import { sql } from '../../src/platform/db/sql.ts'
import { getConsoleTenantId } from '../../src/tenancy/tenants/console-tenant.ts'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import {
  createCustomProvider,
  createOrganization,
  createResource,
  createRole,
  createTenant,
  createTransformation,
  createUser,
  unique,
} from '../harness/factories.ts'
import { freePort } from '../harness/free-port.ts'
import { sendMessages } from '../harness/messages.ts'
import { password, signedInPerson } from '../harness/people/people.ts'
import { flagsOf } from '../harness/people/sessions.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the console, from the first tenant on', (open) => {
    let service: TestService
    let origin: string
    let browser: Browser
    before(async () => {
      const port = await freePort()
      origin = `http://localhost:${port}`
      service = await startTestService((await open()).database, { ...testEnv, BAILIWICK_BASE_URL: `${origin}/api/v0` })
      await service.app.listen({ port, host: '127.0.0.1' })
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
    })

    const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1, exact: true })
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

    it("is enough for the five minutes of the README: a tenant, a user who signs up, an app's settings, a rule", async () => {
      const { context, page, check } = await openWatchedPage(browser, { viewport: { width: 1280, height: 800 } })
      const name = `Example shop ${unique()}`
      await page.goto(`${origin}/console`)
      await page.getByRole('link', { name: 'Create a tenant' }).first().click()
      await page.getByLabel(/^Name/).fill(name)
      await press(page, 'Create tenant')
      await heading(page, name).waitFor()
      const [tenant = assert.fail()] = await service.ok<Tenant[]>('listTenants', { query: { query: name } })

      const email = `${unique()}@example.com`
      const visitor = await context.newPage()
      await visitor.goto(`${origin}/t/${tenant.slug}/sign-up`)
      await visitor.getByLabel('E-mail address').fill(email)
      await visitor.getByLabel('Password', { exact: true }).fill(password)
      await visitor.getByRole('button', { name: 'Sign up' }).click()
      await visitor.waitForURL(/\/sign-up\/c/)
      await sendMessages(service.deps)
      const inbox = await context.newPage()
      await inbox.goto(`${origin}/dev/inbox?to=${encodeURIComponent(email)}`)
      const code = await inbox.locator('[data-copy]').first().getAttribute('data-copy')
      await visitor.getByLabel('Code').fill(code ?? '')
      await visitor.waitForURL(/\/account/)

      await page.getByRole('link', { name: 'Users', exact: true }).click()
      await page.getByRole('link', { name: email }).click()
      await heading(page, email).waitFor()
      await page.getByRole('link', { name: 'Sign-in and security' }).click()
      await page.getByText('can sign in', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Keys and environment' }).click()
      await page.getByText(tenant.publicKey, { exact: true }).waitFor()
      // An app takes from here what the README shows.
      const environment = /```ini\n([^`]+)```/.exec(
        readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8'),
      )
      const names = [...(environment?.[1] ?? '').matchAll(/^\w+/gm)].map(([variable]) => variable)
      assert.equal(names.length, 6)
      for (const variable of names) await page.getByText(variable).first().waitFor()
      await check()

      await page.getByRole('link', { name: 'Sign-in rules' }).click()
      await page.getByLabel('Sign-up', { exact: true }).click()
      await page.getByText('None of 1 user would be locked out').waitFor()
      await press(page, 'Save')
      await page.getByRole('status').getByText('The sign-in rules are saved.').waitFor()
      await visitor.goto(`${origin}/t/${tenant.slug}/sign-up`)
      await visitor
        .getByText(/does not let anybody sign up|closed/i)
        .first()
        .waitFor()
      await context.close()
    })

    it('is entered with a password and then the code of an app, and can be used with colours of the reader', async () => {
      const { tenant } = await createTenant(service)
      const consoleTenantId = await getConsoleTenantId(service.deps.db)
      const { consolePublicKey: publicKey } = await service.ok<Deployment>('getMeta')
      const person = await signedInPerson(service, { id: consoleTenantId, publicKey })
      const { secret } = await person.addApp()
      const { email } = person
      await service.ok('createTenantMember', { body: { tenantId: tenant.id, email, ...flagsOf('roleViewUsers') } })

      const { context, page, check } = await openWatchedPage(browser, { forcedColors: 'active' })
      const back = encodeURIComponent(`${origin}/console/t/${tenant.id}/users`)
      await page.goto(`${origin}/t/${consoleTenantId}/sign-in?redirect_to=${back}`)
      await page.getByLabel('E-mail address').fill(email)
      await press(page, 'Continue')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await press(page, 'Sign in')
      await page.getByLabel(/^Code/).waitFor()
      const refused = await page.evaluate<number>(`fetch('/api/v0/user/whoami').then(({ status }) => status)`)
      assert.notEqual(refused, 200, 'the password alone opens nothing')
      // As if the app had been set up long ago: a code is taken once.
      await service.deps.db.write(() => [
        sql`UPDATE authenticator_codes SET last_step = 0 WHERE user_id = ${person.user.id}`,
      ])
      await page.getByLabel(/^Code/).fill(person.codeOf(secret))
      await heading(page, 'Users').waitFor()
      await check()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Search and commands' }).getByRole('menuitem').first().waitFor()
      await check()
      await page.keyboard.press('Escape')
      await page.goto(`${origin}/console/t/${tenant.id}/users`)
      await page.getByRole('button', { name: 'Create a user' }).first().waitFor()
      await check()
      await context.close()
    })

    it('finds screens and settings by the words that people use, also by letters typed before the palette is loaded', async () => {
      const { tenant } = await createTenant(service)
      const { context, page } = await openWatchedPage(browser)
      let letGo = () => undefined as void
      const loading = new Promise<void>((resolve) => (letGo = resolve))
      await page.route(/palette-[^/]*\.js$/, async (route) => {
        await loading
        await route.continue()
      })
      await page.goto(`${origin}/console/t/${tenant.id}`)
      await heading(page, tenant.name).waitFor()
      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: 'Search and commands' })
      await palette.locator('input:focus').waitFor()
      await page.keyboard.type('smt')
      letGo()
      await palette.getByRole('menuitem', { name: 'Channels', exact: true }).waitFor()
      const field = palette.getByRole('searchbox')
      assert.equal(await field.inputValue(), 'smt')
      const found: Readonly<Record<string, string>> = {
        smtp: 'Channels',
        logo: 'Brand',
        mfa: 'Sign-in rules',
        google: 'Social providers',
        audit: 'Events',
        mail: 'Templates',
        secret: 'Keys and environment',
        theme: 'Brand',
        password: 'Minimum length',
        openapi: 'API reference',
      }
      for (const [word, title] of Object.entries(found)) {
        await field.fill(word)
        await palette
          .getByRole('menuitem', { name: new RegExp(`^${title}`) })
          .first()
          .waitFor()
      }
      await field.fill('minimum length')
      await page.keyboard.press('Enter')
      await page.getByLabel('Minimum length (characters)').waitFor()
      await context.close()
    })

    it('says beside its field what is taken or wrong, in each form that creates something, until the field is changed', async () => {
      const { tenant } = await createTenant(service)
      const { id: tenantId } = tenant
      // The key of a channel has letters alone.
      const taken = unique().replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
      await createRole(service, tenantId, { name: taken })
      const { id: organizationId } = await createOrganization(service, tenantId, { slug: taken })
      await createUser(service, tenantId, { email: `${taken}@example.com`, username: taken, phone: '+442079460000' })
      await createTransformation(service, tenantId, { name: taken })
      await createResource(service, tenantId, { indicator: `https://${taken}.example` })
      await createCustomProvider(service, tenantId, { key: `custom-${taken}` })
      const provider = { type: 'email', provider: 'dev_inbox', enabled: true, providerSettings: {} }
      await service.ok('createChannel', { body: { tenantId, name: taken, key: taken, ...provider } })
      const template = { type: 'email', subject: 'Hello', body: 'Hello' }
      await service.ok('createTemplate', { body: { tenantId, name: taken, ...template } })
      await service.ok('createDomain', { body: { tenantId, name: `${taken}.example` } })
      const { group, domain } = { group: { name: taken }, domain: { name: `${taken}.example` } }
      await service.ok('createOrganizationGroup', { params: { organizationId }, body: group })
      await service.ok('createDomainOfOrganization', { params: { organizationId }, body: domain })
      await service.ok('createOrganizationInvitation', { body: { organizationId, email: `${taken}@acme.example` } })
      await service.ok('inviteTenantMember', { body: { tenantId, email: `${taken}@ops.example`, roleAdmin: true } })

      const own = `/t/${tenantId}`
      const organization = `${own}/organizations/${organizationId}`
      /** Where the form is, which button opens it if it is not open, what is typed, and the field that is refused. */
      const forms: readonly (readonly [string, string, Readonly<Record<string, string>>, string])[] = [
        ['/tenants/new', '', { name: 'Second', slug: tenant.slug }, 'slug'],
        ['/tenants/new', '', { name: 'Second', domain: '<script>alert(1)</script>' }, 'domain'],
        [`${own}/users/new`, '', { username: taken }, 'username'],
        [`${own}/users/new`, '', { phone: '+44 20 7946 0000' }, 'phone'],
        [`${own}/users/new`, '', { email: '"><img src=x onerror=alert(1)>' }, 'email'],
        [`${own}/users/new`, '', { email: `${unique()}@example.com`, password: 'short' }, 'password'],
        [`${own}/organizations/new`, '', { name: 'Second', slug: taken }, 'slug'],
        [`${own}/organizations/new`, '', { name: 'Second', imageUri: 'javascript:alert(1)' }, 'imageUri'],
        [`${own}/roles/new`, '', { name: taken }, 'name'],
        [`${own}/roles/new`, '', { name: 'Second', permissions: "'; DROP TABLE users; --" }, 'permissions'],
        [`${own}/resources/new`, '', { name: 'API', indicator: `https://${taken}.example` }, 'indicator'],
        [`${own}/resources/new`, '', { name: 'API', indicator: '../../etc/passwd' }, 'indicator'],
        [`${own}/transformations/new`, '', { name: taken }, 'name'],
        [`${own}/channels/new`, '', { name: 'Second', key: taken, provider: 'dev_inbox' }, 'key'],
        [`${own}/channels/new`, '', { name: taken, key: 'second', provider: 'dev_inbox' }, 'name'],
        [`${own}/templates/new`, '', { name: taken, subject: 'Hello', body: 'Hello' }, 'name'],
        [`${own}/templates/new`, '', { name: 'second', subject: 'Hello', body: '{% if %}' }, 'body'],
        [`${own}/webhooks/new`, '', { url: 'ftp://example.com' }, 'url'],
        [`${own}/hooks/new`, '', { point: 'sign_up.before', url: 'not an address' }, 'url'],
        [
          `${own}/custom-providers/new`,
          '',
          { key: `custom-${taken}`, name: 'Staff', issuer: 'http://127.0.0.1:9', clientId: 'client' },
          'key',
        ],
        [`${own}/domains`, 'Add a domain', { name: `${taken}.example` }, 'name'],
        [`${own}/administrators/invite`, '', { email: `${taken}@ops.example` }, 'email'],
        [organization, 'Create a group', { name: taken }, 'name'],
        [organization, 'Invite a user', { email: `${taken}@acme.example` }, 'email'],
        [organization, 'Add a domain', { name: `${taken}.example` }, 'name'],
      ]
      const { context, page, check } = await openWatchedPage(browser, { viewport: { width: 1280, height: 800 } })
      for (const [path, opener, values, refused] of forms) {
        const about = `${path} ${JSON.stringify(values)}`
        await page.goto(`${origin}/console${path}`)
        if (opener !== '') await page.getByRole('button', { name: opener, exact: true }).first().click()
        const form = page.locator('form.form').filter({ has: page.locator(`[name="${refused}"]`) })
        // On the page of an organization the first form changes it; the one that was opened has no values yet.
        const opened = opener === '' ? form.first() : form.filter({ hasText: 'Cancel' })
        for (const [name, value] of Object.entries(values)) {
          const field = opened.locator(`[name="${name}"]`)
          await field.waitFor()
          if (name === 'provider' || name === 'point') await field.selectOption(value)
          else await field.fill(value)
        }
        await opened.locator('button[type="submit"]').click()
        const field = opened.locator(`[name="${refused}"]`)
        await opened.locator(`[name="${refused}"][aria-invalid="true"]`).waitFor()
        assert.equal(await opened.locator('.form-problem').count(), 0, about)
        const notes = ((await field.getAttribute('aria-describedby')) ?? '').split(' ')
        const texts = await Promise.all(notes.map((id) => opened.locator(`[id="${id}"].field-problem`).count()))
        assert.equal(
          texts.reduce((sum, count) => sum + count, 0),
          1,
          about,
        )
        await field.fill('changed')
        assert.equal(await field.getAttribute('aria-invalid'), 'false', about)
      }
      await check()
      await context.close()
    })

    it('says that a screen could not be loaded while the service cannot be reached, and loads it as soon as it can be', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console/t/${tenant.id}`)
      await heading(page, tenant.name).waitFor()
      // A page that is opened after an upgrade has other names for its parts: those of this one are gone.
      await page.route(/assets\/(?:roles|palette)-[^/]*\.js$/, (route) => route.abort())
      await page.route('**/console/frame', (route) => route.abort())
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByText('This part could not be loaded.').waitFor()
      await check().catch((error: unknown) => {
        // The browser itself says that a file did not arrive.
        if (!String(error).includes('net::ERR_FAILED')) throw error
      })
      await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      await page.getByRole('dialog').getByRole('link', { name: 'Roles', exact: true }).click()
      await heading(page, 'This screen could not be loaded').waitFor()
      await page.unroute(/assets\/(?:roles|palette)-[^/]*\.js$/)
      await page.unroute('**/console/frame')
      await page.evaluate(`dispatchEvent(new Event('online'))`).catch((error: unknown) => {
        // It has looked by itself meanwhile, and loads the screen.
        if (!String(error).includes('Execution context was destroyed')) throw error
      })
      await heading(page, 'Roles').waitFor()
      await context.close()
    })

    it('speaks German to a browser that prefers it, and English to whoever chooses that', async () => {
      const { tenant } = await createTenant(service)
      const email = `${unique()}@example.com`
      await createUser(service, tenant.id, { name: 'Ada', email })
      const { context, page, check } = await openWatchedPage(browser, {
        locale: 'de-DE',
        viewport: { width: 1280, height: 800 },
      })
      await page.goto(`${origin}/console/t/${tenant.id}/sign-in-rules?tab=sessions`)
      await heading(page, 'Anmelderegeln').waitFor()
      await page.getByLabel('Höchstlänge einer Sitzung', { exact: true }).waitFor()
      await page
        .getByText(/Standard: 30 Tage/)
        .first()
        .waitFor()
      assert.equal(await page.evaluate<string>('document.documentElement.lang'), 'de')
      await check()
      await page.getByRole('link', { name: 'Benutzer', exact: true }).click()
      await page.getByRole('columnheader', { name: 'Letzte Anmeldung' }).waitFor()
      await page.getByText('1 insgesamt').waitFor()
      await check()
      // So are refusals, by the browser and by the service.
      await page.getByRole('link', { name: 'Benutzer erstellen' }).first().click()
      const refusal = page.locator('.field-problem')
      await page.getByLabel('E-Mail-Adresse').fill('no address')
      await press(page, 'Benutzer erstellen')
      await refusal.filter({ hasText: 'Gib eine E-Mail-Adresse ein, etwa name@example.com.' }).waitFor()
      await page.getByLabel('E-Mail-Adresse').fill(email)
      await page.getByLabel('Passwort').fill('kurz')
      await press(page, 'Benutzer erstellen')
      await refusal.filter({ hasText: 'Muss 8 bis 256 Zeichen haben.' }).waitFor()
      await page.getByLabel('Passwort').fill('correct horse battery staple')
      await press(page, 'Benutzer erstellen')
      await refusal.filter({ hasText: 'Ein anderer Benutzer dieses Mandanten hat diese E-Mail-Adresse.' }).waitFor()
      await check()
      await page.goBack()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').locator('input:focus').waitFor()
      await page.keyboard.type('passwort')
      await page.getByRole('dialog').getByRole('menuitem', { name: 'Anmelderegeln', exact: true }).waitFor()
      // The first empties the field.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Konto: / }).click()
      await press(page, 'English')
      await heading(page, 'Users').waitFor()
      await context.close()
    })
  })
})
