import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTenant } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { type Timestamp, addMilliseconds } from '../clock.ts'
import { addToCounters } from '../db/counters.ts'
import { sql } from '../db/sql.ts'
import { createDayCounterCleanUp } from './clean-up.ts'
import { dayCountNames, dayCounter, dayMs } from './day-counters.ts'

describeService('counts of days', (service) => {
  const ago = (days: number): Timestamp => addMilliseconds(service().deps.clock.now(), -days * dayMs)

  async function listNames(tenantId: string) {
    const rows = await service().deps.db.all<{ name: string }>(
      sql`SELECT DISTINCT name FROM counters WHERE tenant_id = ${tenantId}`,
    )
    return new Set(rows.map(({ name }) => name))
  }

  it('are removed once no statistic covers them, for every kind and tenant, and nothing else is', async () => {
    const { db } = service().deps
    const tenants = await Promise.all([createTenant(service()), createTenant(service())])
    const [old, looked] = [
      [400, 62],
      [59, 1],
    ].map((days) => days.flatMap((count) => dayCountNames.map((name) => dayCounter(name, ago(count))))) as [
      string[],
      string[],
    ]
    for (const { tenant } of tenants) {
      for (const names of [old, looked, ['users', 'sessions']]) {
        await db.write((context) => [
          addToCounters(context, tenant.id, Object.fromEntries(names.map((name) => [name, 1]))),
        ])
      }
    }
    await createDayCounterCleanUp(service().deps)()
    for (const { tenant } of tenants) {
      const names = await listNames(tenant.id)
      assert.deepEqual(
        old.filter((name) => names.has(name)),
        [],
      )
      assert.deepEqual(
        [...looked, 'users', 'sessions'].filter((name) => !names.has(name)),
        [],
      )
    }
  })

  it('are all removed, even if there are more rows than one step removes', async () => {
    const { db } = service().deps
    const { tenant } = await createTenant(service())
    for (let shard = 0; shard < 9; shard++) {
      const rows = Array.from({ length: 70 }, (_, day) => [
        tenant.id,
        dayCounter('users_created', ago(100 + day)),
        shard,
        1,
      ])
      await db.write(() => [sql`INSERT INTO counters (tenant_id, name, shard, value) ${sql.values(rows)}`])
    }
    await createDayCounterCleanUp(service().deps)()
    assert.deepEqual(
      [...(await listNames(tenant.id))].filter((name) => name.startsWith('users_created:')),
      [],
    )
  })
})
