import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { createTenantDirectory } from './tenant-directory.ts'

describeService('the directory of tenants', (service: () => TestService) => {
  /** Creates an unverified domain, and returns a function that verifies it as an operation of this node does. */
  async function newDomain() {
    const { tenant } = await createTenant(service())
    const name = `${unique()}.example`
    const { id } = await service().ok<{ id: string }>('createDomain', { body: { tenantId: tenant.id, name } })
    const { db, tenants, clock } = service().deps
    const verify = (directory = tenants) =>
      db.transaction(async (tx) => {
        await tx.run(sql`UPDATE domains SET verified_at = ${clock.now()} WHERE id = ${id}`)
        await invalidateTenant(tx, directory, tenant.id as TenantId)
      })
    return { tenantId: tenant.id, name, verify }
  }

  it('does not query the database repeatedly for an unknown domain', async () => {
    const { tenants } = service().deps
    const name = `${unique()}.example`
    assert.ok(tenants.byDomainKey(name) instanceof Promise)
    assert.equal(await tenants.byDomainKey(name), undefined)
    assert.ok(!(tenants.byDomainKey(name) instanceof Promise))
  })

  it('knows the tenant of a domain as soon as it is verified, even if it was asked for before', async () => {
    const { tenants } = service().deps
    const { tenantId, name, verify } = await newDomain()
    assert.equal(await tenants.byDomainKey(name), undefined)
    await verify()
    assert.equal((await tenants.byDomainKey(name))?.row.id, tenantId)
  })

  it('knows it even if an older answer arrives late', async () => {
    const { db, clock } = service().deps
    const { tenantId, name, verify } = await newDomain()
    const gate = Promise.withResolvers<void>()
    const hasRead = Promise.withResolvers<void>()
    const slow: Database = Object.assign(Object.create(db) as Database, {
      first: async (statement: Statement) => {
        const row = await db.first(statement)
        hasRead.resolve()
        await gate.promise
        return row
      },
      all: (statement: Statement) => db.all(statement),
    })
    const tenants = createTenantDirectory(slow, clock)
    const early = tenants.byDomainKey(name)
    await hasRead.promise
    await verify(tenants)
    gate.resolve()
    assert.equal(await early, undefined)
    assert.equal((await tenants.byDomainKey(name))?.row.id, tenantId)
  })
})
