// Restarts two nodes in turn behind a real proxy, under load, and counts the requests that fail. Not a test of the suite, because it takes
// many minutes: `npm run rolling-restarts -- --proxy=nginx --rounds=20` (nginx, nginx-defaults, haproxy or caddy, installed).
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../harness/free-port.ts'
import { type ServiceProcess, newDeployment, startService, until } from './service-process.ts'
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
  const whole = `daemon off; pid ${folder}/nginx.pid; error_log stderr error; events { worker_connections 4096; }
http { access_log off; ${paths} ${adapted(conf, ports)} }`
  writeFileSync(file, whole)
  return ['nginx', '-p', folder, '-c', file]
}

const proxies: Readonly<Record<string, (ports: Ports) => readonly string[]>> = {
  nginx: (ports) => nginx(sample('nginx/bailiwick.conf'), ports),
  'nginx-defaults': (ports) => nginx(nginxDefaults, ports),
  haproxy(ports) {
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, adapted(sample('haproxy/haproxy.cfg'), ports))
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

/** Asks on without a pause until it is told to stop; every fifth request makes a user. */
async function ask(port: number, tenantId: string, agent: Agent, counts: Counts, stopping: AbortSignal) {
  for (let turn = 0; !stopping.aborted; turn++) {
    const isWrite = turn % 5 === 0
    const body = isWrite
      ? JSON.stringify({ tenantId, email: `${randomBytes(12).toString('hex')}@example.com` })
      : undefined
    const path = isWrite ? '/api/v0/auth/users' : `/api/v0/tenants/${tenantId}`
    counts.sent++
    const outcome = await new Promise<string>((resolve) => {
      const sent = httpsRequest(
        {
          host: '127.0.0.1',
          port,
          path,
          method: isWrite ? 'POST' : 'GET',
          agent,
          servername: host,
          timeout: 60_000,
          headers: {
            ...headers,
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (answer) => {
          answer.resume()
          answer.once('end', () => resolve(String(answer.statusCode)))
          answer.once('error', (error) => resolve(`cut: ${error.message}`))
        },
      )
      sent.once('timeout', () => sent.destroy(new Error('no answer for a minute')))
      sent.once('error', (error) => resolve(error.message))
      sent.end(body)
    })
    if (outcome !== '200') {
      const name = `${isWrite ? 'POST' : 'GET'} ${outcome}`
      counts.failures.set(name, (counts.failures.get(name) ?? 0) + 1)
    } else if (isWrite) counts.created++
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
    const deployment = await newDeployment('postgresql')
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
    children.push(spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment }))

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
        node.kill('SIGTERM')
        assert.equal((await node.exit()).code, 0)
        nodes[index] = await start(port)
        await until('the node is ready', 30_000, async () =>
          (await fetch(`http://127.0.0.1:${port}/readyz`)).ok ? true : undefined,
        )
        // A proxy that asks each second has to see it before the next node stops.
        await sleep(3000)
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
function createTenant(port: number, agent: Agent): Promise<string | undefined> {
  const body = JSON.stringify({ name: 'Rolling', environment: 'staging' })
  return new Promise((resolve) => {
    const sent = httpsRequest(
      {
        host: '127.0.0.1',
        port,
        path: '/api/v0/tenants',
        method: 'POST',
        agent,
        servername: host,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += String(chunk)))
        answer.once('end', () =>
          resolve(answer.statusCode === 200 ? (JSON.parse(text) as { id: string }).id : undefined),
        )
      },
    )
    sent.once('error', () => resolve(undefined))
    sent.end(body)
  })
}
