// PostgreSQL is killed while the service writes to it: a server of this test's own, with fsync on.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { PrivatePostgres } from '../../../scripts/private-postgres.ts'
import { startOwnPostgres } from '../harness/databases/databases.ts'
import { assertWholeAndKept } from './audit.ts'
import { type Deployment, newDeployment, request, startService, until } from './service-process.ts'
import { nothingPromised, startLoad } from './write-load.ts'

let postgres: PrivatePostgres
let deployment: Deployment
before(async () => {
  postgres = await startOwnPostgres()
  const { dataDir, env } = await newDeployment('sqlite')
  deployment = { engine: 'postgresql', dataDir, databaseUrl: postgres.url, env: { ...env, DATABASE_URL: postgres.url } }
})
after(() => postgres.stop())

describe('kill -9 of PostgreSQL under load', () => {
  it('is 503 with Retry-After until it is back, and loses nothing that was acknowledged', async () => {
    const promised = nothingPromised()
    const service = await startService(deployment.env)
    const { body } = await request(`${service.api}/tenants`, {
      json: { name: 'Crowded', slug: 'crowded', environment: 'production', domain: 'crowded.example' },
    })
    const load = startLoad({
      api: service.api,
      tenantId: String(body['id']),
      name: 'load',
      promised,
      mayBeUnavailable: true,
    })
    await until('the load is under way', 60_000, () => (promised.users.size > 100 ? true : undefined))

    await postgres.kill()
    const refused = await until('writes are refused', 60_000, async () => {
      const answer = await request(`${service.api}/tenants`, { json: { name: 'Refused', environment: 'staging' } })
      return answer.status === 503 ? answer : undefined
    })
    assert.equal(refused.body['code'], 'unavailable')
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    const notReady = await request(`${service.url}/readyz`)
    assert.deepEqual([notReady.status, notReady.body], [503, { status: 'error', reason: 'database' }])
    assert.match(notReady.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal((await request(`${service.url}/livez`)).status, 200)
    await until('every caller has met the outage', 60_000, () => (load.unavailable() > 8 ? true : undefined))

    await postgres.restart()
    await until('it is ready again', 60_000, async () =>
      (await request(`${service.url}/readyz`)).status === 200 ? true : undefined,
    )
    const usersBefore = promised.users.size
    await until('the load goes on', 60_000, () => (promised.users.size > usersBefore + 100 ? true : undefined))
    await load.stop()
    await assertWholeAndKept(deployment, promised)
    const seen = JSON.stringify(service.log().filter(({ level }) => level === 'error' || level === 'fatal'))
    assert.doesNotMatch(seen, /"msg":"Something failed on our side/)
  })
})
