// Filtered lists of the management interface: what remains, page by page, how it is counted, and which index finds it.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OpenDatabase } from '../../src/platform/db/open.ts'
import { type Statement, sql } from '../../src/platform/db/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { createTenant, createUser, createWebhook } from '../harness/factories.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { type Filter, type FilteredList, type ListWorld, type Row, filteredLists, timeOf } from './filtered-lists.ts'

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly total: number; readonly next: string | null; readonly prev: string | null }
}

const rowsMax = 30

/** A database whose reads can be inspected. */
function withSeenReads(database: OpenDatabase, seen: Statement[]): OpenDatabase {
  return new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const method = value.bind(target) as (...given: unknown[]) => unknown
      if (name !== 'all' && name !== 'first') return method
      return (statement: Statement) => {
        seen.push(statement)
        return method(statement)
      }
    },
  })
}

async function insertRows({ deps }: TestService, list: FilteredList, world: ListWorld): Promise<Row[]> {
  const rows = Array.from({ length: rowsMax }, (_, n) => {
    const at = timeOf(n)
    const times = list.table === 'events' ? { created_at: at } : { created_at: at, updated_at: at }
    return { tenant_id: world.tenantId, id: newId(), ...list.row(world, n), ...times }
  })
  for (const row of rows) {
    const columns = sql.join(
      Object.keys(row).map((name) => sql.identifier(name)),
      ', ',
    )
    await deps.db.transaction((tx) =>
      tx.run(sql`INSERT INTO ${sql.identifier(list.table)} (${columns}) ${sql.values([Object.values(row)])}`),
    )
  }
  return rows
}

describeOnEachEngine('the filters of lists', (open) => {
  let service: TestService
  let world: ListWorld
  const seen: Statement[] = []
  const inserted = new Map<string, readonly Row[]>()

  before(async () => {
    service = await startTestService(withSeenReads((await open()).database, seen))
    const { tenant } = await createTenant(service)
    const users = [await createUser(service, tenant.id), await createUser(service, tenant.id)] as const
    const { id: webhookId } = await createWebhook(service, tenant.id)
    world = { tenantId: tenant.id, userIds: [users[0].id, users[1].id], webhookId }
    for (const list of filteredLists) inserted.set(list.id, await insertRows(service, list, world))
  })
  after(() => service.app.close())

  const read = (list: FilteredList, query: Readonly<Record<string, string>>) => {
    const call = list.call(world)
    return service.ok<Page>(list.id, { ...call, query: { ...call.query, ...query } })
  }

  async function walk(list: FilteredList, query: Readonly<Record<string, string>>) {
    const pages: Page[] = []
    for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)?.meta.next ?? null) {
      pages.push(await read(list, { ...query, perPage: '4', ...(cursor === undefined ? {} : { cursor }) }))
      assert.ok(pages.length < 20)
    }
    return pages
  }

  async function plansOf(list: FilteredList, filter: Filter): Promise<string[]> {
    seen.length = 0
    await read(list, filter.query(world))
    const of = seen.filter(({ sqliteText }) =>
      new RegExp(` FROM ${list.table}(?: INDEXED BY \\w+)? WHERE .*(?:ORDER|LIMIT)`, 's').test(sqliteText),
    )
    const plans: string[] = []
    for (const statement of of) {
      const rows = await service.deps.db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${statement}`)
      plans.push(rows.map(({ detail }) => detail).join('\n'))
    }
    return plans
  }

  for (const list of filteredLists) {
    for (const [name, filter] of Object.entries(list.filters)) {
      it(`filter ${list.id} by ${name}, page by page, with an exact total`, async () => {
        const expected = (inserted.get(list.id) ?? []).filter((row) => filter.leaves(row, world)).toReversed()
        assert.ok(expected.length > 0 && expected.length < rowsMax)
        const pages = await walk(list, filter.query(world))
        assert.deepEqual(
          pages.flatMap(({ data }) => data.map(({ id }) => id)),
          expected.map(({ id }) => id),
        )
        for (const { meta } of pages) assert.equal(meta.total, expected.length)
      })

      it(`use an index to filter ${list.id} by ${name}`, async () => {
        if (service.deps.db.engine !== 'sqlite') return
        const plans = await plansOf(list, filter)
        assert.ok(plans.length > 0)
        const reading = new RegExp(`^(?:SEARCH|SCAN) ${list.table}\\b`)
        const usingIndex = new RegExp(`^SEARCH ${list.table} USING (?:COVERING )?INDEX ${filter.index.source}`)
        for (const plan of plans) {
          const steps = plan.split('\n').filter((step) => reading.test(step))
          assert.ok(steps.length > 0)
          for (const step of steps) assert.match(step, usingIndex)
          assert.doesNotMatch(plan, /TEMP B-TREE/)
        }
      })
    }

    it(`are checked in ${list.id}`, async () => {
      const call = list.call(world)
      for (const name of ['createdAfter', 'createdBefore']) {
        const { issues } = await service.refused(list.id, 'validation_failed', {
          ...call,
          query: { ...call.query, [name]: 'yesterday' },
        })
        assert.deepEqual(
          issues?.map(({ path }) => path),
          [`/${name}`],
        )
      }
    })
  }

  it('accept a time in any form of ISO 8601, cut to milliseconds or not', async () => {
    const list = filteredLists.find(({ id }) => id === 'listMessages')
    assert.ok(list !== undefined)
    const total = async (query: Readonly<Record<string, string>>) => (await read(list, query)).meta.total
    assert.equal(await total({ createdAfter: timeOf(20) }), 10)
    assert.equal(await total({ createdAfter: '2026-01-01T00:00:20.000Z' }), 10)
    assert.equal(await total({ createdAfter: '2026-01-01T01:00:20+01:00' }), 10)
    assert.equal(await total({ createdBefore: '2026-01-01T00:00:20.000Z' }), 20)
    assert.equal(await total({ createdBefore: timeOf(0) }), 0)
    assert.equal(await total({ createdAfter: timeOf(9), createdBefore: timeOf(3) }), 0)
  })

  it('find nothing by ids of another tenant', async () => {
    const { tenant: other } = await createTenant(service)
    const stranger = await createUser(service, other.id)
    for (const id of ['listMessages', 'listTenantSessions'] as const) {
      const { meta } = await service.ok<Page>(id, {
        params: { tenantId: world.tenantId },
        query: { userId: stranger.id },
      })
      assert.equal(meta.total, 0, id)
    }
  })

  it('count up to 1,000 rows', async () => {
    const { tenant } = await createTenant(service)
    const rows = Array.from({ length: 1100 }, (_, n) => {
      const at = `2026-01-01T00:00:00.${String(n).padStart(6, '0')}Z`
      return [tenant.id, newId(), 'image/png', 'public', 1, '{}', 'p', 1, newId(), 'a', at, at]
    })
    await service.deps.db.transaction((tx) =>
      tx.run(sql`INSERT INTO media_files (tenant_id, id, mime, access, size, meta, path, frames, storage_key, sha256,
        created_at, updated_at) ${sql.values(rows)}`),
    )
    const query = { mime: 'image/png', perPage: '1' }
    const { meta } = await service.ok<Page>('listFiles', { params: { tenantId: tenant.id }, query })
    assert.equal(meta.total, 1001)
  })
})
