// Wherever an end user's page may name the address to which a browser goes next, only the tenant's own pages are accepted. See
// docs/security-tests.md 2.1.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import {
  type FrontendEndpoint,
  type FrontendEndpointId,
  type SignInAnswer,
  type SignUpAnswer,
  frontendEndpoints,
} from '@bailiwick/contract'
import fc from 'fast-check'
import { checkedRedirect } from '../../src/flows/frontend/destinations.ts'
import { ApiError } from '../../src/platform/http/api-error.ts'
import { isOriginOf } from '../../src/tenancy/tenants/origins.ts'
import type { TenantEntry } from '../../src/tenancy/tenants/tenant-entry.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { unique } from '../harness/factories.ts'
import { elsewhere } from '../harness/outside/addresses-elsewhere.ts'
import { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { Person, password } from '../harness/people/people.ts'
import { browserOf, signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { createSocialWorld } from '../harness/people/social-sign-in.ts'
import { describeNodesInTurn } from '../harness/service.ts'

const inTheirName = /uri|url|redirect|callback|next|return|link/i
/** A picture is only shown; other tests check its format. */
const isAddress = (name: string) => inTheirName.test(name) && name !== 'imageUri'
const readProperties = (schema: unknown) =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

/** Addresses that are not listed: each differs from a listed one in something that an open redirect, a parser or a proxy would use. */
const besides = [
  'https://app.acme.example/',
  'https://app.acme.example',
  'https://app.acme.example/in',
  'https://app.acme.example/in?',
  'https://app.acme.example/in?step=3',
  'https://app.acme.example/in?step=2&to=https://evil.example/',
  'https://app.acme.example/in?to=https://evil.example/&step=2',
  'https://app.acme.example/in/?step=2',
  'https://app.acme.example//in?step=2',
  'https://app.acme.example/IN?step=2',
  'https://app.acme.example/in?STEP=2',
  'https://app.acme.example/i%6e?step=2',
  'https://app.acme.example/in%2f?step=2',
  'https://app.acme.example/in%2F..%2Fgo?step=2',
  'https://app.acme.example/x/../in?step=2',
  'https://app.acme.example/./in?step=2',
  'https://app.acme.example/in;x?step=2',
  'https://app.acme.example/in?step=2#',
  'https://app.acme.example/in?step=2#token=x',
  'https://app.acme.example./in?step=2',
  'https://app.acme.example:443/in?step=2',
  'https://app.acme.example:8443/in?step=2',
  'https://user@app.acme.example/in?step=2',
  'https://user:pw@app.acme.example/in?step=2',
  'https://app.acme.example\\@evil.example/in?step=2',
  'https://app.acme.example/\\in?step=2',
  'https://app.acme.example/\tin?step=2',
  'https://app.acme.example/in?step=2 ',
  'http://app.acme.example/in?step=2',
  'https://x.app.acme.example/in?step=2',
  'https://www.acme.example/go?to=https://evil.example/',
  'https://www.acme.example/?to=https://evil.example/',
  'https://www.acme.example/#/sign-in',
  'http://localhost:3000/other',
  'http://localhost:3000/back?x=1',
  'http://localhost:3000/back/',
  'https://localhost:3000/back',
  'http://127.0.0.1:3000/back',
  'http://127.0.0.2:3000/back',
  'http://app.localhost:3000/back',
  'http://localhost.:3000/back',
  'http://localhost:99999/back',
  'com.acme.app:/callback?x=1',
  'com.acme.app:/callback#x',
  'com.acme.app:/Callback',
  'com.acme.app:/callback/',
  'com.acme.app://callback',
  'com.acme.app:callback',
  'com.acme.app2:/callback',
  'COM.ACME.APP:/callback',
]

describeNodesInTurn('a redirect address that a page sends', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  /** For each operation that accepts one: a call with any address. */
  async function takers(settings: object = {}) {
    const links = { strategyEmailLinkEnabled: true, emailVerificationLinkEnabled: true }
    const { tenant, browser } = await createSocialWorld(service(), idp, { auth: { ...links, ...settings } })
    const { user, email, browser: own } = await signedInUser(service(), tenant, { password })
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier: email } })
    const owner = new Person(service(), tenant, user, email)
    await owner.begin()
    await owner.addPasskey()
    const second = new Browser(service(), tenant.publicKey)
    const secondId = (await owner.begin(second)).signInAttempt.id
    const signingUp = new Browser(service(), tenant.publicKey)
    const body = { email: `${unique()}@example.com`, password }
    const { signUpAttempt } = await signingUp.ok<SignUpAnswer>('createSignUp', { body })
    const params = { id: signInAttempt.id }
    const stranger = () => new Browser(service(), tenant.publicKey)
    const takes: Partial<Record<FrontendEndpointId, (redirectUri: string) => ReturnType<Browser['call']>>> = {
      createSignIn: (redirectUri) =>
        stranger().call('createSignIn', { body: { identifier: email, strategy: 'email_link', redirectUri } }),
      prepareFirstFactor: (redirectUri) =>
        browser.call('prepareFirstFactor', { params, body: { strategy: 'email_link', redirectUri } }),
      prepareSecondFactor: (redirectUri) =>
        second.call('prepareSecondFactor', {
          params: { id: secondId },
          body: { strategy: 'security_key', redirectUri },
        }),
      createSignUp: (redirectUri) =>
        stranger().call('createSignUp', { body: { email: `${unique()}@example.com`, password, redirectUri } }),
      prepareVerification: (redirectUri) =>
        signingUp.call('prepareVerification', {
          params: { id: signUpAttempt.id },
          body: { strategy: 'email_link', redirectUri },
        }),
      createVerification: (redirectUri) => own.call('createVerification', { body: { level: 'recent', redirectUri } }),
      createOwnConnection: (redirectUri) =>
        own.call('createOwnConnection', { body: { providerKey: 'google', redirectUri } }),
      endOwnSessions: async (redirectUri) => {
        const { browser: leaving } = await browserOf(service(), tenant, user.id)
        return leaving.call('endOwnSessions', { body: { redirectUri } })
      },
    }
    return { tenant, takes }
  }

  // Guards: own-pages
  it('is refused by every operation that takes one, whatever it looks like', async () => {
    const { takes } = await takers()
    const all: [string, FrontendEndpoint][] = Object.entries(frontendEndpoints)
    const taking = all.filter(([, { body }]) => readProperties(body).some(isAddress)).map(([id]) => id)
    assert.deepEqual(Object.keys(takes).toSorted(), taking.toSorted(), 'an operation takes an address and is not tried')
    assert.ok(elsewhere.length >= 60)
    for (const [id, take] of Object.entries(takes)) {
      const good = await take('http://localhost:3000/back')
      assert.notEqual(good.body.code, 'redirect_refused', id)
      for (const address of elsewhere) {
        const { status, text } = await take(address)
        assert.equal(status, 400, `${id} ${JSON.stringify(address)}: ${text}`)
      }
    }
  })

  // Guards: own-pages
  it('is read from no query', () => {
    const all: [string, FrontendEndpoint][] = Object.entries(frontendEndpoints)
    for (const [id, { query }] of all) assert.deepEqual(readProperties(query).filter(isAddress), [], id)
  })

  const redirectUris = [
    'https://app.acme.example/in?step=2',
    'com.acme.app:/callback',
    'http://localhost:3000/back',
    'http://[::1]:3000/back',
  ]
  const auth = { homeUri: 'https://www.acme.example/', signInUri: 'https://www.acme.example/#/sign-in', redirectUris }

  // Guards: listed-addresses
  it('must be a complete address that the tenant has listed', async () => {
    const { tenant, takes } = await takers(auth)
    const listed = [
      ...redirectUris,
      'https://www.acme.example/',
      'https://www.acme.example',
      'HTTPS://App.Acme.Example/in?step=2',
      'http://localhost:49152/back',
      'http://localhost/back',
      'http://[::1]:49152/back',
    ]
    for (const [id, take] of Object.entries(takes)) {
      for (const address of listed) {
        const { body, text } = await take(address)
        assert.notEqual(body.code, 'redirect_refused', `${id} ${address}: ${text}`)
        assert.notEqual(body.code, 'validation_failed', `${id} ${address}: ${text}`)
      }
      for (const address of besides) {
        const { status, body, text } = await take(address)
        const isRefused = body.code === 'redirect_refused' || body.code === 'validation_failed'
        assert.ok(status === 400 && isRefused, `${id} ${JSON.stringify(address)}: ${text}`)
      }
    }
    // Except in development, the port is part of the address.
    const entry = await service().deps.tenants.byId(tenant.id)
    assert.ok(entry !== undefined)
    for (const environment of ['staging', 'production'] as const) {
      const elsewhereEntry: TenantEntry = { ...entry, row: { ...entry.row, environment } }
      assert.equal(
        checkedRedirect(service().deps, { tenant: elsewhereEntry, ownHost: null }, 'http://localhost:3000/back'),
        'http://localhost:3000/back',
      )
      for (const address of ['http://localhost:49152/back', 'http://localhost/back']) {
        assert.throws(() => checkedRedirect(service().deps, { tenant: elsewhereEntry, ownHost: null }, address), {
          code: 'redirect_refused',
        })
      }
    }
  })

  // Guards: listed-addresses
  it('may differ from a listed one only in the case of its host, or the port of a program on the same machine', async () => {
    const { tenant } = await createSocialWorld(service(), idp, { auth })
    const entry = await service().deps.tenants.byId(tenant.id)
    assert.ok(entry !== undefined)
    const allowed = [
      /^https:\/\/app\.acme\.example\/in\?step=2$/,
      /^com\.acme\.app:\/callback$/,
      /^http:\/\/localhost(?::\d{1,5})?\/back$/,
      /^http:\/\/\[::1\](?::\d{1,5})?\/back$/,
      /^https:\/\/www\.acme\.example\/?$/,
    ]
    /** Scheme and host in lower case, the rest unchanged. */
    const plain = (address: string) => address.replace(/^https?:\/\/[^/?#]+/i, (start) => start.toLowerCase())
    const pieces = [
      '/',
      '//',
      '.',
      '..',
      '%2e',
      '%2f',
      '%2F',
      '@',
      'u@',
      ':',
      ':443',
      ':0',
      '?',
      '&',
      '?x=1',
      '#',
      '#x',
      '\\',
      '\t',
      '\n',
      ' ',
    ]
    const piece = fc.oneof(
      fc.constantFrom(...pieces, '*', 'evil.example', 'A', 'a', '1', ';', ''),
      fc.string({ maxLength: 2 }),
    )
    const near = fc
      .tuple(fc.constantFrom(...redirectUris, auth.homeUri, auth.signInUri), fc.nat(60), fc.nat(3), piece)
      .map(([good, at, cut, text]) => {
        const from = at % (good.length + 1)
        return good.slice(0, from) + text + good.slice(from + cut)
      })
    fc.assert(
      fc.property(near, (address) => {
        try {
          checkedRedirect(service().deps, { tenant: entry, ownHost: null }, address)
        } catch (error) {
          assert.ok(error instanceof ApiError && error.code === 'redirect_refused')
          return
        }
        assert.ok(
          allowed.some((pattern) => pattern.test(plain(address))),
          JSON.stringify(address),
        )
      }),
      { numRuns: 5000 },
    )
  })

  // Guards: listed-addresses
  it('is looked up again when a mail is sent: an attempt keeps none that was removed from the list', async () => {
    const { tenant } = await createSocialWorld(service(), idp, {
      auth: {
        strategyEmailLinkEnabled: true,
        emailVerificationLinkEnabled: true,
        redirectUris: ['https://app.acme.example/in'],
      },
    })
    const browser = new Browser(service(), tenant.publicKey)
    const redirectUri = 'https://app.acme.example/in'
    const { email } = await signedInUser(service(), tenant, { password })
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, redirectUri },
    })
    const signingUp = new Browser(service(), tenant.publicKey)
    const { signUpAttempt } = await signingUp.ok<SignUpAnswer>('createSignUp', {
      body: { email: `${unique()}@example.com`, password, redirectUri },
    })
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: [] } })
    const body = { strategy: 'email_link' }
    await browser.refused('prepareFirstFactor', 'redirect_refused', { params: { id: signInAttempt.id }, body })
    await signingUp.refused('prepareVerification', 'redirect_refused', { params: { id: signUpAttempt.id }, body })
  })

  // Guards: open-redirects
  it('does not allow calls from a page of an app, nor from other pages on its origin', async () => {
    const { tenant } = await createSocialWorld(service(), idp, { auth })
    const entry = await service().deps.tenants.byId(tenant.id)
    const config = { ...service().deps.config, env: 'production' as const }
    assert.ok(entry !== undefined)
    for (const origin of ['https://app.acme.example', 'https://www.acme.example', 'http://localhost:3000']) {
      assert.ok(isOriginOf(config, entry, origin), origin)
    }
    for (const origin of [
      'null',
      'com.acme.app:',
      'com.acme.app://',
      'com.acme.app:/callback',
      'http://localhost:49152',
    ]) {
      assert.ok(!isOriginOf(config, entry, origin), origin)
    }
    assert.throws(() =>
      checkedRedirect(
        service().deps,
        { tenant: entry, ownHost: null },
        'https://app.acme.example/go?to=https://evil.example/',
      ),
    )
  })
})

describeNodesInTurn('the origin of a page that calls', (service) => {
  // Guards: listed-addresses
  it('must be exactly that of an address that the tenant has listed', async () => {
    const tenant = await tenantWith(service(), { homeUri: 'https://foo.example/start' })
    const entry = await service().deps.tenants.byId(tenant.id)
    const config = { ...service().deps.config, env: 'production' as const }
    assert.ok(entry !== undefined && isOriginOf(config, entry, 'https://foo.example'))
    const piece = fc.constantFrom(
      'a',
      '.',
      '/',
      '@',
      ':',
      '443',
      '%2e',
      '*',
      '-',
      'evil.example',
      '\\',
      ' ',
      '\t',
      'http',
    )
    const near = fc.tuple(fc.nat(19), fc.nat(3), piece).map(([at, cut, text]) => {
      const good = 'https://foo.example'
      return good.slice(0, at) + text + good.slice(at + cut)
    })
    fc.assert(
      fc.property(near, (origin) => origin === 'https://foo.example' || !isOriginOf(config, entry, origin)),
      { numRuns: 2000 },
    )
    assert.ok(!isOriginOf(config, entry, 'https://fooaexample'), 'it is not a pattern')
  })
})
