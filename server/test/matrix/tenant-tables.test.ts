// What works on every table of a tenant knows every table of a tenant: a new one fails here until somebody has decided.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { columnNames, tableNames } from '../../src/platform/db/schema.ts'
import { othersWithTenantId, tenantTables } from '../../src/service/tenant-tables/tenant-tables.ts'
import { describeOnEachEngine } from '../harness/databases.ts'
import { uniqueKeys } from '../harness/unique-keys.ts'

describeOnEachEngine('the tables of a tenant', (open) => {
  it('are all known, each once', async () => {
    const { database, engine } = await open()
    const withTenant: string[] = []
    for (const table of await tableNames(database)) {
      if ((await columnNames(database, table)).includes('tenant_id')) withTenant.push(table)
    }
    const others = Object.keys(othersWithTenantId).filter(
      (name) => engine === 'postgresql' || name !== 'cache_invalidations',
    )
    assert.deepEqual([...tenantTables.map(({ name }) => name), ...others].toSorted(), withTenant)
  })

  it('have an index that begins with tenant_id and goes on with their key', async () => {
    const { database } = await open()
    for (const { name, key } of tenantTables) {
      const wanted = key[0] === 'tenant_id' ? key : ['tenant_id', ...key]
      assert.ok(
        (await uniqueKeys(database, name)).some((columns) => columns.join() === wanted.join()),
        `${name} has no unique key (${wanted.join()})`,
      )
    }
  })

  it('name each column that is called sealed', async () => {
    const { database } = await open()
    for (const { name, sealed } of tenantTables) {
      const columns = (await columnNames(database, name)).filter((column) => column.includes('sealed'))
      const known = sealed.map(({ column }) => column).filter((column) => column.includes('sealed'))
      assert.deepEqual(known.toSorted(), columns, name)
    }
  })
})
