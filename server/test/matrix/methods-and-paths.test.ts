// Which addresses exist: undeclared methods, and spellings that routers and proxies read differently.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, it } from 'node:test'
import { type Endpoint, type ErrorBody, endpoints, errorCatalogue } from '@bailiwick/contract'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { describeServiceOnce, operatorKey } from '../harness/service.ts'
import { spellings } from './path-spellings.ts'
import { type World, createWorld } from './world.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const
/** Known to HTTP, but used by nothing here: Fastify does not route them. */
const foreignMethods = ['PROPFIND', 'MKCOL', 'LOCK', 'SEARCH', 'PURGE', 'LINK', 'REPORT'] as const

const paths = [...new Set(Object.values(endpoints).map(({ path }) => path))]
const declaredAt = (path: string) => {
  const all: readonly Endpoint[] = Object.values(endpoints)
  const here = all.filter((each) => each.path === path)
  const hasHead = here.some(({ method, responseType }) => method === 'GET' && responseType !== 'text/event-stream')
  return [...here.map(({ method }) => method), ...(hasHead ? ['HEAD'] : [])]
}
const filled = (path: string, { tenantId, publicKey, slug }: World) =>
  `/api/v0${path
    .replace('{publicKey}', publicKey)
    .replace('{slug}', slug)
    .replaceAll(/\{\w+\}/g, tenantId)}`

describeServiceOnce('undeclared methods', (service) => {
  let world: World
  before(async () => {
    world = await createWorld(service())
  })

  for (const path of paths) {
    const declared: readonly string[] = declaredAt(path)

    it(`${path} answers 405 with Allow to all methods but ${declared.join(', ')}`, async () => {
      await assertWritesNothing(service().deps.db, async () => {
        for (const method of methods.filter((each) => !declared.includes(each))) {
          for (const headers of [{ host: 'id.test' }, { host: 'id.test', authorization: `Bearer ${operatorKey}` }]) {
            const url = filled(path, world)
            const answer = await service().request({ method, url, headers })
            assert.equal(answer.status, 405, `${method}: ${answer.text}`)
            assert.deepEqual(String(answer.headers['allow']).split(', ').toSorted(), declared.toSorted(), method)
            if (method !== 'HEAD') assert.equal((answer.body as ErrorBody).code, 'method_not_allowed')
          }
        }
      })
    })

    it(`${path} does not exist for the methods of other protocols`, async () => {
      for (const method of foreignMethods) {
        const headers = { host: 'id.test', authorization: `Bearer ${operatorKey}` }
        const { status } = await service().request({ method, url: filled(path, world), headers })
        assert.ok(status === 404 || status === 405, `${method} answered ${status}`)
      }
    })
  }
})

const refusedCodes = ['unauthenticated', 'not_found', 'malformed_request', 'method_not_allowed']

describeServiceOnce('spellings of paths', (service) => {
  let world: World
  let port = 0
  before(async () => {
    world = await createWorld(service())
    await service().app.listen({ port: 0, host: '127.0.0.1' })
    port = (service().app.server.address() as AddressInfo).port
  })
  after(() => service().app.close())

  /** Sent over a socket, because clients normalise what they send. */
  async function send(method: string, target: string) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`${method} ${target} HTTP/1.1\r\nhost: id.test\r\nconnection: close\r\n\r\n`)
    const answer = await text(socket)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
    return { status, body: answer.slice(answer.indexOf('\r\n\r\n') + 4) }
  }

  for (const { id, method, path, permission } of Object.values(endpoints)) {
    // Public, however it is requested.
    if (permission === 'public') continue
    // Guards: spelt-paths
    it(`${id} is reached by none of them without a credential`, async () => {
      await assertWritesNothing(service().deps.db, async () => {
        for (const target of spellings(filled(path, world))) {
          const { status, body } = await send(method, target)
          const code = refusedCodes.find((each) => body.includes(`"code":"${each}"`))
          assert.ok(code !== undefined, `${method} ${target}: ${status} ${body}`)
          assert.equal(errorCatalogue[code as keyof typeof errorCatalogue].status, status, target)
          assert.ok(!body.includes(world.secretKey))
        }
      })
    })
  }
})
