// A page and its total are of one moment, whatever is written meanwhile: every read of the database is followed by a write here.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { describeOnEachEngine } from '../../../../test/harness/databases/databases.ts'
import { createClock } from '../../clock.ts'
import { addToCounters, sumOfCounter } from '../../db/counters.ts'
import type { Database, Reader } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { countNarrowed } from './list-filter.ts'
import { pageRequest, selectPageAndTotal } from './page.ts'

describeOnEachEngine('a page and its total', (open) => {
  let db: Database
  const clock = createClock()
  const tenantId = newId<'TenantId'>()
  before(async () => {
    db = (await open()).database
    await db.write(() => [sql`CREATE TABLE pets (tenant_id TEXT NOT NULL, created_at TEXT NOT NULL)`])
  })

  const source = {
    columns: sql`tenant_id, created_at`,
    table: sql`pets`,
    where: sql`tenant_id = ${tenantId}`,
  } as {
    columns: ReturnType<typeof sql>
    table: ReturnType<typeof sql>
    where: ReturnType<typeof sql>
    row?: { created_at: string }
  }
  const add = () =>
    db.write((context) => [
      sql`INSERT INTO pets (tenant_id, created_at) VALUES (${tenantId}, ${clock.next()})`,
      addToCounters(context, tenantId, { pets: 1 }),
    ])
  /** Reads, and adds a row after each statement. */
  const restless: Reader = {
    async all(statement) {
      const rows = await db.all(statement)
      await add()
      return rows as never
    },
    async first(statement) {
      const rows = await restless.all(statement)
      return rows[0] as never
    },
  }

  // Regression: the total was read in a statement of its own, and so was one too high or too low while rows were written.
  it('agree, on an empty page too, and count what the page before shows', async () => {
    const totals = [sumOfCounter(tenantId, 'pets'), countNarrowed(source)]
    for (let rows = 0; rows < 6; rows++) {
      const { page, total } = await selectPageAndTotal(restless, source, totals[rows % 2] ?? sql`0`, pageRequest({}))
      assert.deepEqual([page.rows.length, total], [rows, rows])
    }
  })

  it('keep the order and the neighbours of a page within the list', async () => {
    const all = await selectPageAndTotal(db, source, sumOfCounter(tenantId, 'pets'), pageRequest({ perPage: '100' }))
    const times = all.page.rows.map((row) => row.created_at)
    assert.deepEqual(times, times.toSorted().toReversed())
    const middle = await selectPageAndTotal(db, source, countNarrowed(source), { from: times[2], perPage: 2 })
    assert.deepEqual(
      middle.page.rows.map((row) => row.created_at),
      times.slice(2, 4),
    )
    assert.deepEqual([middle.page.prev, middle.page.next, middle.total], [times[0], times[4], times.length])
  })
})
