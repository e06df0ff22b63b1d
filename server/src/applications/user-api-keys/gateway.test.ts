// What gateways ask before they pass a request on, in-process and by nginx with the configuration of the guide.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  createServer,
} from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { UserApiKeyCheck, UserApiKeyWithKey } from '@bailiwick/contract'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import {
  createApiKey,
  createOrganization,
  createResource,
  createRole,
  createTenant,
  createUser,
} from '../../../test/harness/factories.ts'
import { freePort } from '../../../test/harness/free-port.ts'
import { isInstalled } from '../../../test/harness/installed.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { nginx, startProxy } from '../../../test/process/proxies.ts'
import { until } from '../../../test/process/service-process.ts'
import { sql } from '../../platform/db/sql.ts'

const day = 24 * 60 * 60_000
const guide = readFileSync(new URL('../../../../docs/api-keys-of-users.md', import.meta.url), 'utf8')
const names = ['x-auth-key-id', 'x-auth-user-id', 'x-auth-organization-id', 'x-auth-scopes'] as const

async function listen(server: Server): Promise<number> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

interface Place {
  readonly ports: readonly [service: number, app: number]
  readonly host: string
  readonly tenantId: string
  readonly gatewayKey: string
}

/** Returns the guide's configuration of nginx for servers of this test, which speak no TLS. */
function adaptGuide({ ports: [service, app], host, tenantId, gatewayKey }: Place): string {
  const [, written = ''] = /```nginx\n(.*?)```/s.exec(guide) ?? []
  return written
    .replace('server id.example.com:443', `server 127.0.0.1:${service}`)
    .replace('https://bailiwick', 'http://bailiwick')
    .replace('http://app.internal:3000', `http://127.0.0.1:${app}`)
    .replace('Host id.example.com', `Host ${host}`)
    .replace('/etc/ssl/certs/ca-certificates.crt', '/etc/nginx/tls/fullchain.pem')
    .replace('ak_…', gatewayKey)
    .replace('<id>', tenantId)
}

async function sendThrough(port: number, method: string, headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
  const options = {
    host: '127.0.0.1',
    port,
    path: '/reports',
    method,
    headers,
    agent: false,
    rejectUnauthorized: false,
  }
  const [answer] = (await once(request(options).end(), 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}

describeOnEachEngine('GET /auth/api-keys/authorize', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  async function world(scopes = ['reports:read', 'reports:write']) {
    const { tenant, secretKey } = await createTenant(service)
    const settings = { userApiKeysEnabled: true, userApiKeyPrefix: 'acme_live_', organizationsEnabled: true }
    await service.ok('putAuthTenant', { params: { id: tenant.id }, body: settings })
    await createResource(service, tenant.id, { scopes: scopes.map((name) => ({ name })) })
    const role = await createRole(service, tenant.id, { permissions: scopes })
    const user = await createUser(service, tenant.id, { roleId: role.id })
    const create = (body: object = {}) =>
      service.ok<UserApiKeyWithKey>('createUserApiKey', {
        body: { tenantId: tenant.id, userId: user.id, name: 'Script', scopes, ...body },
      })
    return { tenant, secretKey, user, role, create }
  }

  const ask = (tenantId: string, key: string | undefined, query: object = {}, more: object = {}) =>
    service.call<UserApiKeyCheck & { code: string }>('authorizeUserApiKey', {
      query: { tenantId, ...query },
      headers: key === undefined ? {} : { 'x-api-key': key },
      ...more,
    })
  const readNamed = ({ headers }: { readonly headers: object }) =>
    names.map((name) => Reflect.get(headers, name) as unknown)

  it('answers like the check by POST, and says in headers whose key it is', async () => {
    const { tenant, secretKey, user, create } = await world()
    const { id, key } = await create()
    const byPost = await service.ok('verifyUserApiKey', { body: { tenantId: tenant.id, key } })
    const { key: gatewayKey } = await createApiKey(service, tenant.id, ['users:read'])
    for (const token of [secretKey, gatewayKey]) {
      const answer = await ask(tenant.id, key, { requiredScopes: 'reports:read reports:write' }, { token })
      assert.deepEqual([answer.status, answer.body], [200, byPost])
      assert.deepEqual(readNamed(answer), [id, user.id, undefined, 'reports:read reports:write'])
    }
    assert.equal((await ask(tenant.id, `bearer ${key}`)).status, 200)
    const { id: organizationId } = await createOrganization(service, tenant.id)
    const body = { tenantId: tenant.id, organizationId, name: 'Partner' }
    const made = await service.ok<UserApiKeyWithKey>('createUserApiKey', { body })
    assert.deepEqual(readNamed(await ask(tenant.id, made.key)), [made.id, undefined, organizationId, undefined])
    const [listed] = await service.ok<{ lastUsedAt: string | null }[]>('listUserApiKeys', { params: { id: user.id } })
    assert.ok(listed?.lastUsedAt)
  })

  // Guards: keys-of-users
  it('refuses whatever is not a valid key of the tenant with 401, and one that lacks a scope with 403', async () => {
    const { tenant, secretKey, user, create } = await world()
    const elsewhere = await world()
    const { key } = await create()
    const refused = async (sent: string | undefined, challenge = 'Bearer error="invalid_token"') => {
      const { status, body, headers } = await ask(tenant.id, sent)
      assert.deepEqual([status, body.code, headers['www-authenticate']], [401, 'api_key_refused', challenge])
      assert.deepEqual(readNamed({ headers }), [undefined, undefined, undefined, undefined])
    }
    await refused(undefined, 'Bearer')
    await refused('', 'Bearer')
    const { key: theirs } = await elsewhere.create()
    // From now on in memory.
    assert.equal((await ask(elsewhere.tenant.id, theirs)).status, 200)
    for (const wrong of [theirs, `${key}x`, `${key}, ${key}`, `Basic ${key}`, 'x'.repeat(4000), secretKey, user.id])
      await refused(wrong)
    await service.refused('authorizeUserApiKey', 'not_found', {
      query: { tenantId: tenant.id },
      headers: { 'x-api-key': key },
      token: elsewhere.secretKey,
    })
    const lacking = await ask(tenant.id, key, { requiredScopes: 'reports:read admin' })
    assert.deepEqual([lacking.status, lacking.body.code], [403, 'scopes_missing'])
    assert.equal(lacking.headers['www-authenticate'], 'Bearer error="insufficient_scope", scope="reports:read admin"')
    for (const requiredScopes of ['', 'a"b', 'a  b', 'a\r\nb'])
      assert.equal((await ask(tenant.id, key, { requiredScopes })).status, 400, requiredScopes)
    const ended = await create()
    assert.equal((await ask(tenant.id, ended.key)).status, 200)
    await service.ok('deleteUserApiKey', { params: { id: ended.id } })
    await refused(ended.key)
    advance(366 * day)
    await refused(key)
  })

  // Guards: gateway-headers
  it('sends nothing in headers that users write, nor what could begin another header, nor more than gateways take', async () => {
    const { tenant, create } = await world()
    const { key } = await create({ name: 'Script: x-auth-user-id' })
    const { headers } = await ask(tenant.id, key)
    assert.ok(!JSON.stringify(headers).includes('Script'))
    const many = await world(Array.from({ length: 100 }, (_, index) => `${'s'.repeat(40)}:${index}`))
    const long = await ask(many.tenant.id, (await many.create()).key)
    assert.deepEqual([long.status, long.body.scopes.length, readNamed(long)[3]], [200, 100, undefined])

    // No operation stores such a scope.
    const forged = ['a\r\nx-auth-user-id: someone']
    const hostile = await world()
    const { key: hostileKey } = await hostile.create()
    await service.deps.db.transaction(async (tx) => {
      const id = hostile.tenant.id
      await tx.run(sql`UPDATE resources SET scopes = ${JSON.stringify([{ name: forged[0] }])} WHERE tenant_id = ${id}`)
      await tx.run(sql`UPDATE roles SET permissions = ${JSON.stringify(forged)} WHERE tenant_id = ${id}`)
      await tx.run(sql`UPDATE user_api_keys SET scopes = ${JSON.stringify(forged)} WHERE tenant_id = ${id}`)
    })
    const { status, headers: none } = await service.request({
      method: 'GET',
      url: `/api/v0/auth/api-keys/authorize?tenantId=${hostile.tenant.id}`,
      headers: { host: 'id.test', authorization: `Bearer ${hostile.secretKey}`, 'x-api-key': hostileKey },
    })
    assert.deepEqual([status, readNamed({ headers: none }).at(-1)], [500, undefined])
  })

  const skip = !isInstalled('nginx') && 'nginx is not installed'
  // Guards: gateway-headers
  it('lets nginx pass a request on, as the guide configures it, with the ids of its key alone', { skip }, async () => {
    const { tenant, user, create } = await world()
    const elsewhere = await world()
    const seen: IncomingHttpHeaders[] = []
    const app = createServer(({ headers }, response) => {
      seen.push(headers)
      response.end()
    })
    const ports = [await listen(service.app.server), await listen(app)] as const
    const { key: gatewayKey } = await createApiKey(service, tenant.id, ['users:read'])
    const host = new URL(service.deps.config.baseUrl).host
    const conf = adaptGuide({ ports, host, tenantId: tenant.id, gatewayKey })
    const port = await freePort()
    const proxy = startProxy((folder, all) => nginx(conf, folder, all), { proxy: port, nodes: [0, 0] })
    const send = (headers: OutgoingHttpHeaders, method = 'GET') => sendThrough(port, method, headers)
    await until('nginx listens', 30_000, () => send({}).catch(() => undefined))

    const forged = {
      ...Object.fromEntries(names.map((name) => [name, 'someone'])),
      X_Auth_User_Id: 'someone',
      'x-secret-key': elsewhere.secretKey,
      'x-public-key': elsewhere.tenant.publicKey,
      cookie: '__Host-console=someone',
      origin: 'https://app.example.com',
    }
    const { id, key } = await create({ scopes: ['reports:read'] })
    const { key: theirs } = await elsewhere.create()
    for (const credential of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
      assert.equal((await send({ ...forged, ...credential })).statusCode, 200)
      const headers = seen.pop() ?? {}
      assert.deepEqual(readNamed({ headers }), [id, user.id, undefined, 'reports:read'])
      const { authorization, 'x-api-key': sent, x_auth_user_id: alias } = headers
      assert.deepEqual([authorization, sent, alias], [undefined, undefined, undefined])
    }
    for (const credential of [{}, { 'x-api-key': theirs }, { authorization: `Bearer ${elsewhere.secretKey}` }])
      assert.equal((await send({ ...forged, ...credential })).statusCode, 401)
    assert.equal((await send({})).headers['www-authenticate'], 'Bearer')
    assert.equal((await send({ 'x-api-key': key }, 'DELETE')).statusCode, 403)
    await service.ok('deleteUserApiKey', { params: { id } })
    const revoked = await send({ ...forged, 'x-api-key': key })
    assert.deepEqual([revoked.statusCode, revoked.headers['www-authenticate']], [401, 'Bearer error="invalid_token"'])
    assert.deepEqual(seen, [])
    proxy.kill()
    app.close()
    service.app.server.closeAllConnections()
  })
})
