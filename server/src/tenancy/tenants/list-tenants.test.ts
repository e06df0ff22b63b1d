import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type Tenant, foldCase } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts } from '../../../test/harness/databases/stored.ts'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { type Answer, type TestService, describeService, operatorKey } from '../../../test/harness/service.ts'
import { type Timestamp, addMilliseconds, createClock } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { findConsoleTenantId } from './console-tenant.ts'

interface Inserted {
  readonly id: string
  readonly environment: string
  readonly name: string
}

/** Inserts tenants that are older than all others directly into the table; oldest first. */
async function insertTenants({ deps: { db, clock } }: TestService, count: number): Promise<Inserted[]> {
  const start = addMilliseconds(clock.now(), -365 * 24 * 3_600_000)
  const inserted: Inserted[] = []
  const rows = Array.from({ length: count }, (_, n) => {
    const id = newId()
    const environment = n % 3 === 0 ? 'production' : 'staging'
    const name = `Bulk ${n} ${unique()}`
    const at: Timestamp = addMilliseconds(start, n * 7)
    inserted.push({ id, environment, name })
    return [id, 'tenant', name, foldCase(name), `s-${id}`, `s-${id}`, `pk_${id}`, environment, '{}', newId(), 1, at, at]
  })
  await db.write(() => [
    sql`INSERT INTO tenants (id, kind, name, name_key, slug, slug_key, public_key, environment, brand, auth_id, auth_version,
      created_at, updated_at) ${sql.values(rows)}`,
  ])
  return inserted
}

const list = (service: TestService, query: Record<string, string> = {}) =>
  service.ok<Tenant[]>('listTenants', { query })

const listIds = (tenants: readonly { readonly id: string }[]) => tenants.map(({ id }) => id)

/** Follows a relation of the Link header from a first query; returns the pages in order. */
async function walk(service: TestService, query: Record<string, string>, rel: 'next' | 'prev') {
  const pages: Tenant[][] = []
  const cursors: string[] = []
  let url: string | undefined = `/?${new URLSearchParams(query).toString()}`
  while (url !== undefined) {
    const asked: Record<string, string> = Object.fromEntries(new URL(url, 'http://id.test').searchParams)
    const answer = await service.call<Tenant[]>('listTenants', { query: asked })
    assert.equal(answer.status, 200)
    pages.push(answer.body)
    if (asked['cursor'] !== undefined) cursors.push(asked['cursor'])
    url = linkOf(answer, rel)
    assert.ok(pages.length < 1000, 'the walk has an end')
  }
  return { pages, cursors }
}

function linkOf({ headers: { link } }: Answer, rel: 'next' | 'prev'): string | undefined {
  return typeof link === 'string' ? new RegExp(`<([^>]+)>; rel="${rel}"`).exec(link)?.[1] : undefined
}

describeService('GET /tenants', (service) => {
  let bulk: Inserted[] = []
  before(async () => {
    bulk = await insertTenants(service(), 1200)
  })

  it('streams all of them, newest first, each once', async () => {
    const { tenant } = await createTenant(service(), { domain: `${unique()}.example` })
    const tenants = await list(service())
    assert.equal(tenants[0]?.id, tenant.id)
    assert.deepEqual(tenants[0]?.domains, tenant.domains)
    const old = tenants.filter(({ name }) => name.startsWith('Bulk '))
    assert.deepEqual(listIds(old), listIds(bulk.toReversed()))
    assert.equal(new Set(listIds(tenants)).size, tenants.length)
    const times = tenants.map(({ createdAt }) => createdAt)
    assert.deepEqual(times, times.toSorted().toReversed())
  })

  it('contains neither auth nor brand', async () => {
    for (const query of [{}, { perPage: '3' }]) {
      for (const tenant of await list(service(), query)) assert.ok(!('auth' in tenant) && !('brand' in tenant))
    }
  })

  it('contains every tenant that existed at the start exactly once while others are created', async () => {
    const body = () => ({ name: unique(), environment: 'development' })
    const creating = atOnce(20, () => service().call('createTenant', { body: body() }))
    const [tenants, created] = await Promise.all([list(service()), creating])
    assert.deepEqual(statusCounts(created), { 200: 20 })
    const ids = listIds(tenants)
    assert.equal(new Set(ids).size, ids.length)
    assert.deepEqual(
      ids.filter((id) => bulk.some((each) => each.id === id)),
      listIds(bulk.toReversed()),
    )
  })

  it("never shows the console's own tenant", async () => {
    const consoleId = await findConsoleTenantId(service().deps.db)
    assert.ok(consoleId)
    for (const query of [
      {},
      { perPage: '100' },
      { query: 'console' },
      { query: consoleId },
      { environment: 'development' },
    ]) {
      assert.ok(!listIds(await list(service(), query)).includes(consoleId), JSON.stringify(query))
    }
  })

  it('shows a tenant key its own tenant alone', async () => {
    const { tenant, secretKey } = await createTenant(service())
    for (const query of [{}, { perPage: '5' }]) {
      const seen = await service().ok<Tenant[]>('listTenants', { token: secretKey, query })
      assert.deepEqual(listIds(seen), [tenant.id])
    }
    assert.deepEqual(await service().ok('listTenants', { token: secretKey, query: { query: 'Bulk' } }), [])
  })

  it('filters by environment', async () => {
    const production = bulk.filter(({ environment }) => environment === 'production').toReversed()
    assert.deepEqual(listIds(await list(service(), { environment: 'production' })), listIds(production))
    await service().refused('listTenants', 'validation_failed', { query: { environment: 'Production' } })
  })

  it('filters by a part of the name, slug or id, in any case and spelling', async () => {
    const mark = unique()
    const { tenant } = await createTenant(service(), { name: `Straße ${mark}`, slug: `Slug-${mark}-x` })
    for (const query of [mark, mark.toUpperCase(), `STRASSE ${mark}`, `${mark}-X`, tenant.id, tenant.id.slice(-20)]) {
      assert.deepEqual(listIds(await list(service(), { query })), [tenant.id], query)
    }
  })

  it('treats the characters of patterns literally', async () => {
    const mark = unique()
    const { tenant } = await createTenant(service(), { name: `100%_\\ ${mark}` })
    await createTenant(service(), { name: `1000xyz ${mark}` })
    assert.deepEqual(listIds(await list(service(), { query: `100%_\\ ${mark}` })), [tenant.id])
    for (const query of ['%', '_', '\\'])
      assert.deepEqual(listIds(await list(service(), { query })), [tenant.id], query)
  })

  it('walks forward by the Link header through every tenant once, in the order of the whole list', async () => {
    const all = listIds(await list(service()))
    const { pages } = await walk(service(), { perPage: '97' }, 'next')
    assert.deepEqual(listIds(pages.flat()), all)
    assert.ok(pages.slice(0, -1).every((page) => page.length === 97))
  })

  it('walks back by the Link header over the same pages', async () => {
    const forward = await walk(service(), { perPage: '100' }, 'next')
    const last = forward.cursors.at(-1)
    assert.ok(last)
    const back = await walk(service(), { perPage: '100', cursor: last }, 'prev')
    assert.deepEqual(back.pages.toReversed().map(listIds), forward.pages.map(listIds))
  })

  it('keeps the filters in its links, which begin with the configured address', async () => {
    const query = { perPage: '2', environment: 'production', query: 'bulk' }
    const answer = await service().call('listTenants', { query })
    const next = linkOf(answer, 'next')
    assert.ok(next !== undefined && next.startsWith(`${service().deps.config.baseUrl}/tenants?`))
    const { cursor, ...kept } = Object.fromEntries(new URL(next).searchParams)
    assert.ok(cursor)
    assert.deepEqual(kept, query)
    const { pages } = await walk(service(), { ...query, perPage: '100' }, 'next')
    assert.equal(pages.flat().length, 400)
  })

  it('has no Link if everything is on one page', async () => {
    const { tenant } = await createTenant(service())
    const answer = await service().call('listTenants', { query: { query: tenant.id, perPage: '1' } })
    assert.equal(answer.headers['link'], undefined)
  })

  it('refuses bad page sizes, cursors and unknown or repeated parameters', async () => {
    const bad = [
      'perPage=0',
      'perPage=101',
      'perPage=',
      'cursor=x',
      'cursor=',
      'query=',
      `query=${'x'.repeat(101)}`,
      'page=1',
      'perPage=1&perPage=2',
    ]
    for (const search of bad) {
      const answer = await service().request({
        method: 'GET',
        url: `/api/v0/tenants?${search}`,
        headers: { host: 'id.test', authorization: `Bearer ${operatorKey}` },
      })
      assert.equal(answer.status, 400, search)
    }
  })
})

describeService('GET /tenants of an empty deployment', (service) => {
  it('is an empty array', async () => {
    assert.equal((await service().call('listTenants')).text, '[]')
    assert.deepEqual(await list(service(), { perPage: '5' }), [])
    assert.deepEqual(await list(service(), { cursor: createClock().now() }), [])
  })
})
