import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, it } from 'node:test'
import { decodeJwt, jwtVerify } from 'jose'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import {
  begin,
  createSocialWorld,
  errorOf,
  locationOf,
  person,
  signInAs,
  whoIs,
} from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('the peculiarities of providers', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  async function verifiedUser(tenantId: string) {
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenantId, { email })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    return { email, user }
  }

  it('github: the primary address counts if it is verified, and the id is the subject', async () => {
    const { tenant } = await createSocialWorld(service(), idp, { provider: { providerKey: 'github' } })
    const { email, user } = await verifiedUser(tenant.id)
    const id = Math.trunc(Math.random() * 1e9)
    const other = { email: 'other@example.com', primary: false, verified: true }
    for (const verified of [false, true]) {
      idp.interfaces = {
        '/api/v3/user': () => ({ id, login: 'ada', name: null, email: 'shown@example.com' }),
        '/api/v3/user/emails': () => [other, { email, primary: true, verified }],
      }
      const browser = new Browser(service(), tenant.publicKey)
      const { authorizeUri } = await begin(browser, 'github')
      assert.equal(new URL(authorizeUri).pathname, '/login/oauth/authorize')
      assert.equal(new URL(authorizeUri).searchParams.get('nonce'), null)
      await browser.visit(idp.agree(authorizeUri, person()))
      if (verified) assert.equal((await whoIs(browser)).id, user.id)
      else await browser.refused('getProfile', 'unauthenticated')
    }
  })

  it('github: nobody is signed in if its API does not answer', async () => {
    const { browser } = await createSocialWorld(service(), idp, { provider: { providerKey: 'github' } })
    for (const interfaces of [{}, { '/api/v3/user': () => [] }, { '/api/v3/user': () => ({ id: null }) }]) {
      idp.interfaces = { '/api/v3/user/emails': () => [], ...interfaces }
      assert.equal(errorOf(await signInAs(browser, idp, person(), 'github')), 'provider_refused')
    }
  })

  it('facebook: no address counts as verified, whatever it says', async () => {
    const { browser, tenant } = await createSocialWorld(service(), idp, { provider: { providerKey: 'facebook' } })
    const { email } = await verifiedUser(tenant.id)
    idp.interfaces = { '/v24.0/me': () => ({ id: '1234', name: 'Ada', email, email_verified: true, verified: true }) }
    const back = await signInAs(browser, idp, person(), 'facebook')
    assert.equal(back.searchParams.get('purpose'), 'sign_up')
    await browser.refused('getProfile', 'unauthenticated')
  })

  it('apple: the secret is a JWT of the private key, which is never shown; the name comes with the form', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const { browser, provider } = await createSocialWorld(service(), idp, {
      provider: {
        providerKey: 'apple',
        clientSecret: undefined,
        config: { teamId: 'TEAM', keyId: 'KEY', privateKey: pem },
      },
    })
    assert.ok(!JSON.stringify(provider).includes('PRIVATE KEY'))
    const { authorizeUri } = await begin(browser, 'apple')
    assert.equal(new URL(authorizeUri).searchParams.get('response_mode'), 'form_post')
    const ada = person({ email: `${unique()}@privaterelay.appleid.com`, email_verified: 'true', name: 'Never Mind' })
    const back = idp.agree(authorizeUri, ada)
    back.searchParams.set(
      'user',
      JSON.stringify({ name: { firstName: 'Ada', lastName: 'King' }, email: 'evil@example.com' }),
    )
    const posted = await service().request({
      method: 'POST',
      url: back.pathname,
      headers: {
        host: 'id.test',
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://appleid.apple.com',
      },
      payload: back.searchParams.toString(),
    })
    const at = locationOf(await browser.visit(new URL(posted.headers['location'] as string, 'http://id.test')))
    assert.equal(errorOf(at), null)
    const { user } = await browser.ok<{ user: { name: string; emails: { email: string }[] } }>('getProfile')
    assert.equal(user.name, 'Ada King')
    assert.deepEqual(
      user.emails.map(({ email }) => email),
      [ada['email']],
    )
    const secret = idp.tokenRequests.at(-1)?.get('client_secret') ?? ''
    const { payload, protectedHeader } = await jwtVerify(secret, publicKey, { audience: idp.issuer, issuer: 'TEAM' })
    assert.equal(payload.sub, idp.clientId)
    assert.equal(protectedHeader.kid, 'KEY')
    assert.ok((decodeJwt(secret).exp ?? 0) - (payload.iat ?? 0) <= 300)
  })

  it('apple: an invalid key is an incomplete configuration, which signs nobody in', async () => {
    const { browser } = await createSocialWorld(service(), idp, {
      provider: { providerKey: 'apple', clientSecret: 'no key at all', config: { teamId: 'T', keyId: 'K' } },
    })
    await browser.refused('createSignIn', 'provider_unusable', {
      body: { strategy: 'oauth', providerKey: 'apple', redirectUri: 'http://localhost:3000/back' },
    })
  })

  it('requests additional scopes, and nothing that could be more than a scope', async () => {
    const { browser } = await createSocialWorld(service(), idp, {
      provider: { additionalScopes: ['calendar', 'a b', '"x"', 7, 'read:org'] },
    })
    const scope = new URL((await begin(browser)).authorizeUri).searchParams.get('scope')
    assert.equal(scope, 'openid email profile calendar read:org')
  })
})
