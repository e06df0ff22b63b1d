// What every command has in common, and bailiwick seed.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { anyEngine, engines, isOnCitus } from '../harness/databases/engines.ts'
import { rawSql } from './raw-sql.ts'
import { newDeployment, request, runCommand, startService } from './service-process.ts'

describe('the command line', () => {
  it('ends with status 2 on an unknown command, option or value, and with 0 for help', async () => {
    for (const args of [['begin'], ['doctor', '--quick'], ['seed', '--tenants', 'two'], ['seed', '--users', '0']]) {
      const { code, stderr } = await runCommand(args)
      assert.equal(code, 2, args.join(' '))
      assert.match(stderr, /^error: /)
    }
    const help = await runCommand(['--help'])
    assert.deepEqual([help.code, help.stderr], [0, ''])
    for (const name of ['start', 'migrate', 'seed', 'doctor', 'verify-log']) assert.match(help.stdout, new RegExp(name))
  })

  it('prints its version, like the interface', async () => {
    const { code, stdout } = await runCommand(['--version'])
    assert.deepEqual([code, stdout], [0, `${packageJson.version}\n`])
  })

  it('reports a failure in one line, in JSON on request, and with the stack only at level debug', async () => {
    const { env } = await newDeployment(anyEngine, { isEmpty: true })
    const plain = await runCommand(['verify-log'], env)
    assert.equal(plain.code, 1)
    assert.equal(plain.stderr.trim().split('\n').length, 1)
    const json = await runCommand(['verify-log', '--json'], env)
    assert.deepEqual(Object.keys(JSON.parse(json.stderr) as object), ['error'])
    const misused = await runCommand(['doctor', '--quick', '--json'], env)
    assert.deepEqual([misused.code, JSON.parse(misused.stderr)], [2, { error: "unknown option '--quick'" }])
    // What `npm run bailiwick verify-log --json` leaves of it.
    const ofNpm = { npm_lifecycle_event: 'bailiwick', npm_config_json: 'true' }
    const throughNpm = await runCommand(['verify-log'], { ...env, ...ofNpm })
    assert.equal(throughNpm.stderr, json.stderr)
    const detailed = await runCommand(['verify-log'], { ...env, BAILIWICK_LOG_LEVEL: 'debug' })
    assert.match(detailed.stderr, /\n +at /)
  })
})

for (const engine of engines) {
  describe(`bailiwick seed on ${engine}`, () => {
    it('creates tenants with people and working public keys, and nothing the second time', async () => {
      const deployment = await newDeployment(engine)
      // A database on Citus has its tables already.
      if (!isOnCitus) assert.equal((await runCommand(['seed'], deployment.env)).code, 1, 'without a schema')
      assert.equal((await runCommand(['migrate'], deployment.env)).code, 0)
      const args = ['seed', '--tenants', '2', '--users', '4', '--json']
      const first = await runCommand(args, deployment.env)
      assert.equal(first.code, 0, first.stderr)
      const count = () =>
        rawSql(deployment, 'SELECT COUNT(*) AS users, COUNT(DISTINCT tenant_id) AS tenants FROM users')
      const made = await count()
      assert.deepEqual(Object.values(made[0] ?? {}).map(Number), [8, 2])
      assert.equal((await runCommand(args, deployment.env)).code, 0)
      assert.deepEqual(await count(), made)

      const service = await startService(deployment.env)
      const { tenants } = JSON.parse(first.stdout) as { tenants: { publicKey: string; slug: string }[] }
      for (const { publicKey, slug } of tenants) {
        const found = await request(`${service.api}/tenants/pkey/${publicKey}`)
        assert.deepEqual([found.status, found.body['slug']], [200, slug])
      }
    })
  })
}

describe('bailiwick seed in production', () => {
  it('is refused without --force', async () => {
    const { env } = await newDeployment(anyEngine)
    const production = {
      ...env,
      BAILIWICK_ENV: 'production',
      BAILIWICK_MASTER_KEY: randomBytes(32).toString('base64'),
      BAILIWICK_OPERATOR_KEY: `op_${randomBytes(32).toString('hex')}`,
      BAILIWICK_BASE_URL: 'https://id.example.com/api/v0',
    }
    assert.equal((await runCommand(['migrate'], production)).code, 0)
    const refused = await runCommand(['seed'], production)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /use --force to create/)
    assert.equal((await runCommand(['seed', '--tenants', '1', '--users', '1', '--force'], production)).code, 0)
  })
})
