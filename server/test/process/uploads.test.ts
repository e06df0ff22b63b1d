// Uploads over real connections: senders that are slow, hang up or send too much, and a service that is killed meanwhile.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { aboutSqlite, anyEngine } from '../harness/databases/engines.ts'
import { png, pngOfBytes } from '../harness/files/images.ts'
import { type Deployment, type ServiceProcess, newDeployment, request, startService, until } from './service-process.ts'

const waitMs = 60_000

async function announce(service: ServiceProcess, size: number): Promise<URL> {
  const tenant = await request(`${service.api}/tenants`, { json: { name: 'Gallery', environment: 'production' } })
  const { body } = await request(`${service.api}/media/uploads`, {
    json: { tenantId: tenant.body['id'], access: 'public', originalFilename: 'a.png', mime: 'image/png', size },
  })
  // The base address of a service on a free port does not name that port.
  const { pathname, search } = new URL(String(body['uploadUrl']))
  return new URL(pathname + search, service.url)
}

function filesOf({ dataDir }: Deployment): string[] {
  const root = join(dataDir, 'media')
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

/** A PUT whose body is sent by hand. */
async function beginPut(url: URL, headers: readonly string[]): Promise<{ socket: Socket; answer: () => string }> {
  const socket = connect(Number(url.port), url.hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write([`PUT ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`, ...headers, '', ''].join('\r\n'))
  return { socket, answer: () => text }
}

const answered = (answer: () => string, pattern: RegExp) =>
  until(
    () => `the answer is ${String(pattern)}: ${answer()}`,
    waitMs,
    () => (pattern.test(answer()) ? true : undefined),
  )

const put = async (url: URL, body: Buffer) => (await fetch(url, { method: 'PUT', body: new Uint8Array(body) })).status

/** The answer once nobody else is sending any more. */
const statusOnceFree = (url: URL, bytes: Buffer) =>
  until('the upload is free', waitMs, async () => {
    const status = await put(url, bytes)
    return status === 409 ? undefined : status
  })

describe('an upload over a connection', () => {
  it('is refused when more comes than was announced, before and while it comes, and the answer is read', async () => {
    const deployment = await newDeployment(anyEngine)
    const service = await startService(deployment.env)
    const url = await announce(service, 1000)
    const told = await beginPut(url, ['Content-Length: 30000000'])
    await answered(told.answer, /^HTTP\/1\.1 413 [^]*payload_too_large/)
    const untold = await beginPut(url, ['Transfer-Encoding: chunked'])
    untold.socket.write(`400\r\n${'x'.repeat(1024)}\r\n`)
    await answered(untold.answer, /^HTTP\/1\.1 413 [^]*payload_too_large/)
    assert.deepEqual(filesOf(deployment), [])
    service.kill('SIGTERM')
    await service.exit()
  })

  it('leaves nothing if its sender hangs up, and accepts the next one', async () => {
    const deployment = await newDeployment(anyEngine)
    const service = await startService(deployment.env)
    const bytes = pngOfBytes(400_000)
    const url = await announce(service, bytes.length)
    const cut = await beginPut(url, [`Content-Length: ${bytes.length}`])
    cut.socket.write(bytes.subarray(0, 50_000))
    await until('the bytes arrive', waitMs, () => (filesOf(deployment).length > 0 ? true : undefined))
    cut.socket.destroy()
    await until('nothing is left', waitMs, () => (filesOf(deployment).length === 0 ? true : undefined))
    assert.equal(await statusOnceFree(url, bytes), 200)
    service.kill('SIGTERM')
    await service.exit()
  })

  it('of a small file blocks no other upload once its sender has hung up, and does not use the disk', async () => {
    const deployment = await newDeployment(anyEngine)
    const service = await startService(deployment.env)
    const bytes = pngOfBytes(100_000)
    const url = await announce(service, bytes.length)
    const cut = await beginPut(url, [`Content-Length: ${bytes.length}`, 'Expect: 100-continue'])
    await answered(cut.answer, /^HTTP\/1\.1 100 /)
    cut.socket.write(bytes.subarray(0, 50_000))
    // Sent with bytes that would be refused too, in case this request comes first.
    const junk = Buffer.alloc(bytes.length)
    await until('the upload is taken', waitMs, async () => ((await put(url, junk)) === 409 ? true : undefined))
    assert.deepEqual(filesOf(deployment), [])
    cut.socket.destroy()
    assert.equal(await statusOnceFree(url, bytes), 200)
    service.kill('SIGTERM')
    await service.exit()
  })

  it('leaves its connection to the next request, to which the usual time limit applies again', async () => {
    const deployment = await newDeployment(anyEngine)
    const service = await startService(deployment.env)
    for (const size of [1000, 400_000]) {
      const bytes = pngOfBytes(size)
      const url = await announce(service, bytes.length)
      const sent = await beginPut(url, [`Content-Length: ${bytes.length}`])
      sent.socket.write(bytes)
      await answered(sent.answer, /^HTTP\/1\.1 200 /)
      assert.doesNotMatch(sent.answer(), /connection: close/)
      sent.socket.write(`GET /livez HTTP/1.1\r\nHost: ${url.host}\r\n\r\nGET /livez HTTP/1.1\r\n`)
      await answered(sent.answer, /success[^]*HTTP\/1\.1 200 [^]*HTTP\/1\.1 408 [^]*request_timeout/)
    }
    service.kill('SIGTERM')
    await service.exit()
  })

  it('is aborted if it is too slow', async () => {
    const deployment = await newDeployment(anyEngine)
    const service = await startService(deployment.env)
    const bytes = png(1, 1)
    const url = await announce(service, bytes.length)
    const slow = await beginPut(url, [`Content-Length: ${bytes.length}`])
    slow.socket.write(bytes.subarray(0, 10))
    await answered(slow.answer, /^HTTP\/1\.1 408 [^]*request_timeout/)
    assert.deepEqual(filesOf(deployment), [])
    service.kill('SIGTERM')
    await service.exit()
  })
})

// On PostgreSQL, other nodes may use the folder, so what is left is removed once it is old enough.
describe('kill -9 of the service while an upload arrives', aboutSqlite, () => {
  it('leaves nothing of it after the next start', async () => {
    const deployment = await newDeployment('sqlite')
    const service = await startService(deployment.env)
    const bytes = pngOfBytes(400_000)
    const url = await announce(service, bytes.length)
    const cut = await beginPut(url, [`Content-Length: ${bytes.length}`])
    cut.socket.write(bytes.subarray(0, 50_000))
    await until('the bytes arrive', waitMs, () => (filesOf(deployment).length > 0 ? true : undefined))
    service.kill('SIGKILL')
    await service.exit()
    assert.equal(filesOf(deployment).length, 1)
    const next = await startService(deployment.env)
    assert.deepEqual(filesOf(deployment), [])
    next.kill('SIGTERM')
    await next.exit()
  })
})
