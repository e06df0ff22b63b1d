import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Brand, SettingsDifference, SettingsVersion, Tenant } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

interface Versions {
  readonly data: readonly SettingsVersion[]
  readonly meta: { readonly total: number }
}

describeService('the versions of a brand', (service) => {
  const put = (id: string, body: Brand) => service().ok<Tenant>('putTenantBrand', { params: { id }, body })
  const get = (id: string) => service().ok<Brand>('getTenantBrand', { params: { id } })
  const versions = (id: string) =>
    service().ok<Versions>('listBrandVersions', { params: { id }, query: { perPage: '100' } })
  const numbers = async (id: string) => (await versions(id)).data.map(({ version }) => version)
  const diff = (id: string, from: string, to: string) =>
    service().ok<SettingsDifference[]>('diffBrandVersions', { params: { id, from, to } })
  const restore = (id: string, version: string) =>
    service().ok<Tenant>('restoreBrandVersion', { params: { id, version } })

  it('do not exist at first, and are added by each change', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    assert.deepEqual((await versions(id)).meta.total, 0)
    await put(id, { primary: 'red' })
    const same = await put(id, { primary: 'red' })
    await put(id, { primary: 'blue', radius: '4px' })
    assert.deepEqual(await numbers(id), [2, 1])
    const { data, meta } = await versions(id)
    assert.equal(meta.total, 2)
    assert.deepEqual(data[0]?.actor, { type: 'operator', id: null })
    assert.equal((await storedEvents(service(), id, 'tenant.brand_updated')).length, 2)
    assert.ok((await service().ok<Tenant>('getTenant', { params: { id } })).updatedAt > same.updatedAt)
  })

  it('differ in the changed properties, with null for an unset one', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    await put(id, { primary: 'red' })
    await put(id, { radius: '4px' })
    assert.deepEqual(await diff(id, '1', '2'), [
      { setting: 'primary', from: 'red', to: null },
      { setting: 'radius', from: null, to: '4px' },
    ])
    assert.deepEqual(await diff(id, '0', '1'), [{ setting: 'primary', from: null, to: 'red' }])
    assert.deepEqual(await diff(id, '2', '2'), [])
  })

  it('can be restored, each as a new version, as can the brand of a new tenant', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    await put(id, { primary: 'red' })
    await put(id, { accent: 'teal' })
    assert.deepEqual((await restore(id, '1')).brand, { primary: 'red' })
    assert.deepEqual(await numbers(id), [3, 2, 1])
    assert.deepEqual((await restore(id, '0')).brand, {})
    assert.deepEqual(await get(id), {})
    assert.deepEqual(await numbers(id), [4, 3, 2, 1])
    const events = await storedEvents(service(), id, 'tenant.brand_updated')
    assert.deepEqual(events.at(-1)?.data, { before: { primary: 'red' }, after: {} })
  })

  it('are answered with 404 for an unknown number', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    await put(id, { primary: 'red' })
    await service().refused('restoreBrandVersion', 'not_found', { params: { id, version: '2' } })
    await service().refused('diffBrandVersions', 'not_found', { params: { id, from: '1', to: '2' } })
    for (const version of ['-1', '01', 'x', '1.0', '9999999999']) {
      await service().refused('restoreBrandVersion', 'validation_failed', { params: { id, version } })
    }
  })

  it('keep a brand that is older than the first version', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    const { db, tenants } = service().deps
    await db.write(() => [sql`UPDATE tenants SET brand = '{"primary":"gold"}' WHERE id = ${id}`])
    tenants.clear()
    await put(id, { primary: 'navy' })
    assert.deepEqual(await diff(id, '1', '2'), [{ setting: 'primary', from: 'gold', to: 'navy' }])
    assert.deepEqual((await restore(id, '1')).brand, { primary: 'gold' })
    assert.deepEqual((await versions(id)).data.at(-1)?.actor, { type: 'system', id: null })
  })

  it('are numbered without gaps if many change at once', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    const answers = await atOnce(30, (n) =>
      service().call('putTenantBrand', { params: { id }, body: { primary: `#0000${n + 10}` } }),
    )
    assert.deepEqual(statusCounts(answers), { 200: 30 })
    assert.deepEqual(
      await numbers(id),
      Array.from({ length: 30 }, (_, n) => 30 - n),
    )
  })
})
