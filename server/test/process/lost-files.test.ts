import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { describe, it } from 'node:test'
import { aboutSqlite } from '../harness/databases/engines.ts'
import { type ServiceProcess, newDeployment, request, startService, until } from './service-process.ts'

const newTenant = ({ api }: ServiceProcess) =>
  request(`${api}/tenants`, { json: { name: 'Acme', environment: 'staging' } })

/** The data directory is lost under a running service; returns how many writes are acknowledged after that. */
async function acknowledgedAfter(lose: (dataDir: string) => void, service: ServiceProcess, dataDir: string) {
  assert.equal((await newTenant(service)).status, 200)
  lose(dataDir)
  let acknowledged = 0
  await until('it refuses writes', 60_000, async () => {
    const { status } = await newTenant(service)
    if (status === 503) return true
    assert.equal(status, 200)
    acknowledged++
    return undefined
  })
  return acknowledged
}

// Regression: the service acknowledged writes for ever, and they were gone at its end.
describe('a data directory', aboutSqlite, () => {
  const losses: Record<string, (dataDir: string) => void> = {
    'is deleted': (dataDir) => rmSync(dataDir, { recursive: true }),
    'is replaced': (dataDir) => {
      renameSync(dataDir, `${dataDir}-moved`)
      mkdirSync(dataDir)
    },
    'loses its write-ahead log': (dataDir) => rmSync(`${dataDir}/bailiwick.db-wal`),
  }
  for (const [how, lose] of Object.entries(losses)) {
    it(`that ${how} under a running service ends its writes within a second or so, and the log says so`, async () => {
      const { env, dataDir } = await newDeployment('sqlite')
      const service = await startService(env)
      const acknowledged = await acknowledgedAfter(lose, service, dataDir)
      // A deleted log is seen with the commit that it is missing from, a replaced folder within a second.
      if (how !== 'is replaced') assert.equal(acknowledged, 0)
      assert.equal((await newTenant(service)).status, 503, 'for good')
      assert.equal((await request(`${service.api}/tenants`)).status, 200, 'reads go on')
      const ready = await request(`${service.url}/readyz`)
      assert.deepEqual([ready.status, ready.body['reason']], [503, 'read_only'])
      await until('the log says so', 60_000, () =>
        service
          .log()
          .find(({ level, msg }) => level === 'error' && /^the service only reads: .*(?:was|did)/.test(String(msg))),
      )
      service.kill('SIGTERM')
      assert.equal((await service.exit()).signal, null)
      rmSync(`${dataDir}-moved`, { recursive: true, force: true })
    })
  }
})
