import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Organization } from '@bailiwick/contract'
import { createOrganization, createTenant, createUser } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { selectFrom } from '../../platform/db/table.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { foundOrganizations } from './organization-search.ts'

interface Page {
  readonly data: readonly Organization[]
  readonly meta: { readonly total: number; readonly next: string | null; readonly prev: string | null }
}

describeService('GET /tenants/{tenantId}/auth/organizations', (service) => {
  const list = (tenantId: string, query: Record<string, string>) =>
    service().ok<Page>('listOrganizations', { params: { tenantId }, query })

  it('finds organizations by the beginning of their name or slug, in any of the usual spellings', async () => {
    const { tenant } = await createTenant(service())
    for (const [name, slug] of [
      ['Acme Research', 'labs'],
      ['acme support', 'acme-support'],
      ['Other', 'acme_other'],
      ['100% Wool', 'wool'],
    ]) {
      await createOrganization(service(), tenant.id, { name, slug })
    }
    const { tenant: foreign } = await createTenant(service())
    await createOrganization(service(), foreign.id, { name: 'Acme Elsewhere' })
    const find = async (query: string) => {
      const { data, meta } = await list(tenant.id, { query })
      assert.equal(meta.total, data.length)
      return data.map(({ name }) => name)
    }
    assert.deepEqual(await find('ACME'), ['Other', 'acme support', 'Acme Research'])
    assert.deepEqual(await find('  acme   res'), ['Acme Research'])
    assert.deepEqual(await find('LABS'), ['Acme Research'])
    assert.deepEqual(await find('acme sup'), ['acme support'])
    assert.deepEqual(await find('100%'), ['100% Wool'])
    assert.deepEqual(await find('research'), ['Acme Research'])
    assert.deepEqual(await find('RéSEARCH aCME'), ['Acme Research'])
    assert.deepEqual(await find('support other'), [])
    assert.deepEqual(await find('esearch'), [])
    const { data, meta } = await list(tenant.id, { query: 'acme', perPage: '2' })
    assert.equal(meta.total, 3)
    const rest = await list(tenant.id, { query: 'acme', perPage: '2', cursor: meta.next ?? '' })
    assert.deepEqual([data.length, rest.data[0]?.name, rest.meta.prev], [2, 'Acme Research', data[0]?.createdAt])
  })

  it('narrows to the organizations of a user, also those found by name', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const joined = [
      await createOrganization(service(), tenant.id, { name: 'North' }),
      await createOrganization(service(), tenant.id, { name: 'South' }),
    ]
    await createOrganization(service(), tenant.id, { name: 'Northern' })
    for (const { id } of joined) {
      await service().ok('createOrganizationMember', { body: { organizationId: id, userId: user.id } })
    }
    const find = async (query: Record<string, string>) => (await list(tenant.id, query)).data.map(({ name }) => name)
    assert.deepEqual(await find({ userId: user.id }), ['South', 'North'])
    assert.deepEqual(await find({ userId: user.id, query: 'no' }), ['North'])
    assert.deepEqual(await find({ userId: newId() }), [])
    assert.deepEqual(await find({ userId: user.id, createdAfter: joined[1]?.createdAt ?? '' }), ['South'])
  })

  it('reads the indexes of names, slugs and memberships, never all organizations', async () => {
    const { db } = service().deps
    if (db.engine !== 'sqlite') return
    const { tenant } = await createTenant(service())
    for (const filter of [{ query: 'acme' }, { userId: newId() }, { query: 'acme', userId: newId() }]) {
      const found = foundOrganizations(tenant.id as TenantId, filter)
      assert.ok(found !== undefined)
      const rows = await db.all<{ detail: string }>(
        sql`EXPLAIN QUERY PLAN ${selectFrom(found, found.columns)} ORDER BY created_at DESC LIMIT 21`,
      )
      const steps = rows.map(({ detail }) => detail).filter((step) => /^(?:SEARCH|SCAN) organization/.test(step))
      assert.ok(steps.length > 0)
      for (const step of steps) {
        assert.match(
          step,
          /^SEARCH (?:organizations USING .*(?:organizations_name|organizations_slug_key|organizations_created_key|\(id=\? AND tenant_id=\?\))|organization_terms USING|organization_members USING)/,
        )
      }
    }
  })
})
