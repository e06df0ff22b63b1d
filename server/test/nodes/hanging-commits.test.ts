// Commits hang because the synchronous standby is away. Both servers are real and belong to this test.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EndpointId } from '@bailiwick/contract'
import { openDatabase } from '../../src/platform/db/open.ts'
import { type CallOptions, type TestService, startTestService } from '../harness/service.ts'
import { type PostgresPair, askServer, startPostgresPair } from './postgres-pair.ts'

const waitMsMax = 60_000
const poolSize = 5

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + waitMsMax
  while (!(await isSo())) {
    if (performance.now() > deadline) assert.fail(`waited in vain until ${what}`)
    await sleep(10)
  }
}

describe('a node whose commits hang', () => {
  let pair: PostgresPair
  let service: TestService
  const ends: (() => unknown)[] = []
  before(async () => {
    pair = await startPostgresPair()
    ends.push(() => pair.stop())
    const database = await openDatabase({ kind: 'postgresql', url: pair.primary.url, poolSize })
    ends.push(() => database.close())
    await database.migrate()
    service = await startTestService(database)
    ends.push(() => service.app.close())
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('answers lists and look-ups, refuses writes with 503 and Retry-After, and takes them again afterwards', async () => {
    const { id: tenantId } = await service.ok<{ id: string }>('createTenant', {
      body: { name: 'Hanging', environment: 'staging' },
    })
    const user = await service.ok<{ id: string }>('createUser', { body: { tenantId, email: 'ada@example.com' } })
    await pair.setSynchronous(true)
    await until('commits wait for the standby', async () => {
      const [row] = await askServer(pair.primary.url, 'SELECT sync_state FROM pg_stat_replication')
      return row?.['sync_state'] === 'sync'
    })
    pair.standby.pause()
    ends.push(() => pair.standby.resume())

    const create = (name: string) => service.call('createRole', { body: { tenantId, name } })
    const written = Array.from({ length: 4 * poolSize }, (_, n) => create(`Role ${n}`))
    await until('commits hang', async () => {
      const rows = await askServer(pair.primary.url, `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
      return rows.length > 1
    })
    const byQuery = { query: { tenantId } }
    const byPath = { params: { tenantId } }
    const reads: [EndpointId, CallOptions][] = [
      ['listUsers', byQuery],
      ['listRoles', byPath],
      ['listOrganizations', byPath],
      ['listWebhooks', byPath],
      ['listMessages', byPath],
      ['listTenantSessions', byPath],
      ['listEvents', byPath],
      ['listSignInAttempts', byQuery],
      ['listApplications', byPath],
      ['listTenants', {}],
      ['getUser', { params: { id: user.id } }],
      ['getTenant', { params: { id: tenantId } }],
    ]
    const readAll = async () => {
      const answers = await Promise.all(
        reads.map(async ([id, options]) => `${id} ${(await service.call(id, options)).status}`),
      )
      assert.deepEqual(
        answers,
        reads.map(([id]) => `${id} 200`),
      )
    }
    await readAll()
    for (const answer of await Promise.all(written)) {
      assert.equal(answer.status, 503)
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
    }
    // PostgreSQL still holds the connections whose commits were given up.
    await readAll()

    pair.standby.resume()
    await until('writes are taken again', async () => (await create(`Later ${performance.now()}`)).status === 200)
  })
})
