// What caches may keep: an answer that depends on a header of its request names it in Vary; otherwise a cache would give it to other
// callers.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, it } from 'node:test'
import type { Tenant } from '@bailiwick/contract'
import type { FastifyInstance } from 'fastify'
import { invalidateTenant } from '../../src/platform/cache/invalidation.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { createFile, createTenant } from '../harness/factories.ts'
import { signedInUser } from '../harness/people/signed-in-user.ts'
import { type Answer, type TestService, operatorKey, startTestService } from '../harness/service.ts'

type Headers = Readonly<Record<string, string>>

/** The answers that caches may keep, by the pattern of their route. */
const cacheable = [
  '/api/v0/media/:tenantId/:fileId/image',
  '/frontend/api/v0/.well-known/jwks.json',
  '/frontend/api/v0/.well-known/openid-configuration',
  '/.well-known/authzen-configuration/t/:tenant',
  '/.well-known/oauth-authorization-server/t/:tenant',
  '/.well-known/openid-configuration/t/:tenant',
  '/t/:tenant/.well-known/authzen-configuration',
  '/t/:tenant/.well-known/oauth-authorization-server',
  '/t/:tenant/.well-known/openid-configuration',
  '/t/:tenant/oauth/jwks',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/v0',
]
const own = 'id.test'

const listOf = (header: unknown) =>
  (typeof header === 'string' ? header : '').split(',').map((name) => name.trim().toLowerCase())
const isKept = ({ headers }: Answer) => headers['cache-control'] !== 'no-store'
/** The part of an answer that a cache would give to others. */
const shown = ({ status, headers, text }: Answer) => JSON.stringify([status, headers['content-type'], text])

describeOnEachEngine('an answer that caches may keep', (open) => {
  const routes = new Set<string>()
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      if ([method].flat().includes('GET')) routes.add(url)
    })
  }
  let service: TestService
  let tenant: Tenant
  let other: Tenant
  /** Values of each header: of another tenant, another reader, another page. */
  let variations: Readonly<Record<string, readonly string[]>>
  let imagePath: string
  before(async () => {
    subscribe('fastify.initialization', watch)
    service = await startTestService((await open()).database)
    unsubscribe('fastify.initialization', watch)
    ;({ tenant } = await createTenant(service))
    other = (await createTenant(service)).tenant
    const { browser } = await signedInUser(service, tenant)
    const { id } = await createFile(service, tenant.id)
    imagePath = `/api/v0/media/${tenant.id}/${id}/image`
    variations = {
      'x-public-key': [tenant.publicKey, other.publicKey],
      host: [own, 'elsewhere.test'],
      origin: ['http://localhost:3000', 'https://evil.example'],
      accept: ['image/avif,*/*', 'image/webp', 'image/png', 'application/json', 'text/html'],
      'accept-language': ['de', 'en'],
      'user-agent': ['Mozilla/5.0 Firefox/144.0', 'curl/8'],
      authorization: [String(browser.headers['authorization']), `Bearer ${operatorKey}`],
      cookie: ['a=b'],
      'x-session-transport': ['body'],
      'x-forwarded-host': ['elsewhere.test'],
      'x-forwarded-proto': ['https'],
    }
  })
  after(() => service.app.close())

  const ask = (url: string, headers: Headers) =>
    service.request({ method: 'GET', url, headers: { host: own, ...headers } })

  /** Returns an address of a route that has an answer, if there is one. */
  function addressesOf(url: string): string[] {
    if (url === cacheable[0]) return [imagePath, `${imagePath}?w=10`, `${imagePath}?f=auto`]
    const path = url
      .replaceAll('*', 'x')
      .replaceAll(/:(\w+)/g, (_match, name: string) => (name === 'publicKey' ? tenant.publicKey : tenant.id))
    return [path, `${path}?publicKey=${tenant.publicKey}`]
  }

  // Guards: caches
  it('belongs to a short list of routes, whoever asks', async () => {
    assert.ok(routes.size > 60)
    const credentials: Headers[] = [{}, { authorization: `Bearer ${operatorKey}` }]
    for (const key of variations['x-public-key'] ?? []) {
      for (const authorization of variations['authorization'] ?? [])
        credentials.push({ 'x-public-key': key, authorization })
    }
    const kept = new Set<string>()
    for (const route of routes) {
      // A description of an interface is the same for whoever asks, and caches ask for it again.
      if (route.endsWith('/events/stream') || route.endsWith('/openapi.json')) continue
      for (const address of addressesOf(route)) {
        for (const headers of credentials) if (isKept(await ask(address, headers))) kept.add(route)
      }
    }
    assert.deepEqual([...kept].toSorted(), cacheable.toSorted())
  })

  // Guards: caches
  it('names every header that it depends on, also if another answer or an error is kept', async () => {
    let differing = 0
    for (const url of cacheable.flatMap((route) => addressesOf(route))) {
      const bases: Headers[] = [{}, { 'x-public-key': tenant.publicKey }]
      for (const base of bases) {
        const first = await ask(url, base)
        for (const [name, values] of Object.entries(variations)) {
          for (const value of values) {
            const second = await ask(url, { ...base, [name]: value })
            if (shown(second) === shown(first)) continue
            differing++
            for (const answer of [first, second]) {
              const isNamed = listOf(answer.headers['vary']).includes(name)
              assert.ok(!isKept(answer) || isNamed, `${url} depends on ${name}: ${String(answer.headers['vary'])}`)
            }
          }
        }
      }
    }
    assert.ok(differing > 10, String(differing))
  })

  // Guards: caches
  it('stays out of shared caches if a header named the tenant, because some ignore Vary', async () => {
    for (const url of cacheable.slice(1, 3)) {
      const byKey = await ask(url, { 'x-public-key': tenant.publicKey })
      const byAddress = await ask(`${url}?publicKey=${tenant.publicKey}`, {})
      assert.equal(byKey.headers['cache-control'], 'private, max-age=600')
      assert.equal(byAddress.headers['cache-control'], 'public, max-age=600')
      assert.equal(byKey.text, byAddress.text)
      const ofOther = await ask(url, { 'x-public-key': other.publicKey })
      assert.notEqual(ofOther.text, byKey.text)
      for (const missing of [await ask(url, {}), await ask(url, { 'x-public-key': 'pk_none' })]) {
        assert.equal(missing.headers['cache-control'], 'no-store')
      }
    }
  })

  // Guards: caches
  it('is never an error, also if a successful answer would be kept', async () => {
    const { db } = service.deps
    const all = db.all.bind(db)
    const failing = service.deps.db as { all: typeof db.all }
    failing.all = () => Promise.reject(new Error('no database'))
    try {
      const answer = await ask(`${cacheable[1]}?publicKey=${tenant.publicKey}`, {})
      assert.deepEqual([answer.status, answer.headers['cache-control']], [500, 'no-store'])
    } finally {
      failing.all = all
    }
  })
})

describeOnEachEngine('a preflight', (open) => {
  let service: TestService
  let tenant: Tenant
  const pageOrigin = 'https://app.acme.example'
  before(async () => {
    service = await startTestService((await open()).database)
    ;({ tenant } = await createTenant(service))
    const body = { homeUri: `${pageOrigin}/` }
    await service.ok('putAuthTenant', { params: { id: tenant.id }, body })
  })
  after(() => service.app.close())

  const ask = async (origin: string, search = '', path = '/user', host = own) => {
    const { status, headers } = await service.request({
      method: 'OPTIONS',
      url: `/frontend/api/v0${path}${search}`,
      headers: { host, origin, 'access-control-request-method': 'GET' },
    })
    assert.equal(status, 204)
    assert.deepEqual(listOf(headers['vary']), ['origin'])
    const names = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
    assert.ok(names.length === 0 || names.length === 5, names.join())
    return headers['access-control-allow-origin']
  }

  // Guards: preflights
  it('grants a page of another origin nothing if the address names the tenant', async () => {
    const search = `?publicKey=${tenant.publicKey}`
    assert.equal(await ask(pageOrigin, search), pageOrigin)
    for (const origin of ['https://evil.example', `${pageOrigin}.evil.example`, 'http://app.acme.example', 'null']) {
      assert.equal(await ask(origin, search), undefined, origin)
    }
  })

  // Guards: preflights
  it('grants a page of another origin nothing if the host names the tenant', async () => {
    const name = `login-${tenant.id}.example`
    await service.ok('createDomain', { body: { tenantId: tenant.id, name } })
    const { deps } = service
    await deps.db.transaction(async (tx) => {
      await tx.run(sql`UPDATE domains SET verified_at = ${deps.clock.now()} WHERE name = ${name}`)
      await invalidateTenant(tx, deps.tenants, tenant.id as TenantId)
    })
    assert.equal(await ask(pageOrigin, '', '/user', name), pageOrigin)
    assert.equal(await ask(`https://${name}`, '', '/user', name), `https://${name}`)
    assert.equal(await ask('https://evil.example', '', '/user', name), undefined)
  })

  // Guards: preflights
  it('decides nothing if it names none: the call itself is refused', async () => {
    for (const search of ['', '?publicKey=pk_none']) {
      assert.equal(await ask('https://evil.example', search), 'https://evil.example')
    }
    const browser = new Browser(service, tenant.publicKey, { origin: 'https://evil.example' })
    await browser.refused('getProfile', 'origin_refused')
  })

  it('lets every page ask for the keys, as the keys themselves do', async () => {
    const search = `?publicKey=${tenant.publicKey}`
    assert.equal(await ask('https://any.example', search, '/.well-known/jwks.json'), 'https://any.example')
  })
})
