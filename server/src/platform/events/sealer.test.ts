import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { sealEverything, settled } from '../../../test/harness/databases/event-log.ts'
import { recordStatements } from '../../../test/harness/databases/recorded-statements.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'
import { toMs } from '../clock.ts'
import { oldestUnsealed, sealNext } from './sealer.ts'

describeOnEachEngine('the sealer', (open) => {
  let service: TestService
  let recorder: ReturnType<typeof recordStatements>
  before(async () => {
    const { database } = await open()
    recorder = recordStatements(database)
    service = await startTestService(recorder.database)
  })
  after(async () => {
    await service.app.close()
  })

  const sealTenants = async (count: number) => {
    for (let index = 0; index < count; index++) await createTenant(service)
    await settled(service.deps.db)
    return recorder.recorded(() => sealNext(service.deps))
  }

  // Regression: two statements for each tenant made it fall behind from some hundred events a second on.
  it('needs no more statements for the events of 32 tenants than for those of 16', async () => {
    await sealEverything(service.deps)
    const few = await sealTenants(16)
    assert.ok(few.length > 5)
    assert.equal((await sealTenants(32)).length, few.length)
  })

  it('tells the age of the oldest unsealed event', async () => {
    await sealEverything(service.deps)
    assert.equal(await oldestUnsealed(service.deps), undefined)
    const { tenant } = await createTenant(service)
    await createTenant(service)
    await settled(service.deps.db)
    const oldest = await oldestUnsealed(service.deps)
    assert.ok(oldest !== undefined)
    assert.ok(Math.abs(toMs(oldest) - Date.parse(tenant.createdAt)) < 60_000)
  })
})
