import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Organization } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import {
  newRows,
  rowCounts,
  statusCounts,
  storedCounter,
  storedEvents,
} from '../../../test/harness/databases/stored.ts'
import { createOrganization, createTenant, unique } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { newId } from '../../platform/ids.ts'

describeService('POST /auth/organizations', (service) => {
  it('has no members, and keeps name, image and meta data', async () => {
    const { tenant } = await createTenant(service())
    const imageUri = 'https://img.example/logo.png'
    const body = { name: 'Research', imageUri, description: 'Finds out', publicMeta: { a: [1] }, privateMeta: null }
    const { id, createdAt, updatedAt, ...rest } = await createOrganization(service(), tenant.id, body)
    assert.deepEqual(rest, { ...body, tenantId: tenant.id, creatorId: null, slug: 'research', _count: { members: 0 } })
    assert.ok(id.startsWith('c') && createdAt === updatedAt)
    assert.equal(await storedCounter(service(), tenant.id, 'organizations'), 1)
    const events = await storedEvents(service(), tenant.id, 'organization.created')
    assert.deepEqual(
      events.map(({ subject_id, data }) => [subject_id, data]),
      [[id, { name: 'Research', slug: 'research' }]],
    )
  })

  it('makes the slug from the name, and a variant if it is taken in this tenant', async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    const slugs: string[] = []
    for (const tenantId of [one.tenant.id, one.tenant.id, one.tenant.id, other.tenant.id]) {
      slugs.push((await createOrganization(service(), tenantId, { name: 'R & D' })).slug)
    }
    assert.deepEqual(slugs, ['tenant-r-d', 'tenant-r-d-2', 'tenant-r-d-3', 'tenant-r-d'])
  })

  it('refuses a slug that is taken, in upper or lower case, with 409 organization_slug_taken', async () => {
    const { tenant } = await createTenant(service())
    const slug = `Mixed-${unique()}`
    await createOrganization(service(), tenant.id, { slug })
    for (const other of [slug, slug.toLowerCase(), slug.toUpperCase()]) {
      await service().refused('createOrganization', 'organization_slug_taken', {
        body: { tenantId: tenant.id, name: 'Another', slug: other },
      })
    }
  })

  it('gives a slug to one of two hundred requests for it at once, and every name a slug of its own', async () => {
    const { tenant } = await createTenant(service())
    const ask = (body: object) =>
      service().call<Organization>('createOrganization', { body: { tenantId: tenant.id, ...body } })
    const before = await rowCounts(service())
    const slugged = await atOnce(200, () => ask({ name: 'One', slug: 'only-one' }))
    assert.deepEqual(statusCounts(slugged), { 200: 1, 409: 199 })
    assert.deepEqual(await newRows(service(), before), { organizations: 1, events: 1 })
    const named = await atOnce(60, () => ask({ name: 'Same name' }))
    assert.deepEqual(statusCounts(named), { 200: 60 })
    assert.equal(new Set(named.map(({ body }) => body.slug)).size, 60)
    assert.equal(await storedCounter(service(), tenant.id, 'organizations'), 61)
  })

  it('names every broken rule, and answers 404 for a tenant that does not exist', async () => {
    const body = { tenantId: newId(), name: '', slug: 'a b', imageUri: 'javascript:alert(1)', creatorId: 'x' }
    const { issues = [] } = await service().refused('createOrganization', 'validation_failed', { body })
    assert.deepEqual([...new Set(issues.map(({ path }) => path))].toSorted(), [
      '/creatorId',
      '/imageUri',
      '/name',
      '/slug',
    ])
    await service().refused('createOrganization', 'not_found', { body: { tenantId: newId(), name: 'Research' } })
  })
})
