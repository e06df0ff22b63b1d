// Restarts two nodes in turn behind a real proxy, under load, and counts the requests that fail. Not a test of the suite, because it takes
// many minutes: `npm run rolling-restarts -- --proxy=nginx --rounds=20` (nginx, nginx-defaults, haproxy or caddy, installed).
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../harness/free-port.ts'
import { type ServiceProcess, newDurableDeployment, startService, until } from './service-process.ts'
import { rawSql } from './raw-sql.ts'

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
const host = 'id.example.com'
const operatorKey = `op_${randomBytes(32).toString('hex')}`
const headers = { authorization: `Bearer ${operatorKey}`, host }
const folder = mkdtempSync(join(tmpdir(), 'bailiwick-rolling-'))
const sample = (path: string) => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8')

interface Ports {
  readonly proxy: number
  readonly nodes: readonly [number, number]
}

/** A sample with the addresses of this run. */
const adapted = (text: string, { proxy, nodes }: Ports) =>
  text
    .replaceAll('node1:4000', `127.0.0.1:${nodes[0]}`)
    .replaceAll('node2:4000', `127.0.0.1:${nodes[1]}`)
    .replaceAll('listen 443', `listen 127.0.0.1:${proxy}`)
    .replaceAll('bind :443', `bind 127.0.0.1:${proxy}`)
    .replaceAll(/\/etc\/(?:nginx|haproxy)\/tls\//g, `${folder}/`)

/** nginx as it is without a word about failures and connections. */
const nginxDefaults = `upstream bailiwick { server node1:4000; server node2:4000; }
server {
  listen 443 ssl;
  ssl_certificate /etc/nginx/tls/fullchain.pem;
  ssl_certificate_key /etc/nginx/tls/privkey.pem;
  location / { proxy_pass http://bailiwick; proxy_set_header Host $host; }
}`

function nginx(conf: string, ports: Ports): readonly string[] {
  const file = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const format = `log_format failed '$msec access $request_method $status upstreams $upstream_addr statuses $upstream_status connect $upstream_connect_time answer $upstream_response_time';`
  const whole = `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; events { worker_connections 4096; }
http { ${format} map $status $is_failed { ~^[45] 1; default 0; } access_log /dev/stderr failed if=$is_failed; ${paths} ${adapted(conf, ports)} }`
  writeFileSync(file, whole)
  return ['nginx', '-p', folder, '-c', file]
}

const proxies: Readonly<Record<string, (ports: Ports) => readonly string[]>> = {
  nginx: (ports) => nginx(sample('nginx/bailiwick.conf'), ports),
  'nginx-defaults': (ports) => nginx(nginxDefaults, ports),
  haproxy(ports) {
    const file = join(folder, 'haproxy.cfg')
    const logged = sample('haproxy/haproxy.cfg')
      .replace('maxconn 8000', 'maxconn 8000\n  log stdout format raw local0')
      .replace('mode http', 'mode http\n  log global\n  option httplog\n  option dontlog-normal')
    writeFileSync(file, adapted(logged, ports))
    return ['haproxy', '-db', '-f', file]
  },
  caddy(ports) {
    const file = join(folder, 'Caddyfile')
    const site = `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}/caddy\n\tskip_install_trust\n}\nhttps://${host}:${ports.proxy} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`
    writeFileSync(file, adapted(sample('caddy/Caddyfile'), ports).replace(/^\{\$BAILIWICK_DOMAIN.*\{$/m, site))
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file]
  },
}

function makeCertificate() {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  execFileSync(
    'openssl',
    ['req', '-x509', ...kind, '-nodes', '-days', '2', '-keyout', key, '-out', certificate, ...subject],
    { stdio: 'ignore' },
  )
  writeFileSync(join(folder, `${host}.pem`), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
}

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

/** Follows the file that the proxy prints to. Not a pipe, because Node's are sockets, which nginx cannot open as /dev/stderr. */
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
    const options = { host: '127.0.0.1', port, path, method, agent, servername: host, timeout: 60_000 }
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

const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

describe(`rolling restarts behind ${values.proxy}`, () => {
  it('fail no request', async () => {
    const command = proxies[values.proxy]
    assert.ok(command !== undefined, `--proxy is one of ${Object.keys(proxies).join(', ')}`)
    makeCertificate()
    const ports: Ports = { proxy: await freePort(), nodes: [await freePort(), await freePort()] }
    const deployment = await newDurableDeployment('postgresql')
    const env = {
      ...deployment.env,
      BAILIWICK_ENV: 'production',
      BAILIWICK_BASE_URL: `https://${host}`,
      BAILIWICK_MASTER_KEY: randomBytes(32).toString('base64'),
      BAILIWICK_OPERATOR_KEY: operatorKey,
      BAILIWICK_TRUSTED_PROXIES: '127.0.0.1',
      BAILIWICK_LOG_LEVEL: 'warn',
      ...(values.delay === undefined ? {} : { BAILIWICK_SHUTDOWN_DELAY_SECONDS: values.delay }),
    }
    const start = (port: number) => startService({ ...env, PORT: String(port) })
    const nodes: ServiceProcess[] = [await start(ports.nodes[0]), await start(ports.nodes[1])]
    const [program = '', ...args] = command(ports)
    const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    const output = join(folder, 'proxy.log')
    const writer = openSync(output, 'a')
    children.push(spawn(program, args, { stdio: ['ignore', writer, writer], env: environment }))
    followOutput(output)

    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 1024 })
    const tenantId = await until('the proxy answers', 30_000, () => createTenant(ports.proxy, agent))

    const counts: Counts = { sent: 0, created: 0, failures: new Map() }
    const stopping = new AbortController()
    const clients = Array.from({ length: Number(values.clients) }, () =>
      ask(ports.proxy, tenantId, agent, counts, stopping.signal),
    )
    const startedAt = Date.now()
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
      print(
        `round ${round}: ${counts.sent} requests, failed ${JSON.stringify(Object.fromEntries(counts.failures))}, ${Math.round((Date.now() - startedAt) / 1000)} s`,
      )
    }
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
