// A tenant's environment variables: who sees the secret, in which scopes and forms.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { parseEnv } from 'node:util'
import { type TestTenant, createTenant, unique } from '../harness/factories.ts'
import { describeNodesInTurn, operatorKey } from '../harness/service.ts'

const publicNames = [
  'BAILIWICK_API_URL',
  'BAILIWICK_FRONTEND_API_URL',
  'BAILIWICK_DOMAIN',
  'BAILIWICK_TENANT_ID',
  'BAILIWICK_PUBLIC_KEY',
  'BAILIWICK_JWKS_URL',
]
const secretName = 'BAILIWICK_SECRET_KEY'

describeNodesInTurn('GET /auth/tenants/{id}/env', (service) => {
  let own: TestTenant
  before(async () => {
    own = await createTenant(service())
  })

  const env = (options: object = {}) =>
    service().ok<Record<string, string>>('getTenantEnv', { params: { id: own.tenant.id }, ...options })

  it("are all returned to the operator and the tenant's own key, the secret last", async () => {
    for (const token of [operatorKey, own.secretKey]) {
      const all = await env({ token })
      assert.deepEqual(Object.keys(all), [...publicNames, secretName])
      assert.equal(all[secretName], own.secretKey)
    }
  })

  it('include the secret for the pair of keys too', async () => {
    const headers = { 'x-public-key': own.tenant.publicKey, 'x-secret-key': own.secretKey }
    assert.equal((await env({ token: null, headers }))[secretName], own.secretKey)
  })

  it('leave the secret out in the scope public', async () => {
    const { status, text, body } = await service().call('getTenantEnv', {
      params: { id: own.tenant.id },
      query: { scope: 'public' },
    })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), publicNames)
    assert.ok(!text.includes(own.secretKey))
  })

  it('contain only the secret in the scope secret', async () => {
    assert.deepEqual(await env({ query: { scope: 'secret' } }), { [secretName]: own.secretKey })
  })

  it('are refused for any other scope, with 400 at its place', async () => {
    for (const scope of ['xyz', '', 'Public', 'public,secret', 'all']) {
      const request = { params: { id: own.tenant.id }, query: { scope }, token: own.secretKey }
      const { issues } = await service().refused('getTenantEnv', 'validation_failed', request)
      assert.equal(issues?.[0]?.path, '/scope')
    }
  })

  it('name the tenant and the addresses of this service', async () => {
    const all = await env()
    const { baseUrl } = service().deps.config
    assert.equal(all['BAILIWICK_API_URL'], baseUrl)
    assert.equal(all['BAILIWICK_FRONTEND_API_URL'], new URL('/frontend/api/v0', baseUrl).href)
    assert.equal(all['BAILIWICK_DOMAIN'], new URL(baseUrl).hostname)
    assert.equal(all['BAILIWICK_TENANT_ID'], own.tenant.id)
    assert.equal(all['BAILIWICK_PUBLIC_KEY'], own.tenant.publicKey)
    const jwks = new URL(all['BAILIWICK_JWKS_URL'] ?? '')
    assert.equal(jwks.searchParams.get('publicKey'), own.tenant.publicKey)
  })

  it('name the primary domain if there is one', async () => {
    const domain = `${unique()}.example`
    const { tenant } = await createTenant(service(), { domain })
    assert.equal((await env({ params: { id: tenant.id } }))['BAILIWICK_DOMAIN'], domain)
  })

  for (const accept of ['text/plain', 'text/plain; charset=utf-8', 'TEXT/PLAIN', 'text/plain, */*']) {
    it(`are returned as a .env file if Accept is ${accept}`, async () => {
      for (const query of [{}, { scope: 'public' }, { scope: 'secret' }]) {
        const request = { params: { id: own.tenant.id }, query, token: own.secretKey, headers: { accept } }
        const { text, headers } = await service().call('getTenantEnv', request)
        assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
        assert.equal(headers['cache-control'], 'no-store')
        const lines = text.split('\n')
        assert.equal(lines.pop(), '', 'the file ends with a line break')
        const read = Object.fromEntries(
          lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
        )
        assert.deepEqual(read, await env({ query }))
        for (const line of lines) assert.match(line, /^[A-Z_]+=[^\s"'#$`\\]+$/)
      }
    })
  }

  it('are read back from the .env file unchanged, whatever characters the address of the frontend has', async () => {
    const { tenant } = await createTenant(service())
    const params = { id: tenant.id }
    for (const address of ['https://a.example/b#c', 'https://a.example/$HOME', "https://a.example/'d?e=f&g=h"]) {
      await service().ok('putAuthTenant', { params, body: { frontendApiUri: address } })
      const { text } = await service().call('getTenantEnv', { params, headers: { accept: 'text/plain' } })
      assert.equal(parseEnv(text)['BAILIWICK_FRONTEND_API_URL'], address.replace("'", '%27'))
      assert.doesNotMatch(text, /^[A-Z_]+=[^'\n]*[#$&]/m, 'something that a shell would expand is not quoted')
    }
  })

  for (const accept of ['application/json', '*/*', 'text/html', 'application/json, text/plain', 'text/plainer']) {
    it(`are returned as JSON if Accept is ${accept}`, async () => {
      const request = { params: { id: own.tenant.id }, headers: { accept } }
      assert.equal(
        (await service().call('getTenantEnv', request)).headers['content-type'],
        'application/json; charset=utf-8',
      )
    })
  }

  it("are not returned to another tenant's key, in either form", async () => {
    const other = await createTenant(service())
    for (const accept of ['text/plain', 'application/json']) {
      for (const query of [{}, { scope: 'public' }, { scope: 'secret' }]) {
        const request = { params: { id: own.tenant.id }, query, headers: { accept }, token: other.secretKey }
        await service().refused('getTenantEnv', 'not_found', request)
      }
    }
  })
})
