// The primary is demoted under load and its standby promoted later, while the service knows both: two servers of this test's own.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { aboutOnePostgresql } from '../harness/databases/engines.ts'
import { type PostgresPair, askServer, startPostgresPair } from '../nodes/postgres-pair.ts'
import { assertWholeAndKept } from './audit.ts'
import { type Deployment, newDeployment, request, startService, until } from './service-process.ts'
import { nothingPromised, startLoad } from './write-load.ts'

const waitMsMax = 60_000

describe('a failover of PostgreSQL under load', aboutOnePostgresql, () => {
  let pair: PostgresPair
  let deployment: Deployment
  before(async () => {
    pair = await startPostgresPair()
    await pair.setSynchronous(true)
    const { dataDir, env: own } = await newDeployment('sqlite')
    const env = { ...own, DATABASE_URL: pair.url }
    deployment = { engine: 'postgresql', dataDir, databaseUrl: pair.standby.url, env }
  })
  after(() => pair.stop())

  // Guards: one-primary
  it('is 503 and not ready until the standby accepts writes, and loses nothing that was acknowledged', async () => {
    const promised = nothingPromised()
    const service = await startService(deployment.env)
    const { body } = await request(`${service.api}/tenants`, {
      json: { name: 'Crowded', slug: 'crowded', environment: 'production', domain: 'crowded.example' },
    })
    const tenantId = String(body['id'])
    const load = startLoad({ api: service.api, tenantId, name: 'load', promised, mayBeUnavailable: true })
    await until('the load is under way', waitMsMax, () => (promised.users.size > 50 ? true : undefined))

    await pair.primary.demote()
    await until('it is not ready', waitMsMax, async () =>
      (await request(`${service.url}/readyz`)).status === 503 ? true : undefined,
    )
    const refused = await request(`${service.api}/tenants/${tenantId}`)
    assert.deepEqual([refused.status, refused.body['code']], [503, 'unavailable'])
    await until('every caller has met the outage', waitMsMax, () => (load.unavailable() > 8 ? true : undefined))

    await pair.standby.promote()
    await until('it is ready again', waitMsMax, async () =>
      (await request(`${service.url}/readyz`)).status === 200 ? true : undefined,
    )
    const usersBefore = promised.users.size
    const unavailableBefore = load.unavailable()
    await until('the load goes on', waitMsMax, () => (promised.users.size > usersBefore + 100 ? true : undefined))
    assert.ok(load.unavailable() <= unavailableBefore + 8, 'after the first answer nothing is refused again')
    const left = await askServer(
      pair.primary.url,
      `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'bailiwick%'`,
    )
    assert.deepEqual(left, [])
    await load.stop()
    await assertWholeAndKept(deployment, promised)
    const seen = JSON.stringify(service.log().filter(({ level }) => level === 'error' || level === 'fatal'))
    assert.doesNotMatch(seen, /"msg":"Something failed on our side/)
  })
})
