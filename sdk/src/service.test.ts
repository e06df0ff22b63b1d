// The client against the real service, and what its types allow.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Role, Tenant, User } from '@bailiwick/contract'
import { Bailiwick, createClient, isBailiwickError } from '@bailiwick/sdk'
import { createAccessTokenVerifier } from '@bailiwick/sdk/jwt'
import { clientCredentialsGrant } from 'openid-client'
import {
  createFile,
  createRole,
  createTenant,
  createUser,
  transformationBody,
  unique,
} from '../../server/test/harness/factories.ts'
import { createApplication, issuerOf, relyingParty } from '../../server/test/harness/people/authorization.ts'
import { describeService, operatorKey } from '../../server/test/harness/service.ts'
import { collect, describeFailure } from '../test/answers.ts'
import { groups } from './groups.gen.ts'
import { operations } from './operations.gen.ts'

describeService('the client', (service) => {
  describe('over a socket', () => {
    let operator: Bailiwick
    let baseUrl: string
    before(async () => {
      const origin = await service().app.listen({ host: '127.0.0.1', port: 0 })
      baseUrl = `${origin}/api/v0`
      operator = new Bailiwick({ baseUrl, operatorKey })
    })
    // A connection that never carried a request would keep the service from closing.
    after(() => service().app.server.closeAllConnections())

    it('creates a tenant as the operator, and its users with the secret key', async () => {
      const tenant = await operator.createTenant({ body: { name: 'Acme Incorporated', environment: 'production' } })
      assert.ok(tenant)
      const env = await operator.getTenantEnv({ params: { id: tenant.id }, query: { scope: 'secret' } })
      const secretKey = (env as Record<string, string>)['BAILIWICK_SECRET_KEY'] ?? ''
      const client = new Bailiwick({ baseUrl, secretKey })
      const email = `${unique()}@example.com`
      const user = await client.createUser({ body: { tenantId: tenant.id, name: 'Ada', email } })
      assert.equal(user.emailAddresses[0]?.email, email)
      assert.equal((await client.getTenantBySlug({ params: { slug: tenant.slug } }))?.id, tenant.id)
      assert.equal(await client.getTenantBySlug({ params: { slug: 'nobody-has-this' } }), null)
    })

    it('tries a transformation on a file, and returns the bytes of the image', async () => {
      const { tenant } = await createTenant(service())
      const { id: fileId } = await createFile(service(), tenant.id)
      const definition = transformationBody(tenant.id, { outputFormat: 'webp', outputWidth: 0, outputHeight: 0 })
      const body = { ...definition, fileId } as Parameters<typeof operator.previewTransformation>[0]['body']
      const bytes = await operator.previewTransformation({ body })
      assert.equal(Buffer.from(bytes.subarray(8, 12)).toString(), 'WEBP')
    })

    it('verifies an access token that the tenant has issued for its resource, and for no other', async () => {
      const { tenant } = await createTenant(service())
      const machineScopes = [{ resourceId: 'management', scopes: ['users:read'] }]
      const application = await createApplication(service(), tenant.id, { type: 'machine', machineScopes })
      const rp = await relyingParty(service(), tenant.id, application)
      const resource = new URL('/api/v0', service().deps.config.baseUrl).href
      const { access_token: token } = await clientCredentialsGrant(rp, { resource, scope: 'users:read' })
      const issuer = issuerOf(service(), tenant.id)
      const send = (url: string, init?: object) => fetch(new URL(new URL(url).pathname, baseUrl), init)
      const options = { issuer, audience: resource, fetch: send }
      const { client_id: clientId, scope, sub } = await createAccessTokenVerifier(options)(token)
      assert.deepEqual([clientId, scope, sub], [application.clientId, 'users:read', application.clientId])
      const elsewhere = createAccessTokenVerifier({ ...options, audience: 'https://api.example.com' })
      await assert.rejects(elsewhere(token), { code: 'wrong_audience' })
      const { tenant: other } = await createTenant(service())
      const ofOther = createAccessTokenVerifier({ ...options, issuer: issuerOf(service(), other.id) })
      await assert.rejects(ofOther(token), { name: 'JwtError' })
    })

    it('reports a taken e-mail address as email_taken with 409', async () => {
      const { tenant } = await createTenant(service())
      const email = `${unique()}@example.com`
      await createUser(service(), tenant.id, { email })
      const error = await describeFailure(operator.createUser({ body: { tenantId: tenant.id, email } }))
      assert.ok(isBailiwickError(error, 'email_taken'))
      assert.equal(error.status, 409)
      assert.ok(error.requestId)
    })

    it('reports every broken rule with its path', async () => {
      const error = await describeFailure(
        operator.createTenant({ body: { name: 'x', environment: 'production', slug: '?' } }),
      )
      assert.ok(isBailiwickError(error, 'validation_failed'))
      assert.deepEqual([...new Set(error.issues.map(({ path }) => path))].toSorted(), ['/name', '/slug'])
    })

    it('reports another tenant as not_found, and a bad key as unauthenticated', async () => {
      const [{ secretKey }, { tenant: foreign }] = await Promise.all([createTenant(service()), createTenant(service())])
      const client = new Bailiwick({ baseUrl, secretKey })
      assert.equal((await describeFailure(client.getTenant({ params: { id: foreign.id } }))).code, 'not_found')
      const stranger = new Bailiwick({ baseUrl, secretKey: 'sk_dev_unknown' })
      assert.equal((await describeFailure(stranger.listTenants())).code, 'unauthenticated')
    })

    it('walks a list of several pages, each row once, newest first', async () => {
      const { tenant, secretKey } = await createTenant(service())
      for (let count = 0; count < 5; count++) await createRole(service(), tenant.id)
      const client = new Bailiwick({ baseUrl, secretKey })
      const params = { tenantId: tenant.id }
      const all = await client.listRoles({ params, query: { perPage: '100' } })
      const walked: Role[] = []
      for await (const role of client.pages.listRoles({ params, query: { perPage: '2' } })) walked.push(role)
      assert.equal(walked.length, 7)
      assert.deepEqual(walked, all.data)
    })

    it('yields events as they happen, and continues after a given one', async () => {
      const { tenant, secretKey } = await createTenant(service())
      const client = new Bailiwick({ baseUrl, secretKey })
      const params = { tenantId: tenant.id }
      const places: string[] = []
      const kinds: string[] = []
      const follow = async (count: number, lastEventId: string) => {
        for await (const { event, lastEventId: place } of client.streamEvents({ params, lastEventId })) {
          places.push(place)
          kinds.push(event.type)
          if (--count === 0) return
        }
      }
      const role = await createRole(service(), tenant.id)
      await follow(2, '0.0')
      await client.deleteRole({ params: { id: role.id } })
      await follow(1, places.at(-1) ?? '')
      assert.deepEqual(kinds, ['tenant.created', 'role.created', 'role.deleted'])
    })

    it('imports users and exports them again', async () => {
      const { tenant, secretKey } = await createTenant(service())
      const client = new Bailiwick({ baseUrl, secretKey })
      const query = { tenantId: tenant.id }
      const emails = Array.from({ length: 600 }, () => `${unique()}@example.com`)
      const body = [...emails.map((email) => ({ email })), { email: 'no address' }]
      const answers = await collect(client.importUsers({ query, body }))
      assert.deepEqual(answers.at(-1), { summary: { created: 600, exists: 0, error: 1 } })
      const last = answers.at(-2)
      assert.ok(last !== undefined && 'line' in last)
      assert.deepEqual([last.line, last.status, last.issues?.[0]?.path], [601, 'error', '/email'])
      const users = await collect(client.exportUsers({ query }))
      assert.equal(users.length, emails.length)
      assert.deepEqual(new Set(users.map((user) => user.emailAddresses[0]?.email)), new Set(emails))
    })

    it('begins imports in the background, of records or of a file, and follows and deletes them', async () => {
      const { tenant, secretKey } = await createTenant(service())
      const client = new Bailiwick({ baseUrl, secretKey })
      const query = { tenantId: tenant.id }
      const people = Array.from({ length: 1100 }, () => ({ email: `${unique()}@example.com` }))
      const job = await client.createImportJob({ query, body: people })
      assert.deepEqual([job.state, job.linesTotal], ['running', 1100])
      const file = new Blob(['{"username":"ada"}\n', '{"username":"grace"}'])
      const another = await client.createImportJob({ query, body: file })
      assert.equal(another.linesTotal, 2)
      const params = { id: another.id }
      assert.deepEqual(await client.getImportJob({ params }), another)
      assert.deepEqual(await collect(client.readImportJobResults({ params })), [])
      assert.equal((await client.deleteImportJob({ params })).id, another.id)
      const jobs = await collect(client.pages.listImportJobs({ query }))
      assert.deepEqual(
        jobs.map(({ id }) => id),
        [job.id],
      )
    })
  })
})

describe('the generated operations', () => {
  const names = Object.keys(operations)

  it('are all functions of the client', () => {
    const client = new Bailiwick({ baseUrl: 'https://id.example.com/api/v0' })
    assert.ok(names.length >= 19)
    for (const name of names) assert.equal(typeof client[name as 'getTenant'], 'function', name)
  })

  it('are each in one group', () => {
    const client = new Bailiwick({ baseUrl: 'https://id.example.com/api/v0' })
    const all = client as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>
    const ids = Object.entries(groups).flatMap(([group, entries]) => {
      for (const name of Object.keys(entries)) assert.equal(typeof all[group]?.[name], 'function', `${group}.${name}`)
      return Object.values<string>(entries)
    })
    assert.deepEqual(ids.toSorted(), names.toSorted())
  })
})

type Same<A, B> = [A, B] extends [B, A] ? true : false
const assertType = <T extends true>(..._proof: readonly T[]) => undefined

/** Compiled, never run: each marked line must fail the type check. */
export async function checkTypes(client: Bailiwick) {
  const params = { id: 'ctenant0001' }
  const user = await client.createUser({ body: { tenantId: 'ctenant0001' } })
  assertType<Same<typeof user, User>>()
  const tenant = await client.getTenantBySlug({ params: { slug: 'acme' } })
  assertType<Same<typeof tenant, Tenant | null>>()
  await client.listTenants()
  await client.putTenantBrand({ params, body: {} })
  // @ts-expect-error a parameter is missing
  await client.getTenant({ params: {} })
  // @ts-expect-error all parameters are missing
  await client.getTenant()
  // @ts-expect-error the body is missing, though none of its properties is required
  await client.putTenantBrand({ params })
  // @ts-expect-error an operation without a body takes none
  await client.getTenant({ params, body: {} })
  // @ts-expect-error a property of another type
  await client.createUser({ body: { tenantId: 7 } })
  // @ts-expect-error a property that the operation does not know
  await client.createUser({ body: { tenantId: 'ctenant0001', isAdmin: true } })
  // @ts-expect-error a value outside the list
  await client.getTenantEnv({ params, query: { scope: 'everything' } })
  assertType<Same<typeof user, Awaited<ReturnType<typeof client.users.create>>>>()
  for await (const role of client.roles.list({ params: { tenantId: 'ctenant0001' } }))
    assertType<Same<typeof role, Role>>()
  const { data } = await client.users.list({ params: { tenantId: 'ctenant0001' } })
  assertType<Same<(typeof data)[number]['id'], string>>()
  // @ts-expect-error the id of the tenant is in params
  await client.users.list({ query: { tenantId: 'ctenant0001' } })
  // @ts-expect-error a method that the operation does not have
  createClient({ baseUrl: '' }, { getTenant: { method: 'POST', path: '/tenants/{id}' } })
  // @ts-expect-error no page to walk
  client.pages.getTenant({ params })
  // @ts-expect-error two credentials
  const twice = new Bailiwick({ baseUrl: '', secretKey: '', operatorKey: '' })
  const error: unknown = twice
  // @ts-expect-error no such code
  isBailiwickError(error, 'email_token')
  if (isBailiwickError(error, 'email_taken')) assertType<Same<typeof error.code, 'email_taken'>>()
}
