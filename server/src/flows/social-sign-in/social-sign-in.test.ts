import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Profile, SignInAnswer } from '@bailiwick/contract'
import { HOTP, Secret } from 'otpauth'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import {
  begin,
  createSocialWorld,
  errorOf,
  locationOf,
  page,
  person,
  signInAs,
  whoIs,
} from '../../../test/harness/people/social-sign-in.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

function codeOf({ deps }: TestService, secret: string): string {
  const counter = Math.floor(deps.clock.nowMs() / 30_000)
  return HOTP.generate({ secret: Secret.fromBase32(secret), counter, digits: 6 })
}

describeService('signing in with a social provider', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  it('creates a user for a new person, and recognises them by issuer and subject alone', async () => {
    const { browser, tenant } = await createSocialWorld(service(), idp)
    const ada = person()
    const back = await signInAs(browser, idp, ada)
    assert.equal(back.origin + back.pathname, page)
    assert.equal(errorOf(back), null)
    const user = await whoIs(browser)
    assert.equal(user.name, 'Ada Lovelace')
    assert.equal(user.hasPassword, false)
    const another = new Browser(service(), tenant.publicKey)
    await signInAs(another, idp, { ...ada, email: `${unique()}@example.com` })
    assert.equal((await whoIs(another)).id, user.id)
    const { data } = await service().ok<{ data: { type: string }[] }>('listEvents', {
      params: { tenantId: tenant.id },
      query: { perPage: '100' },
    })
    const types = data.map(({ type }) => type)
    for (const type of ['user.created', 'social_connection.created', 'session.created']) {
      assert.ok(types.includes(type), type)
    }
    assert.equal(types.filter((type) => type === 'user.created').length, 1)
  })

  // Guards: second-factors
  it('still requires the second factor that the user has set up', async () => {
    const { browser, tenant } = await createSocialWorld(service(), idp)
    const ada = person()
    await signInAs(browser, idp, ada)
    const { secret } = await browser.ok<{ secret: string }>('createAuthenticatorCode')
    const { recoveryCodes } = await browser.ok<{ recoveryCodes: string[] }>('confirmAuthenticatorCode', {
      body: { code: codeOf(service(), secret) },
    })
    const another = new Browser(service(), tenant.publicKey)
    const back = await signInAs(another, idp, ada)
    await another.refused('getProfile', 'unauthenticated')
    const params = { id: back.searchParams.get('flow') ?? '' }
    const { signInAttempt } = await another.ok<SignInAnswer>('getSignIn', { params })
    assert.equal(signInAttempt.status, 'needs_factor_two')
    await another.ok('attemptSecondFactor', {
      params,
      body: { strategy: 'authenticator_code', code: recoveryCodes[0] },
    })
    await whoIs(another)
  })

  it('ends the previous session of the same browser and user', async () => {
    const { browser } = await createSocialWorld(service(), idp)
    const ada = person()
    await signInAs(browser, idp, ada)
    await signInAs(browser, idp, ada)
    assert.equal((await browser.ok<{ sessions: unknown[] }>('listOwnSessions')).sessions.length, 1)
  })

  it('creates no user if signing up is off', async () => {
    const { browser } = await createSocialWorld(service(), idp, { auth: { signUpEnabled: false } })
    assert.equal(errorOf(await signInAs(browser, idp, person())), 'sign_up_disabled')
    await browser.refused('getProfile', 'unauthenticated')
  })

  it('refuses a suspended user', async () => {
    const { browser, tenant } = await createSocialWorld(service(), idp)
    const ada = person()
    await signInAs(browser, idp, ada)
    const { id } = await whoIs(browser)
    await service().ok('suspendUser', { params: { id } })
    const another = new Browser(service(), tenant.publicKey)
    assert.equal(errorOf(await signInAs(another, idp, ada)), 'factor_refused')
  })

  it('tells the page that the user did not consent', async () => {
    const { browser } = await createSocialWorld(service(), idp)
    const { authorizeUri } = await begin(browser)
    const back = idp.agree(authorizeUri, person())
    back.searchParams.delete('code')
    back.searchParams.set('error', 'access_denied')
    assert.equal(errorOf(locationOf(await browser.visit(back))), 'access_denied')
  })

  it('refuses a provider that was switched off while the browser was away', async () => {
    const { browser, provider } = await createSocialWorld(service(), idp)
    const { authorizeUri } = await begin(browser)
    await service().ok('updateSocialProvider', { params: { id: provider.id }, body: { enabled: false } })
    const back = locationOf(await browser.visit(idp.agree(authorizeUri, person())))
    assert.equal(errorOf(back), 'strategy_unavailable')
    await browser.refused('createSignIn', 'strategy_unavailable', {
      body: { strategy: 'oauth', providerKey: 'google', redirectUri: page },
    })
  })

  it('refuses a provider that is switched off while the code is redeemed', async () => {
    const { browser, provider } = await createSocialWorld(service(), idp)
    const { authorizeUri } = await begin(browser)
    idp.beforeTokens = () =>
      service().ok('updateSocialProvider', { params: { id: provider.id }, body: { enabled: false } })
    try {
      const back = locationOf(await browser.visit(idp.agree(authorizeUri, person())))
      assert.equal(errorOf(back), 'strategy_unavailable')
    } finally {
      idp.beforeTokens = async () => undefined
    }
    await browser.refused('getProfile', 'unauthenticated')
  })

  it('signs in no user with a provider that only connects accounts', async () => {
    const { browser } = await createSocialWorld(service(), idp, { provider: { authenticatable: false } })
    await browser.refused('createSignIn', 'strategy_unavailable', {
      body: { strategy: 'oauth', providerKey: 'google', redirectUri: page },
    })
  })

  it('sends the deployment’s own secret nowhere but to the provider', async () => {
    const { browser } = await createSocialWorld(service(), idp, { provider: { useCustomCredentials: false } })
    await browser.refused('createSignIn', 'provider_unusable', {
      body: { strategy: 'oauth', providerKey: 'google', redirectUri: page },
    })
  })

  describe('in an app that keeps its tokens itself', () => {
    const headers = { 'x-session-transport': 'body' }

    it('gets a ticket in the fragment, which is valid once and only for the app that began', async () => {
      const { tenant } = await createSocialWorld(service(), idp)
      const app = new Browser(service(), tenant.publicKey, headers)
      const { authorizeUri, flowToken, signInAttempt } = await begin(app)
      const systemBrowser = new Browser(service(), tenant.publicKey)
      const back = locationOf(await systemBrowser.visit(idp.agree(authorizeUri, person())))
      assert.equal(systemBrowser.cookies.size, 0)
      const code = new URLSearchParams(back.hash.slice(1)).get('ticket') ?? ''
      assert.equal(back.searchParams.get('flow'), signInAttempt.id)
      const step = { params: { id: signInAttempt.id }, body: { strategy: 'oauth', code } }
      await app.refused('attemptFirstFactor', 'not_found', step)
      const other = await begin(app)
      await app.refused('attemptFirstFactor', 'factor_refused', {
        params: { id: other.signInAttempt.id },
        body: step.body,
        headers: { 'x-flow-token': other.flowToken ?? '' },
      })
      const held = { ...step, headers: { 'x-flow-token': flowToken ?? '' } }
      const wrong = { ...held, body: { ...held.body, code: `${code.slice(0, -1)}${code.endsWith('x') ? 'y' : 'x'}` } }
      await app.refused('attemptFirstFactor', 'factor_refused', wrong)
      const { sessionToken } = await app.ok<SignInAnswer>('attemptFirstFactor', held)
      assert.match(sessionToken ?? '', /^se_/)
      await app.refused('attemptFirstFactor', 'attempt_not_open', held)
    })

    it('accepts no other user’s name beside the ticket, whose failures would be forgotten', async () => {
      const { tenant } = await createSocialWorld(service(), idp)
      const app = new Browser(service(), tenant.publicKey, headers)
      const { authorizeUri, flowToken, signInAttempt } = await begin(app)
      const back = locationOf(await app.visit(idp.agree(authorizeUri, person())))
      const code = new URLSearchParams(back.hash.slice(1)).get('ticket') ?? ''
      await app.refused('attemptFirstFactor', 'strategy_unavailable', {
        params: { id: signInAttempt.id },
        body: { strategy: 'oauth', code, identifier: 'victim@example.com' },
        headers: { 'x-flow-token': flowToken ?? '' },
      })
    })

    it('gets one session for a ticket that is sent twenty times at once', async () => {
      const { tenant } = await createSocialWorld(service(), idp)
      const app = new Browser(service(), tenant.publicKey, headers)
      const { authorizeUri, flowToken, signInAttempt } = await begin(app)
      const back = locationOf(await app.visit(idp.agree(authorizeUri, person())))
      const code = new URLSearchParams(back.hash.slice(1)).get('ticket') ?? ''
      const step = {
        params: { id: signInAttempt.id },
        body: { strategy: 'oauth', code },
        headers: { 'x-flow-token': flowToken ?? '' },
      }
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => app.call<SignInAnswer>('attemptFirstFactor', step)),
      )
      const signedIn = answers.filter(({ status }) => status === 200)
      assert.equal(signedIn.length, 1)
      assert.match(signedIn[0]?.body.data.sessionToken ?? '', /^se_/)
    })
  })
})

describeService('linking by address', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  for (const isVerifiedHere of [true, false]) {
    for (const verifiedThere of [true, false, undefined, 'true', 1]) {
      for (const hasPassword of [true, false]) {
        const name = `${isVerifiedHere ? 'a verified' : 'an unverified'} address ${hasPassword ? 'with' : 'without'} a password, email_verified ${JSON.stringify(verifiedThere) ?? 'missing'}`
        const isBelieved = verifiedThere === true
        // Guards: linking-by-address
        it(`${isBelieved ? (isVerifiedHere ? 'connects' : 'hands over') : 'leaves alone'} ${name}`, async () => {
          const { tenant, browser } = await createSocialWorld(service(), idp)
          const email = `${unique()}@example.com`
          const password = 'somebody set this before'
          const user = await createUser(service(), tenant.id, { email, ...(hasPassword ? { password } : {}) })
          if (isVerifiedHere) await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
          const back = await signInAs(browser, idp, person({ email, email_verified: verifiedThere }))
          const signIn = { identifier: email, strategy: 'email_password', password }
          const local = new Browser(service(), tenant.publicKey)
          if (isBelieved) {
            assert.equal(errorOf(back), null)
            assert.equal((await whoIs(browser)).id, user.id)
            assert.equal((await whoIs(browser)).hasPassword, hasPassword && isVerifiedHere)
          } else {
            await browser.refused('getProfile', 'unauthenticated')
            assert.equal(back.searchParams.get('purpose'), 'sign_up')
          }
          const isKept = hasPassword && isVerifiedHere
          if (isKept) await local.ok('createSignIn', { body: signIn })
          else if (isBelieved) await local.refused('createSignIn', 'factor_refused', { body: signIn })
        })
      }
    }
  }

  // Guards: linking-by-address
  it('ends sessions and connections that existed before the owner of the address arrived', async () => {
    const { tenant } = await createSocialWorld(service(), idp, {
      auth: { emailVerificationRequired: false },
    })
    const email = `${unique()}@example.com`
    const squatter = new Browser(service(), tenant.publicKey)
    await squatter.ok('createSignUp', { body: { email, password: 'set by a squatter', name: 'S' } })
    const { secret } = await squatter.ok<{ secret: string }>('createAuthenticatorCode')
    await squatter.ok('confirmAuthenticatorCode', { body: { code: codeOf(service(), secret) } })
    const started = await squatter.ok<{ authorizeUri: string }>('createOwnConnection', {
      body: { providerKey: 'google', redirectUri: page },
    })
    const squatterThere = person({ email: undefined })
    await squatter.visit(idp.agree(started.authorizeUri, squatterThere))
    const account = await whoIs(squatter)
    const owner = new Browser(service(), tenant.publicKey)
    assert.equal(errorOf(await signInAs(owner, idp, person({ email }))), null)
    assert.equal((await whoIs(owner)).id, account.id)
    await squatter.refused('getProfile', 'unauthenticated')
    assert.equal((await owner.ok<{ connections: unknown[] }>('listOwnConnections')).connections.length, 1)
    const { user } = await owner.ok<{ user: Profile }>('getProfile')
    assert.deepEqual([user.hasPassword, user.secondFactors.length], [false, 0])
    await signInAs(squatter, idp, squatterThere)
    await squatter.refused('getProfile', 'unauthenticated')
  })

  // Guards: linking-by-address
  it('ends a connection that came with a typed address if a code proves whose it is', async () => {
    const { tenant, browser } = await createSocialWorld(service(), idp, {
      auth: {
        emailVerificationRequired: false,
        emailRequired: true,
        nameRequired: false,
        strategyEmailCodeEnabled: true,
      },
    })
    const email = `${unique()}@example.com`
    const squatter = person({ email: undefined })
    const back = await signInAs(browser, idp, squatter)
    assert.equal(back.searchParams.get('purpose'), 'sign_up')
    await browser.ok('updateSignUp', { params: { id: back.searchParams.get('flow') ?? '' }, body: { email } })
    const { id } = await whoIs(browser)
    await browser.ok('updateOwnPassword', { body: { password: 'chosen by the squatter' } })
    const { secret } = await browser.ok<{ secret: string }>('createAuthenticatorCode')
    await browser.ok('confirmAuthenticatorCode', { body: { code: codeOf(service(), secret) } })
    const owner = new Browser(service(), tenant.publicKey)
    const { signInAttempt } = await owner.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_code' },
    })
    const { code } = await latestMessageTo(service().deps, email)
    await owner.ok('attemptFirstFactor', { params: { id: signInAttempt.id }, body: { strategy: 'email_code', code } })
    const { user } = await owner.ok<{ user: Profile }>('getProfile')
    assert.deepEqual([user.id, user.hasPassword, user.secondFactors.length], [id, false, 0])
    await browser.refused('getProfile', 'unauthenticated')
    await signInAs(browser, idp, squatter)
    await browser.refused('getProfile', 'unauthenticated')
  })

  // Guards: linking-by-address
  it('does not sign the owner of an address in to an account that is proven to be another’s', async () => {
    const { tenant, browser } = await createSocialWorld(service(), idp)
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email: `${unique()}@example.com` })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    await service().ok('createEmailAddress', { body: { tenantId: tenant.id, userId: user.id, email } })
    assert.equal(errorOf(await signInAs(browser, idp, person({ email }))), 'connection_required')
    await browser.refused('getProfile', 'unauthenticated')
  })

  it('connects nothing automatically if the tenant has that off', async () => {
    const { tenant, browser } = await createSocialWorld(service(), idp, { provider: { autoConnectAccounts: false } })
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    assert.equal(errorOf(await signInAs(browser, idp, person({ email }))), 'connection_required')
  })

  // Guards: linking-by-address
  it('trusts no address of a self-hosted server, unless the tenant says so', async () => {
    const { tenant, browser } = await createSocialWorld(service(), idp, {
      provider: { config: { trustEmails: false } },
    })
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    await signInAs(browser, idp, person({ email }))
    await browser.refused('getProfile', 'unauthenticated')
  })
})
