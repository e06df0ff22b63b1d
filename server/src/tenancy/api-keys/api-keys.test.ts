// The life of an API key: created within the rights of its creator, used until it expires, refused from then on.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type ApiKey, type ApiKeyWithKey, type Scope, scopes } from '@bailiwick/contract'
import { lastUsedAt, useApiKey, usedSince } from '../../../test/harness/api-keys.ts'
import { atOnce } from '../../../test/harness/at-once.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { statusCounts, storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { createApiKey, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { addMember, signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import { type TestService, describeService, startTestService, testEnv } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'
import { createTenantDirectory } from '../directory/tenant-directory.ts'

const body = (tenantId: string, given: readonly Scope[], more: object = {}) => ({
  body: { tenantId, name: unique(), scopes: given, ...more },
})

describeService('POST /api-keys', (service) => {
  it('creates a key that works at once, shows it once, and stores none of it in the clear', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const { key, ...made } = await service().ok<ApiKeyWithKey>('createApiKey', {
      body: { tenantId: tenant.id, name: 'Export', scopes: ['users:read', 'users:read'] },
      token: secretKey,
    })
    assert.match(key, /^ak_[0-9a-z]{25}_[0-9A-Za-z]{49}$/)
    assert.deepEqual(
      [made.name, made.scopes, made.last4, made.expiresAt, made.lastUsedAt],
      ['Export', ['users:read'], key.slice(-4), null, null],
    )
    await service().ok('listUsers', { query: { tenantId: tenant.id }, token: key })
    const stored = JSON.stringify(await dumpTables(service().deps.db))
    assert.ok(stored.includes(made.id) && !stored.includes(key.slice(3, -10)))
    const listed = await service().call('listApiKeys', { params: { tenantId: tenant.id }, token: secretKey })
    assert.ok(listed.text.includes(made.id) && !listed.text.includes(key))
  })

  it('raises the count and writes one event, which names the key and contains nothing secret', async () => {
    const { tenant } = await createTenant(service())
    const { id, name, last4 } = await createApiKey(service(), tenant.id, ['admin'])
    await service().ok('deleteApiKey', { params: { id } })
    const [created, deleted, ...rest] = (await storedEvents(service(), tenant.id)).filter(
      ({ subject_type: type }) => type === 'api_key',
    )
    const described = { name, scopes: ['admin'], last4, expiresAt: null }
    assert.deepEqual([created?.type, created?.subject_id, created?.data], ['api_key.created', id, { after: described }])
    assert.deepEqual(
      [deleted?.type, deleted?.subject_id, deleted?.data],
      ['api_key.deleted', id, { before: described }],
    )
    assert.deepEqual([rest.length, await storedCounter(service(), tenant.id, 'api_keys')], [0, 0])
  })

  it('lets a key grant only scopes that it has, and everybody else only their own rights', async () => {
    const { tenant } = await createTenant(service())
    const { key } = await createApiKey(service(), tenant.id, ['config:write', 'users:read'])
    await service().ok('createApiKey', { ...body(tenant.id, ['config:read', 'users:read']), token: key })
    for (const scope of scopes.filter((each) => !['config:read', 'config:write', 'users:read'].includes(each))) {
      // A credential that may write configuration may also read media.
      await service().refused('createApiKey', 'forbidden', { ...body(tenant.id, ['users:read', scope]), token: key })
    }
    const member = await signInConsoleUser(service())
    await addMember(service(), tenant.id, member, 'roleEditConfig', 'roleViewUsers')
    await service().ok('createApiKey', { ...body(tenant.id, ['users:read', 'media:write']), token: member.token })
    for (const scope of ['users:write', 'organizations:read', 'billing:read', 'events:read', 'admin'] as const) {
      await service().refused('createApiKey', 'forbidden', { ...body(tenant.id, [scope]), token: member.token })
    }
  })

  it('lets no key create one that outlives it', async () => {
    const { tenant } = await createTenant(service())
    const expiresAt = '2999-01-01T00:00:00.000000Z'
    const { key } = await createApiKey(service(), tenant.id, ['admin'], { expiresAt })
    const made = await service().ok<ApiKey>('createApiKey', {
      ...body(tenant.id, ['admin'], { expiresAt }),
      token: key,
    })
    assert.equal(made.expiresAt, expiresAt)
    for (const later of [{}, { expiresAt: null }, { expiresAt: '2999-01-01T00:00:00.000001Z' }]) {
      await service().refused('createApiKey', 'forbidden', { ...body(tenant.id, ['admin'], later), token: key })
    }
  })

  it('refuses an expiry in the past, missing scopes and an unknown scope, each at its path', async () => {
    const { tenant } = await createTenant(service())
    for (const [more, path] of [
      [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
      [{ scopes: [] }, '/scopes'],
      [{ scopes: ['users:delete'] }, '/scopes/0'],
      [{ name: ' ' }, '/name'],
    ] as const) {
      const { issues } = await service().refused('createApiKey', 'validation_failed', body(tenant.id, ['admin'], more))
      assert.deepEqual(
        issues?.map((issue) => issue.path),
        [path],
      )
    }
  })

  it('limits a tenant to 100 keys, also if more are requested at once', async () => {
    const { tenant } = await createTenant(service())
    const answers = await atOnce(110, () => service().call('createApiKey', body(tenant.id, ['admin'])))
    assert.deepEqual(statusCounts(answers), { 200: 100, 409: 10 })
    assert.equal(await storedCounter(service(), tenant.id, 'api_keys'), 100)
    const keys = answers.flatMap(({ body: made }) => ('key' in made ? [String(made['key'])] : []))
    for (const token of keys) assert.equal((await service().call('listTenants', { token })).status, 200)
  })

  it('names the key as the actor of what it does', async () => {
    const { tenant } = await createTenant(service())
    const { id, key } = await createApiKey(service(), tenant.id, ['users:write'])
    await service().ok('createUser', { body: { tenantId: tenant.id, email: 'ada@acme.example' }, token: key })
    const { data } = await service().ok<{ data: { actor: object }[] }>('listEvents', {
      params: { tenantId: tenant.id },
      query: { type: 'user.created' },
    })
    assert.deepEqual(
      data.map(({ actor }) => actor),
      [{ type: 'api_key', id }],
    )
  })
})

describeService('an API key', (service) => {
  const statusOf = async (token: string) => (await service().call('listTenants', { token })).status

  it('is refused at once when it is deleted, and others are not', async () => {
    const { tenant } = await createTenant(service())
    const [deleted, kept] = [
      await createApiKey(service(), tenant.id, ['admin']),
      await createApiKey(service(), tenant.id, ['admin']),
    ]
    for (const { key } of [deleted, kept]) assert.equal(await statusOf(key), 200)
    await service().ok('deleteApiKey', { params: { id: deleted.id }, token: kept.key })
    assert.deepEqual([await statusOf(deleted.key), await statusOf(kept.key)], [401, 200])
  })

  it('is refused while its tenant is deleted, and works again when the tenant is restored', async () => {
    const { tenant } = await createTenant(service())
    const { key } = await createApiKey(service(), tenant.id, ['admin'])
    assert.equal(await statusOf(key), 200)
    await service().ok('deleteTenant', { params: { id: tenant.id } })
    assert.equal(await statusOf(key), 401)
    await service().ok('restoreTenant', { params: { id: tenant.id } })
    assert.equal(await statusOf(key), 200)
  })

  it('can be deleted only once, and is not found by another tenant', async () => {
    const { tenant } = await createTenant(service())
    const { secretKey: stranger } = await createTenant(service())
    const { id } = await createApiKey(service(), tenant.id, ['admin'])
    await service().refused('deleteApiKey', 'not_found', { params: { id }, token: stranger })
    const answers = await atOnce(20, () => service().call('deleteApiKey', { params: { id } }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 404: 19 })
    assert.equal(await storedCounter(service(), tenant.id, 'api_keys'), 0)
  })

  it('shows a user to a key that may see users only', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createUser(service(), tenant.id)
    const { key } = await createApiKey(service(), tenant.id, ['organizations:write'])
    await service().refused('getUser', 'forbidden', { params: { id }, token: key })
  })
})

describeOnEachEngine("an API key's times", (open) => {
  let now = Date.UTC(2026, 10, 20)
  let service: TestService
  before(async () => {
    const { database } = await open()
    const clock = createClock(() => now)
    service = await startTestService(database, testEnv, () => ({
      clock,
      tenants: createTenantDirectory(database, clock),
    }))
  })
  after(() => service.app.close())
  const statusOf = async (token: string) => (await service.call('listTenants', { token })).status

  it('make it expire at the given moment, though it is in memory', async () => {
    const { tenant } = await createTenant(service)
    const { key, expiresAt } = await createApiKey(service, tenant.id, ['admin'], {
      expiresAt: new Date(now + 60_000).toISOString(),
    })
    assert.equal(expiresAt, new Date(now + 60_000).toISOString().replace('Z', '000Z'))
    now += 59_000
    assert.equal(await statusOf(key), 200)
    now += 1000
    assert.equal(await statusOf(key), 401)
  })

  it('show when it was used, to the minute', async () => {
    const { tenant } = await createTenant(service)
    const { key } = await createApiKey(service, tenant.id, ['admin'])
    assert.equal(await lastUsedAt(service, key), null)
    await useApiKey(service, key)
    const first = await lastUsedAt(service, key)
    assert.equal(first?.slice(0, 19), new Date(now).toISOString().slice(0, 19))
    now += 59_000
    await statusOf(key)
    const other = await startTestService(service.deps.db as never, testEnv, () => ({
      clock: service.deps.clock,
      tenants: createTenantDirectory(service.deps.db, service.deps.clock),
    }))
    await other.call('listTenants', { token: key })
    // Closing the node waits for what is being written.
    await other.app.close()
    assert.equal(await lastUsedAt(service, key), first)
    now += 1001
    await statusOf(key)
    const written = await usedSince(service, key, first)
    assert.equal(written?.slice(0, 19), new Date(now).toISOString().slice(0, 19))
  })
})
