// Wherever an end user's page may say where a browser goes next, it goes to the tenant's own pages alone. SECURITY 2.1.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import {
  type FrontendEndpoint,
  type FrontendEndpointId,
  type SignInAnswer,
  type SignUpAnswer,
  frontendEndpoints,
} from '@bailiwick/contract'
import { isOriginOf } from '../src/frontend/origins.ts'
import { elsewhere } from './addresses-elsewhere.ts'
import { unique } from './factories.ts'
import { FakeIdentityProvider } from './fake-identity-provider.ts'
import { Browser } from './frontend.ts'
import { Person, password } from './people.ts'
import { describeService } from './service.ts'
import { createSocialWorld } from './social-sign-in.ts'
import { signedInUser } from './signed-in-user.ts'

const inTheirName = /uri|url|redirect|callback|next|return|link/i
/** A picture is shown and not gone to; its format is held elsewhere. */
const isAddress = (name: string) => inTheirName.test(name) && name !== 'imageUri'
const propertiesOf = (schema: unknown) => Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

describeService('an address that a page says to go to', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  /** For each operation that takes one: a call with whatever address. */
  async function takers() {
    const auth = { strategyEmailLinkEnabled: true, emailVerificationLinkEnabled: true }
    const { tenant, browser } = await createSocialWorld(service(), idp, { auth })
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
      createOwnConnection: (redirectUri) =>
        own.call('createOwnConnection', { body: { providerKey: 'google', redirectUri } }),
    }
    return takes
  }

  it('is refused by every operation that takes one, whatever it looks like', async () => {
    const takes = await takers()
    const all: [string, FrontendEndpoint][] = Object.entries(frontendEndpoints)
    const taking = all.filter(([, { body }]) => propertiesOf(body).some(isAddress)).map(([id]) => id)
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

  it('is taken out of no query', () => {
    const all: [string, FrontendEndpoint][] = Object.entries(frontendEndpoints)
    for (const [id, { query }] of all) assert.deepEqual(propertiesOf(query).filter(isAddress), [], id)
  })

  it('is on an origin that the tenant has listed, letter by letter', async () => {
    const { tenant } = await createSocialWorld(service(), idp, { auth: { homeUri: 'https://foo.example/start' } })
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
    assert.ok(!isOriginOf(config, entry, 'https://fooaexample'), 'it is no pattern')
  })
})
