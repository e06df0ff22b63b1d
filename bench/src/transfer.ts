// Imports and exports hundreds of thousands of users over HTTP: measures the speed, and the service's memory at its peak.
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Store } from './data/store.ts'
import { type BailiwickOptions, type BailiwickServer, startBailiwick } from './servers/bailiwick.ts'
import { cpuSeconds, statusMegabytes } from './servers/process-figures.ts'

const linesPerWrite = 500
const sampleMs = 50

export interface Transfer {
  readonly name: 'Import' | 'Import of the same again' | 'Export'
  readonly seconds: number
  /** The processor time of the service alone, which does not depend on other work of the machine. */
  readonly cpuSeconds: number
  /** The peak of the memory that belongs to the process alone. */
  readonly ownMegabytes: number
  /** The peak of all resident memory, with mapped files, which the system can reclaim at any time. */
  readonly residentMegabytes: number
}

interface Call {
  readonly method: string
  readonly path: string
  readonly contentType?: string
  readonly body?: Iterable<string>
}

/** Sends while it receives: `onChunk` gets the parts of the answer as they arrive. */
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

async function measured(name: Transfer['name'], server: BailiwickServer, step: () => Promise<void>): Promise<Transfer> {
  let ownMegabytes = 0
  const look = () => {
    ownMegabytes = Math.max(ownMegabytes, statusMegabytes(server, 'RssAnon'))
  }
  const timer = setInterval(look, sampleMs)
  const startedAt = performance.now()
  const cpuBefore = cpuSeconds(server)
  try {
    await step()
  } finally {
    clearInterval(timer)
    look()
  }
  return {
    name,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: cpuSeconds(server) - cpuBefore,
    ownMegabytes,
    residentMegabytes: statusMegabytes(server, 'VmHWM'),
  }
}

async function createTenant(server: BailiwickServer, store: Store): Promise<string> {
  let text = ''
  const body = [JSON.stringify({ name: 'Import', environment: 'development' })]
  const sent = { method: 'POST', path: '/tenants', contentType: 'application/json', body }
  await call(server, store, sent, (chunk) => (text += chunk.toString()))
  return (JSON.parse(text) as { id: string }).id
}

async function importAll(server: BailiwickServer, store: Store, tenantId: string, users: number, status: string) {
  let end = ''
  const path = `/auth/users/import?tenantId=${tenantId}`
  const sent = { method: 'POST', path, contentType: 'application/x-ndjson', body: lines(users) }
  await call(server, store, sent, (chunk) => {
    end = (end + chunk.toString()).slice(-200)
  })
  const { summary } = JSON.parse(end.trim().split('\n').at(-1) ?? '') as { summary: Record<string, number> }
  if (summary[status] !== users) throw new Error(`the import ended with ${JSON.stringify(summary)}`)
}

async function exportAll(server: BailiwickServer, store: Store, tenantId: string, users: number) {
  let count = 0
  await call(server, store, { method: 'GET', path: `/auth/users/export?tenantId=${tenantId}` }, (chunk) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count++
  })
  if (count !== users) throw new Error(`${count} users were exported`)
}

/** Imports that many users into a new service, tries to import them again, and exports them. */
export async function transferUsers(store: Store, users: number, options: BailiwickOptions): Promise<Transfer[]> {
  const server = await startBailiwick(store, options)
  try {
    const tenantId = await createTenant(server, store)
    return [
      await measured('Import', server, () => importAll(server, store, tenantId, users, 'created')),
      await measured('Import of the same again', server, () => importAll(server, store, tenantId, users, 'exists')),
      await measured('Export', server, () => exportAll(server, store, tenantId, users)),
    ]
  } finally {
    await server.stop()
  }
}
