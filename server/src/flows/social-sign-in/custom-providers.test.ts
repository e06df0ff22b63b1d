// Signing in with an OpenID provider of the tenant's own, friendly and hostile.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { CustomProvider, PublicTenant } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createCustomProvider, createTenant, createUser, testPages, unique } from '../../../test/harness/factories.ts'
import { type Claims, FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import {
  begin,
  errorOf,
  locationOf,
  page,
  person,
  signInAs,
  whoIs,
} from '../../../test/harness/people/social-sign-in.ts'
import { type TestService, describeService, productionEnv } from '../../../test/harness/service.ts'
import { newId } from '../../platform/ids.ts'
import { discoverProvider } from '../../tenancy/custom-providers/discovery.ts'

async function createWorld(service: TestService, idp: FakeIdentityProvider, provider: object = {}, auth: object = {}) {
  const { tenant } = await createTenant(service)
  const custom = await createCustomProvider(service, tenant.id, {
    issuer: idp.issuer,
    clientId: idp.clientId,
    clientSecret: 'its secret: 100 %',
    trustEmails: true,
    ...provider,
  })
  await service.ok('putAuthTenant', {
    params: { id: tenant.id },
    body: { redirectUris: testPages, strategyOAuthEnabled: true, ...auth },
  })
  return { tenant, custom, browser: new Browser(service, tenant.publicKey) }
}

describeService('a custom provider', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  async function verifiedUser(tenantId: string, email: string) {
    const user = await createUser(service(), tenantId, { email })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    return user
  }

  const signIn = ({ browser, custom }: { browser: Browser; custom: CustomProvider }, claims: Claims) =>
    signInAs(browser, idp, claims, custom.key)

  it('is shown to pages, signs people up and in, and is named by their connections', async () => {
    const world = await createWorld(service(), idp)
    const { tenant, custom, browser } = world
    const shown = await browser.ok<{ tenant: PublicTenant }>('getPublicTenantById', { params: { id: tenant.id } })
    assert.deepEqual(shown.tenant.customProviders, [
      { id: custom.id, providerKey: custom.key, name: custom.name, logoUri: null },
    ])
    assert.deepEqual(shown.tenant.socialProviders, [])
    const ada = person()
    assert.equal(errorOf(await signIn(world, ada)), null)
    const { id, name } = await whoIs(browser)
    assert.equal(name, 'Ada Lovelace')
    const again = { ...world, browser: new Browser(service(), tenant.publicKey) }
    assert.equal(errorOf(await signIn(again, ada)), null)
    assert.equal((await whoIs(again.browser)).id, id)
    const { connections } = await browser.ok<{ connections: { providerKey: string }[] }>('listOwnConnections')
    assert.deepEqual(
      connections.map(({ providerKey }) => providerKey),
      [custom.key],
    )
  })

  it('is asked over connections that are kept between requests', async () => {
    const world = await createWorld(service(), idp)
    const { requests, connections } = idp
    for (let visit = 0; visit < 4; visit++) {
      const browser = new Browser(service(), world.tenant.publicKey)
      assert.equal(errorOf(await signIn({ ...world, browser }, person())), null)
    }
    const [asked, connected] = [idp.requests - requests, idp.connections - connections]
    assert.ok(asked >= 4 && connected < asked, `${asked} requests over ${connected} new connections`)
  })

  it('reads the claims that its mapping names, and nothing else as an address', async () => {
    const claims = { email: 'mail', emailVerified: 'mail_ok', name: 'full' }
    const world = await createWorld(service(), idp, { claims })
    const mail = `${unique()}@example.com`
    const said = { sub: unique(), mail, mail_ok: true, full: 'Grace Hopper', email: 'other@example.com', name: 'Other' }
    assert.equal(errorOf(await signIn(world, said)), null)
    const { user } = await world.browser.ok<{ user: { name: string; emails: { email: string }[] } }>('getProfile')
    assert.deepEqual([user.name, user.emails.map(({ email }) => email)], ['Grace Hopper', [mail]])
  })

  it('shows the client by the method that the provider names, by the standard one where it names none', async () => {
    const sentBy = async (describe: (metadata: Claims) => unknown, provider: object = {}) => {
      idp.describe = describe
      try {
        const world = await createWorld(service(), idp, provider)
        await service().ok('checkCustomProvider', { params: { id: world.custom.id } })
        assert.equal(errorOf(await signIn(world, person())), null)
        return idp.tokenRequests.at(-1)
      } finally {
        idp.describe = (metadata) => metadata
      }
    }
    const standard = await sentBy((metadata) => metadata)
    assert.deepEqual([standard?.get('basic'), standard?.get('client_secret')], ['true', 'its secret: 100 %'])
    const posted = await sentBy((metadata) => ({
      ...metadata,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }))
    assert.deepEqual([posted?.get('basic'), posted?.get('client_secret')], [null, 'its secret: 100 %'])
    idp.isSecretAsked = false
    try {
      const open = await sentBy((metadata) => metadata, { clientSecret: null })
      assert.deepEqual([open?.get('client_secret'), open?.get('client_id')], [null, idp.clientId])
    } finally {
      idp.isSecretAsked = true
    }
  })

  it('is asked to describe itself once for many sign-ins', async () => {
    const world = await createWorld(service(), idp)
    await service().ok('checkCustomProvider', { params: { id: world.custom.id } })
    const asked = idp.descriptions
    for (let n = 0; n < 3; n++) await begin(new Browser(service(), world.tenant.publicKey), world.custom.key)
    assert.equal(idp.descriptions, asked)
  })

  it('never links an account by an address that it does not verify, or that is not trusted', async () => {
    for (const [provider, claims] of [
      [{}, { email_verified: false }],
      [{}, { email_verified: undefined }],
      [{}, { email_verified: 'true' }],
      [{ trustEmails: false }, { email_verified: true }],
      [{ claims: { emailVerified: 'confirmed' } }, { email_verified: true }],
    ] as const) {
      const world = await createWorld(service(), idp, provider)
      const email = `${unique()}@example.com`
      const owner = await verifiedUser(world.tenant.id, email)
      await signIn(world, person({ email, ...claims }))
      const answer = await world.browser.call('getProfile')
      assert.ok(!answer.text.includes(owner.id), `${JSON.stringify(claims)}: ${answer.text}`)
    }
    const world = await createWorld(service(), idp)
    const email = `${unique()}@example.com`
    const owner = await verifiedUser(world.tenant.id, email)
    await signIn(world, person({ email }))
    assert.equal((await whoIs(world.browser)).id, owner.id)
  })

  const hostile: Readonly<Record<string, (claims: Claims) => Claims>> = {
    'of another issuer': (claims) => ({ ...claims, iss: 'https://accounts.google.com' }),
    'for another client': (claims) => ({ ...claims, aud: 'another-client' }),
    'of another sign-in': (claims) => ({ ...claims, nonce: 'another' }),
    'that has expired': (claims) => ({ ...claims, exp: 1 }),
    'without a subject': (claims) => ({ ...claims, sub: undefined }),
  }
  for (const [what, tamper] of Object.entries(hostile)) {
    it(`signs nobody in by a token ${what}`, async () => {
      const world = await createWorld(service(), idp)
      idp.tamper = tamper
      try {
        assert.equal(errorOf(await signIn(world, person())), 'provider_refused')
      } finally {
        idp.tamper = (claims) => claims
      }
      await world.browser.refused('getProfile', 'unauthenticated')
    })
  }

  it('signs nobody in by a token that another provider of the tenant has signed', async () => {
    const other = new FakeIdentityProvider()
    await other.start()
    try {
      const world = await createWorld(service(), idp)
      const stolen: string[] = []
      other.tamper = (claims) => ({ ...claims, iss: idp.issuer, aud: idp.clientId })
      other.tamperToken = (token) => {
        stolen.push(token)
        return token
      }
      const second = await createCustomProvider(service(), world.tenant.id, {
        issuer: other.issuer,
        clientId: other.clientId,
        clientSecret: 'its own',
      })
      assert.equal(errorOf(await signInAs(world.browser, other, person(), second.key)), 'provider_refused')
      idp.tamperToken = () => stolen[0] ?? ''
      assert.equal(errorOf(await signIn(world, person())), 'provider_refused')
      await world.browser.refused('getProfile', 'unauthenticated')
    } finally {
      idp.tamperToken = (token) => token
      await other.stop()
    }
  })

  it('takes no answer at the callback of another provider', async () => {
    const world = await createWorld(service(), idp)
    const second = await createCustomProvider(service(), world.tenant.id, {
      issuer: idp.issuer,
      clientId: idp.clientId,
    })
    const { authorizeUri } = await begin(world.browser, world.custom.key)
    const back = idp.agree(authorizeUri, person())
    const swapped = new URL(back.href.replace(world.custom.key, second.key))
    assert.equal((await world.browser.visit(swapped)).status, 400)
    assert.equal(errorOf(locationOf(await world.browser.visit(back))), null)
  })

  it('signs in no user once it is turned off, or only connects accounts', async () => {
    for (const body of [{ enabled: false }, { authenticatable: false }]) {
      const { browser, custom } = await createWorld(service(), idp)
      const { authorizeUri } = await begin(browser, custom.key)
      await service().ok('updateCustomProvider', { params: { id: custom.id }, body })
      const at = locationOf(await browser.visit(idp.agree(authorizeUri, person())))
      assert.equal(errorOf(at), 'strategy_unavailable')
      const again = { body: { strategy: 'oauth', providerKey: custom.key, redirectUri: page } }
      await browser.refused('createSignIn', 'strategy_unavailable', again)
    }
  })

  it('sends no user to an issuer whose metadata name another one', async () => {
    const { browser, custom } = await createWorld(service(), idp, { issuer: `${idp.issuer}/other` })
    const body = { strategy: 'oauth', providerKey: custom.key, redirectUri: page }
    await browser.refused('createSignIn', 'provider_unusable', { body })
  })

  it('does not recognise a user who comes from another issuer with the same subject', async () => {
    const other = new FakeIdentityProvider()
    await other.start()
    try {
      const world = await createWorld(service(), idp)
      const ada = person()
      await signIn(world, ada)
      const { id } = await whoIs(world.browser)
      await service().ok('updateCustomProvider', {
        params: { id: world.custom.id },
        body: { issuer: other.issuer, clientId: other.clientId, clientSecret: 'its own' },
      })
      const stranger = new Browser(service(), world.tenant.publicKey)
      await signInAs(stranger, other, { ...ada, email: `${unique()}@example.com` }, world.custom.key)
      assert.notEqual((await whoIs(stranger)).id, id)
    } finally {
      await other.stop()
    }
  })
})

describeService(
  'a custom provider in production',
  (service) => {
    const idp = new FakeIdentityProvider()
    before(() => idp.start())
    after(() => idp.stop())

    it('is never asked at a private address, nor without TLS', async () => {
      const { deps } = service()
      const port = new URL(idp.issuer).port
      const here = ['https://127.0.0.1', 'https://localhost', 'http://127.0.0.1', 'https://[::1]']
      for (const issuer of [...here.map((each) => `${each}:${port}`), 'https://10.0.0.1', 'https://169.254.169.254']) {
        await assert.rejects(discoverProvider(deps, newId(), issuer), { problem: 'unreachable' }, issuer)
      }
      assert.deepEqual([idp.descriptions, idp.connections], [0, 0])
    })
  },
  productionEnv,
)
