// How old events leave the log, what stays, and what is still verified afterwards.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { EventRetention, NamedEvent } from '@bailiwick/contract'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { fanOutEverything, sealEverything } from '../../../test/harness/databases/event-log.ts'
import { createTenant, createWebhook } from '../../../test/harness/factories.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import type { Deps } from '../../identity/deps.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import { eventsStatement } from '../../platform/events/append.ts'
import { createEventStreams } from '../../platform/events/stream.ts'
import { verifyEventLog } from '../../platform/events/verify.ts'
import type { TenantId } from '../../platform/ids.ts'
import { oldestNeeded } from './feature.ts'
import { type FindNeeded, createEventRemover } from './remove-old-events.ts'

const dayMs = 24 * 60 * 60_000
/** More steps than any test needs, so that one in which nothing is removed ends. */
const stepsMax = 100

describeOnEachEngine('old events', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const run = (statement: Statement) => service.deps.db.transaction((tx) => tx.run(statement))
  /** @param eventRetentionDays 0 for ever */
  async function createLog(eventRetentionDays: number, events: number): Promise<TenantId> {
    const { tenant } = await createTenant(service)
    const tenantId = tenant.id as TenantId
    if (eventRetentionDays > 0)
      await service.ok('putAuthTenant', { params: { id: tenantId }, body: { eventRetentionDays } })
    await append(tenantId, events)
    return tenantId
  }
  async function append(tenantId: TenantId, count: number): Promise<void> {
    const { clock, personal } = service.deps
    const actor = { type: 'operator', id: null, ip: null, ua: null } as const
    const event = { tenantId, type: 'user.unlocked', actor, subjectId: 'cuser0000000', data: {} } as const
    if (count > 0)
      await run(
        eventsStatement(
          clock,
          personal,
          Array.from({ length: count }, () => event),
        ),
      )
  }
  async function settle(): Promise<void> {
    await sealEverything(service.deps)
    await fanOutEverything(service.deps)
  }
  async function removeAll(deps: Deps = service.deps, findNeeded: FindNeeded = oldestNeeded): Promise<void> {
    const remove = createEventRemover(deps, findNeeded)
    for (let step = 0; step < stepsMax && (await remove()); step++);
    await sealEverything(service.deps)
  }
  async function list(tenantId: string): Promise<{ readonly types: readonly string[]; readonly total: number }> {
    const page = await service.ok<{ data: NamedEvent[]; meta: { total: number } }>('listEvents', {
      params: { tenantId },
      query: { perPage: '100' },
    })
    return { types: page.data.map(({ type }) => type), total: page.meta.total }
  }
  const readRetention = (tenantId: string) => service.ok<EventRetention>('getEventRetention', { params: { tenantId } })
  const verify = async (tenantId: TenantId) => {
    const { sealed, removed, problems } = await verifyEventLog(service.deps, tenantId)
    return { sealed, removed, kinds: problems.map(({ kind }) => kind) }
  }

  // Guards: event-retention
  it('are removed after the days of their tenant, and the rest is verified from there', async () => {
    const [short, long, all] = [await createLog(30, 5), await createLog(90, 5), await createLog(0, 5)]
    await settle()
    advance(29 * dayMs)
    await removeAll()
    assert.equal((await list(short)).total, 7, 'nothing is old enough')
    await append(short, 2)
    await settle()
    advance(3 * dayMs)
    const [, first] = (
      await service.ok<{ data: NamedEvent[] }>('listEvents', { params: { tenantId: short }, query: { perPage: '2' } })
    ).data
    await removeAll()
    assert.deepEqual(await list(short), { types: ['events.removed', 'user.unlocked', 'user.unlocked'], total: 3 })
    assert.deepEqual(await verify(short), { sealed: 3, removed: 7, kinds: [] })
    assert.deepEqual([(await list(long)).total, (await list(all)).total], [7, 6], 'those of others stay')
    const [{ data } = { data: undefined }] = (
      await service.ok<{ data: NamedEvent[] }>('listEvents', {
        params: { tenantId: short },
        query: { type: 'events.removed' },
      })
    ).data
    const { newestRemovedAt, ...retention } = await readRetention(short)
    assert.deepEqual(data, { count: 7, removed: 7, newestCreatedAt: newestRemovedAt, days: 30 })
    assert.deepEqual([retention.days, retention.removed, retention.firstEventAt], [30, 7, first?.createdAt])
    await removeAll()
    assert.equal((await list(short)).total, 3, 'a second look the same day removes nothing')
    await append(short, 1)
    await settle()
    assert.deepEqual(await verify(short), { sealed: 4, removed: 7, kinds: [] }, 'the chain goes on')
  })

  it('leave a log alone in which nothing but removals has become old', async () => {
    const tenantId = await createLog(30, 1)
    await settle()
    for (let round = 0; round < 3; round++) {
      advance(40 * dayMs)
      await removeAll()
    }
    // The newest sealed event stays until there is a newer one.
    const { types } = await list(tenantId)
    advance(40 * dayMs)
    await removeAll()
    assert.deepEqual((await list(tenantId)).types, types)
    assert.deepEqual(new Set(types), new Set(['events.removed']))
    assert.deepEqual((await verify(tenantId)).kinds, [])
  })

  it('are removed in stretches, from each tenant in turn, by two nodes once', async () => {
    const tenants = [await createLog(30, 1200), await createLog(30, 600)]
    await settle()
    advance(40 * dayMs)
    const remove = createEventRemover(service.deps, oldestNeeded)
    const removedOf = (index: number) => readRetention(tenants[index] ?? '').then(({ removed }) => removed)
    for (let step = 0; step < stepsMax && (await removedOf(0)) === 0; step++) await remove()
    for (let step = 0; step < stepsMax && (await removedOf(1)) === 0; step++) await remove()
    assert.deepEqual([await removedOf(0), await removedOf(1)], [500, 500])
    await Promise.all([removeAll(), removeAll()])
    await removeAll()
    for (const tenantId of tenants) {
      const { sealed, removed, kinds } = await verify(tenantId)
      assert.deepEqual(kinds, [])
      const { total, types } = await list(tenantId)
      assert.equal(total, sealed)
      assert.deepEqual(new Set(types), new Set(['events.removed']))
      assert.equal(removed, tenants.indexOf(tenantId) === 0 ? 1202 : 602)
    }
  })

  // Guards: event-retention
  it('stay while a webhook has not got them, and while one of its deliveries can be repeated', async () => {
    const tenantId = await createLog(30, 3)
    const webhook = await createWebhook(service, tenantId, { events: ['user.unlocked'] })
    await append(tenantId, 3)
    await sealEverything(service.deps)
    advance(40 * dayMs)
    await removeAll(service.deps, async (db, id) => {
      const needed = await oldestNeeded(db, id)
      if (id === tenantId) await fanOutEverything(service.deps)
      return needed
    })
    assert.equal((await readRetention(tenantId)).removed, 0, 'webhooks have read nothing until just now')
    await removeAll()
    const { removed } = await readRetention(tenantId)
    assert.ok(removed <= 6, `removed ${removed}, of which the last three are waiting to be delivered`)
    const { data: deliveries } = await service.ok<{ data: { eventId: string }[] }>('listWebhookDeliveries', {
      params: { id: webhook.id },
    })
    const left = await service.deps.db.all<{ id: string }>(
      sql`SELECT id FROM events WHERE tenant_id = ${tenantId} AND type = 'user.unlocked' LIMIT 100`,
    )
    assert.deepEqual(
      deliveries.map(({ eventId }) => eventId).filter((id) => !left.some((event) => event.id === id)),
      [],
    )
    await run(sql`DELETE FROM webhook_deliveries WHERE tenant_id = ${tenantId}`)
    await removeAll()
    assert.deepEqual((await list(tenantId)).types.filter((type) => type === 'user.unlocked').length, 0)
  })

  // Guards: event-retention
  it('are missed when somebody else removes, changes or puts back events of such a log', async () => {
    const { db } = service.deps
    const tenantId = await createLog(30, 4)
    const [removed] = await db.all<Record<string, string | number | null>>(
      sql`SELECT * FROM events WHERE tenant_id = ${tenantId} ORDER BY position LIMIT 1`,
    )
    await settle()
    const [seal] = await db.all<{ event_position: number; event_id: string; hash: string }>(
      sql`SELECT event_position, event_id, hash FROM event_seals WHERE tenant_id = ${tenantId} AND sequence = 1`,
    )
    advance(40 * dayMs)
    await append(tenantId, 4)
    await settle()
    await removeAll()
    assert.deepEqual(await verify(tenantId), { sealed: 5, removed: 6, kinds: [] })
    const isFound = async (kinds: readonly string[], tamper: Statement, mend: Statement) => {
      await run(tamper)
      assert.deepEqual((await verify(tenantId)).kinds, kinds, tamper.sqliteText)
      await run(mend)
      assert.deepEqual((await verify(tenantId)).kinds, [], mend.sqliteText)
    }
    const ofTenant = sql`tenant_id = ${tenantId}`
    const hash = await db.first<{ hash: string }>(sql`SELECT hash FROM event_anchors WHERE ${ofTenant}`)
    const first = sql`${ofTenant} AND position = (SELECT event_position FROM event_seals WHERE ${ofTenant} AND sequence = 7)`
    await isFound(
      ['changed'],
      sql`UPDATE events SET ip = '10.0.0.1' WHERE ${first}`,
      sql`UPDATE events SET ip = NULL WHERE ${first}`,
    )
    await isFound(
      ['changed', 'anchor'],
      sql`UPDATE event_anchors SET hash = ${seal?.hash ?? ''} WHERE ${ofTenant}`,
      sql`UPDATE event_anchors SET hash = ${hash?.hash ?? ''} WHERE ${ofTenant}`,
    )
    await isFound(
      ['anchor'],
      sql`UPDATE event_anchors SET newest_created_at = '2020-01-01T00:00:00.000000Z' WHERE ${ofTenant}`,
      sql`UPDATE event_anchors SET newest_created_at = ${(await readRetention(tenantId)).newestRemovedAt} WHERE ${ofTenant}`,
    )
    // An event that was removed is put back with the seal that it had.
    const { position, ...columns } = removed ?? {}
    delete columns['transaction_id']
    const names = sql.identifiers(Object.keys(columns))
    const isPostgresql = db.engine === 'postgresql'
    await run(sql`INSERT INTO events (position, ${isPostgresql ? sql`transaction_id, ` : sql``}${names})
      ${isPostgresql ? sql`OVERRIDING SYSTEM VALUE` : sql``} VALUES (${position ?? 0},
      ${isPostgresql ? sql`CAST('1' AS xid8), ` : sql``}${sql.list(Object.values(columns))})`)
    await run(sql`INSERT INTO event_seals (tenant_id, sequence, event_position, event_id, hash)
      VALUES (${tenantId}, 1, ${position ?? 0}, ${seal?.event_id ?? ''}, ${seal?.hash ?? ''})`)
    assert.deepEqual((await verify(tenantId)).kinds, ['inserted'])
    await run(sql`DELETE FROM event_seals WHERE ${ofTenant} AND sequence = 1`)
    await run(sql`DELETE FROM events WHERE ${ofTenant} AND position = ${position ?? 0}`)
    // Somebody removes one more stretch by hand.
    await run(sql`DELETE FROM event_seals WHERE ${ofTenant} AND sequence = 7`)
    assert.deepEqual((await verify(tenantId)).kinds, ['seal_missing', 'changed', 'inserted'])
    await run(sql`DELETE FROM event_anchors WHERE ${ofTenant}`)
    assert.ok((await verify(tenantId)).kinds.includes('seal_missing'))
  })

  // Guards: event-retention
  it('stay where they do not fit their seals, as evidence', async () => {
    const tenantId = await createLog(30, 4)
    await settle()
    advance(40 * dayMs)
    await run(
      sql`UPDATE events SET subject_id = 'cforged00000' WHERE tenant_id = ${tenantId} AND type = 'user.unlocked'`,
    )
    await removeAll()
    const { total } = await list(tenantId)
    assert.deepEqual([total, (await readRetention(tenantId)).removed], [6, 0])
    assert.equal((await verify(tenantId)).kinds.length, 4)
  })

  it('are what the operator says without a setting of the tenant, and never fewer days than the operator allows', async () => {
    const [usual, short] = [await createLog(0, 1), await createLog(30, 1)]
    await settle()
    const deps = { ...service.deps, config: { ...service.deps.config, eventRetention: { daysMin: 60, daysMax: 90 } } }
    advance(40 * dayMs)
    await removeAll(deps)
    assert.deepEqual([(await readRetention(usual)).removed, (await readRetention(short)).removed], [0, 0])
    advance(30 * dayMs)
    await removeAll(deps)
    assert.deepEqual([(await readRetention(usual)).removed, (await readRetention(short)).removed], [0, 2])
    advance(30 * dayMs)
    await removeAll(deps)
    assert.equal((await readRetention(usual)).removed, 1)
  })

  it('cannot be removed after fewer days than deliveries are kept', async () => {
    const tenantId = await createLog(0, 0)
    for (const eventRetentionDays of [1, 29]) {
      const request = { params: { id: tenantId }, body: { eventRetentionDays } }
      const { issues } = await service.refused('putAuthTenant', 'validation_failed', request)
      const message = 'must be 0, or from 30 to 3650 on this server'
      assert.deepEqual(issues, [{ path: '/eventRetentionDays', code: 'out_of_range', message }])
    }
  })

  // Guards: event-retention
  it('are named to a stream that has not come so far, which can go on where events exist', async () => {
    // More than the stream reads at once.
    const tenantId = await createLog(30, 30)
    await settle()
    const { lastEventId: start } = await readRetention(tenantId)
    assert.equal(start, '0.0')
    const stream = (lastEventId: string) =>
      service.call<{ code: string; message: string }>('streamEvents', {
        params: { tenantId },
        headers: { 'last-event-id': lastEventId },
      })
    assert.equal((await stream(start)).status, 200)
    advance(40 * dayMs)
    await append(tenantId, 2)
    await settle()
    // A stream that has begun to read before they are removed ends, and sends nothing from behind the gap.
    const streams = createEventStreams(service.deps)
    const begun = await streams.open({
      tenantId,
      credential: 'one',
      after: { transactionId: '0', position: 0 },
      cut: () => undefined,
      onClosed: () => undefined,
      mayGoOn: async () => undefined,
    })
    const chunks = begun[Symbol.asyncIterator]() as AsyncIterator<string>
    assert.match(String((await chunks.next()).value), /^retry/)
    await removeAll()
    const { lastEventId, firstEventAt } = await readRetention(tenantId)
    const { status, body } = await stream(start)
    assert.deepEqual([status, body.code], [410, 'events_removed'])
    assert.ok(body.message.includes(firstEventAt ?? '') && body.message.includes(lastEventId), body.message)
    assert.equal((await stream(lastEventId)).status, 200)
    const rest: string[] = []
    const isBehindGap = (text: string | undefined) => text?.includes(firstEventAt ?? '') === true
    for (let chunk = await chunks.next(); chunk.done !== true && !isBehindGap(rest.at(-1)); chunk = await chunks.next())
      rest.push(chunk.value)
    assert.ok(!rest.some(isBehindGap), rest.join(''))
    streams.end()
  })
})
