// The import over a real connection: the input arrives in pieces, the answer is read slowly, or the sender stops in the middle.
import assert from 'node:assert/strict'
import { type IncomingMessage, type ClientRequest, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { before, it } from 'node:test'
import { createTenant } from '../../../test/harness/factories.ts'
import { type TestService, describeService, operatorKey } from '../../../test/harness/service.ts'
import { storedCounter } from '../../../test/harness/stored.ts'

interface Exchange {
  readonly outgoing: ClientRequest
  readonly answered: Promise<IncomingMessage>
}

describeService('POST /auth/users/import over a connection', (service) => {
  let port: number
  before(async () => {
    const { app } = service()
    await app.listen({ host: '127.0.0.1', port: 0 })
    port = (app.server.address() as AddressInfo).port
  })

  function begin(tenantId: string): Exchange {
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/api/v0/auth/users/import?tenantId=${tenantId}`,
      agent: false,
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/x-ndjson' },
    })
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject)
    })
    return { outgoing, answered }
  }

  const line = (n: number) =>
    `${JSON.stringify({ email: `person${n}@example.com`, name: `Person ${n} ${'x'.repeat(100)}` })}\n`

  it('answers a line before the next one is sent, also if lines arrive in pieces', async () => {
    const { tenant } = await createTenant(service())
    const { outgoing, answered } = begin(tenant.id)
    outgoing.write(line(0))
    const incoming = await answered
    const answers = incoming[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const next = async () => JSON.parse(String((await answers.next()).value)) as { line: number; status: string }
    assert.equal((await next()).status, 'created')
    const text = line(1)
    for (let index = 0; index < text.length; index += 40) {
      outgoing.write(text.slice(index, index + 40))
      await sleep(1)
    }
    const second = await next()
    assert.deepEqual([second.line, second.status], [2, 'created'])
    outgoing.end()
    assert.deepEqual(await next(), { summary: { created: 2, exists: 0, error: 0 } })
    assert.equal((await answers.next()).done, true)
  })

  it('reads no faster than its answers are taken', async () => {
    const { tenant } = await createTenant(service())
    const { outgoing, answered } = begin(tenant.id)
    // Lines of existing users cost nothing but their answers, each of which is longer than its line.
    outgoing.write('{"id":"csameperson"}\n')
    const incoming = await answered
    incoming.pause()
    const chunk = '{"id":"csameperson"}\n'.repeat(3000)
    const chunksMax = 1500
    let written = 0
    let isStuck = false
    while (!isStuck && written < chunksMax) {
      written++
      if (!outgoing.write(chunk)) {
        const drained = new Promise<boolean>((resolve) => void outgoing.once('drain', () => resolve(true)))
        isStuck = !(await Promise.race([drained, sleep(3000, false)]))
      }
    }
    assert.ok(isStuck, `${written} chunks were taken while nobody read the answers`)
    incoming.resume()
    outgoing.end()
    let tail = ''
    for await (const part of incoming) tail = (tail + String(part)).slice(-200)
    const last = JSON.parse(tail.trim().split('\n').at(-1) ?? '') as { summary: object }
    assert.deepEqual(last, { summary: { created: 1, exists: written * 3000, error: 0 } })
  })

  it('keeps the complete lines if the sender disconnects, and serves other requests', async () => {
    const { tenant } = await createTenant(service())
    const { outgoing, answered } = begin(tenant.id)
    outgoing.on('error', () => undefined)
    outgoing.write(line(0) + line(1) + line(2).slice(0, 30))
    const incoming = await answered
    incoming.on('error', () => undefined)
    await new Promise((resolve) => incoming.once('data', resolve))
    outgoing.destroy()
    const users = () => storedCounter(service(), tenant.id, 'users')
    while ((await users()) < 2) await sleep(10)
    const connections = () =>
      new Promise<number>((resolve) => service().app.server.getConnections((_error, count) => resolve(count)))
    while ((await connections()) > 0) await sleep(10)
    assert.equal(await users(), 2)
    await service().ok('listUsers', { query: { tenantId: tenant.id } })
  })
})

describeService('the time-out of requests', (service: () => TestService) => {
  it('does not apply to an import, but to everything else', async () => {
    const { app } = service()
    app.server.requestTimeout = 400
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const { tenant } = await createTenant(service())
    const send = (path: string, contentType: string) => {
      const outgoing = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `/api/v0${path}`,
        agent: false,
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': contentType },
      })
      const status = new Promise<number | undefined>((resolve, reject) => {
        outgoing.once('response', (incoming) => {
          incoming.resume()
          incoming.once('end', () => resolve(incoming.statusCode))
          incoming.once('error', reject)
        })
        outgoing.once('error', reject)
      })
      return { outgoing, status }
    }
    const slowImport = send(`/auth/users/import?tenantId=${tenant.id}`, 'application/x-ndjson')
    slowImport.outgoing.write('{"email":"a@example.com"}\n')
    const slowJson = send('/auth/users', 'application/json')
    slowJson.outgoing.write('{"tenantId":')
    assert.equal(await slowJson.status, 408)
    await sleep(2500)
    slowImport.outgoing.end('{"email":"b@example.com"}\n')
    assert.equal(await slowImport.status, 200)
    assert.equal(await storedCounter(service(), tenant.id, 'users'), 2)
  })
})
