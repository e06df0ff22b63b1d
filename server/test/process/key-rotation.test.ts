// bailiwick rotate-master-key, as it is run; and killed at any moment.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aboutSqlite, engines } from '../harness/databases/engines.ts'
import {
  type Deployment,
  newDurableDeployment,
  request,
  runCommand,
  startCommand,
  startService,
} from './service-process.ts'

const newKey = () => randomBytes(32).toString('base64')

/** The secret key of the demonstration's tenant, which is sealed. */
async function secretOf(deployment: Deployment, env: Record<string, string> = {}) {
  const service = await startService({ ...deployment.env, ...env })
  const tenant = await request(`${service.api}/tenants/slug/demo-1`)
  assert.equal(tenant.status, 200, JSON.stringify(tenant.body))
  const answer = await request(`${service.api}/auth/tenants/${String(tenant.body['id'])}/env?scope=secret`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  service.kill('SIGTERM')
  await service.exit()
  return String(answer.body['BAILIWICK_SECRET_KEY'])
}

async function seeded(deployment: Deployment, users: number, env: Record<string, string> = {}) {
  const all = { ...deployment.env, ...env }
  assert.equal((await runCommand(['migrate'], all)).code, 0)
  assert.equal((await runCommand(['seed', '--tenants', '1', '--users', String(users)], all)).code, 0)
}

for (const engine of engines) {
  describe(`bailiwick rotate-master-key on ${engine}`, () => {
    it('makes the configured new key the only one that is needed', async () => {
      const deployment = await newDurableDeployment(engine)
      const old = { BAILIWICK_MASTER_KEY: newKey() }
      const next = { BAILIWICK_MASTER_KEY: newKey() }
      await seeded(deployment, 2, old)
      const secret = await secretOf(deployment, old)
      const none = await runCommand(['rotate-master-key'], { ...deployment.env, ...old })
      assert.deepEqual([none.code, /BAILIWICK_NEW_MASTER_KEY .*is required/.test(none.stderr)], [2, true])

      const args = ['rotate-master-key', '--json']
      const env = { ...deployment.env, ...old, BAILIWICK_NEW_MASTER_KEY: next.BAILIWICK_MASTER_KEY }
      const rotated = await runCommand(args, env)
      assert.equal(rotated.code, 0, rotated.stderr)
      assert.ok((JSON.parse(rotated.stdout) as { resealed: number }).resealed > 5)
      assert.doesNotMatch(rotated.stdout + rotated.stderr, /[A-Za-z0-9+/]{43}=/)
      assert.equal(await secretOf(deployment, next), secret)
      assert.equal((await runCommand(['doctor'], { ...deployment.env, ...next })).code, 0)
      assert.equal((await runCommand(['doctor'], { ...deployment.env, ...old })).code, 3)
    })

    it('replaces the key of the data directory, whenever it is killed before', async () => {
      const deployment = await newDurableDeployment(engine)
      await seeded(deployment, 300)
      const secret = await secretOf(deployment)
      const keyFile = join(deployment.dataDir, 'master.key')
      const old = readFileSync(keyFile, 'utf8')
      for (let round = 0; round < 4; round++) {
        const rotation = startCommand(['rotate-master-key'], deployment.env)
        await sleep(150 + Math.random() * 250)
        rotation.kill('SIGKILL')
        await rotation.exit()
        assert.equal(await secretOf(deployment), secret)
      }
      const rotated = await runCommand(['rotate-master-key'], deployment.env)
      assert.equal(rotated.code, 0, rotated.stderr)
      assert.ok(!existsSync(`${keyFile}.next`))
      for (const file of [keyFile, `${keyFile}.previous`]) assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.notEqual(readFileSync(keyFile, 'utf8'), old)
      assert.equal(await secretOf(deployment), secret)
      assert.equal((await runCommand(['doctor'], deployment.env)).code, 0)
    })
  })
}

describe('bailiwick rotate-master-key beside running nodes', () => {
  it('is refused where they do not know the new key, and works where they have both', async () => {
    const deployment = await newDurableDeployment('postgresql')
    const [old, next] = [newKey(), newKey()]
    await seeded(deployment, 2, { BAILIWICK_MASTER_KEY: old })
    const secret = await secretOf(deployment, { BAILIWICK_MASTER_KEY: old })
    const both = { BAILIWICK_MASTER_KEY: next, BAILIWICK_PREVIOUS_MASTER_KEYS: old }
    const service = await startService({ ...deployment.env, ...both })
    const alone = { BAILIWICK_MASTER_KEY: old, BAILIWICK_NEW_MASTER_KEY: next }
    const refused = await runCommand(['rotate-master-key'], { ...deployment.env, ...alone })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /nodes are running/)
    const { body: made } = await request(`${service.api}/tenants`, {
      json: { name: 'Meanwhile', environment: 'staging', slug: 'meanwhile' },
    })
    assert.equal((await runCommand(['rotate-master-key'], { ...deployment.env, ...both })).code, 0)
    const answer = await request(`${service.api}/auth/tenants/${String(made['id'])}/env?scope=secret`)
    assert.equal(answer.status, 200)
    service.kill('SIGTERM')
    await service.exit()
    assert.equal(await secretOf(deployment, { BAILIWICK_MASTER_KEY: next }), secret)
  })

  it('is refused on SQLite, whose data directory is held', aboutSqlite, async () => {
    const deployment = await newDurableDeployment('sqlite')
    const service = await startService(deployment.env)
    const refused = await runCommand(['rotate-master-key'], deployment.env)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, new RegExp(`in use by process ${service.pid} `))
    assert.ok(!existsSync(join(deployment.dataDir, 'master.key.next')))
  })
})
