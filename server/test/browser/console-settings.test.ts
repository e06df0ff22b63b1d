// The console's settings of a tenant, in Chromium at a phone's width: rules, brand, texts, roles and organizations, as the operator and as a
// member who may see them and change nothing but organizations.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Organization, PageSettings, Role, Tenant } from '@bailiwick/contract'
import type { Browser, Page } from 'playwright-core'
import { getConsoleTenantId } from '../../src/tenancy/tenants/console-tenant.ts'
import { describeOnOneEngine } from '../harness/on-one-engine.ts'
import { createOrganization, createRole, createTenant, createUser, unique } from '../harness/factories.ts'
import { freePort } from '../harness/free-port.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { flagsOf } from '../harness/sessions.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const password = 'correct horse battery staple'

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the settings of a tenant in the console', (open) => {
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

    const heading = (page: Page, name: string, level = 1) => page.getByRole('heading', { name, level, exact: true })
    const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
    const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

    it('counts who a change of the sign-in rules would lock out, saves it, and goes back', async () => {
      const { tenant } = await createTenant(service)
      const params = { id: tenant.id }
      await service.ok('putAuthTenant', { params, body: { strategyEmailCodeEnabled: false } })
      const user = await createUser(service, tenant.id, { password })
      await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      const rules = async () => (await service.ok<Tenant>('getAuthTenant', { params })).auth
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console/t/${tenant.id}/sign-in-rules`)
      await heading(page, 'Sign-in rules').waitFor()
      await page.getByLabel('Code by e-mail', { exact: true }).click()
      await page.getByText('None of 1 user would be locked out').waitFor()
      await page.getByLabel('E-mail address and password', { exact: true }).click()
      await page.getByLabel('Code by e-mail', { exact: true }).click()
      await page.getByText('1 of 1 user would be locked out').waitFor()
      assert.equal((await rules())?.strategyEmailPasswordEnabled, true)
      await check()

      // Somebody else changes the rules meanwhile: that is not overwritten unseen.
      await service.ok('putAuthTenant', { params, body: { nameRequired: true } })
      await press(page, 'Save and lock out 1')
      await page.getByText('Somebody has changed this since it was read').waitFor()
      assert.equal((await rules())?.strategyEmailPasswordEnabled, true)
      await press(page, 'Save on top of them')
      await said(page, 'The sign-in rules are saved.')
      assert.deepEqual([(await rules())?.strategyEmailPasswordEnabled, (await rules())?.nameRequired], [false, true])

      await page.getByText('Version 2', { exact: true }).click()
      await press(page, 'What going back would change')
      await page.getByText('E-mail address and password').last().waitFor()
      await press(page, 'Go back to version 2')
      await page.getByRole('dialog').getByRole('button', { name: 'Go back to version 2' }).click()
      await page.getByText('Version 5', { exact: true }).waitFor()
      assert.equal((await rules())?.strategyEmailPasswordEnabled, true)
      await check()
      await context.close()
    })

    it('derives a brand from one colour, mends its contrast, and shows it on the real page before it is saved', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console/t/${tenant.id}/brand`)
      await heading(page, 'Brand').waitFor()
      await page.getByLabel('Main colour', { exact: true }).fill('#0f766e')
      await press(page, 'Derive colours')
      await said(page, 'Light and dark colours are derived.')
      await page.waitForFunction(
        `(() => { const { contentDocument } = document.querySelector('iframe');
          const button = contentDocument?.querySelector('button[type=submit]');
          return button && getComputedStyle(button).backgroundColor === 'rgb(15, 118, 110)' })()`,
      )
      assert.deepEqual(await service.ok('getTenantBrand', { params: { id: tenant.id } }), {})

      await page.getByLabel('Main button: text', { exact: true }).fill('#1f8a80')
      await press(page, /^Use #/)
      await check()
      await page.getByLabel('CSS', { exact: true }).fill('.dark { --ring: oklch(0.8 0.1 190); --chart-1: red }')
      await page.getByText('1 other property has no place in a brand.').waitFor()
      await press(page, 'Fill in 1 property')
      await press(page, 'Save brand')
      await said(page, 'The brand is saved.')
      const brand = await service.ok<Record<string, string>>('getTenantBrand', { params: { id: tenant.id } })
      assert.deepEqual([brand['primary'], brand['darkRing']], ['#0f766e', 'oklch(0.8 0.1 190)'])
      assert.notEqual(brand['primaryForeground'], '#1f8a80')
      await context.close()
    })

    it("keeps a tenant's own texts, creates a role and an organization, and explains a sign-in", async () => {
      const { tenant } = await createTenant(service)
      const user = await createUser(service, tenant.id)
      const { context, page, check } = await openWatchedPage(browser)
      const at = (path: string) => page.goto(`${origin}/console/t/${tenant.id}/${path}`)
      await at('pages')
      await page.getByLabel('Find a text', { exact: true }).fill('No account yet')
      await page.getByRole('textbox', { name: /^No account yet/ }).fill('New here?')
      await press(page, 'Save texts')
      await said(page, 'The texts are saved.')
      const settings = await service.ok<PageSettings>('getPages', { params: { id: tenant.id } })
      assert.equal(Object.values(settings.texts.en ?? {})[0], 'New here?')
      await check()

      await at('roles/new')
      await page.getByLabel(/^Name/).fill('editor')
      await page.getByLabel(/^Permissions/).fill('articles:write\narticles:read')
      await press(page, 'Create role')
      await heading(page, 'editor').waitFor()
      await check()
      const { data } = await service.ok<{ data: readonly Role[] }>('listRoles', { params: { tenantId: tenant.id } })
      assert.deepEqual(data[0]?.permissions, ['articles:write', 'articles:read'])

      await at('organizations/new')
      await page.getByLabel(/^Name/).fill('Research')
      await press(page, 'Create organization')
      await heading(page, 'Research').waitFor()
      await press(page, 'Add a member')
      await page.getByLabel('User ID').fill(user.id)
      await press(page, 'Add member')
      await page.getByLabel(/^Role of/).selectOption({ label: 'editor' })
      await check()
      await at('organizations?query=rese')
      await page.getByRole('link', { name: 'Research' }).waitFor()

      await at('explain')
      await page.getByLabel(/^E-mail address, phone/).fill(user.emailAddresses[0]?.email ?? '')
      await press(page, 'Explain')
      await heading(page, `${user.emailAddresses[0]?.email} can sign in`, 2).waitFor()
      await check()
      await context.close()
    })

    it('shows a member with few flags what they may see, and lets them do what they may', async () => {
      const { tenant } = await createTenant(service)
      const role = await createRole(service, tenant.id)
      const organization = await createOrganization(service, tenant.id, { name: 'Design' })
      const email = `${unique()}@console.example`
      const consoleTenantId = await getConsoleTenantId(service.deps.db)
      const person = await createUser(service, consoleTenantId, { email, password })
      await service.ok('verifyEmailAddress', { body: { id: person.primaryEmailId } })
      const flags = flagsOf('roleViewConfig', 'roleEditOrganizations')
      await service.ok('createTenantMember', { body: { tenantId: tenant.id, email, ...flags } })
      const { context, page, check } = await openWatchedPage(browser)
      const back = encodeURIComponent(`${origin}/console/t/${tenant.id}/roles/${role.id}`)
      await page.goto(`${origin}/t/${consoleTenantId}/sign-in?redirect_to=${back}`)
      await page.getByLabel('E-mail address').fill(email)
      await press(page, 'Continue')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await press(page, 'Sign in')
      await heading(page, role.name).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Delete role' }).getAttribute('aria-disabled'), 'true')
      await page.getByText('You need the right “Edit settings” in this tenant.').first().waitFor({ state: 'attached' })
      await check()
      await page.goto(`${origin}/console/t/${tenant.id}/explain`)
      await page.getByText('There is no such page').waitFor()
      await page.goto(`${origin}/console/t/${tenant.id}/organizations/${organization.id}`)
      await page.getByLabel(/^Name/).fill('Design and more')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await said(page, 'The organization is saved.')
      const { name } = await service.ok<Organization>('getOrganization', { params: { id: organization.id } })
      assert.equal(name, 'Design and more')
      await context.close()
    })
  })
})
