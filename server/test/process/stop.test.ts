import assert from 'node:assert/strict'
import { type Socket, connect } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyEngine, engines } from '../harness/databases/engines.ts'
import { inTime } from '../harness/in-time.ts'
import { dial, requestText } from './raw-connection.ts'
import { type ServiceProcess, newDeployment, request, startService, until } from './service-process.ts'

/** How long a stop is announced in these tests: long enough for a busy machine to send requests meanwhile. */
const delayMs = 6000
const idleMsMax = 15_000

/** Sends the head and half of the body of POST /tenants; the rest completes the request. */
function halfOfCreateTenant(socket: Socket, name: string): string {
  const body = JSON.stringify({ name, environment: 'development' })
  const headers = ['content-type: application/json', `content-length: ${body.length}`]
  socket.write(requestText('POST /api/v0/tenants', headers, body.slice(0, 10)))
  return body.slice(10)
}

const notReady = (service: ServiceProcess) =>
  until('the service is not ready any more', 60_000, async () => {
    const answer = await request(`${service.url}/readyz`)
    return answer.status === 503 ? answer : undefined
  })

describe('SIGTERM', () => {
  for (const engine of engines) {
    it(`makes it not ready at once, lets requests under way end, and then ends with 0 (${engine})`, () =>
      inTime(delayMs, async (begin) => {
        const { env } = await newDeployment(engine)
        const service = await startService({ ...env, BAILIWICK_SHUTDOWN_DELAY_SECONDS: String(delayMs / 1000) })
        const slow = await dial(service.url)
        const rest = halfOfCreateTenant(slow.socket, 'Slow to arrive')
        await request(`${service.url}/readyz`)

        begin()
        service.kill('SIGTERM')
        const answer = await notReady(service)
        assert.equal(answer.headers.get('retry-after'), '2')
        assert.equal(answer.headers.get('connection'), 'close')
        assert.equal((await request(`${service.url}/livez`)).status, 200)
        const meanwhile = await request(`${service.api}/tenants`, {
          json: { name: 'Meanwhile', environment: 'staging' },
        })
        assert.equal(meanwhile.status, 200)
        assert.ok(!service.hasEnded())

        slow.socket.write(rest)
        assert.deepEqual((({ code, signal }) => ({ code, signal }))(await service.exit()), { code: 0, signal: null })
        assert.match(slow.received(), /^HTTP\/1\.1 200 OK\r\n/)
        const again = await startService(env)
        const names = await fetch(`${again.api}/tenants`).then(
          (response) => response.json() as Promise<{ name: string }[]>,
        )
        assert.deepEqual(
          names.map(({ name }) => name),
          ['Slow to arrive', 'Meanwhile'],
        )
      }))
  }

  it('is announced: for the configured time the service still answers, not ready, also on existing connections', () =>
    inTime(delayMs, async (begin) => {
      const { env } = await newDeployment(anyEngine)
      const service = await startService({ ...env, BAILIWICK_SHUTDOWN_DELAY_SECONDS: String(delayMs / 1000) })
      const { body: tenant } = await request(`${service.api}/tenants`, {
        json: { name: 'Leaving slowly', environment: 'staging' },
      })
      const stream = await fetch(`${service.api}/tenants/${String(tenant['id'])}/events/stream`)
      const streamEnd = stream.text()
      let hasStreamEnded = false
      void streamEnd.then(() => (hasStreamEnded = true))
      const idle = await dial(service.url)
      idle.socket.write(requestText('GET /livez'))
      await idle.answers(1)

      begin()
      const startedAt = performance.now()
      service.kill('SIGTERM')
      assert.equal((await notReady(service)).headers.get('connection'), 'close')
      await sleep(1000)
      // One client that was connected before, and one that connects only now.
      idle.socket.write(requestText('GET /livez'))
      const [, last] = await idle.answers(2)
      assert.deepEqual([last?.status, last?.headers.get('connection')], [200, 'close'])
      assert.equal(
        (await request(`${service.api}/tenants`, { json: { name: 'Late', environment: 'staging' } })).status,
        200,
      )
      assert.equal(hasStreamEnded, false)
      assert.equal((await service.exit()).code, 0)
      assert.ok(performance.now() - startedAt >= delayMs)
      assert.match(await streamEnd, /"type":"tenant\.created"|^retry: /)
    }))

  // Regression: the service listened to the end, and the newest connections were reset, which a proxy reports to its caller as 502.
  it('refuses new connections while the last requests are under way, instead of resetting them at the end', async () => {
    const { env } = await newDeployment(anyEngine)
    const service = await startService(env)
    const slow = await dial(service.url)
    const rest = halfOfCreateTenant(slow.socket, 'Slow to arrive')
    await request(`${service.url}/readyz`)
    service.kill('SIGTERM')
    const refusal = await until('a connection is refused', 60_000, async () => {
      const { hostname, port } = new URL(service.url)
      const socket = connect(Number(port), hostname)
      const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
        socket.once('connect', () => resolve(undefined)).once('error', resolve)
      })
      socket.destroy()
      return error
    })
    assert.equal(refusal.code, 'ECONNREFUSED')
    assert.ok(!service.hasEnded())
    slow.socket.write(rest)
    assert.equal((await service.exit()).code, 0)
    assert.match(slow.received(), /^HTTP\/1\.1 200 OK\r\n/)
  })

  it('does not wait for connections without a request', () =>
    inTime(idleMsMax, async (begin) => {
      const { env } = await newDeployment(anyEngine)
      const service = await startService(env)
      const silent = await dial(service.url)
      const idle = await dial(service.url)
      idle.socket.write(requestText('GET /livez'))
      await idle.answers(1)
      begin()
      const startedAt = performance.now()
      service.kill('SIGTERM')
      assert.equal((await service.exit()).code, 0)
      // Requests get thirty seconds; these connections have none.
      assert.ok(performance.now() - startedAt < idleMsMax)
      await Promise.all([silent.closed(), idle.closed()])
    }))

  it('treats a signal that npm forwards as the one that the process group has received', () =>
    inTime(delayMs, async (begin) => {
      const { env } = await newDeployment(anyEngine)
      const service = await startService({ ...env, BAILIWICK_SHUTDOWN_DELAY_SECONDS: String(delayMs / 1000) })
      const slow = await dial(service.url)
      const rest = halfOfCreateTenant(slow.socket, 'Slow to arrive')
      await request(`${service.url}/readyz`)
      begin()
      service.kill('SIGTERM')
      service.kill('SIGTERM')
      // The system may merge two equal signals, and waiting for the first could take longer than the second one counts.
      service.kill('SIGINT')
      await notReady(service)
      slow.socket.write(rest)
      assert.deepEqual((({ code, signal }) => ({ code, signal }))(await service.exit()), { code: 0, signal: null })
      assert.match(slow.received(), /^HTTP\/1\.1 200 OK\r\n/)
    }))

  it('ends at once if it is sent again later', () =>
    inTime(delayMs, async (begin) => {
      const { env } = await newDeployment(anyEngine)
      const service = await startService({ ...env, BAILIWICK_SHUTDOWN_DELAY_SECONDS: String(delayMs / 1000) })
      const slow = await dial(service.url)
      halfOfCreateTenant(slow.socket, 'Never arrives')
      await request(`${service.url}/readyz`)
      begin()
      service.kill('SIGTERM')
      await notReady(service)
      await sleep(1100)
      service.kill('SIGTERM')
      assert.equal((await service.exit()).signal, 'SIGTERM')
    }))

  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    it(`works with ${signal} alike`, async () => {
      const { env } = await newDeployment(anyEngine)
      const service = await startService(env)
      service.kill(signal)
      assert.equal((await service.exit()).code, 0)
    })
  }
})
