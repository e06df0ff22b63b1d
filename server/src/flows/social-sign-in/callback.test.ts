import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { elsewhere } from '../../../test/harness/outside/addresses-elsewhere.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import {
  begin,
  createSocialWorld,
  errorOf,
  locationOf,
  page,
  person,
  signInAs,
} from '../../../test/harness/people/social-sign-in.ts'
import { describeService, type Answer } from '../../../test/harness/service.ts'

const codeOf = (answer: Answer) => (answer.body as { code?: string } | undefined)?.code

describeService('the way back from a social provider', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  const refusedAs = async (browser: Browser, at: URL, code: string) => {
    const answer = await browser.visit(at)
    assert.equal(codeOf(answer), code, answer.text)
    await browser.refused('getProfile', 'unauthenticated')
  }

  describe('refuses a state', () => {
    it('that was begun in another browser, which can still use it', async () => {
      const { browser, tenant } = await createSocialWorld(service(), idp)
      const victim = new Browser(service(), tenant.publicKey)
      const { authorizeUri } = await begin(browser)
      const back = idp.agree(authorizeUri, person())
      await refusedAs(victim, back, 'oauth_state_invalid')
      await begin(victim)
      await refusedAs(victim, back, 'oauth_state_invalid')
      assert.equal(errorOf(locationOf(await browser.visit(back))), null)
    })

    // Guards: bound-proofs, unparsable-input
    it('of another provider or tenant, or one that is unknown, malformed, missing or doubled', async () => {
      const { browser } = await createSocialWorld(service(), idp)
      const other = await createSocialWorld(service(), idp)
      const { authorizeUri } = await begin(browser)
      const back = idp.agree(authorizeUri, person())
      const changed = (change: (url: URL) => void) => {
        const url = new URL(back)
        change(url)
        return url
      }
      const state = back.searchParams.get('state') ?? ''
      const wrong = [
        changed((url) => (url.pathname = url.pathname.replace('google', 'gitlab'))),
        changed((url) => url.searchParams.delete('state')),
        changed((url) => url.searchParams.set('state', `${state}x`)),
        changed((url) => url.searchParams.set('state', `os_${'a'.repeat(49)}`)),
        changed((url) => url.searchParams.set('state', '')),
        changed((url) => url.searchParams.append('state', state)),
        changed((url) => url.searchParams.append('code', 'another')),
      ]
      for (const url of wrong) await refusedAs(browser, url, 'oauth_state_invalid')
      await begin(other.browser)
      await refusedAs(other.browser, back, 'oauth_state_invalid')
      assert.equal(errorOf(locationOf(await browser.visit(back))), null)
    })

    it('that was used before: of fifty at once one is accepted, and one session begins', async () => {
      const { browser } = await createSocialWorld(service(), idp)
      const { authorizeUri } = await begin(browser)
      const back = idp.agree(authorizeUri, person())
      const answers = await atOnce(50, () => browser.visit(back))
      assert.equal(answers.filter(({ status }) => status === 303).length, 1)
      assert.ok(answers.every((answer) => answer.status === 303 || codeOf(answer) === 'oauth_state_invalid'))
      const { sessions } = await browser.ok<{ sessions: unknown[] }>('listOwnSessions')
      assert.equal(sessions.length, 1)
      const again = await browser.visit(back)
      assert.equal(codeOf(again), 'oauth_state_invalid')
    })

    it('of an attempt that was begun again', async () => {
      const { browser } = await createSocialWorld(service(), idp)
      const first = await begin(browser)
      await browser.ok('prepareFirstFactor', {
        params: { id: first.signInAttempt.id },
        body: { strategy: 'oauth', providerKey: 'google', redirectUri: page },
      })
      await refusedAs(browser, idp.agree(first.authorizeUri, person()), 'oauth_state_invalid')
    })
  })

  describe('refuses an answer of the provider', () => {
    const attacks: Record<string, (claims: Record<string, unknown>) => Record<string, unknown>> = {
      'without a nonce': (claims) => ({ ...claims, nonce: undefined }),
      'with another nonce': (claims) => ({ ...claims, nonce: 'on_another' }),
      'for another client': (claims) => ({ ...claims, aud: 'another-client' }),
      'of another issuer': (claims) => ({ ...claims, iss: 'https://accounts.google.com' }),
      'that is over': (claims) => ({ ...claims, iat: 1, exp: 2 }),
      'without an end': (claims) => ({ ...claims, exp: undefined }),
      'without a subject': (claims) => ({ ...claims, sub: undefined }),
      'with an empty subject': (claims) => ({ ...claims, sub: '' }),
    }
    for (const [name, tamper] of Object.entries(attacks)) {
      it(name, async () => {
        const { browser } = await createSocialWorld(service(), idp)
        idp.tamper = tamper
        try {
          assert.equal(errorOf(await signInAs(browser, idp, person())), 'provider_refused')
        } finally {
          idp.tamper = (claims) => claims
        }
        await browser.refused('getProfile', 'unauthenticated')
      })
    }

    const tokens: Record<string, (token: string) => string> = {
      'that nobody has signed': (token) => {
        const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
        return `${header}.${token.split('.')[1] ?? ''}.`
      },
      'whose signature is another’s': (token) => token.replace(/\.[^.]{8}([^.]*)$/, '.AAAAAAAA$1'),
      'that is signed with the public key as a secret': (token) => {
        const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'one' })).toString('base64url')
        return `${header}.${token.split('.').slice(1).join('.')}`
      },
      'that is no token': () => 'no.token.at-all',
    }
    for (const [name, tamper] of Object.entries(tokens)) {
      // Guards: token-checks
      it(`with an ID token ${name}`, async () => {
        const { browser } = await createSocialWorld(service(), idp)
        idp.tamperToken = tamper
        try {
          assert.equal(errorOf(await signInAs(browser, idp, person())), 'provider_refused')
        } finally {
          idp.tamperToken = (token) => token
        }
      })
    }

    it('that names another issuer, or none if it should name one', async () => {
      const { browser } = await createSocialWorld(service(), idp)
      for (const iss of ['https://evil.example', undefined]) {
        const back = idp.agree((await begin(browser)).authorizeUri, person())
        if (iss === undefined) back.searchParams.delete('iss')
        else back.searchParams.set('iss', iss)
        assert.equal(errorOf(locationOf(await browser.visit(back))), 'provider_refused')
      }
      await browser.refused('getProfile', 'unauthenticated')
    })

    it('with a code that was redeemed before, or belongs to another sign-in', async () => {
      const { browser, tenant } = await createSocialWorld(service(), idp)
      const victim = person()
      const first = idp.agree((await begin(browser)).authorizeUri, victim)
      const thief = new Browser(service(), tenant.publicKey)
      const second = idp.agree((await begin(thief)).authorizeUri, person())
      // The code of the first sign-in with the state of the second: PKCE detects it.
      second.searchParams.set('code', first.searchParams.get('code') ?? '')
      assert.equal(errorOf(locationOf(await thief.visit(second))), 'provider_refused')
      await thief.refused('getProfile', 'unauthenticated')
    })
  })

  describe('by a form that the provider has the browser post', () => {
    const post = (payload: string, headers: Record<string, string> = {}) =>
      service().request({
        method: 'POST',
        url: '/frontend/api/v0/oauth/callback/apple',
        headers: { host: 'id.test', 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload,
      })

    it('answers with 303 to the same by GET, with what a provider sends and nothing else', async () => {
      const answer = await post('state=s&code=c&user=%7B%7D&redirectUri=https://evil.example&iss=i', {
        origin: 'https://appleid.apple.com',
      })
      assert.equal(answer.status, 303)
      assert.equal(answer.headers['location'], '/frontend/api/v0/oauth/callback/apple?state=s&code=c&iss=i&user=%7B%7D')
      assert.equal(answer.headers['set-cookie'], undefined)
    })

    it('refuses doubled parameters, one that is too long, and what is not a form', async () => {
      assert.equal(codeOf(await post('state=a&state=b')), 'oauth_state_invalid')
      assert.equal(codeOf(await post(`state=${'a'.repeat(3000)}`)), 'oauth_state_invalid')
      assert.equal((await post(`state=${'a'.repeat(20_000)}`)).status, 413)
      assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, 415)
    })
  })
})

describeService('redirects of social sign-in', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  // Guards: own-pages
  it(`lead to none of ${elsewhere.length} foreign addresses`, async () => {
    const { browser } = await createSocialWorld(service(), idp)
    assert.ok(elsewhere.length >= 60)
    const oauth = { strategy: 'oauth', providerKey: 'google' }
    const { signInAttempt } = await begin(browser)
    for (const redirectUri of elsewhere) {
      const answers = [
        await browser.call('createSignIn', { body: { ...oauth, redirectUri } }),
        await browser.call('createSignUp', { body: { providerKey: 'google', redirectUri } }),
        await browser.call('prepareFirstFactor', { params: { id: signInAttempt.id }, body: { ...oauth, redirectUri } }),
      ]
      for (const { status, text } of answers) assert.equal(status, 400, `${JSON.stringify(redirectUri)}: ${text}`)
    }
  })

  // Guards: own-pages
  it('take no address from the callback, by GET or by POST', async () => {
    const { browser } = await createSocialWorld(service(), idp)
    for (const address of elsewhere.slice(0, 12)) {
      const back = idp.agree((await begin(browser)).authorizeUri, person())
      for (const name of ['redirectUri', 'redirect_uri', 'next', 'return_to']) back.searchParams.set(name, address)
      const posted = await service().request({
        method: 'POST',
        url: back.pathname,
        headers: { host: 'id.test', 'content-type': 'application/x-www-form-urlencoded' },
        payload: back.searchParams.toString(),
      })
      const location = posted.headers['location'] as string
      assert.match(location, /^\/frontend\/api\/v0\/oauth\/callback\/google\?/)
      const at = locationOf(await browser.visit(new URL(location, 'http://id.test')))
      assert.equal(at.origin + at.pathname, page)
    }
  })

  // Guards: own-pages
  it('lead nowhere once the tenant has removed the page from its list', async () => {
    const { browser, tenant } = await createSocialWorld(service(), idp, {
      auth: { homeUri: 'https://app.acme.example/', redirectUris: ['https://app.acme.example/back'] },
    })
    const { authorizeUri } = await begin(browser, 'google', 'https://app.acme.example/back')
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: [] } })
    const answer = await browser.visit(idp.agree(authorizeUri, person()))
    assert.equal(codeOf(answer), 'redirect_refused')
    await browser.refused('getProfile', 'unauthenticated')
  })
})
