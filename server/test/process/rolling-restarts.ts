// Restarts two nodes in turn behind a real proxy, under load, and counts the requests that fail. Not a test of the suite, because it takes
// many minutes: `npm run rolling-restarts -- --proxy=nginx --rounds=20` (nginx, nginx-defaults, haproxy or caddy, installed).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { openSync, readSync } from 'node:fs'
import { Agent, request as httpsRequest } from 'node:https'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../harness/free-port.ts'
import { type Ports, proxies, proxyHost, startProxy } from './proxies.ts'
import { rawSql } from './raw-sql.ts'
import { type ServiceProcess, newDurableDeployment, startService, until } from './service-process.ts'

const { values } = parseArgs({
  options: {
    proxy: { type: 'string', default: 'nginx' },
    /** How often both nodes are restarted. */
    rounds: { type: 'string', default: '20' },
    /** How many clients ask at the same time. */
    clients: { type: 'string', default: '16' },
    /** BAILIWICK_SHUTDOWN_DELAY_SECONDS; the service's own default unless given. */
    delay: { type: 'string' },
    /** How long each client waits between two requests, in milliseconds. */
    pause: { type: 'string', default: '0' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const operatorKey = `op_${randomBytes(32).toString('hex')}`
const headers = { authorization: `Bearer ${operatorKey}`, host: proxyHost }

interface Counts {
  sent: number
  created: number
  readonly failures: Map<string, number>
}

/** What the run is doing, for the records of failures. */
let stage = 'starting'

/** The most recent lines that the proxy has printed, each with the time. */
const proxyLines: { readonly at: number; readonly line: string }[] = []
const proxyLinesMax = 2000
const aroundMs = 1000
const followEveryMs = 20

/** Follows the file that the proxy prints to. */
function followOutput(file: string) {
  const reader = openSync(file, 'r')
  const chunk = Buffer.alloc(1 << 20)
  setInterval(() => {
    const lines = chunk.toString('utf8', 0, readSync(reader, chunk)).split('\n')
    proxyLines.push(...lines.filter((line) => line !== '').map((line) => ({ at: Date.now(), line })))
    proxyLines.splice(0, proxyLines.length - proxyLinesMax)
  }, followEveryMs).unref()
}

/** Prints a failed request with what the proxy has printed in the second before and after. */
async function recordFailure(name: string, startedAt: number) {
  const [failedAt, during] = [Date.now(), stage]
  await sleep(aroundMs)
  print(`FAILED ${new Date(failedAt).toISOString()} ${name}, after ${failedAt - startedAt} ms, while ${during}`)
  for (const { at, line } of proxyLines) {
    if (at >= failedAt - aroundMs && at <= failedAt + aroundMs) print(`  proxy ${at - failedAt} ms: ${line}`)
  }
}

interface Outcome {
  /** The status with the code of the error, or the reason why there is no answer. */
  readonly text: string
  readonly ok: boolean
}

function send(port: number, agent: Agent, path: string, body?: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const content =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const method = body === undefined ? 'GET' : 'POST'
    const options = { host: '127.0.0.1', port, path, method, agent, servername: proxyHost, timeout: 60_000 }
    const fail = (reason: string) =>
      resolve({ text: sent.reusedSocket ? `${reason} on a used connection` : reason, ok: false })
    const sent = httpsRequest({ ...options, headers: { ...headers, ...content } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.once('end', () =>
        answer.statusCode === 200
          ? resolve({ text, ok: true })
          : fail(`${answer.statusCode} ${/"code":"([^"]+)"/.exec(text)?.[1] ?? 'of the proxy'}`),
      )
      answer.once('error', (error) => fail(`cut: ${error.message}`))
    })
    sent.once('timeout', () => sent.destroy(new Error('no answer for a minute')))
    sent.once('error', (error) => fail(error.message))
    sent.end(body)
  })
}

/** Asks again and again until it is told to stop; every fifth request makes a user. */
async function ask(port: number, tenantId: string, agent: Agent, counts: Counts, stopping: AbortSignal) {
  for (let turn = 0; !stopping.aborted; turn++) {
    const isWrite = turn % 5 === 0
    const email = `${randomBytes(12).toString('hex')}@example.com`
    const startedAt = Date.now()
    counts.sent++
    const { ok, text } = isWrite
      ? await send(port, agent, '/api/v0/auth/users', JSON.stringify({ tenantId, email }))
      : await send(port, agent, `/api/v0/tenants/${tenantId}`)
    if (!ok) {
      const name = `${isWrite ? 'POST' : 'GET'} ${text}`
      counts.failures.set(name, (counts.failures.get(name) ?? 0) + 1)
      void recordFailure(name, startedAt)
    } else if (isWrite) counts.created++
    if (Number(values.pause) > 0) await sleep(Number(values.pause))
  }
}

/** Stops and starts each node, one after the other, as many rounds as asked. */
async function restartInTurns(
  nodes: ServiceProcess[],
  ports: Ports,
  start: (port: number) => Promise<ServiceProcess>,
  report: (round: number) => void,
) {
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const [index, port] of ports.nodes.entries()) {
      const node = nodes[index]
      assert.ok(node !== undefined)
      const name = `node ${index + 1} of round ${round}`
      stage = `${name} stops`
      node.kill('SIGTERM')
      const stoppedAt = Date.now()
      assert.equal((await node.exit()).code, 0)
      stage = `${name} starts, stopped within ${Date.now() - stoppedAt} ms`
      nodes[index] = await start(port)
      await until('the node is ready', 30_000, async () =>
        (await fetch(`http://127.0.0.1:${port}/readyz`)).ok ? true : undefined,
      )
      stage = `${name} is ready`
      // A proxy that asks each second has to see it before the next node stops.
      await sleep(5000)
    }
    report(round)
  }
}

describe(`rolling restarts behind ${values.proxy}`, () => {
  it('fail no request', async () => {
    const command = proxies[values.proxy]
    assert.ok(command !== undefined, `--proxy is one of ${Object.keys(proxies).join(', ')}`)
    const ports: Ports = { proxy: await freePort(), nodes: [await freePort(), await freePort()] }
    const deployment = await newDurableDeployment('postgresql')
    const env = {
      ...deployment.env,
      BAILIWICK_ENV: 'production',
      BAILIWICK_BASE_URL: `https://${proxyHost}`,
      BAILIWICK_MASTER_KEY: randomBytes(32).toString('base64'),
      BAILIWICK_OPERATOR_KEY: operatorKey,
      BAILIWICK_TRUSTED_PROXIES: '127.0.0.1',
      BAILIWICK_LOG_LEVEL: 'warn',
      ...(values.delay === undefined ? {} : { BAILIWICK_SHUTDOWN_DELAY_SECONDS: values.delay }),
    }
    const start = (port: number) => startService({ ...env, PORT: String(port) })
    const nodes: ServiceProcess[] = [await start(ports.nodes[0]), await start(ports.nodes[1])]
    followOutput(startProxy(command, ports).output)

    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 1024 })
    const tenantId = await until('the proxy answers', 30_000, () => createTenant(ports.proxy, agent))

    const counts: Counts = { sent: 0, created: 0, failures: new Map() }
    const stopping = new AbortController()
    const clients = Array.from({ length: Number(values.clients) }, () =>
      ask(ports.proxy, tenantId, agent, counts, stopping.signal),
    )
    const startedAt = Date.now()
    await restartInTurns(nodes, ports, start, (round) =>
      print(
        `round ${round}: ${counts.sent} requests, failed ${JSON.stringify(Object.fromEntries(counts.failures))}, ${Math.round((Date.now() - startedAt) / 1000)} s`,
      ),
    )
    await sleep(1000)
    stopping.abort()
    await Promise.all(clients)
    agent.destroy()
    const [row] = await rawSql(deployment, `SELECT count(*) AS count FROM users WHERE tenant_id = '${tenantId}'`)
    for (const node of nodes) node.kill('SIGTERM')
    const failed = [...counts.failures.values()].reduce((sum, count) => sum + count, 0)
    print(
      `${values.proxy}: ${failed} of ${counts.sent} requests failed; ${counts.created} users acknowledged, ${String(row?.['count'])} stored`,
    )
    await Promise.all(nodes.map((node) => node.exit()))
    assert.equal(failed, 0)
    assert.equal(Number(row?.['count']), counts.created, 'each that was acknowledged is stored once')
  })
})

/** Returns the id of a new tenant, or undefined while the proxy does not answer yet. */
async function createTenant(port: number, agent: Agent): Promise<string | undefined> {
  const body = JSON.stringify({ name: 'Rolling', environment: 'staging' })
  const { ok, text } = await send(port, agent, '/api/v0/tenants', body)
  return ok ? (JSON.parse(text) as { id: string }).id : undefined
}
