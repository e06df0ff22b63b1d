import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { sealEverything, settled } from '../../../test/harness/databases/event-log.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { fanOutAll } from '../../messaging/webhooks/fan-out.ts'
import { fromMs } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { TenantId } from '../ids.ts'
import { assertNothingMissed, findAnchor } from './anchor.ts'
import { feedEnd, feedStart, movePlace, parseFeedCursor, readFeed, readPlace } from './feed.ts'
import { removeOldEvents } from './remove-events.ts'
import { resumeRestoredLog } from './restored-log.ts'
import { sealAll } from './sealer.ts'
import { verifyEventLog } from './verify.ts'

/** How many transactions the dumped server had seen. */
const ahead = 1_000_000_000

describeService('a database that was loaded from a dump of another server', (service) => {
  let tenantId: TenantId
  before(async () => {
    tenantId = (await createTenant(service())).tenant.id as TenantId
  })

  const rename = (name: string) => service().ok('updateTenant', { params: { id: tenantId }, body: { name } })

  /** On SQLite, which has no transaction numbers, it is a database like any other. */
  async function loadElsewhere() {
    const { db } = service().deps
    if (db.engine === 'sqlite') return
    const shifted = sql`CAST(CAST(CAST(CAST(transaction_id AS text) AS BIGINT) + ${ahead} AS text) AS xid8)`
    await db.write(() => [sql`UPDATE events SET transaction_id = ${shifted}`])
    for (const reader of ['events.webhooks', 'events.seals'] as const) {
      const { transactionId, position } = await readPlace(db, reader)
      const value = `${BigInt(transactionId) + BigInt(ahead)}.${position}`
      await db.write(() => [sql`UPDATE deployment SET value = ${value} WHERE name = ${reader}`])
    }
    await db.write(() => [
      sql`UPDATE event_anchors SET feed_place = CAST(CAST(split_part(feed_place, '.', 1) AS BIGINT) + ${ahead} AS text)
        || '.' || split_part(feed_place, '.', 2)`,
    ])
  }

  it('has its readers continue: read events stay read, unread and new ones are read once', async () => {
    const { deps } = service()
    const { db } = deps
    const namesAfter = async (reader: 'events.webhooks' | 'events.seals') =>
      (await readFeed(db, await readPlace(db, reader), 1000)).map(
        ({ data }) => (JSON.parse(data) as { after?: { name?: string } }).after?.name,
      )
    await rename('Read by both')
    await sealEverything(deps)
    await fanOutAll(deps)
    await rename('Sealed only')
    await sealEverything(deps)
    await rename('Read by none')
    await settled(db)

    await loadElsewhere()
    await resumeRestoredLog(deps)
    await rename('Written here')
    await settled(db)
    assert.deepEqual(await namesAfter('events.seals'), ['Read by none', 'Written here'])
    assert.deepEqual((await namesAfter('events.webhooks')).slice(-3), ['Sealed only', 'Read by none', 'Written here'])
    assert.ok(!(await namesAfter('events.webhooks')).includes('Read by both'))

    await sealAll(deps)
    assert.deepEqual((await verifyEventLog(deps, tenantId)).problems, [])
    const end = await feedEnd(db)
    await resumeRestoredLog(deps)
    const place = await readPlace(db, 'events.webhooks')
    assert.ok(
      await db.transaction((tx) => movePlace(tx, 'events.webhooks', place, end)),
      'a second look changes nothing',
    )
  })

  it('has its streams told what was removed before, and nothing else', async () => {
    const { deps } = service()
    await rename('To be removed')
    await rename('To be kept')
    await sealEverything(deps)
    await fanOutAll(deps)
    const removal = { tenantId, before: fromMs(Date.now() + 1000), days: 30, findNeeded: async () => undefined }
    assert.ok((await removeOldEvents(deps, removal)) > 0)
    await settled(deps.db)
    await loadElsewhere()
    await resumeRestoredLog(deps)
    const { feed_place: removed = '' } = (await findAnchor(deps.db, tenantId)) ?? {}
    const place = parseFeedCursor(removed)
    assert.ok(place !== undefined)
    await assertNothingMissed(deps.db, tenantId, place)
    await assertNothingMissed(deps.db, tenantId, await feedEnd(deps.db))
    await assert.rejects(assertNothingMissed(deps.db, tenantId, feedStart), { code: 'events_removed' })
    await sealAll(deps)
    assert.deepEqual((await verifyEventLog(deps, tenantId)).problems, [])
  })

  it('is distinguished from a busy one: beside running nodes nothing is renumbered', async () => {
    const { deps } = service()
    const { db } = deps
    const moveOn = async () => {
      for (const name of ['Busy', 'Busier']) await rename(name)
      const [place, end] = [await readPlace(db, 'events.webhooks'), await feedEnd(db)]
      await db.transaction((tx) => movePlace(tx, 'events.webhooks', place, end))
    }
    const first: Database['first'] = async (statement) => {
      const row = await db.first(statement)
      await moveOn()
      return row as never
    }
    const warnings: string[] = []
    const log = { warn: (message: string) => void warnings.push(message) } as unknown as typeof deps.log
    const beside = { engine: db.engine, first, transaction: db.transaction.bind(db) } as unknown as Database
    await resumeRestoredLog({ db: beside, log })
    assert.deepEqual(warnings, [])
  })
})
