// Callers who ask for exports and do not read them: each keeps a little of a node, and none keeps the others from it.
import assert from 'node:assert/strict'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { before, it } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { newestFirst } from '../../src/platform/db/newest-first.ts'
import { streamOf } from '../../src/platform/http/answer.ts'
import { ApiError } from '../../src/platform/http/api-error.ts'
import { StreamPlaces } from '../../src/platform/http/limits/stream-places.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { describeService } from '../harness/service.ts'

const isFull = (error: unknown) => error instanceof ApiError && error.code === 'too_many_streams'

/** Texts without end, and how many of them were made. */
function endless() {
  const made = { count: 0, hasEnded: false }
  async function* texts() {
    try {
      for (;;) {
        made.count++
        yield 'x'.repeat(100_000)
      }
    } finally {
      made.hasEnded = true
    }
  }
  return { made, texts: texts() }
}

describeService('exports that are not read', (service) => {
  let port: number
  const sockets: Socket[] = []
  before(async () => {
    await service().app.listen({ host: '127.0.0.1', port: 0 })
    port = (service().app.server.address() as AddressInfo).port
  })

  /** Asks for an export over a connection of its own, and returns the status of the answer. */
  function ask(tenantId: string, key: string): Promise<{ status: number; socket: Socket }> {
    const path = `/api/v0/auth/users/export?tenantId=${tenantId}`
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: id.test\r\nauthorization: Bearer ${key}\r\n\r\n`)
    return new Promise((resolve, reject) => {
      socket.once('data', (head) => {
        socket.pause()
        resolve({ status: Number(String(head).slice(9, 12)), socket })
      })
      socket.once('error', reject)
    })
  }

  it('are refused beyond four of a tenant, while others are answered, and made again once one is closed', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const other = await createTenant(service())
    // More than the buffers between a node and a reader hold.
    const publicMeta = { text: 'x'.repeat(15_000) }
    const lines = Array.from({ length: 2000 }, () => ({ email: `${unique()}@example.com`, publicMeta }))
    await service().ok('importUsers', {
      query: { tenantId: tenant.id },
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    })
    const unread = await Promise.all(Array.from({ length: 12 }, () => ask(tenant.id, secretKey)))
    const [status200, status429] = [200, 429].map((status) => unread.filter((each) => each.status === status))
    assert.deepEqual([status200?.length, status429?.length], [4, 8])
    assert.equal((await ask(other.tenant.id, other.secretKey)).status, 200)
    status200?.[0]?.socket.destroy()
    while ((await ask(tenant.id, secretKey)).status !== 200) await sleep(10)
    // The service closes once nothing is being sent any more.
    for (const socket of sockets) socket.destroy()
  })
})

describeService('a list that nothing bounds', () => {
  it('is made for a few readers of a tenant at once, and for a bounded number on a node', async () => {
    const places = new StreamPlaces({ perOwnerMax: 2, perNodeMax: 3 })
    const open = (owner: string) => places.open(owner, endless().texts)
    const first = open('a')
    open('a')
    assert.throws(() => open('a'), isFull)
    open('b')
    assert.throws(() => open('c'), isFull)
    first.destroy()
    await sleep(1)
    open('c')
  })

  it('is made no further than a reader reads', async () => {
    const { made, texts } = endless()
    const stream = streamOf(texts)
    stream.once('readable', () => undefined)
    for (let turn = 0; turn < 100; turn++) await nextTurn()
    assert.ok(made.count <= 2, `${made.count} batches were made`)
    stream.destroy()
  })

  it('is cut off for a reader that takes nothing', async () => {
    const { made, texts } = endless()
    const stream = streamOf(texts, 20)
    const ended = new Promise<unknown>((resolve) => void stream.once('error', resolve))
    stream.read()
    assert.match(String(await ended), /takes nothing/)
    await sleep(1)
    assert.equal(made.hasEnded, true)
  })

  it('takes a turn of the event loop of its own for each batch, however many lists there are', async () => {
    let turn = 0
    const state = { isOver: false }
    const count = async () => {
      for (; !state.isOver; turn++) await nextTurn()
    }
    const counting = count()
    const turns: number[] = []
    const rows = Array.from({ length: 200 }, () => ({ created_at: 'x' }))
    const read = async () => {
      turns.push(turn)
      return turns.length > 40 ? [] : rows
    }
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for await (const batch of newestFirst(read)) assert.equal(batch.length, 200)
      }),
    )
    state.isOver = true
    await counting
    assert.equal(new Set(turns).size, turns.length, 'two lists were read in one turn')
  })
})
