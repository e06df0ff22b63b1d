// Callers who ask for exports and do not read them: each keeps a little of a node, and none keeps the others from it.
import assert from 'node:assert/strict'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { before, it } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { newestFirst } from '../../src/platform/db/newest-first.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { streamOf } from '../../src/platform/http/answer.ts'
import { ApiError } from '../../src/platform/http/api-error.ts'
import { StreamPlaces } from '../../src/platform/http/limits/stream-places.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { describeService, operatorKey } from '../harness/service.ts'

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

  /** Asks for an answer over a connection of its own, and returns its status. */
  function request(line: string, key: string, body = ''): Promise<{ status: number; socket: Socket }> {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    const about = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
    socket.write(`${line} HTTP/1.1\r\nhost: id.test\r\nauthorization: Bearer ${key}\r\n${about}\r\n${body}`)
    return new Promise((resolve, reject) => {
      socket.once('data', (head) => {
        socket.pause()
        resolve({ status: Number(String(head).slice(9, 12)), socket })
      })
      socket.once('error', reject)
    })
  }

  /** A tenant with more users than the buffers between a node and a reader hold. */
  async function largeTenant() {
    const created = await createTenant(service())
    const publicMeta = { text: 'x'.repeat(15_000) }
    const lines = Array.from({ length: 2000 }, () => ({ email: `${unique()}@example.com`, publicMeta }))
    await service().ok('importUsers', {
      query: { tenantId: created.tenant.id },
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    })
    return created
  }

  const ask = (tenantId: string, key: string) => request(`GET /api/v0/auth/users/export?tenantId=${tenantId}`, key)

  it('are refused beyond four of a tenant, while others are answered, and made again once one is closed', async () => {
    const { tenant, secretKey } = await largeTenant()
    const other = await createTenant(service())
    const unread = await Promise.all(Array.from({ length: 12 }, () => ask(tenant.id, secretKey)))
    const [status200, status429] = [200, 429].map((status) => unread.filter((each) => each.status === status))
    assert.deepEqual([status200?.length, status429?.length], [4, 8])
    assert.equal((await ask(other.tenant.id, other.secretKey)).status, 200)
    status200?.[0]?.socket.destroy()
    while ((await ask(tenant.id, secretKey)).status !== 200) await sleep(10)
    // The service closes once nothing is being sent any more.
    for (const socket of sockets) socket.destroy()
  })

  it('keep no connection to the database and no transaction, except an archive, of which a node makes two', async () => {
    const { tenant, secretKey } = await largeTenant()
    const archive = () =>
      request(
        `POST /api/v0/deployment/tenants/${tenant.id}/archive`,
        operatorKey,
        JSON.stringify({ passphrase: 'correct horse battery staple' }),
      )
    const statuses = await Promise.all([
      ask(tenant.id, secretKey),
      ask(tenant.id, secretKey),
      request(`GET /api/v0/tenants/${tenant.id}/events/stream`, secretKey),
      request('GET /api/v0/tenants', operatorKey),
      archive(),
      archive(),
    ])
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200],
    )
    assert.equal((await archive()).status, 429)
    const { db } = service().deps
    /** Of SQLite, whose snapshots are files of their own, there is nothing to count. */
    const inTransaction = async (expected: number) => {
      if (db.engine === 'sqlite') return
      for (let count: number | undefined; count !== expected; await sleep(10)) {
        const row = await db.first<{ count: number }>(sql`SELECT COUNT(*) AS count FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'`)
        count = row?.count
      }
    }
    await inTransaction(2)
    for (const socket of sockets) socket.destroy()
    await inTransaction(0)
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
