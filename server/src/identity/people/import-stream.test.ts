// The import over a real connection: the input arrives in pieces, is large, or stops in the middle.
import assert from 'node:assert/strict'
import { type IncomingMessage, type ClientRequest, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { storedCounter } from '../../../test/harness/databases/stored.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { type TestService, describeService, operatorKey } from '../../../test/harness/service.ts'

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

  const readAll = async (incoming: IncomingMessage) => {
    let text = ''
    for await (const part of incoming) text += String(part)
    return text
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as { line?: number; status?: string; summary?: object })
  }

  // A proxy that gets an answer while it still sends stops sending.
  it('begins to answer when the whole body has arrived, also if lines arrive in pieces', async () => {
    const { tenant } = await createTenant(service())
    const { outgoing, answered } = begin(tenant.id)
    const text = line(0) + line(1)
    for (let index = 0; index < text.length; index += 40) {
      outgoing.write(text.slice(index, index + 40))
      await sleep(1)
    }
    assert.equal(await Promise.race([answered, sleep(300, 'no answer')]), 'no answer')
    assert.equal(await storedCounter(service(), tenant.id, 'users'), 0)
    outgoing.end()
    const answers = await readAll(await answered)
    assert.deepEqual(
      answers.map((answer) => answer.status ?? answer.summary),
      ['created', 'created', { created: 2, exists: 0, error: 0 }],
    )
  })

  it('imports a body that is too large for memory, and answers in its order', async () => {
    const { tenant } = await createTenant(service())
    const { outgoing, answered } = begin(tenant.id)
    const repeats = 150_000
    outgoing.end('{"id":"csameperson"}\n'.repeat(repeats))
    const answers = await readAll(await answered)
    assert.deepEqual(answers.pop(), { summary: { created: 1, exists: repeats - 1, error: 0 } })
    assert.ok(answers.every((answer, index) => answer.line === index + 1))
    assert.equal(answers.length, repeats)
  })

  it('imports nothing if the sender disconnects before the end, and serves other requests', async () => {
    const { tenant } = await createTenant(service())
    const { outgoing, answered } = begin(tenant.id)
    answered.catch(() => undefined)
    outgoing.on('error', () => undefined)
    outgoing.write(line(0) + line(1) + line(2).slice(0, 30))
    const connections = () =>
      new Promise<number>((resolve) => service().app.server.getConnections((_error, count) => resolve(count)))
    while ((await connections()) === 0) await sleep(10)
    outgoing.destroy()
    while ((await connections()) > 0) await sleep(10)
    assert.equal(await storedCounter(service(), tenant.id, 'users'), 0)
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
