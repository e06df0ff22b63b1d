// A million users in and out again, over HTTP, on both engines: how fast, and how much memory the service takes at its peak.
// Run it with `node bench/src/import-export.ts [--users=1000000] [--engine=sqlite]`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { startPrivatePostgres } from '../../scripts/private-postgres.ts'
import type { EngineName, Store } from './data/store.ts'
import { type BailiwickServer, startBailiwick } from './servers/bailiwick.ts'
import { residentMegabytes } from './servers/child-process.ts'

const linesPerWrite = 500
const sampleMs = 100

interface Call {
  readonly method: string
  readonly path: string
  readonly contentType?: string
  readonly body?: Iterable<string>
}

/** Sends while it receives: `onChunk` gets the answer as it comes. */
async function call(
  { port }: BailiwickServer,
  { operatorKey }: Store,
  { method, path, contentType, body }: Call,
  onChunk: (chunk: Buffer) => void,
): Promise<void> {
  const outgoing = request({
    port,
    host: '127.0.0.1',
    method,
    path: `/api/v0${path}`,
    agent: false,
    headers: {
      authorization: `Bearer ${operatorKey}`,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
  const sent = body === undefined ? void outgoing.end() : pipeline(Readable.from(body), outgoing)
  const incoming = await answered
  for await (const chunk of incoming) onChunk(chunk as Buffer)
  await sent
  if (incoming.statusCode !== 200) throw new Error(`${method} ${path} answered ${incoming.statusCode}`)
}

function* lines(users: number): Generator<string> {
  let text = ''
  for (let n = 0; n < users; n++) {
    text += `{"email":"person${n}@example.com","emailVerified":true,"name":"Person ${n}","publicMeta":{"n":${n}}}\n`
    if (n % linesPerWrite === linesPerWrite - 1) {
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

/** From /proc/PID/status, in MB of 10^6 bytes. */
function statusMegabytes({ child: { pid } }: BailiwickServer, field: 'VmHWM' | 'RssAnon'): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kilobytes) * 1024) / 1e6
}

/** Follows the memory that is the process's own: what SQLite maps of its file counts as resident, and is given back on demand. */
function watchOwnMemory(server: BailiwickServer) {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, statusMegabytes(server, 'RssAnon'))
  }, sampleMs)
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}

async function createTenant(server: BailiwickServer, store: Store): Promise<string> {
  let text = ''
  const body = [JSON.stringify({ name: 'Import', environment: 'development' })]
  const sent = { method: 'POST', path: '/tenants', contentType: 'application/json', body }
  await call(server, store, sent, (chunk) => (text += chunk.toString()))
  return (JSON.parse(text) as { id: string }).id
}

async function timed(what: string, users: number, server: BailiwickServer, step: () => Promise<string>) {
  const startedAt = performance.now()
  const memory = watchOwnMemory(server)
  const result = await step()
  const own = memory.stop().toFixed(0)
  const seconds = (performance.now() - startedAt) / 1000
  const rate = Math.round(users / seconds)
  console.log(
    `  ${what}: ${seconds.toFixed(1)} s, ${rate} users/s, peak ${own} MB own, ${statusMegabytes(server, 'VmHWM').toFixed(0)} MB with mapped files; ${result}`,
  )
}

async function measure(engine: EngineName, store: Store, users: number) {
  const server = await startBailiwick(store, { compileCache: join(store.dataDir, 'compiled') })
  try {
    console.log(`${engine}, ${users} users; ${residentMegabytes(server.child).toFixed(0)} MB when ready`)
    const tenantId = await createTenant(server, store)
    const importAll = async () => {
      let last = ''
      const path = `/auth/users/import?tenantId=${tenantId}`
      await call(
        server,
        store,
        { method: 'POST', path, contentType: 'application/x-ndjson', body: lines(users) },
        (chunk) => {
          last = (last + chunk.toString()).slice(-200)
        },
      )
      return last.trim().split('\n').at(-1) ?? ''
    }
    await timed('import', users, server, importAll)
    await timed('the same file again', users, server, importAll)
    await timed('export', users, server, async () => {
      let bytes = 0
      let count = 0
      await call(server, store, { method: 'GET', path: `/auth/users/export?tenantId=${tenantId}` }, (chunk) => {
        bytes += chunk.length
        for (const byte of chunk) if (byte === 10) count++
      })
      return `${count} lines, ${(bytes / 1e6).toFixed(0)} MB`
    })
  } finally {
    await server.stop()
  }
}

const { values } = parseArgs({ options: { users: { type: 'string' }, engine: { type: 'string' } } })
const users = Number(values.users ?? 1_000_000)
const engines = (['sqlite', 'postgresql'] as const).filter(
  (name) => values.engine === undefined || values.engine === name,
)
for (const engine of engines) {
  const dataDir = mkdtempSync(join(tmpdir(), 'bailiwick-import-'))
  const postgres = engine === 'postgresql' ? await startPrivatePostgres() : undefined
  const operatorKey = `op_${randomBytes(32).toString('hex')}`
  const store: Store = {
    engine,
    dataDir,
    operatorKey,
    sqliteFile: join(dataDir, 'bailiwick.db'),
    databaseUrl: postgres?.url,
  }
  try {
    await measure(engine, store, users)
  } finally {
    await postgres?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
