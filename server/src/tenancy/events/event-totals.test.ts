// Regression: events that were not sealed yet were counted by their times. An event that a clock set back, or an overtaken transaction, put
// before the newest sealed event was left out, as was everything beyond ten thousand.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sealEverything, settled } from '../../../test/harness/databases/event-log.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { type NewEvent, eventsStatement } from '../../platform/events/append.ts'
import { sealAll } from '../../platform/events/sealer.ts'
import type { TenantId } from '../../platform/ids.ts'

const dayMs = 24 * 60 * 60_000

describeService('the total of a list of events', (service) => {
  const totals = async (tenantId: string) => {
    const readTotal = async (query: Readonly<Record<string, string>>) =>
      (await service().ok<{ meta: { total: number } }>('listEvents', { params: { tenantId }, query })).meta.total
    return [await readTotal({}), await readTotal({ type: 'user.unlocked' })]
  }
  const event = (tenantId: string): NewEvent => ({
    tenantId: tenantId as TenantId,
    type: 'user.unlocked',
    actor: { type: 'operator', id: null, ip: null, ua: null },
    subjectId: 'cuser0000000',
    data: {},
  })
  const append = (events: readonly NewEvent[], clock = service().deps.clock) =>
    service().deps.db.transaction((tx) => tx.run(eventsStatement(clock, service().deps.personal, events)))

  it('counts an event that was written after the clock had been set back', async () => {
    const { tenant } = await createTenant(service())
    await createUser(service(), tenant.id)
    await sealEverything(service().deps)
    await append(
      [event(tenant.id)],
      createClock(() => Date.now() - dayMs),
    )
    assert.deepEqual(await totals(tenant.id), [3, 1])
    await sealEverything(service().deps)
    assert.deepEqual(await totals(tenant.id), [3, 1])
  })

  it('counts more than ten thousand events that are not sealed yet', async () => {
    const { tenant } = await createTenant(service())
    const thousand = Array.from({ length: 1000 }, () => event(tenant.id))
    for (let thousands = 0; thousands < 11; thousands++) await append(thousand)
    assert.deepEqual(await totals(tenant.id), [11_001, 11_000])
  })

  it('counts an event whose transaction was overtaken by one that is sealed', async () => {
    const { db, clock, personal } = service().deps
    // SQLite has one transaction at a time.
    if (db.engine === 'sqlite') return
    const { tenant } = await createTenant(service())
    await sealEverything(service().deps)
    const [began, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const earlier = db.transaction(async (tx) => {
      // Gets its number before the other event, and its time after it.
      await tx.all(sql`SELECT pg_current_xact_id() AS id`)
      began.resolve()
      await written.promise
      await tx.run(eventsStatement(clock, personal, [event(tenant.id)]))
    })
    await began.promise
    const [hasWritten, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const later = db.transaction(async (tx) => {
      await tx.run(eventsStatement(clock, personal, [event(tenant.id)]))
      hasWritten.resolve()
      await mayCommit.promise
    })
    await hasWritten.promise
    written.resolve()
    await earlier
    const sealedOf = async () => {
      await sealAll(service().deps)
      const row = await db.first<{ sealed: number }>(
        sql`SELECT COUNT(*) AS sealed FROM event_seals WHERE tenant_id = ${tenant.id} LIMIT 1`,
      )
      return row?.sealed
    }
    // Transactions of other tests on the same server may delay the sealer for a moment.
    while ((await sealedOf()) !== 2) await new Promise((resolve) => setImmediate(resolve))
    mayCommit.resolve()
    await later
    assert.deepEqual(await totals(tenant.id), [3, 2])
    await settled(db)
    await sealEverything(service().deps)
    assert.deepEqual(await totals(tenant.id), [3, 2])
  })
})
