// An API that users and scripts call, against the real service.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { UserApiKeyWithKey } from '@bailiwick/contract'
import { type ApiAuthOptions, AuthError, createApiAuthenticator } from '@bailiwick/sdk/api-keys'
import { findKeyChecks } from '../../server/src/applications/user-api-keys/check-key.ts'
import { createKeyJwt } from '../../server/src/applications/user-api-keys/key-jwt.ts'
import { createResource, createRole, createTenant, createUser } from '../../server/test/harness/factories.ts'
import { openSession } from '../../server/test/harness/people/sessions.ts'
import { describeService } from '../../server/test/harness/service.ts'
import { serviceIssuer } from '../test/service-issuer.ts'

const bearing = (token: string) =>
  new Request('https://app.example.com/reports', { headers: { authorization: `Bearer ${token}` } })

async function findCode(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => new Error('it was accepted'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof AuthError)) throw error
  return `${error.status} ${error.code}`
}

describeService('createApiAuthenticator', (service) => {
  let origin: string
  before(async () => {
    origin = await service().app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => service().app.server.closeAllConnections())

  async function world(options: ApiAuthOptions = {}) {
    const { tenant, secretKey } = await createTenant(service())
    const auth = { userApiKeysEnabled: true, userApiKeyPrefix: 'acme_live_' }
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: auth })
    await createResource(service(), tenant.id, { scopes: [{ name: 'reports:read' }, { name: 'reports:write' }] })
    const role = await createRole(service(), tenant.id, { permissions: ['reports:read'] })
    const user = await createUser(service(), tenant.id, { roleId: role.id })
    const body = { tenantId: tenant.id, userId: user.id, name: 'Script', scopes: ['reports:read'] }
    const apiKey = await service().ok<UserApiKeyWithKey>('createUserApiKey', { body })
    const issuer = await serviceIssuer(service(), origin, tenant)
    const all = { ...issuer.options, apiUrl: `${origin}/api/v0`, secretKey, ...options }
    return { tenant, user, apiKey, requests: issuer.requests, options: all, ...createApiAuthenticator(all) }
  }
  const checks = (requests: readonly string[]) =>
    requests.filter((path) => path.includes('/auth/api-keys/authorize')).length

  it('takes keys and the tokens of sessions alike, and says which it was', async () => {
    const { tenant, user, apiKey, verifyRequest, verifyNodeRequest } = await world()
    const { apiKey: found, kind } = await verifyRequest(bearing(apiKey.key), { requiredScopes: ['reports:read'] })
    assert.deepEqual(
      [kind, found?.userId, found?.scopes, found?.name],
      ['api_key', user.id, ['reports:read'], 'Script'],
    )
    const { token } = await openSession(service(), tenant.id, user.id)
    const response = await fetch(`${origin}/frontend/api/v0/user/sessions/token`, {
      method: 'POST',
      headers: {
        'x-public-key': tenant.publicKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: '{}',
    })
    const { data } = (await response.json()) as { data: { jwt: string } }
    const request = { method: 'GET', headers: { authorization: `Bearer ${data.jwt}` } }
    const { auth, kind: other } = await verifyNodeRequest(request, { requiredScopes: ['reports:write'] })
    assert.deepEqual([other, auth?.user.id], ['session', user.id])
  })

  it('checks the short JWT of a key without a request for it', async () => {
    const { tenant, user, apiKey, requests, verifyRequest } = await world()
    const { deps } = service()
    const entry = await deps.tenants.byId(tenant.id)
    assert.ok(entry)
    const known = await findKeyChecks(deps).find(entry, apiKey.key)
    assert.ok(known)
    const { jwt } = await createKeyJwt(deps, known)
    const { apiKey: found } = await verifyRequest(bearing(jwt))
    assert.deepEqual([found?.id, found?.userId, found?.scopes], [apiKey.id, user.id, ['reports:read']])
    assert.equal(checks(requests), 0)
    const [header, payload] = jwt.split('.')
    assert.equal(await findCode(verifyRequest(bearing(`${header}.${payload}.${'A'.repeat(86)}`))), '401 invalid_token')
  })

  it('asks once for many requests of a second, and not at all about what cannot be a key', async () => {
    const { apiKey, requests, verifyRequest } = await world()
    await Promise.all(Array.from({ length: 20 }, () => verifyRequest(bearing(apiKey.key))))
    assert.equal(checks(requests), 1)
    for (const wrong of ['x'.repeat(300), 'é', 'a b', `${apiKey.key}-`])
      assert.equal(await findCode(verifyRequest(bearing(wrong))), '401 invalid_token')
    assert.equal(await findCode(verifyRequest(bearing('a.b.c'))), '401 invalid_token')
    assert.equal(await findCode(verifyRequest(new Request('https://app.example.com/'))), '401 unauthenticated')
    assert.equal(checks(requests), 1)
  })

  it('refuses keys that have ended or lack a scope, and says if it cannot know', async () => {
    const { apiKey, options, verifyRequest } = await world({ rememberedMs: 0 })
    const wanted = { requiredScopes: ['reports:write'] }
    assert.equal(await findCode(verifyRequest(bearing(apiKey.key), wanted)), '403 permission_required')
    await service().ok('deleteUserApiKey', { params: { id: apiKey.id } })
    assert.equal(await findCode(verifyRequest(bearing(apiKey.key))), '401 invalid_token')
    const away = createApiAuthenticator({ ...options, fetch: () => Promise.reject(new TypeError('no route')) })
    assert.equal(await findCode(away.verifyRequest(bearing(apiKey.key))), '503 service_unavailable')
    const wrong = createApiAuthenticator({ ...options, secretKey: 'sk_wrong' })
    assert.equal(await findCode(wrong.verifyRequest(bearing(apiKey.key))), '503 service_unavailable')
  })

  it('refuses options with which no key could be checked', async () => {
    const { options } = await world()
    for (const wrong of [
      { rememberedMs: 60_000 },
      { rememberedMs: Number.NaN },
      { secretKey: 'pk_1' },
      { apiUrl: 'x' },
    ])
      assert.throws(() => createApiAuthenticator({ ...options, ...wrong }), TypeError)
  })
})
