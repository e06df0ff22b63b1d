// Images are sent from memory. Readers who ask for large ones and do not read them keep little of it, and are cut off.
import assert from 'node:assert/strict'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { ApiError } from '../../src/platform/http/api-error.ts'
import { UnreadAnswers, largeBytesMin } from '../../src/platform/http/limits/unread-answers.ts'
import { createFile, createTenant } from '../harness/factories.ts'
import { describeService } from '../harness/service.ts'

const readers = 30

describeService('images that are not read', (service) => {
  // Guards: unread-answers
  it('are in memory once, however many readers leave them unread', async () => {
    const { tenant } = await createTenant(service())
    const side = 1200
    const noise = randomFillSync(Buffer.alloc(3 * side * side))
    const bytes = await sharp(noise, { raw: { width: side, height: side, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer()
    const { id } = await createFile(service(), tenant.id, { mime: 'image/png' }, bytes)
    const url = `/api/v0/media/${tenant.id}/${id}/image`
    const whole = await service().app.inject({ url, headers: { host: 'id.test' } })
    assert.equal(whole.statusCode, 200)
    const size = whole.rawPayload.length
    assert.ok(size > 2_000_000, 'more than the memory for images takes of one, and than the buffers of a connection')
    await service().app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = service().app.server.address() as AddressInfo
    const sockets: Socket[] = []
    const before = process.memoryUsage().arrayBuffers
    try {
      for (let n = 0; n < readers; n++) {
        const socket = connect(port, '127.0.0.1')
        sockets.push(socket)
        socket.write(`GET ${url} HTTP/1.1\r\nhost: id.test\r\n\r\n`)
        const [head] = (await once(socket, 'data')) as [Buffer]
        socket.pause()
        assert.match(head.toString('latin1'), /^HTTP\/1\.1 200/)
      }
      const copies = (process.memoryUsage().arrayBuffers - before) / size
      assert.ok(copies < readers / 3, `${copies.toFixed(1)} copies for ${readers} readers`)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})

const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'unavailable'

describe('large answers that wait for their readers', () => {
  const bytes = () => Buffer.alloc(largeBytesMin)
  const ends: (() => void)[] = []
  after(() => {
    for (const end of ends) end()
  })

  /** Sends what `answer` returns to one connection, which reads nothing. */
  async function unreadBy(unread: UnreadAnswers, owner: string, name: string, body = bytes()) {
    const { promise, resolve } = Promise.withResolvers<Buffer | Error>()
    const server = createServer((_request, response) => {
      try {
        const held = unread.hold(owner, name, body, response)
        // More than the buffers of a connection take.
        response.write(Buffer.alloc(16 * 1024 * 1024))
        resolve(held)
      } catch (error) {
        response.destroy()
        resolve(error as Error)
      }
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nhost: id.test\r\n\r\n')
    const close = () => {
      socket.destroy()
      server.close()
    }
    ends.push(close)
    return { held: await promise, close }
  }

  // Guards: unread-answers
  it('share the bytes of one name, count them once, and are refused beyond what may wait', async () => {
    const unread = new UnreadAnswers({ perOwnerMax: 2 * largeBytesMin, perNodeMax: 3 * largeBytesMin })
    const first = await unreadBy(unread, 'a', 'one')
    for (let n = 0; n < 5; n++) assert.equal((await unreadBy(unread, 'a', 'one')).held, first.held)
    assert.equal(unread.find('one'), first.held)
    const second = await unreadBy(unread, 'a', 'two')
    assert.ok(isRefused((await unreadBy(unread, 'a', 'three')).held), 'an owner has a share')
    await unreadBy(unread, 'b', 'four')
    assert.ok(isRefused((await unreadBy(unread, 'c', 'five')).held), 'a node has a bound')
    assert.ok(Buffer.isBuffer((await unreadBy(unread, 'c', 'five', Buffer.alloc(largeBytesMin - 1))).held))
    second.close()
    while (unread.find('two') !== undefined) await sleep(5)
    assert.ok(Buffer.isBuffer((await unreadBy(unread, 'c', 'five')).held))
  })

  // Guards: unread-answers
  it('are cut off once nothing of them is taken', async () => {
    const unread = new UnreadAnswers({ perOwnerMax: largeBytesMin, perNodeMax: largeBytesMin, stalledMs: 50 })
    await unreadBy(unread, 'a', 'one')
    while (unread.find('one') !== undefined) await sleep(5)
  })
})
