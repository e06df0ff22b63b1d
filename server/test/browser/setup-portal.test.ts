// An administrator of a customer who has nothing but a set-up link connects identity providers by others, with the values and words of the
// pages alone. In the end a colleague is signed in.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Connection, NewSetupLink } from '@bailiwick/contract'
import type { Browser, Page } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createOrganization, createRole, createTenant, createUser, unique } from '../harness/factories.ts'
import { freePort } from '../harness/free-port.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { CertifiedProvider, certifiedClient } from '../harness/outside/certified-provider.ts'
import { startNameServer } from '../harness/outside/name-server.ts'
import { type SimpleSamlPhp, missingSimpleSamlPhp, startSimpleSamlPhp } from '../harness/saml/simplesamlphp.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const domain = `${unique()}.example`
const colleague = `ada@${domain}`
const someone = {
  name: 'ada',
  password: 'correct horse battery staple',
  attributes: { uid: ['u-1'], mail: [colleague] },
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const wait = (page: Page, text: string) => page.getByText(text).first().waitFor()

/** Returns what stands beside a name on the page. */
const read = async (page: Page, name: string) =>
  (await page
    .locator('dl.record > div', { has: page.getByText(name, { exact: true }) })
    .locator('code')
    .textContent()) ?? ''

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the set-up pages in a browser', (open) => {
    const idp = new CertifiedProvider()
    const names = startNameServer()
    let service: TestService
    let browser: Browser
    let saml: SimpleSamlPhp | undefined
    let origin: string
    before(async () => {
      const port = await freePort()
      origin = `http://localhost:${port}`
      const { address, addresses } = await names
      addresses.set('localhost', '127.0.0.1')
      const env = { ...testEnv, BAILIWICK_DNS_SERVERS: address, BAILIWICK_BASE_URL: origin }
      service = await startTestService((await open()).database, env)
      await service.app.listen({ port, host: '127.0.0.1' })
      browser = await startChromium()
      await idp.start()
      idp.accountOf = (id) => ({ email: id.includes('@') ? id : `it@${domain}`, name: 'Ada' })
      if (missingSimpleSamlPhp === undefined) saml = await startSimpleSamlPhp(someone)
    })
    after(async () => {
      saml?.stop()
      idp.stop()
      await browser.close()
      await service.app.close()
      await (await names).close()
    })

    /** Opens a link with the code from the mailbox, and proves the domain. */
    async function begin() {
      const { tenant } = await createTenant(service)
      const { id: organizationId } = await createOrganization(service, tenant.id, { name: 'Acme' })
      const email = `it@${unique()}.example`
      const { uri } = await service.ok<NewSetupLink>('createSetupLink', { params: { organizationId }, body: { email } })
      const watched = await openWatchedPage(browser)
      const { page } = watched
      await page.goto(uri)
      await press(page, 'Send the code')
      const { code } = await latestMessageTo(service.deps, email)
      // The page sends a whole code by itself.
      await page.getByLabel('Code').fill(code ?? '')
      await page.locator('.card').getByRole('link', { name: 'Domains' }).click()
      await page.getByLabel('Domain', { exact: true }).fill(domain)
      await press(page, 'Add the domain')
      ;(await names).records.set(await read(page, 'Name'), [await read(page, 'Value')])
      await press(page, 'Check the record')
      await wait(page, 'The domain has been verified')
      await follow(page, 'Identity provider')
      await follow(page, 'Another provider')
      return watched
    }

    /** Switches the connection on; returns the address that the page has for colleagues. */
    async function switchOn({ page, check }: Awaited<ReturnType<typeof begin>>) {
      await wait(page, 'The test was successful')
      await check()
      await press(page, 'Switch on')
      await wait(page, 'Single sign-on is on.')
      await check()
      return read(page, 'Address for signing in')
    }

    /** Signs a colleague in, who has only that address. */
    async function signIn(address: string, atProvider: (page: Page) => Promise<void>) {
      const { context, page } = await openWatchedPage(browser)
      await page.goto(address)
      await page.getByLabel('E-mail address').fill(colleague)
      await press(page, 'Continue')
      await press(page, 'Continue with Acme')
      await atProvider(page)
      await page.waitForURL((url) => url.origin === origin && url.pathname.endsWith('/account'))
      await context.close()
    }

    async function signInAtSamlProvider(page: Page) {
      await page.fill('input[name=username]', someone.name)
      await page.fill('input[name=password]', someone.password)
      await page.press('input[name=password]', 'Enter')
    }

    const skip = missingSimpleSamlPhp === undefined ? {} : { skip: missingSimpleSamlPhp }

    it('lead to SimpleSAMLphp', skip, async () => {
      assert.ok(saml)
      const watched = await begin()
      const { page, check, problems } = watched
      await press(page, 'Use SAML 2.0')
      await check()
      // What the administrator enters at the provider is on the page.
      const metadata = await fetch(await read(page, 'Metadata address'))
      saml.trust(await metadata.text())
      await page.getByLabel('Address of the metadata').fill(saml.metadataUri)
      await press(page, 'Save')
      await wait(page, 'The changes have been saved')
      await press(page, 'Test the sign-in')
      await signInAtSamlProvider(page)
      const address = await switchOn(watched)
      await follow(page, 'Provisioning')
      await press(page, 'Create a token')
      await wait(page, 'Copy the token now')
      await check()
      await follow(page, 'Roles')
      await page.getByLabel('Value').fill('admins')
      await page.getByLabel('Role').selectOption({ label: 'member' })
      await press(page, 'Add the rule')
      await wait(page, 'groups is admins')
      await check()
      assert.deepEqual(problems, [])
      await signIn(address, signInAtSamlProvider)
    })

    it('lead to an OpenID provider', async () => {
      const watched = await begin()
      const { page, check } = watched
      await page.getByLabel('Issuer').fill(idp.issuer)
      // The provider must answer before its client exists: the page has the redirect URI only then.
      idp.serve(`${origin}/not-yet-known`)
      await press(page, 'Use OpenID Connect')
      await check()
      idp.serve(await read(page, 'Redirect URI'))
      await page.getByLabel('Client ID').fill(certifiedClient.client_id)
      await page.getByLabel('Client secret').fill(certifiedClient.client_secret)
      await press(page, 'Save')
      await wait(page, 'The changes have been saved')
      await press(page, 'Test the sign-in')
      await signIn(await switchOn(watched), async () => {})
    })

    it('leave it to the console whom a connection admits, and with which role', async () => {
      const { tenant } = await createTenant(service)
      const { id: organizationId } = await createOrganization(service, tenant.id, { name: 'Acme' })
      const { id: roleId } = await createRole(service, tenant.id, { name: 'Keeper' })
      const grace = await createUser(service, tenant.id, { name: 'Grace Hopper' })
      await service.ok('createOrganizationMember', { body: { organizationId, userId: grace.id } })
      const params = await service
        .ok<Connection>('createConnection', {
          body: { organizationId, type: 'saml', name: 'Acme staff' },
        })
        .then(({ id }) => ({ id }))
      const { context, page, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/console/t/${tenant.id}/connections/${params.id}`)
      await page.getByLabel('Users who are not members yet').selectOption('off')
      await page.getByLabel('Second factor', { exact: true }).selectOption('skip')
      await page.getByLabel('Accept sign-ins that begin at the provider').check()
      await press(page, 'Add a rule')
      const rule = page.getByRole('group', { name: 'rule 1' })
      await rule.getByLabel('Value').fill('keepers')
      await rule.getByLabel('Role').selectOption({ label: 'Keeper' })
      await page.getByLabel('Members who keep their other ways to sign in').fill('hopper')
      await page.getByRole('button', { name: /Grace Hopper/ }).click()
      await check()
      await press(page, 'Save')
      await wait(page, 'The connection is saved.')
      const saved = await service.ok<Connection>('getConnection', { params })
      const { jit, secondFactor, saml: settings, roleRules, fallbackUserIds } = saved
      assert.deepEqual([jit, secondFactor, settings?.idpInitiated], ['off', 'skip', true])
      assert.deepEqual(roleRules, [{ claim: 'groups', value: 'keepers', roleId }])
      assert.deepEqual(fallbackUserIds, [grace.id])
      // The way up from a connection is its organization.
      await page
        .getByRole('navigation', { name: 'Breadcrumbs' })
        .getByRole('link', { name: 'Acme', exact: true })
        .click()
      await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor()
      await context.close()
    })
  })
})
