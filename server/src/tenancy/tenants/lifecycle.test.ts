import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Billing, JwkCertificate, Tenant } from '@bailiwick/contract'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { untilWaitedFor } from '../../../test/harness/waited-for.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { restorableMs } from './lifecycle.ts'

describeService('the life of a tenant', (service) => {
  const lookUp = (publicKey: string) => service().ok<Tenant | null>('getTenantByPublicKey', { params: { publicKey } })

  it('changes its name and slug, and is found only by the new ones', async () => {
    const { tenant } = await createTenant(service())
    const slug = unique()
    const changed = await service().ok<Tenant>('updateTenant', {
      params: { id: tenant.id },
      body: { name: 'Renamed tenant', slug: slug.toUpperCase() },
    })
    assert.deepEqual([changed.name, changed.slug], ['Renamed tenant', slug.toUpperCase()])
    const bySlug = (text: string) => service().ok<Tenant | null>('getTenantBySlug', { params: { slug: text } })
    assert.deepEqual(await bySlug(slug), changed)
    assert.equal(await bySlug(tenant.slug), null)
    const { tenant: other } = await createTenant(service())
    await service().refused('updateTenant', 'slug_taken', { params: { id: other.id }, body: { slug } })
    const { issues } = await service().refused('updateTenant', 'validation_failed', {
      params: { id: other.id },
      body: { logoId: tenant.id },
    })
    assert.equal(issues?.[0]?.path, '/logoId')
  })

  it('gets no new secret key while it is deleted', async () => {
    const { tenant } = await createTenant(service())
    const { db, clock } = service().deps
    const listKeys = () => db.all(sql`SELECT id FROM secret_keys WHERE tenant_id = ${tenant.id} LIMIT 10`)
    const held = await listKeys()
    const begun = Promise.withResolvers<void>()
    const deleted = db.transaction(async (tx) => {
      await tx.run(sql`UPDATE tenants SET deleted_at = ${clock.now()} WHERE id = ${tenant.id}`)
      begun.resolve()
      // On PostgreSQL the tenant exists until this ends.
      await untilWaitedFor(tx)
    })
    await begun.promise
    await Promise.all([deleted, service().refused('rotateTenantSecretKey', 'not_found', { params: { id: tenant.id } })])
    assert.deepEqual(await listKeys(), held)
  })

  it('is gone for everybody when it is deleted, refuses its key, and is restored completely', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const { id } = tenant
    assert.equal(await service().ok('deleteTenant', { params: { id }, token: secretKey }), true)
    await service().refused('getTenant', 'not_found', { params: { id } })
    await service().refused('getTenant', 'unauthenticated', { params: { id }, token: secretKey })
    assert.equal(await lookUp(tenant.publicKey), null)
    const listed = await service().ok<Tenant[]>('listTenants', { query: { query: tenant.slug } })
    assert.deepEqual(listed, [])
    await service().refused('createUser', 'not_found', { body: { tenantId: id, email: 'a@example.com' } })
    await service().refused('deleteTenant', 'not_found', { params: { id } })
    await service().refused('createTenant', 'slug_taken', {
      body: { name: 'Squatter', environment: 'production', slug: tenant.slug },
    })
    const restored = await service().ok<Tenant>('restoreTenant', { params: { id } })
    const { updatedAt: _after, ...rest } = restored
    const { updatedAt: _before, ...restBefore } = tenant
    assert.deepEqual(rest, restBefore)
    await service().ok('getTenant', { params: { id }, token: secretKey })
  })

  it('cannot be restored after 30 days', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    const { db, clock } = service().deps
    await service().ok('deleteTenant', { params: { id } })
    await db.write(() => [
      sql`UPDATE tenants SET deleted_at = ${addMilliseconds(clock.now(), -restorableMs)} WHERE id = ${id}`,
    ])
    await service().refused('restoreTenant', 'not_found', { params: { id } })
  })

  it("does not let the console's own tenant be deleted", async () => {
    const console = await service().deps.db.first<{ value: string }>(
      sql`SELECT value FROM deployment WHERE name = 'console_tenant_id'`,
    )
    await service().refused('deleteTenant', 'not_found', { params: { id: console?.value ?? '' } })
  })

  it('keeps the billing fields of its creation, changes those that are sent and unsets them with null', async () => {
    const { tenant } = await createTenant(service(), { plan: 'free', orgId: 'org_1', paymentMethodLast4: '4242' })
    const params = { id: tenant.id }
    const billing: Billing = {
      orgId: 'org_1',
      plan: 'free',
      paymentMethodId: null,
      paymentMethodBrand: null,
      paymentMethodLast4: '4242',
    }
    assert.deepEqual(await service().ok('getTenantBilling', { params }), billing)
    const changed = await service().ok('putTenantBilling', { params, body: { plan: 'team', orgId: null } })
    assert.deepEqual(changed, { ...billing, plan: 'team', orgId: null })
    assert.deepEqual(await service().ok('getTenantBilling', { params }), changed)
  })

  it('creates a new signing key before the previous one, and removes those that have expired', async () => {
    const { tenant } = await createTenant(service())
    const query = { tenantId: tenant.id }
    const list = () => service().ok<JwkCertificate[]>('listJwkCertificates', { query })
    const [first] = await list()
    assert.match(first?.public ?? '', /^-----BEGIN PUBLIC KEY-----\n/)
    const rotated = await service().ok<JwkCertificate[]>('rotateJwkCertificates', { body: query })
    assert.deepEqual(await list(), rotated)
    assert.equal(rotated.length, 2)
    assert.equal(rotated[1]?.id, first?.id)
    assert.notEqual(rotated[0]?.public, first?.public)
    assert.ok(!JSON.stringify(rotated).includes('PRIVATE'))
    const { db, clock } = service().deps
    const dayAgo = addMilliseconds(clock.now(), -24 * 60 * 60 * 1000)
    await db.write(() => [
      sql`UPDATE signing_keys SET retired_at = ${dayAgo} WHERE tenant_id = ${tenant.id} AND id = ${first?.id ?? ''}`,
    ])
    const next = await service().ok<JwkCertificate[]>('rotateJwkCertificates', { body: query })
    assert.deepEqual(
      next.map(({ id }) => id === first?.id),
      [false, false],
    )
  })
})
