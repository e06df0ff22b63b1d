import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Role, type Tenant, type TenantMember, type Transformation, roleFlags } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import {
  newRows,
  rowCounts,
  statusCounts,
  storedCounter,
  storedEvents,
} from '../../../test/harness/databases/stored.ts'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { newPublicKey } from '../../platform/crypto/tokens.ts'
import { ConstraintError, type Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { createTenant as createWhole } from './create-tenant.ts'

const environment = 'staging'
const fox = '\u{1F98A}'

const verify = (service: TestService, tenantId: string) =>
  service.deps.db.write(() => [sql`UPDATE domains SET verified_at = created_at WHERE tenant_id = ${tenantId}`])

const create = (service: TestService, body: object) =>
  service.call<Tenant>('createTenant', { body: { name: `Tenant ${unique()}`, environment, ...body } })

async function issuePaths(service: TestService, body: object): Promise<string[]> {
  const { issues = [] } = await service.refused('createTenant', 'validation_failed', { body })
  return issues.map(({ path, code }) => `${path} ${code}`)
}

describeService('POST /tenants: what a new tenant has', (service) => {
  it('has the roles admin and member, and counts them', async () => {
    const { tenant } = await createTenant(service())
    const { data, meta } = await service().ok<{ data: Role[]; meta: { total: number } }>('listRoles', {
      params: { tenantId: tenant.id },
    })
    assert.deepEqual(data.map((role) => role.name).toSorted(), ['admin', 'member'])
    assert.equal(meta.total, 2)
  })

  it('has the transformations avatar, thumbnail and original, and counts them', async () => {
    const { tenant } = await createTenant(service())
    const { data, meta } = await service().ok<{ data: Transformation[]; meta: { total: number } }>(
      'listTransformations',
      {
        params: { tenantId: tenant.id },
      },
    )
    assert.deepEqual(data.map(({ name }) => name).toSorted(), ['avatar', 'original', 'thumbnail'])
    assert.equal(meta.total, 3)
  })

  it('has message templates, and a configuration that points to each of them', async () => {
    const { tenant } = await createTenant(service())
    const rows = await service().deps.db.all<{ id: string }>(
      sql`SELECT id FROM templates WHERE tenant_id = ${tenant.id} ORDER BY id LIMIT 100`,
    )
    const { auth } = tenant
    assert.ok(auth)
    const named = Object.entries(auth).filter(([setting]) => setting.endsWith('TemplateId'))
    assert.equal(named.length, 6)
    assert.deepEqual(
      named.map(([, id]) => String(id)).toSorted(),
      rows.map(({ id }) => id),
    )
    assert.equal(await storedCounter(service(), tenant.id, 'templates'), 6)
    assert.equal(auth.tenantId, tenant.id)
    assert.equal(auth.sessionMaximumLifetime, 30 * 24 * 3600)
  })

  it('has a secret key that works and is only sealed and hashed in the database', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const seen = await service().ok<Tenant>('getTenant', { params: { id: tenant.id }, token: secretKey })
    assert.equal(seen.id, tenant.id)
    const rows = await service().deps.db.all(sql`SELECT * FROM secret_keys WHERE tenant_id = ${tenant.id} LIMIT 10`)
    assert.equal(rows.length, 1)
    assert.ok(secretKey.length > 40 && !JSON.stringify(rows).includes(secretKey))
  })

  it('has one signing key, its private half sealed', async () => {
    const { tenant } = await createTenant(service())
    const rows = await service().deps.db.all<{ id: string; public_pem: string; sealed_private_pem: string }>(
      sql`SELECT id, public_pem, sealed_private_pem FROM signing_keys WHERE tenant_id = ${tenant.id} LIMIT 10`,
    )
    assert.equal(rows.length, 1)
    const [row] = rows
    assert.ok(row)
    assert.match(row.public_pem, /^-----BEGIN PUBLIC KEY-----/)
    assert.doesNotMatch(row.sealed_private_pem, /PRIVATE/)
    const pem = service().deps.sealer.open(row.sealed_private_pem, `signing_keys:${tenant.id}:${row.id}:private_pem`)
    assert.match(pem, /^-----BEGIN PRIVATE KEY-----/)
  })

  it('has the given domain as its first: primary and unverified', async () => {
    const domain = `Login.${unique()}.example`
    const { tenant } = await createTenant(service(), { domain })
    assert.deepEqual(tenant.domains, [{ primary: true, name: domain }])
    const row = await service().deps.db.first<{ is_primary: number; verified_at: string | null }>(
      sql`SELECT is_primary, verified_at FROM domains WHERE tenant_id = ${tenant.id}`,
    )
    assert.deepEqual(row, { is_primary: 1, verified_at: null })
  })

  it('has no domain, brand, creator or logo unless they were given', async () => {
    const { tenant } = await createTenant(service())
    const { domains, brand, creatorId, projectId, logoId, logoUri, iconId, iconUri } = tenant
    assert.deepEqual(
      [domains, brand, creatorId, projectId, logoId, logoUri, iconId, iconUri],
      [[], {}, ...Array(6).fill(null)],
    )
  })

  it('appends exactly one event, without any key', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const events = await storedEvents(service(), tenant.id)
    assert.deepEqual(
      events.map(({ type, actor_type, subject_type, subject_id }) => [type, actor_type, subject_type, subject_id]),
      [['tenant.created', 'operator', 'tenant', tenant.id]],
    )
    assert.equal(events[0]?.data['slug'], tenant.slug)
    assert.ok(!JSON.stringify(events).includes(secretKey))
  })

  it('makes a console user who creates it a member with all nine flags', async () => {
    const { tenant: other } = await createTenant(service())
    const body = { tenantId: other.id, email: `${unique()}@console.example` }
    const { userId } = await service().ok<TenantMember>('createTenantMember', { body })
    const actor = { type: 'console_user', id: userId, ip: null, ua: null } as const
    const { row } = await createWhole(service().deps, { name: 'Of a person', environment }, actor)
    assert.equal(row.creator_id, userId)
    const { data, meta } = await service().ok<{ data: TenantMember[]; meta: { total: number } }>('listTenantMembers', {
      params: { tenantId: row.id },
    })
    assert.deepEqual([data.length, meta.total], [1, 1])
    const [member] = data
    assert.ok(member?.userId === userId && roleFlags.every((flag) => member[flag]))
  })

  it('leaves nothing if the last of its statements fails', async () => {
    const { deps } = service()
    const refused = sql`INSERT INTO deployment (name, value) SELECT name, value FROM deployment`
    const db: Database = {
      engine: deps.db.engine,
      all: (statement) => deps.db.all(statement),
      first: (statement) => deps.db.first(statement),
      transaction: (body) => deps.db.transaction(body),
      snapshot: (read) => deps.db.snapshot(read),
      check: () => deps.db.check(),
      close: () => deps.db.close(),
      write: (build) =>
        deps.db.write((context) => {
          const statements = build(context)
          const hasLast = statements.some(({ values }) => values.includes('tenant.created'))
          return hasLast ? [...statements, refused] : statements
        }),
    }
    const before = await rowCounts(service())
    const actor = { type: 'operator', id: null, ip: null, ua: null } as const
    const input = { name: 'Never born', environment, domain: 'never-born.example' } as const
    await assert.rejects(createWhole({ ...deps, db }, input, actor), ConstraintError)
    assert.deepEqual(await rowCounts(service()), before)
    await createWhole(deps, input, actor)
    assert.notDeepEqual(await rowCounts(service()), before)
  })
})

describeService('POST /tenants: the body', (service) => {
  it('accepts both published payload shapes and their union', async () => {
    const projectId = 'cproject1234'
    const payment = {
      orgId: 'org 1',
      plan: 'pro',
      paymentMethodId: 'pm_1',
      paymentMethodBrand: 'visa',
      paymentMethodLast4: '4242',
    }
    for (const body of [{ projectId }, payment, { ...payment, projectId }, { ...payment, orgId: null }]) {
      const { status, body: tenant } = await create(service(), body)
      assert.equal(status, 200)
      assert.equal(tenant.projectId, 'projectId' in body ? projectId : null)
    }
  })

  it('stores plan and payment fields', async () => {
    const { body: tenant } = await create(service(), {
      orgId: 'org-7',
      plan: 'pro',
      paymentMethodId: 'pm_7',
      paymentMethodBrand: 'visa',
      paymentMethodLast4: '4242',
    })
    const row = await service().deps.db.first(
      sql`SELECT org_id, plan, payment_method_id, payment_method_brand, payment_method_last4 FROM tenants WHERE id = ${tenant.id}`,
    )
    assert.deepEqual(row, {
      org_id: 'org-7',
      plan: 'pro',
      payment_method_id: 'pm_7',
      payment_method_brand: 'visa',
      payment_method_last4: '4242',
    })
  })

  it('refuses unknown properties and lists every broken rule', async () => {
    const broken = {
      name: 'abc',
      environment: 'test',
      slug: 'a b',
      domain: '-x',
      projectId: 'x',
      plan: 5,
      id: 'c123456789',
    }
    const paths = await issuePaths(service(), broken)
    assert.deepEqual([...new Set(paths.map((path) => path.replace(/ .*/, '')))].toSorted(), [
      '/domain',
      '/environment',
      '/id',
      '/name',
      '/plan',
      '/projectId',
      '/slug',
    ])
    assert.ok(paths.includes('/id unknown_property') && paths.includes('/name too_short'))
    assert.deepEqual((await issuePaths(service(), {})).toSorted(), ['/environment required', '/name required'])
  })

  it('counts the lengths of names in code points', async () => {
    const named = (name: string) => service().call('createTenant', { body: { name, environment } })
    assert.equal((await named(fox.repeat(4))).status, 200)
    assert.equal((await named(fox.repeat(32))).status, 200)
    assert.deepEqual(await issuePaths(service(), { name: fox.repeat(3), environment }), ['/name too_short'])
    assert.deepEqual(await issuePaths(service(), { name: fox.repeat(33), environment }), ['/name too_long'])
    assert.deepEqual(await issuePaths(service(), { name: ' '.repeat(4), environment }), ['/name invalid_format'])
  })

  it('accepts slugs of 4 to 32 letters, digits, hyphens and underscores', async () => {
    for (const slug of ['a_-9', 'A'.repeat(32 - 13) + unique()])
      assert.equal((await create(service(), { slug })).status, 200)
    for (const slug of ['abc', 'a'.repeat(33), 'ab cd', 'äbcd', 'ab.cd', '', 'abcd\n']) {
      assert.equal((await create(service(), { slug })).status, 400, JSON.stringify(slug))
    }
  })

  it('refuses what is not a host name', async () => {
    for (const domain of [
      '',
      '-a.example',
      'a-.example',
      'a..b',
      '.a',
      'a.',
      'a_b.example',
      'ä.example',
      'a b',
      `${'a'.repeat(64)}.example`,
    ]) {
      assert.equal((await create(service(), { domain })).status, 400, JSON.stringify(domain))
    }
    assert.equal((await create(service(), { domain: 'localhost' })).status, 200)
  })
})

describeService('POST /tenants: slugs and domains', (service) => {
  it('makes the slug from the name, and a variant if it is taken', async () => {
    const mark = unique()
    const slugs: string[] = []
    for (let n = 0; n < 3; n++) {
      const { tenant } = await createTenant(service(), { name: `Crème & ${mark}` })
      slugs.push(tenant.slug)
    }
    assert.deepEqual(slugs, [`creme-${mark}`, `creme-${mark}-2`, `creme-${mark}-3`])
  })

  it('gives every tenant of one name a slug of its own, also if two hundred are created at once', async () => {
    const name = `Same ${unique()}`
    const answers = await atOnce(200, () => create(service(), { name }))
    assert.deepEqual(statusCounts(answers), { 200: 200 })
    const slugs = new Set(answers.map(({ body }) => body.slug))
    assert.equal(slugs.size, 200)
    for (const slug of slugs) assert.match(slug, /^[a-z0-9-]{4,32}$/)
  })

  it('refuses a taken slug in another case with 409 slug_taken, and keeps the case it was given', async () => {
    const slug = `Mixed-${unique()}`
    const { tenant } = await createTenant(service(), { slug })
    assert.equal(tenant.slug, slug)
    const before = await rowCounts(service())
    for (const other of [slug, slug.toLowerCase(), slug.toUpperCase()]) {
      await service().refused('createTenant', 'slug_taken', { body: { name: 'Another', environment, slug: other } })
    }
    assert.deepEqual(await rowCounts(service()), before)
    const found = await service().ok<Tenant>('getTenantBySlug', { params: { slug: slug.toUpperCase() } })
    assert.equal(found.id, tenant.id)
  })

  // Guards: limits-in-database
  it('gives a slug to one of two hundred simultaneous requests, and writes nothing for the others', async () => {
    const slug = `race-${unique()}`
    const before = await rowCounts(service())
    const answers = await atOnce(200, (n) => create(service(), { slug: n % 2 === 0 ? slug : slug.toUpperCase() }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 199 })
    assert.deepEqual(await newRows(service(), before), {
      tenants: 1,
      auth_configurations: 1,
      secret_keys: 1,
      signing_keys: 1,
      roles: 2,
      transformations: 3,
      templates: 6,
      events: 1,
    })
  })

  it('lets several tenants claim a domain and refuses it once another has verified it', async () => {
    const domain = `${unique()}.example`
    const { tenant } = await createTenant(service(), { domain })
    await createTenant(service(), { domain })
    await verify(service(), tenant.id)
    const before = await rowCounts(service())
    for (const claimed of [domain, domain.toUpperCase()]) {
      await service().refused('createTenant', 'domain_taken', {
        body: { name: 'Late comer', environment, domain: claimed },
      })
    }
    assert.deepEqual(await rowCounts(service()), before)
    await createTenant(service(), { domain: `sub.${domain}` })
  })
})

describeService('GET /tenants/pkey/{publicKey} and /tenants/slug/{slug}', (service) => {
  it('find the complete tenant', async () => {
    const { tenant } = await createTenant(service())
    const byKey = await service().ok('getTenantByPublicKey', { params: { publicKey: tenant.publicKey } })
    const bySlug = await service().ok('getTenantBySlug', { params: { slug: tenant.slug } })
    const byId = await service().ok('getTenant', { params: { id: tenant.id } })
    assert.deepEqual([byKey, bySlug, byId], [tenant, tenant, tenant])
  })

  it('answer 200 null for one that does not exist, of any form', async () => {
    for (const publicKey of [newPublicKey('pk_dev_'), 'x', '%', "'; DROP TABLE tenants", 'ü', '\u{1F98A}']) {
      const answer = await service().call('getTenantByPublicKey', { params: { publicKey } })
      assert.deepEqual([answer.status, answer.text], [200, 'null'])
    }
    for (const slug of [unique(), 'a', 'ü', '%', '\u{1F98A}']) {
      const answer = await service().call('getTenantBySlug', { params: { slug } })
      assert.deepEqual([answer.status, answer.text], [200, 'null'])
    }
  })

  it('refuse an empty key and an empty slug with 400, which must be mistakes', async () => {
    for (const [id, name] of [
      ['getTenantByPublicKey', 'publicKey'],
      ['getTenantBySlug', 'slug'],
    ] as const) {
      const { issues } = await service().refused(id, 'validation_failed', { params: { [name]: '' } })
      assert.deepEqual(
        issues?.map(({ path, code }) => [path, code]),
        [[`/${name}`, 'too_short']],
      )
    }
  })

  it('refuse NUL, which no key or slug contains and one engine cannot even process', async () => {
    for (const [id, params] of [
      ['getTenantByPublicKey', { publicKey: 'pk_\0' }],
      ['getTenantBySlug', { slug: 'acme\0' }],
      ['getTenant', { id: 'c1234567\0' }],
    ] as const) {
      const { issues = [] } = await service().refused(id, 'validation_failed', { params })
      assert.deepEqual(
        issues.map(({ path }) => path),
        Object.keys(params).map((name) => `/${name}`),
      )
    }
  })
})
