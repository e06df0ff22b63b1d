// Machine applications at the management interface: with access tokens that expire, instead of keys that do not.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { it } from 'node:test'
import { SignJWT, decodeJwt, decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { storedEvents } from '../../../../test/harness/databases/stored.ts'
import { createTenant, unique } from '../../../../test/harness/factories.ts'
import { createApplication, issuerOf, relyingParty } from '../../../../test/harness/people/authorization.ts'
import { describeService } from '../../../../test/harness/service.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { oauthSignersOf } from '../oauth-signers.ts'

describeService('a machine application at the management interface', (service) => {
  const world = async (scopes: readonly string[] = ['users:read']) => {
    const { tenant } = await createTenant(service())
    const machineScopes = [{ resourceId: 'management', scopes }]
    const application = await createApplication(service(), tenant.id, { type: 'machine', machineScopes })
    const rp = await relyingParty(service(), tenant.id, application)
    return { tenant, application, rp, resource: new URL('/api/v0', service().deps.config.baseUrl).href }
  }
  type World = Awaited<ReturnType<typeof world>>
  const readToken = async ({ rp, resource }: World, scope = 'users:read') =>
    (await client.clientCredentialsGrant(rp, { resource, scope })).access_token
  const listUsers = ({ tenant }: World, token: string) =>
    service().call('listUsers', { query: { tenantId: tenant.id }, token })

  // Guards: machine-scopes
  it('does what its scopes allow, only in its own tenant, and is named in its events', async () => {
    const of = await world(['users:read', 'users:write'])
    const token = await readToken(of, 'users:write')
    assert.equal((await listUsers(of, token)).status, 200)
    const body = { tenantId: of.tenant.id, email: `${unique()}@example.com` }
    await service().ok('createUser', { body, token })
    const [event] = await storedEvents(service(), of.tenant.id, 'user.created')
    assert.deepEqual([event?.actor_type, event?.actor_id], ['application', of.application.id])
    await service().refused('getAuthTenant', 'forbidden', { params: { id: of.tenant.id }, token })
    const other = await world()
    await service().refused('listUsers', 'not_found', { query: { tenantId: other.tenant.id }, token })
    await service().refused('createTenant', 'forbidden', { body: { name: 'Another', slug: unique() }, token })
    // It asked for less than it may do.
    const reading = await readToken(of, 'users:read')
    await service().refused('createUser', 'forbidden', { body, token: reading })
  })

  it('loses at its next request whatever rights the application loses', async () => {
    const of = await world(['users:read', 'config:read'])
    const token = await readToken(of, 'users:read config:read')
    const params = { id: of.application.id }
    const machineScopes = [{ resourceId: 'management', scopes: ['config:read'] }]
    await service().ok('updateApplication', {
      params,
      body: { machineScopes, postLogoutRedirectUris: [], corsOrigins: [] },
    })
    assert.equal((await listUsers(of, token)).status, 403)
    await service().ok('deleteApplication', { params })
    assert.equal((await listUsers(of, token)).status, 401)
  })

  it('cannot make an API key that outlives its token', async () => {
    const of = await world(['admin'])
    const token = await readToken(of, 'admin')
    const body = { tenantId: of.tenant.id, name: 'forever', scopes: ['users:read'] }
    await service().refused('createApiKey', 'forbidden', { body, token })
  })

  it('gets no token for scopes that it was not given, and applications of other types get none', async () => {
    const of = await world(['users:read'])
    await assert.rejects(readToken(of, 'admin'), (error: unknown) => {
      return error instanceof client.ResponseBodyError && error.error === 'invalid_scope'
    })
    const web = await createApplication(service(), of.tenant.id, { grantTypes: ['client_credentials'] })
    const rp = await relyingParty(service(), of.tenant.id, web)
    await assert.rejects(readToken({ ...of, rp }), (error: unknown) => {
      return error instanceof client.ResponseBodyError && error.error === 'invalid_target'
    })
  })

  // Guards: machine-scopes
  it('is refused with a token of another audience, issuer or type, or one that is expired, altered, bound to a key or signed by another key', async () => {
    const of = await world()
    const other = await world()
    const token = await readToken(of)
    assert.equal((await listUsers(of, token)).status, 200)
    const claims = decodeJwt(token)
    const header = decodeProtectedHeader(token)
    const { kid, key } = await oauthSignersOf(service().deps).of(of.tenant.id as TenantId)
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const now = Math.floor(Date.now() / 1000)
    const forged = (change: object, headers: object = {}, by = key) =>
      new SignJWT({ ...claims, ...change }).setProtectedHeader({ ...header, alg: 'ES256', kid, ...headers }).sign(by)
    assert.equal((await listUsers(of, await forged({}))).status, 200)
    const wrong = {
      audience: await forged({ aud: 'https://api.example/' }),
      audiences: await forged({ aud: [of.resource, 'https://api.example/'] }),
      issuer: await forged({ iss: issuerOf(service(), other.tenant.id) }),
      'no issuer': await forged({ iss: 'https://elsewhere.example' }),
      type: await forged({}, { typ: 'JWT' }),
      expired: await forged({ exp: now - 60 }),
      'a user': await forged({ sub: 'somebody' }),
      'another client': await forged({ client_id: other.application.id, sub: other.application.id }),
      bound: await forged({ cnf: { jkt: 'A'.repeat(43) } }),
      'another key': await forged({}, {}, stranger.privateKey),
      'its own key (CVE-2026-27962)': await forged(
        {},
        { jwk: stranger.publicKey.export({ format: 'jwk' }), kid: undefined },
        stranger.privateKey,
      ),
      'truncated (CVE-2026-27840)': token.slice(0, -1),
      'without a signature': `${token.split('.').slice(0, 2).join('.')}.`,
    }
    for (const [what, given] of Object.entries(wrong)) {
      const answer = await listUsers(of, given)
      assert.equal(answer.status, 401, what)
    }
  })

  it('learns the address of the resource from the answer 401 and from the metadata', async () => {
    const of = await world()
    const { headers } = await service().call('listUsers', { query: { tenantId: of.tenant.id }, token: null })
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(String(headers['www-authenticate'])) ?? []
    const { pathname } = new URL(address)
    assert.equal(pathname, '/.well-known/oauth-protected-resource/api/v0')
    for (const url of [pathname, '/.well-known/oauth-protected-resource']) {
      const { body } = await service().request({ url, headers: { host: 'id.test' } })
      const { resource, scopes_supported: scopes } = body as { resource: string; scopes_supported: string[] }
      assert.deepEqual([resource, scopes.includes('users:read')], [of.resource, true])
    }
  })
})
