// The console's settings of a tenant, in Chromium at a phone's width: rules, brand, texts, roles and organizations, as the operator and as a
// member who may see them and change nothing but organizations.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type {
  Application,
  Organization,
  PageSettings,
  Role,
  SocialProvider,
  Template,
  Tenant,
} from '@bailiwick/contract'
import type { Browser, Page } from 'playwright-core'
import { endSession } from '../../src/identity/sessions/sessions.ts'
import { getConsoleTenantId } from '../../src/tenancy/tenants/console-tenant.ts'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import {
  createApplication,
  createOrganization,
  createRole,
  createTenant,
  createUser,
  unique,
} from '../harness/factories.ts'
import { freePort } from '../harness/free-port.ts'
import { flagsOf } from '../harness/people/sessions.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const system = { type: 'system', id: null, ip: null, ua: null } as const
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
      await page.goto(`${origin}/console/t/${tenant.id}/sign-in-rules?tab=how`)
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
      await page.getByText('This was changed after you read it').waitFor()
      assert.equal((await rules())?.strategyEmailPasswordEnabled, true)
      await press(page, 'Save on top of them')
      await said(page, 'The sign-in rules are saved.')
      assert.deepEqual([(await rules())?.strategyEmailPasswordEnabled, (await rules())?.nameRequired], [false, true])

      await page.getByRole('link', { name: 'History', exact: true }).click()
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
      await page.getByLabel('User', { exact: true }).fill(user.id)
      await page.locator('.found-users').getByRole('button').click()
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

    it('asks for the fields that each social provider needs, and leaves settings alone that it does not know', async () => {
      const { tenant } = await createTenant(service)
      const { context, page, check } = await openWatchedPage(browser)
      const label = (name: string) => page.getByLabel(name, { exact: true })
      await page.goto(`${origin}/console/t/${tenant.id}/social-providers/new`)
      await label('Provider').selectOption('apple')
      await label('Services ID').fill('com.acme.web')
      await label('Team ID').fill('TEAM123456')
      await label('Private key').fill('-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----')
      await page.getByText('As code').click()
      assert.ok(!(await page.getByLabel('As curl', { exact: true }).innerText()).includes('MIGH'))
      await press(page, 'Add provider')
      assert.equal(await label('Key ID').getAttribute('aria-invalid'), 'true')
      await check()
      await label('Key ID').fill('KEY1234567')
      await press(page, 'Add provider')
      await heading(page, 'Apple').waitFor()
      const id = page.url().split('/').at(-1) ?? ''
      const read = () => service.ok<SocialProvider>('getSocialProvider', { params: { id } })
      assert.deepEqual((await read()).config, { teamId: 'TEAM123456', keyId: 'KEY1234567' })

      const { config } = await service.ok<SocialProvider>('updateSocialProvider', {
        params: { id },
        body: { config: { teamId: 'TEAM123456', keyId: 'KEY1234567', note: 'ours' }, clientSecret: 'another' },
      })
      assert.deepEqual(Object.keys(config as object).toSorted(), ['keyId', 'note', 'teamId'])
      await page.reload()
      await label('Key ID').fill('KEY7654321')
      await press(page, 'Save')
      await said(page, 'The provider is saved.')
      assert.deepEqual((await read()).config, { teamId: 'TEAM123456', keyId: 'KEY7654321', note: 'ours' })

      await page.goto(`${origin}/console/t/${tenant.id}/social-providers/new`)
      await label('Provider').selectOption('gitlab')
      await label('Application ID').fill('our-application')
      await label('Secret').fill('its secret')
      assert.equal(await label('Trust its e-mail addresses').count(), 0)
      await page.getByLabel('Address of a self-hosted GitLab').fill('https://gitlab.acme.example')
      await label('Trust its e-mail addresses').check()
      await press(page, 'Add provider')
      await heading(page, 'GitLab').waitFor()
      await label('Trust its e-mail addresses').uncheck()
      await label('Trust its e-mail addresses').waitFor()
      await page.getByLabel('Address of a self-hosted GitLab').fill('')
      await press(page, 'Save')
      // The secret would go to another server, so the service asks for it again.
      await page.locator('[name="clientSecret"][aria-invalid="true"]').fill('its secret')
      await press(page, 'Save')
      await said(page, 'The provider is saved.')
      const gitlab = await service.ok<SocialProvider>('getSocialProvider', {
        params: { id: page.url().split('/').at(-1) ?? '' },
      })
      assert.ok(!('baseUrl' in (gitlab.config as object)))
      await check()
      await context.close()
    })

    it('loses nothing that was typed when the session ends: in an application, the rules, a template and the texts', async () => {
      const { tenant } = await createTenant(service)
      const { id: applicationId } = await createApplication(service, tenant.id)
      const { data: templates } = await service.ok<{ data: readonly Template[] }>('listTemplates', {
        params: { tenantId: tenant.id },
      })
      const { id: templateId } = templates.find(({ type }) => type === 'email') ?? assert.fail()
      const email = `${unique()}@console.example`
      const consoleTenantId = await getConsoleTenantId(service.deps.db)
      const person = await createUser(service, consoleTenantId, { email, password })
      await service.ok('verifyEmailAddress', { body: { id: person.primaryEmailId } })
      const flags = flagsOf('roleViewConfig', 'roleEditConfig')
      await service.ok('createTenantMember', { body: { tenantId: tenant.id, email, ...flags } })
      const { context, page } = await openWatchedPage(browser)
      const field = (name: string) => page.locator(`main [name="${name}"]`)
      const at = (path: string) => `${origin}/console/t/${tenant.id}/${path}`
      const signIn = async (on: Page) => {
        await on.getByLabel('E-mail address').fill(email)
        await on.getByRole('button', { name: 'Continue', exact: true }).click()
        await on.getByLabel('Password', { exact: true }).fill(password)
        await on.getByRole('button', { name: 'Sign in', exact: true }).click()
      }
      const endSessions = async () => {
        const { data } = await service.ok<{ data: { id: string }[] }>('listUserSessions', {
          params: { userId: person.id },
        })
        for (const each of data) await endSession(service.deps, consoleTenantId, each.id, system)
      }
      const signInAgain = async () => {
        await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
        const [second] = await Promise.all([
          context.waitForEvent('page'),
          page.getByRole('link', { name: 'Sign in in a new window' }).click(),
        ])
        await signIn(second)
        await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ state: 'detached' })
      }

      await page.goto(
        `${origin}/t/${consoleTenantId}/sign-in?redirect_to=${encodeURIComponent(at(`applications/${applicationId}`))}`,
      )
      await signIn(page)
      await field('name').fill('Acme Reports 3')
      await field('redirectUris').fill('https://one.acme.example/in\nhttps://two.acme.example/in')
      await field('accessTokenTtl').fill('600')
      await page.getByLabel('Require pushed requests (PAR)').check()
      await field('termsUri').fill('https://acme.example/terms')
      await page.getByLabel('Token exchange').check()
      await endSessions()
      await press(page, 'Save')
      await signInAgain()
      await said(page, 'The application is saved.')
      const application = await service.ok<Application>('getApplication', { params: { id: applicationId } })
      const { name, redirectUris, accessTokenTtl, requirePar, termsUri, grantTypes } = application
      assert.deepEqual(
        { name, redirectUris, accessTokenTtl, requirePar, termsUri, grants: grantTypes.length },
        {
          name: 'Acme Reports 3',
          redirectUris: ['https://one.acme.example/in', 'https://two.acme.example/in'],
          accessTokenTtl: 600,
          requirePar: true,
          termsUri: 'https://acme.example/terms',
          grants: 3,
        },
      )

      await page.goto(at('sign-in-rules'))
      await page.getByLabel('Sign-up', { exact: true }).click()
      await page.getByText('None of 0 users would be locked out').waitFor()
      await page.getByRole('link', { name: 'Sessions', exact: true }).last().click()
      await field('sessionMaximumLifetime').fill('1')
      await page.getByText('2 unsaved changes').waitFor()
      await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor()
      await endSessions()
      // What a change would do is counted as it is typed, so that the end of the session is seen before anything is saved.
      await page.getByLabel(/^Unit of Maximum time without use/).selectOption('hours')
      await field('sessionInactivityTimeout').fill('1')
      await signInAgain()
      await page.getByText('3 unsaved changes').waitFor()
      await page.getByText('None of 0 users would be locked out').waitFor()
      await press(page, 'Save')
      await said(page, 'The sign-in rules are saved.')
      const { auth } = await service.ok<Tenant>('getAuthTenant', { params: { id: tenant.id } })
      assert.deepEqual(
        [auth?.signUpEnabled, auth?.sessionMaximumLifetime, auth?.sessionInactivityTimeout],
        [false, 86_400, 3600],
      )

      await page.goto(at(`templates/${templateId}`))
      await field('subject').fill('Your code for Acme')
      await field('body').fill('<p>Hello {{ user.name }}, as typed before the session ended</p>')
      await page.frameLocator('iframe[title="The message"]').getByText('as typed before').waitFor()
      await endSessions()
      await press(page, 'Save')
      await signInAgain()
      await said(page, 'Saved.')
      const template = await service.ok<Template>('getTemplate', { params: { id: templateId } })
      assert.equal(template.subject, 'Your code for Acme')
      assert.match(template.body, /as typed before the session ended/)

      await page.goto(at('pages'))
      await page.getByLabel('Find a text', { exact: true }).fill('No account yet')
      await page.getByRole('textbox', { name: /^No account yet/ }).fill('New here?')
      await endSessions()
      await press(page, 'Save texts')
      await signInAgain()
      await said(page, 'The texts are saved.')
      const { texts } = await service.ok<PageSettings>('getPages', { params: { id: tenant.id } })
      assert.deepEqual(Object.values(texts.en ?? {}), ['New here?'])
      await context.close()
    })
  })
})
