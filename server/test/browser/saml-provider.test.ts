// A member of an organization signs in at its own provider, SimpleSAMLphp or LemonLDAP::NG, in Chromium.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Connection, Tenant } from '@bailiwick/contract'
import type { Browser } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createOrganization, createRole, createTenant, createUser, unique } from '../harness/factories.ts'
import { freePort } from '../harness/free-port.ts'
import { doctor, lemonLdapClient, missingLemonLdap, startLemonLdap } from '../harness/outside/lemonldap.ts'
import { createApplication } from '../harness/people/authorization.ts'
import { addDomain, makeLive, provenByDns } from '../harness/people/enterprise.ts'
import { type SimpleSamlPhp, missingSimpleSamlPhp, startSimpleSamlPhp } from '../harness/saml/simplesamlphp.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const domain = `${unique()}.example`
const someone = {
  name: 'ada',
  password: 'correct horse battery staple',
  attributes: {
    uid: ['u-1001'],
    mail: [`ada@${domain}`],
    givenName: ['Ada'],
    sn: ['Lovelace & Sons'],
    groups: ['staff', 'admins'],
  },
}

describeBrowser('in Chromium', () => {
  describeOnOneEngine('a SAML provider in a browser', (open) => {
    let service: TestService
    let browser: Browser
    let provider: SimpleSamlPhp | undefined
    let origin: string
    before(async () => {
      const port = await freePort()
      origin = `http://localhost:${port}`
      service = await startTestService((await open()).database, { ...testEnv, BAILIWICK_BASE_URL: origin })
      await service.app.listen({ port, host: '127.0.0.1' })
      browser = await startChromium()
      if (missingSimpleSamlPhp === undefined) provider = await startSimpleSamlPhp(someone)
    })
    after(async () => {
      provider?.stop()
      await browser.close()
      await service.app.close()
    })

    const skip = missingSimpleSamlPhp === undefined ? {} : { skip: missingSimpleSamlPhp }

    it('leads to SimpleSAMLphp and back, begins there as well, and signs out on both sides', skip, async () => {
      assert.ok(provider)
      const { tenant } = await createTenant(service)
      const organization = await createOrganization(service, tenant.id)
      await provenByDns(service, await addDomain(service, organization.id, domain))
      const role = await createRole(service, tenant.id)
      // As an administrator does it: first ours for the provider, then its metadata for us.
      const made = await service.ok<Connection>('createConnection', {
        body: {
          organizationId: organization.id,
          type: 'saml',
          name: 'Acme staff',
          roleRules: [{ claim: 'groups', value: 'admins', roleId: role.id }],
        },
      })
      const ownMetadata = await fetch(made.saml?.ownEntityId ?? '')
      provider.trust(await ownMetadata.text())
      const connection = await service.ok<Connection>('updateConnection', {
        params: { id: made.id },
        body: { saml: { metadataUri: provider.metadataUri, nameIdFormat: 'persistent', idpInitiated: true } },
      })
      assert.equal(connection.saml?.entityId, provider.metadataUri)
      await makeLive(service, connection)
      const { page, problems, check } = await openWatchedPage(browser)
      await page.goto(`${origin}/t/${tenant.slug}/sign-in`)
      await page.fill('input[name=identifier]', `ada@${domain}`)
      await page.click('form:has(input[name=identifier]) button[type=submit]')
      await page.waitForSelector('input[name=connectionId]', { state: 'attached' })
      await check()
      await page.click('form:has(input[name=connectionId]) button')
      const enterThere = async () => {
        await page.fill('input[name=username]', someone.name)
        await page.fill('input[name=password]', someone.password)
        await page.press('input[name=password]', 'Enter')
      }
      const arriveAt = (path: string) =>
        page.waitForURL((url) => url.origin === origin && url.pathname === `/t/${tenant.slug}${path}`)
      await enterThere()
      await arriveAt('/account')
      const { data } = await service.ok<{ data: { userId: string; roleId: string }[] }>('listOrganizationMembers', {
        params: { organizationId: organization.id },
      })
      assert.deepEqual(
        data.map(({ roleId }) => roleId),
        [role.id],
      )
      const userId = data[0]?.userId ?? ''
      const { data: user } = await service.ok<{ data: { name: string; lastName: string } }>('getUser', {
        params: { id: userId },
      })
      assert.equal(user.lastName, 'Lovelace & Sons')

      // Signing out here signs out there, so that it asks for the password again.
      await page.goto(`${origin}/t/${tenant.slug}/sign-out`)
      await page.click('main form button')
      await page.waitForSelector('h1:has-text("You are signed out")')
      assert.equal(new URL(page.url()).pathname, `/t/${tenant.slug}/sign-out`)
      await page.goto(provider.beginAt(connection.saml?.ownEntityId ?? ''))
      await enterThere()
      await arriveAt('/sign-in/arrival')
      await check()
      assert.match((await page.textContent('main')) ?? '', /Acme staff has sent you here to sign in as ada@/)
      await page.click('main form button')
      await arriveAt('/account')

      // Signing out there signs out here.
      await page.goto(provider.signOutAt(`${origin}/t/${tenant.slug}/sign-in`))
      await arriveAt('/sign-in')
      await page.waitForSelector('input[name=identifier]')
      await page.goto(`${origin}/t/${tenant.slug}/account`)
      await arriveAt('/sign-in')
      assert.deepEqual(problems, [])
    })

    async function signInAsDoctor(tenant: Tenant, connection: Connection) {
      await makeLive(service, connection)
      const { page } = await openWatchedPage(browser)
      await page.goto(`${origin}/t/${tenant.slug}/sign-in`)
      await page.fill('input[name=identifier]', doctor.email)
      await page.click('form:has(input[name=identifier]) button[type=submit]')
      await page.click('form:has(input[name=connectionId]) button')
      await page.fill('input[name=user]', doctor.name)
      await page.fill('input[name=password]', doctor.password)
      await page.press('input[name=password]', 'Enter')
      await page.waitForURL((url) => url.origin === origin && url.pathname === `/t/${tenant.slug}/account`)
      assert.match((await page.textContent('main')) ?? '', /Doctor Who/)
    }

    const skipLemon = missingLemonLdap === undefined ? {} : { skip: missingLemonLdap }

    it('leads to LemonLDAP::NG and back, by OpenID Connect', skipLemon, async () => {
      const port = await freePort()
      const { tenant } = await createTenant(service)
      const { id: organizationId } = await createOrganization(service, tenant.id)
      await provenByDns(service, await addDomain(service, organizationId, doctor.domain))
      const oidc = { issuer: `http://127.0.0.1:${port}`, ...lemonLdapClient }
      const body = { organizationId, type: 'oidc', name: 'Gallifrey', oidc }
      const connection = await service.ok<Connection>('createConnection', { body })
      const lemon = await startLemonLdap(port, { callbackUri: connection.oidc?.callbackUri ?? '' })
      try {
        await signInAsDoctor(tenant, connection)
      } finally {
        lemon.stop()
      }
    })

    it('leads to LemonLDAP::NG and back, by SAML', skipLemon, async () => {
      const { tenant } = await createTenant(service)
      const { id: organizationId } = await createOrganization(service, tenant.id)
      await provenByDns(service, await addDomain(service, organizationId, doctor.domain))
      const made = await service.ok<Connection>('createConnection', {
        body: { organizationId, type: 'saml', name: 'Gallifrey' },
      })
      const ownMetadata = await fetch(made.saml?.ownEntityId ?? '')
      const lemon = await startLemonLdap(await freePort(), { metadataXml: await ownMetadata.text() })
      try {
        const connection = await service.ok<Connection>('updateConnection', {
          params: { id: made.id },
          body: { saml: { metadataUri: lemon.metadataUri, nameIdFormat: 'persistent' } },
        })
        await signInAsDoctor(tenant, connection)
      } finally {
        lemon.stop()
      }
    })

    it('leads to another tenant, whose users have their accounts there, and back', async () => {
      const staffDomain = `${unique()}.example`
      const email = `grace@${staffDomain}`
      const { tenant: home } = await createTenant(service)
      await service.ok('putAuthTenant', { params: { id: home.id }, body: { offerPasskeys: false } })
      const { password } = someone
      await createUser(service, home.id, { email, emailVerified: true, password, name: 'Grace Hopper' })
      const { tenant } = await createTenant(service)
      const { id: organizationId } = await createOrganization(service, tenant.id)
      await provenByDns(service, await addDomain(service, organizationId, staffDomain))
      const oidc = { issuer: `${origin}/t/${home.id}` }
      const body = { organizationId, type: 'oidc', name: 'Navy', oidc }
      const connection = await service.ok<Connection>('createConnection', { body })
      const redirectUris = [connection.oidc?.callbackUri ?? '']
      const { clientId, secret } = await createApplication(service, home.id, { redirectUris })
      const client = { oidc: { clientId, clientSecret: secret } }
      await service.ok('updateConnection', { params: { id: connection.id }, body: client })
      await makeLive(service, connection)
      const { page } = await openWatchedPage(browser)
      await page.goto(`${origin}/t/${tenant.slug}/sign-in`)
      await page.fill('input[name=identifier]', email)
      await page.click('form:has(input[name=identifier]) button[type=submit]')
      await page.click('form:has(input[name=connectionId]) button')
      await page.waitForURL(
        (url) => url.pathname.startsWith(`/t/${home.id}/`) || url.pathname.startsWith(`/t/${home.slug}/`),
      )
      await page.fill('input[name=identifier]', email)
      await page.click('form:has(input[name=identifier]) button[type=submit]')
      await page.fill('input[name=password]', password)
      await page.press('input[name=password]', 'Enter')
      await page.waitForURL((url) => url.pathname === `/t/${tenant.slug}/account`)
      assert.match((await page.textContent('main')) ?? '', /Grace Hopper/)
    })
  })
})
