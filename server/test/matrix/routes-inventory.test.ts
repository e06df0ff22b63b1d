// Everything that is served is described, and everything that is described is served.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import {
  type Endpoint,
  type ErrorBody,
  type FrontendEndpoint,
  binaryEndpoints,
  endpoints,
  errorCatalogue,
  frontendEndpoints,
} from '@bailiwick/contract'
import type { FastifyInstance } from 'fastify'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { type TestService, startTestService } from '../harness/service.ts'

/** Routes besides the interface: for those who run the service, and the description itself. */
const served = [
  /^\/livez$/,
  /^\/readyz$/,
  /^\/api\/v0\/openapi\.json$/,
  /^\/docs(\/.*)?$/,
  // Where the reference was before it became part of the documentation.
  /^\/api\/v0\/reference(\/.*)?$/,
  /^\/dev\/inbox(\/.*)?$/,
  // The console as it was built, its frames, and previews of the hosted pages.
  /^\/console(\/.*)?$/,
  /^\/frontend\/api\/v0\/openapi\.json$/,
  /^\/frontend\/api\/v0\/\.well-known\/[\w.-]+(?:\/:domain)?$/,
]
/** The routes to which social providers send browsers back: their answer is a redirect, not a record. */
const returns = [
  'GET /frontend/api/v0/oauth/callback/{}',
  'POST /frontend/api/v0/oauth/callback/{}',
  'GET /frontend/api/v0/connections/{}/callback',
]
/** Where the providers of connections sign people out, by Okta's protocol. */
const revocationAddress = '/t/:tenant/connections/:connection/global-token-revocation'
/** What the providers of SAML connections call and send browsers to: they know these addresses, and it holds to their protocol. */
const samlMethods: Readonly<Record<string, RegExp>> = { acs: /^POST$/, slo: /^(?:GET|POST)$/ }
const samlAddresses = /^\/t\/:tenant\/saml\/:connection\/(?:metadata|acs|slo)$/
/** The hosted pages, below a tenant's path and on the domains of tenants. Their forms have rules of their own. */
const hostedPages =
  /^(?:\/t\/:tenant)?\/(?:sign-in|sign-up|waitlist|sign-out|reset-password|secure-account|return|verify|accounts?|organizations|setup|invitation|continue|consent|device|brand|\.well-known\/(?:change-password|webauthn|passkey-endpoints))(?:\/|$)|^\/t\/:tenant(?:\/\*?)?$|^\/pages\/:name$|^\/$/
/** The authorization server of each tenant, which holds to the protocols of OAuth 2 and OpenID Connect. */
const authorizationServer =
  /^(?:\/t\/:tenant)?\/(?:oauth\/|\.well-known\/(?:openid-configuration|oauth-authorization-server|oauth-protected-resource|authzen-configuration)(?:\/t\/:tenant|\/api\/v0)?$)/
/** The SCIM interface of connections, which holds to RFC 7644. */
const directories = /^\/t\/:tenant\/scim\/:connection\/v2\/\*$/
/** A client that has registered itself reads, changes and removes its registration (RFC 7592). */
const registeredClient = /^(?:\/t\/:tenant)?\/oauth\/register\/:\w+$/
/** Browsers send a preflight request before they call from another origin. */
const preflight = 'OPTIONS /frontend/api/v0/*'
/** They also send one before they send the bytes of an upload to its address. */
const uploadPreflight = 'OPTIONS /api/v0/media/uploads/{}/content'
const management = Object.values({ ...endpoints, ...binaryEndpoints }) as readonly Endpoint[]

describeOnEachEngine('the routes of the application', (open) => {
  const routes: { method: string; url: string }[] = []
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.push({ method: each, url })
    })
  }
  let service: TestService
  before(async () => {
    subscribe('fastify.initialization', watch)
    service = await startTestService((await open()).database)
    unsubscribe('fastify.initialization', watch)
  })
  after(() => service.app.close())

  // Guards: asvs-every-pathway
  it('are the operations of the contract, the refusals of other methods on their paths, and a short list', async () => {
    const declared = new Set([
      ...management.flatMap(({ method, alsoAs = [], path }) =>
        [method, ...alsoAs].map((each) => `${each} ${shapeOf(`/api/v0${path}`)}`),
      ),
      ...(Object.values(frontendEndpoints) as FrontendEndpoint[]).flatMap(({ method, alsoAs = [], path }) =>
        [method, ...alsoAs].map((each) => `${each} ${shapeOf(`/frontend/api/v0${path}`)}`),
      ),
    ])
    const found = new Set<string>()
    for (const { method, url } of routes) {
      const route = `${method} ${shapeOf(url)}`
      if (declared.has(route)) found.add(route)
      else if (registeredClient.test(url)) assert.match(method, /^(?:GET|HEAD|PUT|DELETE|OPTIONS)$/)
      else if (authorizationServer.test(url)) assert.match(method, /^(?:GET|HEAD|POST|OPTIONS)$/)
      else if (directories.test(url)) assert.match(method, /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/)
      else if (url === revocationAddress) assert.equal(method, 'POST')
      else if (samlAddresses.test(url))
        assert.match(method, samlMethods[url.split('/').at(-1) ?? ''] ?? /^(?:GET|HEAD)$/)
      else if (hostedPages.test(url)) assert.match(method, /^(GET|HEAD|POST)$/)
      else if (
        ![...returns, preflight, uploadPreflight].includes(route) &&
        !served.some((pattern) => pattern.test(url))
      )
        await assertOnlyRefuses(method, url)
    }
    assert.deepEqual([...found].toSorted(), [...declared].toSorted())
  })

  it('can only read if they are on the short list', () => {
    const others = routes.filter(({ url }) => served.some((pattern) => pattern.test(url)))
    assert.ok(others.length >= 4)
    for (const { method, url } of others) assert.match(method, /^(GET|HEAD)$/, url)
  })

  it('serve the description that is made from the contract', async () => {
    const { status, body } = await service.request({ method: 'GET', url: '/api/v0/openapi.json' })
    assert.equal(status, 200)
    const { paths } = body as { paths: Record<string, Record<string, unknown>> }
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    )
    const declared = management.map(({ method, path }) => `${method.toLowerCase()} ${path}`)
    assert.deepEqual(described.toSorted(), declared.toSorted())
  })

  async function assertOnlyRefuses(method: string, url: string) {
    const answer = await service.request({ method, url: url.replaceAll(/:\w+/g, 'c12345678') })
    assert.equal(answer.status, 405, `${method} ${url} is not in the contract and answers ${answer.status}`)
    if (method !== 'HEAD') assert.equal((answer.body as ErrorBody).code, 'method_not_allowed')
  }
})

const shapeOf = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, '{}')

describe('the error codes', () => {
  it('are all used by the server', () => {
    const root = new URL('../../src/', import.meta.url)
    const sources = globSync('**/*.ts', { cwd: root })
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(name, root), 'utf8'))
      .join('\n')
    const unused = Object.keys(errorCatalogue).filter((code) => !sources.includes(`'${code}'`))
    assert.deepEqual(unused, [])
  })
})
