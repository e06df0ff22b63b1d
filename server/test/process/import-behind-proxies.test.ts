// An import of many users through a proxy that deploy/ has a sample for. A proxy passes on no answer, or stalls, while it still has
// something of the request to send. One of them is enough, because the import takes long; nginx comes first, since it has stalled.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type RequestOptions, request as httpsRequest } from 'node:https'
import { before, describe, it } from 'node:test'
import type { ImportJob } from '@bailiwick/contract'
import { anyEngine } from '../harness/databases/engines.ts'
import { freePort } from '../harness/free-port.ts'
import { isInstalled } from '../harness/installed.ts'
import { proxies, proxyHost, startProxy } from './proxies.ts'
import { newDeployment, startService, until } from './service-process.ts'

const operatorKey = `op_${randomBytes(32).toString('hex')}`
const users = 50_000
const name = ['nginx', 'haproxy', 'caddy'].find(isInstalled) ?? 'nginx'
const answerMsMax = 300_000

interface Answer {
  readonly status: number | undefined
  readonly lines: readonly string[]
}

const importedLines = () =>
  Array.from({ length: users }, (_, index) => {
    const line = {
      email: `user${index}@example.com`,
      name: `User ${index}`,
      publicMeta: { filler: 'x'.repeat(100) },
    }
    return `${JSON.stringify(line)}\n`
  }).join('')

/** Creates a tenant once the proxy answers, and returns its id. */
async function createTenantThrough(port: number): Promise<string> {
  const newTenant = JSON.stringify({ name: 'Large', environment: 'staging' })
  const made = await until('the proxy answers', 60_000, async () => {
    const answer = await post(port, '/tenants', 'application/json', newTenant).catch(() => undefined)
    return answer?.status === 200 ? answer : undefined
  })
  return (JSON.parse(made.lines[0] ?? '') as { id: string }).id
}

/** Sends the whole body before it reads anything of the answer, as simple clients do. */
const post = (port: number, path: string, contentType: string, body: string) =>
  send(port, path, { method: 'POST', contentType, body })

const get = (port: number, path: string) =>
  send(port, path, { method: 'GET', contentType: 'application/json', body: '' })

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly contentType: string
  readonly body: string
}

function send(port: number, path: string, { method, contentType, body }: Sent): Promise<Answer> {
  const options: RequestOptions = {
    host: '127.0.0.1',
    port,
    path: `/api/v0${path}`,
    method,
    agent: false,
    servername: proxyHost,
    rejectUnauthorized: false,
    timeout: answerMsMax,
    headers: {
      authorization: `Bearer ${operatorKey}`,
      host: proxyHost,
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
    },
  }
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.once('end', () => resolve({ status: answer.statusCode, lines: text.trimEnd().split('\n') }))
      answer.once('error', reject)
    })
    sent.once('timeout', () => sent.destroy(new Error('the proxy does not answer')))
    sent.once('error', reject)
    sent.end(body)
  })
}

describe('an import of 50,000 users', () => {
  let nodePort: number
  before(async () => {
    nodePort = await freePort()
    const { env } = await newDeployment(anyEngine)
    await startService({
      ...env,
      PORT: String(nodePort),
      BAILIWICK_ENV: 'production',
      BAILIWICK_BASE_URL: `https://${proxyHost}`,
      BAILIWICK_MASTER_KEY: randomBytes(32).toString('base64'),
      BAILIWICK_OPERATOR_KEY: operatorKey,
      BAILIWICK_TRUSTED_PROXIES: '127.0.0.1',
      BAILIWICK_LOG_LEVEL: 'warn',
    })
  })

  it(`passes through ${name}`, { skip: !isInstalled(name) && `${name} is not installed` }, async () => {
    const command = proxies[name]
    assert.ok(command !== undefined)
    const port = await freePort()
    const proxy = startProxy(command, { proxy: port, nodes: [nodePort, nodePort] })
    const id = await createTenantThrough(port)
    const answer = await post(port, `/auth/users/import?tenantId=${id}`, 'application/x-ndjson', importedLines())
    proxy.kill()
    assert.equal(answer.status, 200)
    assert.deepEqual(JSON.parse(answer.lines.at(-1) ?? ''), { summary: { created: users, exists: 0, error: 0 } })
    assert.equal(answer.lines.length, users + 1)
  })

  it(`passes through ${name} as a job`, { skip: !isInstalled(name) && `${name} is not installed` }, async () => {
    const command = proxies[name]
    assert.ok(command !== undefined)
    const port = await freePort()
    const proxy = startProxy(command, { proxy: port, nodes: [nodePort, nodePort] })
    const id = await createTenantThrough(port)
    const path = `/auth/users/import-jobs?tenantId=${id}`
    const answer = await post(port, path, 'application/x-ndjson', importedLines())
    assert.equal(answer.status, 200)
    const job = JSON.parse(answer.lines[0] ?? '') as ImportJob
    assert.equal(job.linesTotal, users)
    const done = await until('the import has finished', answerMsMax, async () => {
      const { lines } = await get(port, `/auth/users/import-jobs/${job.id}`)
      const now = JSON.parse(lines[0] ?? '') as ImportJob
      return now.state === 'running' ? undefined : now
    })
    proxy.kill()
    assert.deepEqual([done.state, done.linesDone, done.created], ['completed', users, users])
  })
})
