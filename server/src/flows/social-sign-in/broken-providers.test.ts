// A provider that is configured wrongly, or answers with less than it must, signs nobody in. Regression: a configuration that could not be
// read admitted everybody (next-auth GHSA-8fpg-xm3f-6cx3); a missing claim was not checked (Logto CVE-2026-15612).
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { CompactEncrypt, exportJWK, generateKeyPair } from 'jose'
import { freePort } from '../../../test/harness/free-port.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { createSocialWorld, errorOf, page, person, signInAs } from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const encode = (text: string) => new TextEncoder().encode(text)

describeService('broken providers', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  const setUps: Readonly<Record<string, () => Promise<Record<string, unknown>>>> = {
    'no client secret': async () => ({ clientSecret: undefined }),
    'no client id': async () => ({ clientId: undefined }),
    'an issuer that nobody answers for': async () => ({
      config: { issuer: `http://127.0.0.1:${await freePort()}`, trustEmails: true },
    }),
    'the issuer of another provider': async () => ({ config: { issuer: `${idp.issuer}/other`, trustEmails: true } }),
  }
  for (const [what, provider] of Object.entries(setUps)) {
    // Guards: unparsable-input
    it(`sign nobody in: ${what}`, async () => {
      const { browser } = await createSocialWorld(service(), idp, { provider: await provider() })
      const body = { strategy: 'oauth', providerKey: 'google', redirectUri: page }
      const answer = await browser.call('createSignIn', { body })
      assert.ok([409, 503].includes(answer.status), answer.text)
      assert.ok(!answer.text.includes('authorizeUri'))
      await browser.refused('getProfile', 'unauthenticated')
    })
  }

  it('sign nobody in: a secret that does not open', async () => {
    const { browser, provider } = await createSocialWorld(service(), idp)
    await service().deps.db.transaction((tx) =>
      tx.run(sql`UPDATE social_providers SET sealed_client_secret = ${'damaged'} WHERE id = ${provider.id}`),
    )
    const { status } = await service().request({
      method: 'POST',
      url: '/frontend/api/v0/sign-ins',
      headers: { host: 'id.test', 'x-public-key': browser.publicKey },
      payload: { strategy: 'oauth', providerKey: 'google', redirectUri: page },
    })
    assert.ok(status >= 400, String(status))
  })

  for (const claim of ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce']) {
    // Guards: missing-claims
    it(`sign nobody in without the claim ${claim}`, async () => {
      const { browser } = await createSocialWorld(service(), idp)
      for (const value of [undefined, null, '', [], {}]) {
        idp.tamper = (claims) => ({ ...claims, [claim]: value })
        try {
          assert.equal(errorOf(await signInAs(browser, idp, person())), 'provider_refused', JSON.stringify(value))
        } finally {
          idp.tamper = (claims) => claims
        }
      }
      await browser.refused('getProfile', 'unauthenticated')
    })
  }

  // Guards: encrypted-tokens
  it('sign nobody in by an encrypted token', async () => {
    const { browser } = await createSocialWorld(service(), idp)
    const { publicKey } = await generateKeyPair('RSA-OAEP-256')
    const claims = encode(JSON.stringify({ iss: idp.issuer, aud: idp.clientId, sub: 'ada' }))
    const sealed = (header: { alg: string; enc: string; [name: string]: unknown }) =>
      new CompactEncrypt(claims).setProtectedHeader(header)
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    // Its key is derived in two thousand million rounds, which must not even begin.
    const slow = { alg: 'PBES2-HS256+A128KW', enc: 'A128GCM', p2c: 2_000_000_000, p2s: 'AAAAAAAAAAAAAAAAAAAAAA' }
    const tokens = [
      await sealed({ alg: 'RSA-OAEP-256', enc: 'A256GCM' }).encrypt(publicKey),
      await sealed({ alg: 'dir', enc: 'A256GCM' }).encrypt(new Uint8Array(32)),
      await sealed({ alg: 'RSA-OAEP-256', enc: 'A256GCM', jwk: await exportJWK(publicKey) }).encrypt(publicKey),
      [part(slow), 'AAAA', 'AAAA', 'AAAA', 'AAAA'].join('.'),
      [part({ alg: 'dir', enc: 'A128GCM', zip: 'DEF' }), '', 'AAAA', 'AAAA', 'AAAA'].join('.'),
    ]
    for (const token of tokens) {
      idp.tamperToken = () => token
      try {
        assert.equal(errorOf(await signInAs(browser, idp, person())), 'provider_refused')
      } finally {
        idp.tamperToken = (given) => given
      }
    }
    await browser.refused('getProfile', 'unauthenticated')
  })
})
