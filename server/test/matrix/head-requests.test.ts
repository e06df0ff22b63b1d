// HEAD requests of link checkers, monitors and caches: they get the answer of GET without the body (RFC 9110 §9.3.2).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, it } from 'node:test'
import {
  type Endpoint,
  type FrontendEndpoint,
  type FrontendEndpointId,
  endpoints,
  frontendEndpoints,
} from '@bailiwick/contract'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { recordStatements } from '../harness/databases/recorded-statements.ts'
import { createFile, createTenant } from '../harness/factories.ts'
import { type Answer, type CallOptions, describeService, operatorKey, startTestService } from '../harness/service.ts'
import { type FrontendWorld, createFrontendWorld, pathNames } from './frontend-world.ts'
import { endpointIds, requests, tokenFor } from './requests.ts'
import { type World, createWorld } from './world.ts'

/** What differs from one request to the next, whatever the method, and headers that depend on a body being sent. */
const passing = new Set(['date', 'x-request-id', 'transfer-encoding', 'ratelimit', 'ratelimit-policy'])
const told = ({ headers }: Answer) => Object.entries(headers).filter(([name]) => !passing.has(name))

const isEndless = (endpoint: Endpoint) => endpoint.responseType === 'text/event-stream'
const filled = (path: string, params: Readonly<Record<string, string>> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? name))

describeService('HEAD', (service) => {
  let world: World
  let frontend: FrontendWorld
  before(async () => {
    world = await createWorld(service())
    frontend = await createFrontendWorld(service(), (await createTenant(service())).tenant)
  })
  after(() => service().app.close())

  async function assertSame(url: string, headers: Readonly<Record<string, string>>, status?: number) {
    const [get, head] = [
      await service().request({ method: 'GET', url, headers }),
      await service().request({ method: 'HEAD', url, headers }),
    ]
    if (status !== undefined) assert.equal(get.status, status, `GET ${url}: ${get.text}`)
    assert.equal(head.status, get.status, `HEAD ${url}`)
    assert.equal(head.text, '', `HEAD ${url}`)
    const isStreamed = get.headers['content-length'] === undefined
    const expected = told(get).filter(([name]) => !(get.status >= 400 && name === 'content-length'))
    const got = told(head).filter(([name]) => !(get.status >= 400 && name === 'content-length'))
    assert.deepEqual(got, expected, `HEAD ${url}`)
    if (isStreamed) assert.equal(head.headers['content-length'], undefined, url)
  }

  function managed(endpoint: Endpoint, { params, query }: CallOptions) {
    const search = new URLSearchParams(query).toString()
    return `/api/v0${filled(endpoint.path, params)}${search === '' ? '' : `?${search}`}`
  }

  for (const id of endpointIds.filter((each) => endpoints[each].method === 'GET')) {
    const endpoint: Endpoint = endpoints[id]
    if (isEndless(endpoint)) {
      it(`is refused with 405 by ${id}, whose answer never ends`, async () => {
        const url = managed(endpoint, requests[id].valid(world))
        const answer = await service().request({ method: 'HEAD', url, headers: { host: 'id.test' } })
        assert.deepEqual([answer.status, answer.headers['allow']], [405, 'GET'])
      })
      continue
    }
    it(`is answered like GET by ${id}, with a credential and without`, async () => {
      const valid: CallOptions = requests[id].valid(world)
      const token = tokenFor(id, world)
      const headers = { host: 'id.test', ...valid.headers }
      const url = managed(endpoint, valid)
      await assertSame(url, { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) }, 200)
      await assertSame(url, headers, token === null ? 200 : 401)
    })
  }

  it('is answered like GET by every operation of the frontend interface, signed in by a cookie or not', async () => {
    const { browser } = frontend.person
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const reads = (Object.values(frontendEndpoints) as FrontendEndpoint[]).filter(({ method }) => method === 'GET')
    assert.ok(reads.length > 15)
    for (const { id, path, session } of reads) {
      const { publicKey, tenantId } = frontend.person
      const params = pathNames[id as FrontendEndpointId]?.(frontend) ?? { publicKey, id: tenantId }
      const headers = { host: 'id.test', 'x-public-key': publicKey }
      const url = `/frontend/api/v0${filled(path, params)}`
      // A plain link without an origin, which GET accepts.
      await assertSame(url, { ...headers, cookie })
      await assertSame(url, { ...headers, cookie, origin: 'http://localhost:3000' })
      await assertSame(
        url,
        { ...headers, cookie, origin: 'https://evil.example' },
        session === 'none' ? undefined : 403,
      )
      await assertSame(url, headers, session === 'required' ? 401 : undefined)
    }
  })

  it('is answered like GET by what is served beside the operations', async () => {
    const { publicKey } = frontend.person
    const { id: fileId, tenantId } = await createFile(service(), world.tenantId)
    for (const [url, status] of [
      ['/livez', 200],
      ['/readyz', 200],
      ['/api/v0/openapi.json', 200],
      ['/docs/', 200],
      ['/frontend/api/v0/openapi.json', 200],
      [`/frontend/api/v0/.well-known/jwks.json?publicKey=${publicKey}`, 200],
      [`/frontend/api/v0/.well-known/openid-configuration?publicKey=${publicKey}`, 200],
      ['/frontend/api/v0/.well-known/jwks.json?publicKey=pk_nobody', 404],
      [`/api/v0/media/${tenantId}/${fileId}/image`, 200],
      [`/api/v0/media/${tenantId}/cnobodyhasthis/image`, 404],
      ['/api/v0/nothing', 404],
    ] as const)
      await assertSame(url, { host: 'id.test' }, status)
    await assertSame('/dev/inbox', { host: 'localhost' }, 200)
  })

  it('does not redeem the code that a browser brings back from a social provider', async () => {
    const url = '/frontend/api/v0/oauth/callback/google?code=x&state=y'
    const answer = await service().request({ method: 'HEAD', url, headers: { host: 'id.test' } })
    assert.deepEqual([answer.status, answer.headers['allow']], [405, 'GET, POST'])
  })

  it('leaves nothing on the connection, so that the next answer is read correctly', async () => {
    await service().app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((service().app.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    const headers = `host: id.test\r\nauthorization: Bearer ${world.secretKey}\r\n`
    const record = `/api/v0/tenants/${world.tenantId}`
    const asked = ['/api/v0/tenants', record, `/api/v0/auth/users/export?tenantId=${world.tenantId}`, record]
    for (const url of asked) socket.write(`HEAD ${url} HTTP/1.1\r\n${headers}\r\n`)
    socket.write(`GET /livez HTTP/1.1\r\nhost: id.test\r\nconnection: close\r\n\r\n`)
    const answers = (await text(socket)).split('HTTP/1.1 ').slice(1)
    assert.equal(answers.length, asked.length + 1)
    for (const answer of answers) assert.match(answer, /^200 /)
    for (const answer of answers.slice(0, -1)) assert.ok(answer.endsWith('\r\n\r\n'), answer)
    assert.ok(answers.at(-1)?.endsWith('{"status":"success"}'))
  })
})

describeOnEachEngine('HEAD of what is streamed', (open) => {
  it('does not start the stream: no row is read for a body that is not sent', async () => {
    const recording = recordStatements((await open()).database)
    const service = await startTestService(recording.database)
    const { tenant } = await createTenant(service)
    const ask = (method: 'GET' | 'HEAD') => () =>
      service.request({
        method,
        url: `/api/v0/auth/users/export?tenantId=${tenant.id}`,
        headers: { host: 'id.test', authorization: `Bearer ${operatorKey}` },
      })
    const reads = (lines: readonly string[]) => lines.filter((line) => line.includes('FROM users')).length
    assert.ok(reads(await recording.recorded(ask('GET'))) > 0)
    assert.equal(reads(await recording.recorded(ask('HEAD'))), 0)
    await service.app.close()
  })
})
