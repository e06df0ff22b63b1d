// Operations of the frontend interface that a page of this process runs refuse what they refuse over the network.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Tenant, frontendEndpoints } from '@bailiwick/contract'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { buildFrontend } from '../../service/interfaces.ts'
import { ownAccountRoutes } from '../account/routes.ts'
import { signInRoutes } from '../sign-in/routes.ts'
import { FrontendCall } from './frontend-call.ts'

describeOnEachEngine('an operation that a page of this process runs', (open) => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await startTestService((await open()).database)
    ;({ tenant } = await createTenant(service))
  })
  after(() => service.app.close())

  /** Runs the operation within a request for a page; returns its result, or the code of its error. */
  async function perform(id: 'getProfile' | 'createSignIn', body?: unknown): Promise<unknown> {
    const page = fastify()
    const frontend = buildFrontend(service.deps)
    const routes = frontend.bindTo(fastify())
    ownAccountRoutes(routes, { dataParts: [], endGrants: () => Promise.resolve(0) })
    signInRoutes(routes)
    let outcome: unknown
    page.get('/', async (request: FastifyRequest, reply: FastifyReply) => {
      const entry = await service.deps.tenants.byId(tenant.id)
      assert.ok(entry !== undefined)
      const context = { tenant: entry, isOwnDomain: false, session: undefined }
      const call = new FrontendCall(request, reply, context, {
        params: {},
        query: {},
        body: body as never,
        language: 'en',
      })
      outcome = await frontend
        .perform(frontendEndpoints[id], call as never)
        .catch((error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)))
      return ''
    })
    assert.equal((await page.inject('/')).statusCode, 200)
    await page.close()
    return outcome
  }

  it('needs a session if it does over the network', async () => {
    assert.equal(await perform('getProfile'), 'unauthenticated')
  })

  it('is checked against the contract, and against what no body may contain', async () => {
    assert.equal(await perform('createSignIn', { unknown: 1 }), 'validation_failed')
    assert.equal(await perform('createSignIn', JSON.parse('{"identifier":"a","__proto__":{}}')), 'validation_failed')
  })

  it('returns what the answer over the network has under data', async () => {
    const data = (await perform('createSignIn', { identifier: 'nobody@example.com' })) as { signInAttempt?: object }
    assert.ok(data.signInAttempt !== undefined)
  })
})
