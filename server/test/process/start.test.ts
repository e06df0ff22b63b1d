import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { refusedNode } from '../../src/service/node-version.mjs'
import { aboutSqlite, anyEngine, engines, isOnCitus } from '../harness/databases/engines.ts'
import { freePort } from '../harness/free-port.ts'
import {
  type Deployment,
  type ServiceProcess,
  newDeployment,
  request,
  runCommand,
  startService,
  until,
} from './service-process.ts'

for (const engine of engines) {
  describe(`bailiwick start on ${engine}`, () => {
    let deployment: Deployment
    let service: ServiceProcess
    before(async () => {
      deployment = await newDeployment(engine)
      service = await startService(deployment.env)
    })

    it('says where everything is, and that callers on this machine are the operator', () => {
      const banner = service.stderr()
      assert.match(banner, /^Bailiwick \(development\) is ready\.$/m)
      assert.ok(banner.includes(`  API        ${service.url}/api/v0\n`), banner)
      assert.match(banner, /^ {2}Docs {7}http:\/\/\S+\/docs$/m)
      const database = engine === 'sqlite' ? `SQLite in ${deployment.dataDir}/` : 'PostgreSQL'
      assert.ok(banner.includes(`  Database   ${database}\n`), banner)
      assert.match(banner, /act as the operator without a credential/)
    })

    it('is alive and ready', async () => {
      assert.deepEqual((await request(`${service.url}/livez`)).body, { status: 'success' })
      const ready = await request(`${service.url}/readyz`)
      assert.deepEqual([ready.status, ready.body], [200, { status: 'success' }])
    })

    it('keeps its secrets from other users of the machine', () => {
      const files = engine === 'sqlite' ? ['master.key', 'bailiwick.db', 'bailiwick.db-wal'] : ['master.key']
      for (const file of files) assert.equal(statSync(join(deployment.dataDir, file)).mode & 0o077, 0, file)
    })

    it('keeps what was written, including sealed keys, across a restart', async () => {
      const tenant = await request(`${service.api}/tenants`, { json: { name: 'Stays', environment: 'staging' } })
      const env = `/auth/tenants/${String(tenant.body['id'])}/env`
      const born = await request(service.api + env)
      service.kill('SIGTERM')
      assert.equal((await service.exit()).code, 0)
      service = await startService(deployment.env)
      assert.equal((await request(service.api + env)).body['BAILIWICK_SECRET_KEY'], born.body['BAILIWICK_SECRET_KEY'])
    })
  })
}

describe('the data directory', aboutSqlite, () => {
  it('belongs to one process: a second one names that process, and ends', async () => {
    const { env, dataDir } = await newDeployment('sqlite')
    const first = await startService(env)
    for (const command of ['start', 'migrate']) {
      const second = await runCommand([command], { PORT: '0', ...env })
      assert.equal(second.code, 1)
      assert.ok(second.stderr.includes(`${dataDir} is in use by process ${first.pid} (cli.mjs start)`), second.stderr)
      assert.equal(second.stderr.trim().split('\n').length, 1)
    }
    assert.equal((await request(`${first.url}/readyz`)).status, 200)
  })

  it('is free again as soon as its process is gone, however it ended', async () => {
    const { env } = await newDeployment('sqlite')
    const first = await startService(env)
    first.kill('SIGKILL')
    await first.exit()
    assert.equal((await request(`${(await startService(env)).url}/readyz`)).status, 200)
  })
})

describe('a port that is taken', () => {
  it('is named, and the data directory is released again', async () => {
    const { env } = await newDeployment(anyEngine)
    const other = await startService((await newDeployment(anyEngine)).env)
    const { port } = new URL(other.url)
    const refused = await runCommand(['start'], { ...env, PORT: port })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, new RegExp(`EADDRINUSE.*:${port}`))
    assert.equal((await request(`${(await startService(env)).url}/readyz`)).status, 200)
  })
})

describe('a database that cannot be reached', () => {
  it('ends the start with one line that says so, without the password', async () => {
    const { dataDir } = await newDeployment('sqlite')
    const url = `postgres://somebody:hunter22@127.0.0.1:${await freePort()}/none`
    const refused = await runCommand(['start'], { BAILIWICK_DATA_DIR: dataDir, DATABASE_URL: url })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^PostgreSQL cannot be reached: .*ECONNREFUSED.*\n$/)
    assert.doesNotMatch(refused.stderr + refused.stdout, /hunter22/)
  })
})

for (const engine of engines) {
  describe(`bailiwick migrate on ${engine}`, () => {
    it('applies what is missing once, and says what it did', async () => {
      const { env } = await newDeployment(engine, { isEmpty: true })
      const first = await runCommand(['migrate', '--json'], env)
      assert.equal(first.code, 0, first.stderr)
      const { applied } = JSON.parse(first.stdout) as { applied: string[] }
      assert.equal(applied[0], '0001-version-0-1-0')
      assert.deepEqual(JSON.parse((await runCommand(['migrate', '--json'], env)).stdout), { applied: [] })
      assert.equal((await runCommand(['migrate'], env)).stdout, 'The schema is current.\n')
    })
  })
}

const deployFolder = new URL('../../../deploy/', import.meta.url)
/** The expressions of the dashboard and of the alert rules, without the counters that no run has begun yet. */
const watched = ['grafana/bailiwick.json', 'prometheus/alerts.yml']
  .map((file) => readFileSync(new URL(file, deployFolder), 'utf8').replaceAll('bailiwick_jobs_total', ''))
  .join('\n')

/** A collector of traces that keeps the spans it is sent. */
async function startCollector() {
  const spans: Record<string, unknown>[] = []
  const server = createServer((incoming, answer) => {
    void json(incoming).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[] }
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
      answer.end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, close: () => server.close() }
}

for (const engine of engines) {
  describe(`a service that is watched, on ${engine}`, () => {
    let service: ServiceProcess
    let collector: Awaited<ReturnType<typeof startCollector>>
    let metrics: string
    before(async () => {
      collector = await startCollector()
      const port = await freePort()
      metrics = `http://127.0.0.1:${port}`
      const { env } = await newDeployment(engine)
      const asked = { BAILIWICK_METRICS_PORT: String(port), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
      service = await startService({ ...env, ...asked })
    })
    after(() => collector.close())

    it('serves metrics on a port of their own and nowhere else', async () => {
      await request(`${service.api}/tenants/slug/nobody`)
      await request(`${service.api}/tenants`, { json: { name: 'Watched', environment: 'staging' } })
      const text = await until('the request and the sealed events are counted', 60_000, async () => {
        const answer = await fetch(`${metrics}/metrics`)
        assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
        const body = await answer.text()
        // The first is that of the console's own tenant; both may be sealed at once.
        const areSealed = body.includes('bailiwick_events_total{type="tenant.created"} 2')
        return areSealed && body.includes('/api/v0/tenants/slug/:slug') ? body : undefined
      })
      assert.match(text, /^bailiwick_http_request_duration_seconds_count\{.*slug.*status="200".*\} 1$/m)
      for (const sample of [
        'event_log_oldest_unsealed_seconds ',
        'jobs_oldest_due_seconds ',
        'jobs_due ',
        'passwords{state="waiting"} 0',
        'passwords_refused_total 0',
        'cache_lookups_total{cache="tenants",result="hit"} ',
        'cache_entries{cache="sessions"} ',
        'events_total{type="sign_in_attempt.completed"} 0',
        'webhook_attempts_total{outcome="failed"} 0',
        'database_up 1',
        'not_ready{reason="read_only"} 0',
        'disk_free_bytes ',
        'codes_oldest_waiting_seconds 0',
        'message_attempts_total{channel="deployment",outcome="failed"} 0',
        ...(engine === 'postgresql' ? ['database_connections{state="max"} '] : []),
      ]) {
        assert.ok(text.includes(`\nbailiwick_${sample}`), sample)
      }
      // What the dashboard and the alerts ask for exists, but for what this deployment does not have.
      const absent = ['bailiwick_backup_age_seconds', 'bailiwick_database_replica_usable']
      if (engine === 'sqlite') absent.push('bailiwick_database_connections')
      const asked = [...watched.matchAll(/\b(?:bailiwick|nodejs|process)_[a-z0-9_]+_[a-z0-9]+\b/g)].map(
        ([name]) => name,
      )
      assert.ok(asked.length > 30)
      for (const name of new Set(asked)) {
        if (absent.includes(name)) continue
        assert.ok(text.includes(`\n${name}{`) || text.includes(`\n${name} `), name)
      }
      assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
      assert.doesNotMatch(text, /nobody/)
      assert.equal((await fetch(`${metrics}/api/v0/tenants`)).status, 404)
      for (const path of ['/metrics', '/api/v0/metrics']) assert.equal((await request(service.url + path)).status, 404)
    })

    it('sends what is left of its traces before it ends', async () => {
      const traceId = 'a'.repeat(32)
      const answer = await request(`${service.api}/tenants`, {
        json: { name: 'Traced', environment: 'staging' },
        headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` },
      })
      assert.equal(answer.status, 200)
      service.kill('SIGTERM')
      assert.equal((await service.exit()).code, 0)
      await assert.rejects(fetch(`${metrics}/metrics`))
      const spans = collector.spans.filter((span) => span['traceId'] === traceId)
      const whole = spans.find(({ name }) => name === 'POST /api/v0/tenants')
      assert.equal(whole?.['parentSpanId'], 'b'.repeat(16))
      const write = spans.find(({ name }) => /^database (?:transaction|write)$/.test(String(name)))
      assert.equal(write?.['parentSpanId'], whole?.['spanId'], 'what the database is asked belongs to the request')
    })
  })
}

/** What every start loads of the dependencies of the server; the others are imported by the first request or job that needs them. */
const librariesAtStart = {
  sqlite: ['fastify', 'ipaddr.js', 'lru-cache', 'pino'],
  postgresql: ['fastify', 'ipaddr.js', 'lru-cache', 'pg', 'pino'],
} as const
/** The parts of the service that a start imports by themselves, by the names of their files; repeated work begins with it. */
const partsAtStart = ['erase-unused', 'idle-memory', 'run-service', 'start', 'start-script']

for (const engine of engines) {
  it(`loads no more at the start on ${engine} than every start needs, and nothing about languages`, async () => {
    const deployment = await newDeployment(engine)
    const reporter = new URL('report-loaded.ts', import.meta.url).href
    const service = await startService({ ...deployment.env, NODE_OPTIONS: `--import=${reporter}` })
    service.kill('SIGTERM')
    const { stderr } = await service.exit()
    const [, text = ''] = /^loaded (.*)$/m.exec(stderr) ?? assert.fail(stderr)
    const loaded = JSON.parse(text) as {
      readonly modules: readonly string[]
      readonly international: readonly string[]
    }
    assert.deepEqual(loaded.international, [])
    const libraries = Object.keys(packageJson.dependencies).filter(
      (name) => !name.startsWith('@bailiwick/') && loaded.modules.some((url) => url.includes(`/node_modules/${name}/`)),
    )
    assert.deepEqual(libraries, librariesAtStart[engine])
    const parts = loaded.modules.flatMap(
      (url) => /\/bundle-\w+\/(?!chunk-)([a-z-]+?)(?:-[A-Z0-9]{8})?\.mjs$/.exec(url)?.[1] ?? [],
    )
    // Looks whether a migration has added a table that is not distributed yet.
    const ofCitus = isOnCitus && engine === 'postgresql' ? ['distribute'] : []
    assert.deepEqual([...new Set(parts)].toSorted(), [...partsAtStart, ...ofCitus, engine].toSorted())
  })
}

describe('the version of Node', () => {
  it('is refused in one line if it is too old', () => {
    for (const version of ['v22.21.0', '20.20.2', 'v23.99.1']) {
      assert.match(
        refusedNode(version) ?? '',
        new RegExp(`^Bailiwick runs on Node\\.js 24; this is ${version}\\. .*npm start.*$`),
      )
    }
    for (const version of ['v24.0.0', '25.1.0', process.version]) assert.equal(refusedNode(version), undefined)
  })
})
