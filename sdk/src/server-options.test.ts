import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { AuthError, type BailiwickAuthOptions, createAuthenticator } from '@bailiwick/sdk/server'
import { readSettings } from './server/auth-options.ts'

const options = { frontendApiUrl: 'https://id.example.com/frontend/api/v0', publicKey: 'pk_live_1' }
const variables = ['BAILIWICK_JWKS_URL', 'BAILIWICK_FRONTEND_API_URL', 'BAILIWICK_PUBLIC_KEY', 'BAILIWICK_TENANT_ID']

describe('createAuthenticator', () => {
  afterEach(() => {
    for (const name of variables) delete process.env[name]
  })

  const refused: Readonly<Record<string, readonly [BailiwickAuthOptions, RegExp]>> = {
    'no address': [{ publicKey: 'pk_live_1' }, /frontendApiUrl is missing.*BAILIWICK_FRONTEND_API_URL/],
    'no public key': [{ frontendApiUrl: options.frontendApiUrl }, /publicKey is missing.*BAILIWICK_PUBLIC_KEY/],
    'a secret key in place of the public one': [{ ...options, publicKey: 'sk_live_1' }, /pk_/],
    'an address without encryption': [{ ...options, frontendApiUrl: 'http://id.example.com' }, /https/],
    'an origin with a path': [{ ...options, origins: ['https://a.example/x'] }, /origins/],
    'an origin that is a pattern': [{ ...options, origins: ['*'] }, /origins/],
    'a boundless clock tolerance': [{ ...options, clockToleranceSeconds: Infinity }, /clockToleranceSeconds/],
  }
  for (const [what, [given, message]] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      assert.throws(() => createAuthenticator(given), { name: 'TypeError', message })
    })
  }

  it('takes missing options from the environment', async () => {
    process.env['BAILIWICK_FRONTEND_API_URL'] = options.frontendApiUrl
    process.env['BAILIWICK_PUBLIC_KEY'] = options.publicKey
    const asked: string[] = []
    const { verifyRequest } = createAuthenticator({
      fetch: async (url) => {
        asked.push(url)
        throw new TypeError('fetch failed')
      },
    })
    const cookie = `__Host-sid=se_${'a'.repeat(49)}`
    await assert.rejects(verifyRequest(new Request('https://app.example.com', { headers: { cookie } })), AuthError)
    assert.deepEqual(asked, [`${options.frontendApiUrl}/user/sessions/token`])
  })
})

describe('the environment', () => {
  const key = 'pk_live_2'
  beforeEach(() => {
    process.env['BAILIWICK_FRONTEND_API_URL'] = options.frontendApiUrl
    process.env['BAILIWICK_PUBLIC_KEY'] = options.publicKey
    process.env['BAILIWICK_TENANT_ID'] = 'ctenant0001'
    process.env['BAILIWICK_JWKS_URL'] = 'https://id.example.com/keys-of-the-first'
  })
  afterEach(() => {
    for (const name of variables) delete process.env[name]
  })

  it('describes one tenant as a whole', () => {
    const { tenantId, jwksUrl } = readSettings({})
    assert.deepEqual([tenantId, jwksUrl], ['ctenant0001', 'https://id.example.com/keys-of-the-first'])
  })

  it('is not mixed with a tenant that the options name', () => {
    for (const given of [{ publicKey: key }, { publicKey: key, frontendApiUrl: options.frontendApiUrl }]) {
      const { tenantId, jwksUrl, publicKey } = readSettings(given)
      const keysBelow = `${options.frontendApiUrl}/.well-known/jwks.json?publicKey=${key}`
      assert.deepEqual([publicKey, tenantId, jwksUrl], [key, undefined, keysBelow])
    }
  })
})

describe('an AuthError', () => {
  it('is an answer that a framework can send, and does not reveal its cause', async () => {
    const error = new AuthError('invalid_token', 'The token is from another issuer.', { cause: new Error('secret') })
    const response = error.toResponse()
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const message = 'The token is from another issuer.'
    assert.deepEqual(await response.json(), { status: 'error', code: 'invalid_token', message })
  })
})
