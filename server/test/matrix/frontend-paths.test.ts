// Which addresses lead to the interfaces, and with which tenants: other spellings, other versions, deleted tenants. Regression: guards that
// read a path differently from the router (better-auth CVE-2025-71399, middie CVE-2026-2880), and an old version or an unknown tenant in
// the path for which no key was required (SuperTokens CVE-2026-123800).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { before, it } from 'node:test'
import { type ErrorBody, type FrontendEndpoint, endpoints, frontendEndpoints } from '@bailiwick/contract'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { createApiKey, createTenant } from '../harness/factories.ts'
import { type Person, signedInPerson } from '../harness/people/people.ts'
import { signInConsoleUser } from '../harness/people/sessions.ts'
import { type Answer, describeService, operatorKey } from '../harness/service.ts'
import { spellings } from './path-spellings.ts'

const base = '/frontend/api/v0'
const codes = ['unauthenticated', 'not_found', 'malformed_request', 'method_not_allowed']
const required = (Object.values(frontendEndpoints) as FrontendEndpoint[]).filter(
  ({ session, method }) => session === 'required' && method !== 'GET',
)

describeService('the addresses of the interfaces', (service) => {
  let person: Person
  let port = 0
  before(async () => {
    person = await signedInPerson(service(), (await createTenant(service())).tenant)
    await service().app.listen({ port: 0, host: '127.0.0.1' })
    port = (service().app.server.address() as AddressInfo).port
  })

  /** Sent over a socket, because clients normalise what they send. */
  async function send(method: string, target: string) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `${method} ${target} HTTP/1.1\r\nhost: id.test\r\nx-public-key: ${person.publicKey}\r\nconnection: close\r\n\r\n`,
    )
    return text(socket)
  }

  // Guards: spelt-paths
  it('lead nobody who is not signed in to an operation that requires it, however they are spelt', async () => {
    // One of each depth: reading a path does not depend on what handles it.
    const depths = new Map(required.map(({ method, path }) => [path.split('/').length, { method, path }]))
    assert.ok(depths.size >= 4)
    await assertWritesNothing(service().deps.db, async () => {
      for (const { method, path } of depths.values()) {
        const filled = `${base}${path.replaceAll(/\{\w+\}/g, person.user.id)}`
        for (const target of spellings(filled, base)) {
          const answer = await send(method, target)
          assert.ok(
            codes.some((code) => answer.includes(`"code":"${code}"`)),
            `${method} ${target}: ${answer}`,
          )
        }
      }
    })
  })

  // Guards: own-rights
  it('exist for this version only, whoever asks', async () => {
    const prefixes = ['', '/api', '/v0', '/api/v1', '/api/v00', '/api/v-1', '/api/v0.1', '/api/latest', '/API/V0']
    const frontends = [
      '/frontend',
      '/frontend/v0',
      '/frontend/api',
      '/frontend/api/v1',
      '/FRONTEND/api/v0',
      '/api/v0/frontend',
    ]
    const headers = { host: 'id.test', authorization: `Bearer ${operatorKey}` }
    const isNothing = ({ status, body }: Answer, url: string) =>
      assert.deepEqual([status, (body as ErrorBody).code], [404, 'not_found'], url)
    await assertWritesNothing(service().deps.db, async () => {
      for (const { method, path } of Object.values(endpoints)) {
        for (const prefix of prefixes) {
          const url = prefix + path.replaceAll(/\{\w+\}/g, person.tenantId)
          isNothing(await service().request({ method, url, headers }), url)
        }
      }
      for (const { method, path } of Object.values(frontendEndpoints)) {
        for (const prefix of frontends) {
          const url = prefix + path.replaceAll(/\{\w+\}/g, person.user.id)
          isNothing(
            await service().request({ method, url, headers: { ...headers, 'x-public-key': person.publicKey } }),
            url,
          )
        }
      }
    })
  })

  // Guards: own-rights
  it('lead to nothing of a tenant that is deleted or never existed, whatever the key', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const gone = await signedInPerson(service(), tenant)
    const { key } = await createApiKey(service(), tenant.id, ['users:read', 'config:read'])
    const { token } = await signInConsoleUser(service())
    const params = { id: tenant.id }
    const pair = { token: null, headers: { 'x-public-key': tenant.publicKey, 'x-secret-key': secretKey } }
    const own = [{ token: secretKey }, { token: key }, pair]
    for (const credential of own) await service().ok('getTenant', { params, ...credential })
    await gone.browser.ok('getProfile')
    await service().ok('deleteTenant', { params })
    for (const credential of own) await service().refused('getTenant', 'unauthenticated', { params, ...credential })
    for (const each of [tenant.id, 'cnobodyhasthis']) {
      await service().refused('getTenant', 'not_found', { params: { id: each }, token })
      await service().refused('createUser', 'not_found', { body: { tenantId: each }, token })
      await service().refused('createUser', 'not_found', { body: { tenantId: each } })
    }
    await gone.browser.refused('getProfile', 'not_found')
    await gone.browser.refused('createSignIn', 'not_found', { body: { identifier: gone.email } })
    await gone.browser.refused('getPublicTenantById', 'not_found', { params })
    await gone.browser.refused('getPublicTenantByKey', 'not_found', { params: { publicKey: tenant.publicKey } })
  })
})
