import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { Client } from 'pg'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { settled } from '../../../test/harness/databases/event-log.ts'
import { createClock } from '../clock.ts'
import { createPersonalSealer } from '../crypto/personal.ts'
import type { OpenDatabase } from '../db/open.ts'
import { type TenantId, newId } from '../ids.ts'
import { eventStatement } from './append.ts'
import {
  type FeedCursor,
  cursorOf,
  cursorText,
  feedEnd,
  feedStart,
  movePlace,
  parseFeedCursor,
  readFeed,
  readPlace,
  readTenantFeed,
} from './feed.ts'

const clock = createClock()
const personal = createPersonalSealer([{ id: 'test', key: new Uint8Array(32) }])
const tenantId = newId<'TenantId'>()
const actor = { type: 'system', id: null, ip: null, ua: null } as const
/** An event that is identified by its subject. */
const event = (subjectId: string, tenant: TenantId = tenantId) =>
  eventStatement(clock, personal, { tenantId: tenant, type: 'user.unlocked', actor, subjectId, data: {} })

describeOnEachEngine('the event feed', (open) => {
  let db: OpenDatabase
  let url: string | undefined
  before(async () => {
    const { database, options } = await open()
    db = database
    url = options.kind === 'postgresql' ? (options.directUrl ?? options.url) : undefined
  })

  const subjectsAfter = async (cursor: FeedCursor) => {
    await settled(db)
    return (await readFeed(db, cursor, 100)).map((row) => row.subject_id)
  }

  it('gives every event once, in pieces of any size, and nothing after its end', async () => {
    const start = await feedEnd(db)
    const subjects = ['a', 'b', 'c', 'd', 'e']
    for (const subject of subjects) await db.write(() => [event(subject)])
    await settled(db)
    for (const size of [1, 2, 5, 100]) {
      const seen: string[] = []
      for (let cursor = start; ;) {
        const rows = await readFeed(db, cursor, size)
        const last = rows.at(-1)
        if (last === undefined) break
        seen.push(...rows.map((row) => row.subject_id))
        cursor = cursorOf(last)
      }
      assert.deepEqual(seen, subjects)
    }
    assert.deepEqual(await subjectsAfter(await feedEnd(db)), [])
  })

  it('gives a tenant only its own events', async () => {
    const start = await feedEnd(db)
    const other = newId<'TenantId'>()
    await db.write(() => [event('own.one')])
    await db.write(() => [event('other.one', other)])
    await settled(db)
    const rows = await readTenantFeed(db, other, start, 10)
    assert.deepEqual(
      rows.map((row) => row.subject_id),
      ['other.one'],
    )
  })

  it('never skips an event whose transaction commits after later ones', async () => {
    if (url === undefined) return
    const late = new Client(url)
    await late.connect()
    let cursor = await feedEnd(db)
    const seen: string[] = []
    const read = async () => {
      const rows = await readFeed(db, cursor, 100)
      seen.push(...rows.map((row) => row.subject_id))
      cursor = cursorOf(rows.at(-1) ?? { transaction_id: cursor.transactionId, position: cursor.position })
    }
    try {
      await late.query('BEGIN')
      await late.query(`INSERT INTO events (tenant_id, id, type, actor_type, subject_type, subject_id, data, created_at)
        VALUES ('${tenantId}', 'clate', 'user.unlocked', 'system', 'user', 'late.one', '{}', '2026-01-01T00:00:00.000000Z')`)
      await db.write(() => [event('early.one')])
      await read()
      assert.deepEqual(seen, [], 'what stands behind an open transaction waits for it')
      await late.query('COMMIT')
    } finally {
      await late.end()
    }
    await db.write(() => [event('early.two')])
    await settled(db)
    await read()
    assert.deepEqual(new Set(seen), new Set(['early.one', 'early.two', 'late.one']))
    assert.equal(seen.length, 3)
  })

  it('lets only one of several readers move its position from the same place', async () => {
    assert.deepEqual(await readPlace(db, 'events.webhooks'), feedStart)
    const to = { transactionId: '0', position: 7 }
    const moved = await Promise.all(
      [1, 2, 3, 4].map(() => db.transaction((tx) => movePlace(tx, 'events.webhooks', feedStart, to))),
    )
    assert.deepEqual(moved.filter(Boolean), [true])
    assert.deepEqual(await readPlace(db, 'events.webhooks'), to)
    assert.equal(await db.transaction((tx) => movePlace(tx, 'events.webhooks', feedStart, to)), false)
    assert.deepEqual(await readPlace(db, 'events.seals'), feedStart, 'each reader has a place of its own')
  })
})

describe('parseFeedCursor', () => {
  it('reads back what cursorText wrote', () => {
    const cursors = fc.record({
      transactionId: fc.bigInt(0n, 2n ** 62n).map(String),
      position: fc.nat({ max: 2 ** 31 }),
    })
    fc.assert(fc.property(cursors, (cursor) => assert.deepEqual(parseFeedCursor(cursorText(cursor)), { ...cursor })))
  })

  it('refuses everything else', () => {
    const refused = [
      '',
      '1',
      '1.',
      '.1',
      '-1.2',
      '1.-2',
      '1.2.3',
      '01.2',
      '1.02',
      ' 1.2',
      '1.2\n',
      '1e3.2',
      '0x1.2',
      '١.٢',
    ]
    for (const text of [...refused, `${'9'.repeat(20)}.1`, `1.${'9'.repeat(16)}`, "1.2' OR 1=1--"]) {
      assert.equal(parseFeedCursor(text), undefined, JSON.stringify(text))
    }
  })
})
