import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Brand, type Tenant, brandProperties } from '@bailiwick/contract'
import { atOnce } from '../../../../test/harness/at-once.ts'
import { storedEvents } from '../../../../test/harness/databases/stored.ts'
import { createTenant } from '../../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../../test/harness/service.ts'
import { newId } from '../../../platform/ids.ts'

const put = (service: TestService, id: string, body: object) =>
  service.ok<Tenant>('putTenantBrand', { params: { id }, body })
const get = (service: TestService, id: string) => service.ok<Brand>('getTenantBrand', { params: { id } })

describeService('PUT and GET /tenants/{id}/brand', (service) => {
  it('is empty at first', async () => {
    const { tenant } = await createTenant(service())
    assert.deepEqual(await get(service(), tenant.id), {})
  })

  it('replaces the whole brand: what the body leaves out is unset', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    await put(service(), id, { primary: '#4f46e5', radius: '0.5rem', darkRing: '244 76% 70%' })
    const answered = await put(service(), id, { accent: 'red' })
    assert.deepEqual(answered.brand, { accent: 'red' })
    assert.deepEqual(await get(service(), id), { accent: 'red' })
    await put(service(), id, {})
    assert.deepEqual(await get(service(), id), {})
  })

  it('accepts all forty properties', async () => {
    const { tenant } = await createTenant(service())
    assert.equal(brandProperties.length, 40)
    const brand = Object.fromEntries(brandProperties.map((name, n) => [name, `hsl(${n} 50% 50%)`]))
    await put(service(), tenant.id, brand)
    assert.deepEqual(await get(service(), tenant.id), brand)
  })

  it('shows at once in every look-up of the tenant', async () => {
    const { tenant } = await createTenant(service())
    const lookUps = () =>
      Promise.all([
        service().ok<Tenant>('getTenant', { params: { id: tenant.id } }),
        service().ok<Tenant>('getTenantByPublicKey', { params: { publicKey: tenant.publicKey } }),
        service().ok<Tenant>('getTenantBySlug', { params: { slug: tenant.slug } }),
      ])
    await lookUps()
    const written = await put(service(), tenant.id, { primary: 'teal' })
    assert.deepEqual(await lookUps(), [written, written, written])
    assert.ok(written.updatedAt > tenant.updatedAt)
    assert.equal(written.createdAt, tenant.createdAt)
  })

  it('keeps a value that is not a colour', async () => {
    const { tenant } = await createTenant(service())
    await put(service(), tenant.id, { primary: 'no colour at all', radius: 'wide' })
    assert.deepEqual(await get(service(), tenant.id), { primary: 'no colour at all', radius: 'wide' })
  })

  it('refuses a value that could break out of a style sheet, each at its path, and changes nothing', async () => {
    const { tenant } = await createTenant(service())
    await put(service(), tenant.id, { primary: 'red' })
    const refused = [
      'a;b',
      'a{b',
      'a}b',
      '</style',
      'a>b',
      'a\\b',
      '@import',
      '"a"',
      "'a'",
      '/* a',
      'a */',
      'url(x)',
      'URL(x)',
      'a\nb',
      'a\u0000b',
      'a\u007fb',
      '\ud800',
    ]
    const properties = brandProperties.slice(0, refused.length)
    const body = Object.fromEntries(properties.map((name, n) => [name, refused[n]]))
    for (const [n, name] of properties.entries()) {
      const { issues = [] } = await service().refused('putTenantBrand', 'validation_failed', {
        params: { id: tenant.id },
        body: { [name]: refused[n] },
      })
      assert.deepEqual(
        issues.map(({ path }) => path),
        [`/${name}`],
        refused[n],
      )
    }
    const printable = Object.fromEntries(
      Object.entries(body).filter(([, value]) => value !== 'a\u0000b' && value !== '\ud800'),
    )
    const { issues = [] } = await service().refused('putTenantBrand', 'validation_failed', {
      params: { id: tenant.id },
      body: printable,
    })
    assert.deepEqual(issues.map(({ path }) => path.slice(1)).toSorted(), Object.keys(printable).toSorted())
    assert.deepEqual(await get(service(), tenant.id), { primary: 'red' })
  })

  it('refuses more than 200 characters, other types and unknown properties', async () => {
    const { tenant } = await createTenant(service())
    await put(service(), tenant.id, { primary: '\u{1F98A}'.repeat(200) })
    for (const body of [{ primary: 'a'.repeat(201) }, { primary: 5 }, { Primary: 'red' }, { logo: 'x' }, []]) {
      await service().refused('putTenantBrand', 'validation_failed', { params: { id: tenant.id }, body })
    }
  })

  it('answers 404 for a tenant that does not exist', async () => {
    const params = { id: newId() }
    await service().refused('getTenantBrand', 'not_found', { params })
    await service().refused('putTenantBrand', 'not_found', { params, body: {} })
  })

  it('appends exactly one event with before and after', async () => {
    const { tenant } = await createTenant(service())
    await put(service(), tenant.id, { primary: 'red' })
    await put(service(), tenant.id, { accent: 'blue' })
    const events = await storedEvents(service(), tenant.id, 'tenant.brand_updated')
    assert.deepEqual(
      events.map(({ data }) => data),
      [
        { before: {}, after: { primary: 'red' } },
        { before: { primary: 'red' }, after: { accent: 'blue' } },
      ],
    )
  })

  it('records concurrent replacements as one chain of events: each begins where the previous one ended', async () => {
    const { tenant } = await createTenant(service())
    await atOnce(40, (n) =>
      service().call('putTenantBrand', { params: { id: tenant.id }, body: { primary: `#0000${n + 10}` } }),
    )
    const events = await storedEvents(service(), tenant.id, 'tenant.brand_updated')
    assert.equal(events.length, 40)
    let last: unknown = {}
    for (const { data } of events) {
      assert.deepEqual(data['before'], last)
      last = data['after']
    }
    assert.deepEqual(await get(service(), tenant.id), last)
  })
})
