import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { describe, it } from 'node:test'
import { anyEngine } from '../harness/databases/engines.ts'
import { type ServiceProcess, newDeployment, request, runCommand, startService } from './service-process.ts'

const keys = {
  BAILIWICK_ENV: 'production',
  BAILIWICK_MASTER_KEY: randomBytes(32).toString('base64'),
  BAILIWICK_OPERATOR_KEY: `op_${randomBytes(32).toString('hex')}`,
  BAILIWICK_BASE_URL: 'https://id.example.com/api/v0',
}

const problemsIn = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('  - '))

/** The status of GET /tenants; fetch does not let its caller set Host. */
const tenantsStatus = ({ api }: ServiceProcess, headers: Record<string, string>) =>
  new Promise((resolve, reject) => {
    get(`${api}/tenants`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).once('error', reject)
  })

describe('a wrong configuration', () => {
  it('ends every command with status 78 and all its problems, without any secret', async () => {
    const { env } = await newDeployment(anyEngine)
    const wrong = {
      ...env,
      PORT: '70000',
      BAILIWICK_PROT: '1',
      BAILIWICK_LOG_LEVEL: 'loud',
      BAILIWICK_OPERATOR_KEY: 'op_tooShortToBeOne',
      DATABASE_URL: 'mysql://somebody:hunter22@db.example/main',
    }
    for (const command of ['start', 'migrate']) {
      const { code, stdout, stderr } = await runCommand([command], wrong)
      assert.equal(code, 78)
      assert.equal(stdout, '')
      assert.equal(problemsIn(stderr).length, 5, stderr)
      for (const name of ['PORT', 'BAILIWICK_PROT', 'BAILIWICK_LOG_LEVEL', 'BAILIWICK_OPERATOR_KEY', 'DATABASE_URL']) {
        assert.ok(
          problemsIn(stderr).some((line) => line.startsWith(`  - ${name} `)),
          `${name} is missing in\n${stderr}`,
        )
      }
      assert.doesNotMatch(stderr, /hunter22|tooShortToBeOne/)
    }
  })
})

describe('production', () => {
  it('refuses to start without master key, operator key and base address, and names all three', async () => {
    const { env } = await newDeployment(anyEngine)
    const { code, stderr } = await runCommand(['start'], { ...env, BAILIWICK_ENV: 'production' })
    assert.equal(code, 78)
    const named = problemsIn(stderr).map((line) => line.split(' ')[3])
    assert.deepEqual(new Set(named), new Set(['BAILIWICK_BASE_URL', 'BAILIWICK_MASTER_KEY', 'BAILIWICK_OPERATOR_KEY']))
  })

  for (const missing of ['BAILIWICK_MASTER_KEY', 'BAILIWICK_OPERATOR_KEY', 'BAILIWICK_BASE_URL'] as const) {
    // Guards: cursors
    it(`refuses to start without ${missing} alone`, async () => {
      const { env } = await newDeployment(anyEngine)
      const { [missing]: _left, ...rest } = keys
      const { code, stderr } = await runCommand(['start'], { ...env, ...rest })
      assert.equal(code, 78)
      assert.equal(problemsIn(stderr).length, 1, stderr)
      assert.match(stderr, new RegExp(`^ {2}- ${missing} is required in production`, 'm'))
    })
  }

  it('refuses an address that is not https', async () => {
    const { env } = await newDeployment(anyEngine)
    const { code, stderr } = await runCommand(['start'], {
      ...env,
      ...keys,
      BAILIWICK_BASE_URL: 'http://id.example.com',
    })
    assert.equal(code, 78)
    assert.match(stderr, /must start with https:\/\/ in production/)
  })

  it('grants callers on this machine no rights, whatever its address, and answers only for its own host', async () => {
    const { env } = await newDeployment(anyEngine)
    const local = await startService({
      ...(await newDeployment(anyEngine)).env,
      ...keys,
      BAILIWICK_BASE_URL: 'https://127.0.0.1',
    })
    assert.equal(await tenantsStatus(local, { host: '127.0.0.1' }), 401)
    const service = await startService({ ...env, ...keys })
    assert.doesNotMatch(service.stderr(), /as the operator without a credential/)
    assert.equal((await request(`${service.url}/readyz`)).status, 200)
    assert.equal((await request(`${service.api}/tenants`)).body['code'], 'misdirected_request')
    const host = 'id.example.com'
    assert.equal(await tenantsStatus(service, { host }), 401)
    assert.equal(await tenantsStatus(service, { host, authorization: `Bearer ${keys.BAILIWICK_OPERATOR_KEY}` }), 200)
  })
})
