import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sealEverything } from '../../../test/harness/databases/event-log.ts'
import { serviceInTheFuture, storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { describeService, type TestService } from '../../../test/harness/service.ts'
import { createWorld } from '../../../test/matrix/world.ts'
import { storageKey, tenantPrefix } from '../../media/storage/storage.ts'
import type { TenantId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { tenantTables } from '../tenant-tables/tenant-tables.ts'
import { eraseDeletedTenants } from './erasure.ts'

/** How many of a tenant's tables the test fills. */
const filledMin = 25
const dayMs = 24 * 60 * 60 * 1000
/** Tables of the deployment itself, whose rows come and go with every tenant. */
const ofTheDeployment = new Set(['cache_invalidations', 'deployment', 'sqlite_sequence'])

type Named = Record<string, string[]>

/** The tenant's rows by table, and all other rows. */
async function readRows(service: TestService, tenantId: string): Promise<{ own: Named; others: Named }> {
  const own: Named = {}
  const others: Named = {}
  for (const [table, rows] of Object.entries(await dumpTables(service.deps.db))) {
    if (ofTheDeployment.has(table)) continue
    const isOwn = (text: string) => {
      const row = JSON.parse(text) as Record<string, unknown>
      return (table === 'tenants' ? row['id'] : row['tenant_id']) === tenantId
    }
    own[table] = rows.filter(isOwn)
    others[table] = rows.filter((row) => !isOwn(row))
  }
  return { own, others }
}

async function eraseAll(service: TestService): Promise<number> {
  let steps = 0
  while (await eraseDeletedTenants(service.deps)) steps++
  return steps
}

describeService('the erasure of a deleted tenant', (service) => {
  it('removes its rows from every table 30 days later, and keeps every row of other tenants', async () => {
    const [gone, kept] = [await createWorld(service()), await createWorld(service())]
    const { deps } = service()
    for (const { tenantId, userId } of [gone, kept]) {
      await createUser(service(), tenantId, { password: 'correct horse battery staple' })
      await openSession(service(), tenantId, userId)
      await deps.db.write(() => [jobStatement(deps.clock, { tenantId: tenantId as TenantId, kind: 'test' })])
    }
    const keys = [gone, kept].map(({ tenantId }) => storageKey(tenantPrefix(tenantId), 'folder', 'image'))
    for (const key of keys) await deps.storage.put(key, Buffer.from('bytes'), 'image/png')
    await service().ok('deleteTenant', { params: { id: gone.tenantId } })
    await sealEverything(deps)
    const before = await readRows(service(), gone.tenantId)
    const filled = tenantTables.filter(({ name }) => (before.own[name] ?? []).length > 0)
    assert.ok(filled.length >= filledMin, `the test has rows of only ${filled.length} tables`)

    const early = await serviceInTheFuture(service(), 29 * dayMs)
    assert.equal(await eraseAll(early), 0)
    await service().ok('restoreTenant', { params: { id: gone.tenantId } })
    assert.equal(await eraseAll(early), 0)
    await early.app.close()
    await service().ok('deleteTenant', { params: { id: gone.tenantId } })
    await sealEverything(deps)
    const { others } = await readRows(service(), gone.tenantId)

    const late = await serviceInTheFuture(service(), 31 * dayMs)
    assert.ok((await eraseAll(late)) > tenantTables.length / 2)
    const after = await readRows(late, gone.tenantId)
    const left = Object.entries(after.own).filter(([, rows]) => rows.length > 0)
    assert.deepEqual(left, [])
    const heads = await Promise.all(keys.map((key) => deps.storage.head(key)))
    assert.deepEqual(heads, [undefined, { size: 5 }])
    const consoleTenantId = await getConsoleTenantId(deps.db)
    const erased = (await storedEvents(late, consoleTenantId, 'tenant.erased')).map((event) => event.subject_id)
    assert.deepEqual(erased, [gone.tenantId])
    const { events: eventsNow = [], ...restNow } = after.others
    const { events: eventsThen = [], ...restThen } = others
    assert.deepEqual(restNow, restThen)
    assert.equal(eventsNow.length, eventsThen.length + 1, 'the event of the erasure')

    await late.refused('restoreTenant', 'not_found', { params: { id: gone.tenantId } })
    await late.ok('createTenant', { body: { name: 'Again', environment: 'staging', slug: gone.slug } })
    assert.equal(await eraseAll(late), 0)
    await late.app.close()
  })

  it('happens once if two nodes do it at once', async () => {
    const world = await createWorld(service())
    await service().ok('deleteTenant', { params: { id: world.tenantId } })
    const nodes = await Promise.all([1, 2].map(() => serviceInTheFuture(service(), 31 * dayMs)))
    await Promise.all(nodes.map(eraseAll))
    const consoleTenantId = await getConsoleTenantId(service().deps.db)
    const erased = await storedEvents(service(), consoleTenantId, 'tenant.erased')
    assert.equal(erased.filter((event) => event.subject_id === world.tenantId).length, 1)
    for (const node of nodes) await node.app.close()
  })
})
