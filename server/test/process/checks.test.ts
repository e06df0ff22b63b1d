// bailiwick doctor and verify-log as they are run: beside the service, and on damaged data.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { Client } from 'pg'
import type { Finding } from '../../src/service/checks/check.ts'
import { aboutSqlite, anyEngine, engines } from '../harness/databases/engines.ts'
import { rawSql } from './raw-sql.ts'
import { type Deployment, newDurableDeployment, request, runCommand, startService, until } from './service-process.ts'

async function findings(deployment: Deployment, expectedStatus: number, env: object = {}): Promise<Finding[]> {
  const { code, stdout, stderr } = await runCommand(['doctor', '--json'], { ...deployment.env, ...env })
  assert.equal(code, expectedStatus, stdout + stderr)
  return (JSON.parse(stdout) as { findings: Finding[] }).findings
}

const failed = (all: readonly Finding[]) => all.filter(({ status }) => status === 'fail').map(({ check }) => check)

for (const engine of engines) {
  describe(`the checks on ${engine}`, () => {
    let deployment: Deployment
    let tenantId: string

    before(async () => {
      deployment = await newDurableDeployment(engine)
      const service = await startService(deployment.env)
      const tenant = await request(`${service.api}/tenants`, { json: { name: 'Checked', environment: 'staging' } })
      tenantId = String(tenant.body['id'])
      const user = await request(`${service.api}/auth/users`, { json: { tenantId, email: 'a@checked.example' } })
      assert.equal(user.status, 200)

      const headers = { 'x-public-key': String(tenant.body['publicKey']) }
      const addresses = ['https://app.checked.example/in', 'https://app.checked.example/old']
      const setAddresses = (redirectUris: string[]) =>
        request(`${service.api}/auth/tenants/${tenantId}`, { method: 'PUT', json: { redirectUris } })
      await setAddresses(addresses)
      for (const redirectUri of addresses) {
        const url = service.api.replace('/api/v0', '/frontend/api/v0/sign-ins')
        assert.equal((await request(url, { json: { redirectUri }, headers })).status, 200)
      }
      await setAddresses(addresses.slice(0, 1))

      const webhook = { tenantId, url: 'https://hooks.example/', events: ['user.created'], enabled: false }
      assert.equal((await request(`${service.api}/webhooks`, { json: webhook })).status, 200)

      const all = await findings(deployment, 0)
      assert.deepEqual(failed(all), [], 'beside the running service nothing is wrong')
      assert.ok(all.length > 12)

      await until('the events are sealed', 60_000, async () => {
        const [row] = await rawSql(
          deployment,
          `SELECT COUNT(*) AS sealed FROM event_seals WHERE tenant_id = '${tenantId}'`,
        )
        return Number(row?.['sealed']) >= 2 ? true : undefined
      })
      service.kill('SIGTERM')
      await service.exit()
    })

    it('doctor fails with status 3 on a counter that differs from its rows, and names it', async () => {
      await rawSql(deployment, `UPDATE counters SET value = 7 WHERE tenant_id = '${tenantId}' AND name = 'users'`)
      const all = await findings(deployment, 3)
      assert.deepEqual(failed(all), ['counters'])
      assert.match(all.find(({ check }) => check === 'counters')?.detail ?? '', /users says 7, rows 1/)
      await rawSql(deployment, `UPDATE counters SET value = 1 WHERE tenant_id = '${tenantId}' AND name = 'users'`)
    })

    it('doctor names the addresses that recent sign-ins named and that their tenant no longer lists', async () => {
      const finding = (await findings(deployment, 0)).find(({ check }) => check === 'redirect addresses')
      assert.equal(finding?.status, 'warn')
      assert.match(finding.detail, /^1 that .*: https:\/\/app\.checked\.example\/old of checked/)
    })

    it('doctor names the webhooks that subscribe to types of events that do not exist', async () => {
      const found = async () => (await findings(deployment, 0)).find(({ check }) => check === 'webhook subscriptions')
      assert.equal((await found())?.status, 'ok')
      await rawSql(deployment, `UPDATE webhooks SET events = '["*","user.created","user.craeted"]'`)
      const finding = await found()
      assert.equal(finding?.status, 'warn')
      assert.match(finding.detail, /^1 are to types of events that do not exist: user\.craeted of c/)
    })

    it('doctor fails on a wrong master key, and shows none', async () => {
      const other = randomBytes(32).toString('base64')
      const all = await findings(deployment, 3, { BAILIWICK_MASTER_KEY: other })
      assert.deepEqual(failed(all), ['master key'])
      assert.ok(!JSON.stringify(all).includes(other))
    })

    it('doctor fails if others on the machine can open the data directory', async () => {
      chmodSync(deployment.dataDir, 0o755)
      assert.deepEqual(failed(await findings(deployment, 3)), ['data directory'])
      chmodSync(deployment.dataDir, 0o700)
    })

    it('doctor fails on a schema that is not current, and says what to run', async () => {
      const lastId = '(SELECT max(id) FROM schema_migrations)'
      const [row] = await rawSql(deployment, `SELECT id, applied_at FROM schema_migrations WHERE id = ${lastId}`)
      await rawSql(deployment, `DELETE FROM schema_migrations WHERE id = ${lastId}`)
      const all = await findings(deployment, 3)
      assert.deepEqual(failed(all), ['schema'])
      assert.match(JSON.stringify(all), /run bailiwick migrate/)
      await rawSql(
        deployment,
        `INSERT INTO schema_migrations (id, applied_at) VALUES ('${String(row?.['id'])}', '${String(row?.['applied_at'])}')`,
      )
    })

    it('verify-log ends with 0 on an intact log and with 3 on one that was changed, and says where', async () => {
      const whole = await runCommand(['verify-log'], deployment.env)
      assert.equal(whole.code, 0, whole.stderr)
      assert.match(whole.stdout, /2 tenants, \d+ sealed events: whole/)
      await rawSql(
        deployment,
        `UPDATE events SET data = '{}' WHERE tenant_id = '${tenantId}' AND type = 'user.created'`,
      )
      const broken = await runCommand(['verify-log'], deployment.env)
      assert.equal(broken.code, 3)
      assert.match(
        broken.stdout,
        new RegExp(`^${tenantId}: broken: changed at event 2 \\(c[a-z0-9]+\\), nothing else$`, 'm'),
      )
      const one = await runCommand(['verify-log', 'checked', '--json'], deployment.env)
      assert.equal(one.code, 3)
      const { broken: found } = JSON.parse(one.stdout) as { broken: { tenantId: string }[] }
      assert.deepEqual(
        found.map((report) => report.tenantId),
        [tenantId],
      )
      assert.equal((await runCommand(['verify-log', 'nobody'], deployment.env)).code, 1)
    })
  })
}

describe('doctor beside a database that does not answer in time', () => {
  it('warns of what it could not check, checks the rest and ends', async () => {
    const deployment = await newDurableDeployment('postgresql')
    const service = await startService(deployment.env)
    assert.equal(
      (await request(`${service.api}/tenants`, { json: { name: 'Busy', environment: 'staging' } })).status,
      200,
    )
    const holder = new Client(deployment.databaseUrl)
    await holder.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE')
      const all = await findings(deployment, 0)
      const counters = all.find(({ check }) => check === 'counters')
      assert.equal(counters?.status, 'warn')
      assert.match(counters.detail, /^not checked: .*lock timeout/)
      assert.equal(all.find(({ check }) => check === 'webhook subscriptions')?.status, 'ok')
    } finally {
      await holder.end()
    }
    assert.equal((await findings(deployment, 0)).find(({ check }) => check === 'counters')?.status, 'ok')
  })
})

describe('doctor', () => {
  it('fails on a PostgreSQL database whose encoding is not UTF8', async () => {
    const deployment = await newDurableDeployment('postgresql')
    await rawSql(deployment, "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    const url = new URL(deployment.databaseUrl ?? '')
    url.pathname = 'latin'
    const all = await findings(deployment, 3, { DATABASE_URL: url.href })
    assert.equal(all.find(({ check }) => check === 'encoding')?.detail, 'is LATIN1 instead of UTF8')
  })

  it('reports an empty deployment, without creating anything', aboutSqlite, async () => {
    const deployment = await newDurableDeployment('sqlite')
    const all = await findings(deployment, 3)
    assert.deepEqual(failed(all), ['database'])
    assert.match(JSON.stringify(all), /there is no database/)
    assert.deepEqual(readdirSync(deployment.dataDir), [])
  })

  it('reports a lost master key, and makes no new one', async () => {
    const deployment = await newDurableDeployment(anyEngine)
    assert.equal((await runCommand(['migrate'], deployment.env)).code, 0)
    assert.deepEqual(failed(await findings(deployment, 0)), [])
    assert.equal((await runCommand(['seed', '--users', '1'], deployment.env)).code, 0)
    rmSync(join(deployment.dataDir, 'master.key'))
    assert.match(JSON.stringify(await findings(deployment, 3)), /there is no master key/)
    assert.ok(!existsSync(join(deployment.dataDir, 'master.key')))
  })
})
