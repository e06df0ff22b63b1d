import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { refusedNode } from '../../src/service/node-version.mjs'
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
import { engines } from '../harness/databases.ts'

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
      assert.ok(banner.includes(`  Reference  ${service.url}/api/v0/reference\n`), banner)
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

    it('keeps what was written, keys that are sealed included, over a restart', async () => {
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

describe('the data directory', () => {
  it('belongs to one process: a second is told who holds it, and ends', async () => {
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

  it('is free again as soon as its process is gone, however that ended', async () => {
    const { env } = await newDeployment('sqlite')
    const first = await startService(env)
    first.kill('SIGKILL')
    await first.exit()
    assert.equal((await request(`${(await startService(env)).url}/readyz`)).status, 200)
  })
})

describe('a port that is taken', () => {
  it('is named, and the data directory is given up again', async () => {
    const { env } = await newDeployment('sqlite')
    const other = await startService((await newDeployment('sqlite')).env)
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
      const { env } = await newDeployment(engine)
      const first = await runCommand(['migrate', '--json'], env)
      assert.equal(first.code, 0, first.stderr)
      const { applied } = JSON.parse(first.stdout) as { applied: string[] }
      assert.equal(applied[0], '0001-first')
      assert.deepEqual(JSON.parse((await runCommand(['migrate', '--json'], env)).stdout), { applied: [] })
      assert.equal((await runCommand(['migrate'], env)).stdout, 'The schema is current.\n')
    })
  })
}

describe('metrics', () => {
  it('are served on a port of their own and nowhere else', async () => {
    const { env } = await newDeployment('sqlite')
    const port = await freePort()
    const service = await startService({ ...env, BAILIWICK_METRICS_PORT: String(port) })
    await request(`${service.api}/tenants/slug/nobody`)
    const text = await until('the request is counted', 5000, async () => {
      const metrics = await fetch(`http://127.0.0.1:${port}/metrics`)
      assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/)
      const body = await metrics.text()
      return body.includes('/api/v0/tenants/slug/:slug') ? body : undefined
    })
    assert.match(text, /^bailiwick_http_request_duration_seconds_count\{.*status="200".*\} 1$/m)
    assert.match(text, /^bailiwick_event_log_oldest_unsealed_seconds \d/m)
    assert.doesNotMatch(text, /nobody/)
    assert.equal((await fetch(`http://127.0.0.1:${port}/api/v0/tenants`)).status, 404)
    for (const path of ['/metrics', '/api/v0/metrics']) assert.equal((await request(service.url + path)).status, 404)
    service.kill('SIGTERM')
    assert.equal((await service.exit()).code, 0)
    await assert.rejects(fetch(`http://127.0.0.1:${port}/metrics`))
  })
})

describe('the version of Node', () => {
  it('is refused in one line when it is too old', () => {
    for (const version of ['v22.21.0', '20.20.2', 'v23.99.1']) {
      assert.match(
        refusedNode(version) ?? '',
        new RegExp(`^Bailiwick runs on Node\\.js 24; this is ${version}\\. .*npm start.*$`),
      )
    }
    for (const version of ['v24.0.0', '25.1.0', process.version]) assert.equal(refusedNode(version), undefined)
  })
})
