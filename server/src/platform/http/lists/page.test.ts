import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { EndpointId } from '@bailiwick/contract'
import fc from 'fast-check'
import { createRole, createTenant, createTransformation, unique } from '../../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../../test/harness/service.ts'
import { addToCounters } from '../../db/counters.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'

interface Row {
  readonly id: string
  readonly createdAt: string
}

interface Page {
  readonly status: string
  readonly data: readonly Row[]
  readonly meta: {
    readonly total: number
    readonly count: number
    readonly numPages: number
    readonly perPage: number
    readonly prev: string | null
    readonly next: string | null
  }
}

type Query = Readonly<Record<string, string>>

interface List {
  readonly id: EndpointId
  /** The rows that every new tenant has. */
  readonly born: number
  readonly add: (service: TestService, tenantId: string) => Promise<unknown>
}

const lists: readonly List[] = [
  { id: 'listRoles', born: 2, add: (service, tenantId) => createRole(service, tenantId) },
  { id: 'listTransformations', born: 3, add: (service, tenantId) => createTransformation(service, tenantId) },
  {
    id: 'listTenantMembers',
    born: 0,
    add: (service, tenantId) =>
      service.ok('createTenantMember', { body: { tenantId, email: `${unique()}@x.example` } }),
  },
  {
    id: 'listTenantInvitations',
    born: 0,
    add: (service, tenantId) =>
      service.ok('inviteTenantMember', { body: { tenantId, email: `${unique()}@x.example` } }),
  },
]

const read = (service: TestService, id: EndpointId, tenantId: string, query: Query = {}) =>
  service.ok<Page>(id, { params: { tenantId }, query })

/** Reads every page from the start, and runs something else after each. */
async function walkForward(
  service: TestService,
  id: EndpointId,
  tenantId: string,
  perPage: number,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<Page[]> {
  const pages: Page[] = []
  let cursor: string | null = null
  do {
    const page: Page = await read(service, id, tenantId, {
      perPage: String(perPage),
      ...(cursor === null ? {} : { cursor }),
    })
    pages.push(page)
    cursor = page.meta.next
    await meanwhile()
    assert.ok(pages.length < 500, 'the walk has an end')
  } while (cursor !== null)
  return pages
}

const readRows = (pages: readonly Page[]) => pages.flatMap(({ data }) => data)
const times = (rows: readonly Row[]) => rows.map(({ createdAt }) => createdAt)

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

describeService('a list', (service) => {
  for (const { id, born, add } of lists) {
    describe(id, () => {
      let tenantId = ''
      let size = 0
      before(async () => {
        const { tenant } = await createTenant(service())
        tenantId = tenant.id
        for (size = born; size < 23; size++) await add(service(), tenantId)
      })

      it('is empty, without neighbours, if there are no rows', async () => {
        const { tenant } = await createTenant(service())
        const { status, data, meta } = await read(service(), id, tenant.id, { perPage: '10' })
        const numPages = born === 0 ? 0 : 1
        assert.deepEqual(meta, { total: born, count: born, numPages, perPage: 10, prev: null, next: null })
        assert.deepEqual([status, data.length], ['success', born])
      })

      it('returns twenty rows by default, newest first, and counts exactly', async () => {
        const first = await read(service(), id, tenantId)
        const stamps = times(first.data)
        assert.deepEqual(stamps, [...new Set(stamps)].toSorted().toReversed())
        assert.deepEqual(
          { ...first.meta, next: '' },
          { total: size, count: 20, numPages: 2, perPage: 20, prev: null, next: '' },
        )
        const cursor = first.meta.next
        assert.ok(cursor !== null)
        const second = await read(service(), id, tenantId, { cursor })
        assert.deepEqual(second.meta, {
          total: size,
          count: size - 20,
          numPages: 2,
          perPage: 20,
          prev: first.data[0]?.createdAt,
          next: null,
        })
        assert.equal(second.data[0]?.createdAt, cursor)
      })

      it('visits every row once on the way forward, whatever is inserted meanwhile', async () => {
        const { data: all } = await read(service(), id, tenantId, { perPage: '100' })
        const pages = await walkForward(service(), id, tenantId, 4, async () => {
          await Promise.all([add(service(), tenantId), add(service(), tenantId)])
          size += 2
        })
        assert.deepEqual(readRows(pages), all)
        assert.ok(pages.slice(0, -1).every(({ data }) => data.length === 4))
        const { meta } = await read(service(), id, tenantId)
        assert.equal(meta.total, size)
      })

      it('shows the same pages on the way back', async () => {
        const forward = await walkForward(service(), id, tenantId, 5)
        const back: Page[] = []
        let cursor: string | null = forward.at(-2)?.meta.next ?? null
        while (cursor !== null) {
          const page: Page = await read(service(), id, tenantId, { perPage: '5', cursor })
          back.push(page)
          cursor = page.meta.prev
          assert.ok(back.length <= forward.length, 'the way back has an end')
        }
        assert.deepEqual(
          back.toReversed().map(({ data }) => data),
          forward.map(({ data }) => data),
        )
      })

      it('is empty beyond the end, with a way back, and begins with the first row before the start', async () => {
        const { data: all } = await read(service(), id, tenantId, { perPage: '100' })
        const beyond = await read(service(), id, tenantId, { cursor: '2000-01-01T00:00:00Z', perPage: '10' })
        assert.deepEqual([beyond.data, beyond.meta.count, beyond.meta.total], [[], 0, size])
        assert.deepEqual([beyond.meta.next, beyond.meta.prev], [null, all.at(-10)?.createdAt])
        const ahead = await read(service(), id, tenantId, { cursor: '9999-12-31T23:59:59Z', perPage: '100' })
        assert.deepEqual([ahead.data, ahead.meta.prev, ahead.meta.next], [all, null, null])
      })

      it('takes 1 to 100 rows a page and refuses everything else at /perPage', async () => {
        for (const perPage of ['1', '9', '10', '99', '100']) {
          const { meta } = await read(service(), id, tenantId, { perPage })
          assert.equal(meta.perPage, Number(perPage))
        }
        for (const perPage of [
          '0',
          '101',
          '-1',
          '1.5',
          '01',
          ' 1',
          '1 ',
          '+1',
          '1e1',
          '0x1',
          '',
          'abc',
          'null',
          '１',
          '1000',
        ]) {
          const { issues = [] } = await service().refused(id, 'validation_failed', {
            params: { tenantId },
            query: { perPage },
          })
          assert.deepEqual(
            issues.map(({ path }) => path),
            ['/perPage'],
            JSON.stringify(perPage),
          )
        }
      })

      // Guards: cursors
      it('refuses text that is not a time at /cursor', async () => {
        const bad = [
          '',
          'x',
          '0',
          '1732143600000',
          '2026-11-20',
          '2026-11-20T22:49:43',
          '2026-02-30T00:00:00Z',
          '2026-11-20T24:00:00Z',
          '2026-11-20T22:49:43+25:00',
          '2026-11-20T22:49:43.Z',
          '2026-11-20 22:49:43Z',
          "2026-11-20T22:49:43Z' OR 1=1",
          '2026-11-20T22:49:43Z\n',
          '９999-12-31T23:59:59Z',
          'null',
        ]
        for (const cursor of bad) {
          const { issues = [] } = await service().refused(id, 'validation_failed', {
            params: { tenantId },
            query: { cursor },
          })
          assert.deepEqual(
            issues.map(({ path }) => path),
            ['/cursor'],
            JSON.stringify(cursor),
          )
        }
        const query = { cursor: 'x', perPage: 'y', page: '1', '\0': '' }
        const { issues = [] } = await service().refused(id, 'validation_failed', { params: { tenantId }, query })
        assert.deepEqual([...new Set(issues.map(({ path }) => path))].toSorted(), [
          '/\0',
          '/cursor',
          '/page',
          '/perPage',
        ])
      })

      it('reads a cursor in any form of ISO 8601', async () => {
        const first = await read(service(), id, tenantId, { perPage: '5' })
        const cursor = first.meta.next
        assert.ok(cursor !== null)
        const page = await read(service(), id, tenantId, { perPage: '5', cursor })
        const ahead = new Date(Date.parse(cursor) + 2 * 3_600_000).toISOString()
        const inParis = `${ahead.slice(0, -1)}${cursor.slice(-4, -1)}+02:00`
        for (const same of [cursor.toLowerCase(), inParis, cursor.replace('Z', '000Z')]) {
          assert.deepEqual(await read(service(), id, tenantId, { perPage: '5', cursor: same }), page, same)
        }
      })
    })
  }
})

const start = Date.parse('2020-01-01T00:00:00.000Z')
const stamp = (microseconds: number) =>
  new Date(start + Math.floor(microseconds / 1000))
    .toISOString()
    .replace('Z', `${String(microseconds % 1000).padStart(3, '0')}Z`)

/** Returns all rows, newest first, of a tenant whose roles were created at these times, in addition to its two default ones. */
async function tenantWithRoles(service: TestService, createdAt: readonly string[]) {
  const { tenant } = await createTenant(service)
  const { data: born } = await read(service, 'listRoles', tenant.id)
  const rows = createdAt.map((at) => {
    const id = newId()
    return [tenant.id, id, id, id, null, '[]', at, at]
  })
  if (rows.length > 0) {
    await service.deps.db.write((context) => [
      sql`INSERT INTO roles (tenant_id, id, name, name_key, description, permissions, created_at, updated_at)
        ${sql.values(rows)}`,
      addToCounters(context, tenant.id, { roles: rows.length }),
    ])
  }
  return { tenantId: tenant.id, all: [...times(born), ...createdAt.toSorted().toReversed()] }
}

/** Microseconds between one row and the next. */
const gaps = (min: number, maxLength: number) => fc.array(fc.integer({ min, max: 4000 }), { maxLength })
const perPages = fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 100 }))

function stampsOf(gapList: readonly number[]): string[] {
  let at = 0
  return gapList.map((gap) => stamp((at += gap)))
}

describeService('pages against a model', (service) => {
  it('are consecutive pieces of the list, whatever the sizes of list and pages', async () => {
    await fc.assert(
      fc.asyncProperty(gaps(1, 45), perPages, async (gapList, perPage) => {
        const { tenantId, all } = await tenantWithRoles(service(), stampsOf(gapList))
        const expected = chunks(all, perPage)
        const pages = await walkForward(service(), 'listRoles', tenantId, perPage)
        assert.deepEqual(
          pages.map(({ data }) => times(data)),
          expected,
        )
        assert.deepEqual(
          pages.map(({ meta }) => meta),
          expected.map((rows, n) => ({
            total: all.length,
            count: rows.length,
            numPages: expected.length,
            perPage,
            prev: expected[n - 1]?.[0] ?? null,
            next: expected[n + 1]?.[0] ?? null,
          })),
        )
      }),
      { numRuns: 25 },
    )
  })

  it('start at the newest row that is not newer than the cursor, wherever it points', async () => {
    const { tenantId, all } = await tenantWithRoles(
      service(),
      stampsOf(Array.from({ length: 60 }, (_, n) => 1 + ((n * 7919) % 1500))),
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 50_000 }), fc.boolean(), perPages, async (at, isCut, perPage) => {
        const exact = stamp(at)
        const cursor = isCut ? exact.replace(/\d{3}Z$/, 'Z') : exact
        const last = isCut ? exact.replace(/\d{3}Z$/, '999Z') : exact
        const from = all.filter((each) => each <= last)
        const rows = from.slice(0, perPage)
        const newer = all.filter((each) => each > (rows[0] ?? last))
        const page = await read(service(), 'listRoles', tenantId, { cursor, perPage: String(perPage) })
        assert.deepEqual(times(page.data), rows)
        assert.equal(page.meta.next, from[perPage] ?? null)
        assert.equal(page.meta.prev, newer.slice(-perPage)[0] ?? null)
      }),
      { numRuns: 60 },
    )
  })

  it('repeat rows but never skip one if a client cuts cursors to milliseconds', async () => {
    await fc.assert(
      // At least 300 microseconds apart, so that no millisecond holds more rows than a page.
      fc.asyncProperty(gaps(300, 40), fc.integer({ min: 5, max: 9 }), async (gapList, perPage) => {
        const { tenantId, all } = await tenantWithRoles(service(), stampsOf(gapList))
        const seen: string[] = []
        let cursor: string | undefined
        for (let pages = 0; pages < 100; pages++) {
          const query: Query = { perPage: String(perPage), ...(cursor === undefined ? {} : { cursor }) }
          const { data, meta } = await read(service(), 'listRoles', tenantId, query)
          seen.push(...times(data))
          if (meta.next === null) break
          cursor = new Date(meta.next).toISOString()
        }
        assert.deepEqual([...new Set(seen)], all)
      }),
      { numRuns: 15 },
    )
  })
})
