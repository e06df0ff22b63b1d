import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type SocialProvider, providerKeys } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { newRows, rowCounts, statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createSocialProvider, createTenant, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'

const put = (service: TestService, id: string, body: object) =>
  service.ok<SocialProvider>('updateSocialProvider', { params: { id }, body })

/** The secret as the table stores it, sealed, and in the clear. */
async function secretOf({ deps }: TestService, { id, tenantId }: SocialProvider) {
  const row = await deps.db.first<{ sealed: string | null }>(
    sql`SELECT sealed_client_secret AS sealed FROM social_providers WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )
  assert.ok(row)
  const { sealed } = row
  return {
    sealed,
    clear: sealed === null ? null : deps.sealer.open(sealed, `social_providers:${tenantId}:${id}:client_secret`),
  }
}

const everything = () => ({
  useCustomCredentials: true,
  clientId: unique(),
  clientSecret: `secret ${unique()}`,
  redirectUri: 'https://app.example/callback',
  additionalScopes: ['read:org'],
  authenticatable: true,
  autoConnectAccounts: false,
  config: { teamId: 'T1' },
  keepTokens: true,
  tokenScopes: ['repo', 'gist'],
})

describeService('POST /auth/social-providers', (service) => {
  it('answers what was sent without the client secret', async () => {
    const { tenant } = await createTenant(service())
    const body = everything()
    const answer = await service().call<SocialProvider>('createSocialProvider', {
      body: { tenantId: tenant.id, providerKey: 'github', enabled: true, ...body },
    })
    const { clientSecret, ...shown } = body
    const { id, createdAt, updatedAt, ...rest } = answer.body
    assert.deepEqual(rest, { tenantId: tenant.id, providerKey: 'github', enabled: true, ...shown })
    assert.ok(id.startsWith('c') && createdAt === updatedAt)
    assert.ok(!answer.text.includes(clientSecret) && !answer.text.includes('clientSecret'))
  })

  it('has null for what was not sent', async () => {
    const { tenant } = await createTenant(service())
    const { id, createdAt, updatedAt, ...rest } = await createSocialProvider(service(), tenant.id, { enabled: false })
    assert.deepEqual(rest, {
      tenantId: tenant.id,
      providerKey: 'github',
      enabled: false,
      useCustomCredentials: null,
      clientId: null,
      redirectUri: null,
      additionalScopes: null,
      authenticatable: null,
      autoConnectAccounts: null,
      config: null,
      keepTokens: false,
      tokenScopes: [],
    })
    assert.ok(id !== '' && createdAt === updatedAt)
  })

  it('keeps the client secret sealed, bound to its row', async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    const clientSecret = `secret ${unique()}`
    const provider = await createSocialProvider(service(), one.tenant.id, { clientSecret })
    const twin = await createSocialProvider(service(), other.tenant.id, { clientSecret })
    const { sealed, clear } = await secretOf(service(), provider)
    assert.equal(clear, clientSecret)
    assert.ok(sealed !== null && !sealed.includes(clientSecret))
    assert.notEqual((await secretOf(service(), twin)).sealed, sealed)
    assert.throws(() =>
      service().deps.sealer.open(sealed, `social_providers:${twin.tenantId}:${twin.id}:client_secret`),
    )
    const rows = await service().deps.db.all(sql`SELECT * FROM social_providers LIMIT 1000`)
    assert.ok(!JSON.stringify(rows).includes(clientSecret))
  })

  it('accepts one provider of each key', async () => {
    const { tenant } = await createTenant(service())
    for (const providerKey of providerKeys) await createSocialProvider(service(), tenant.id, { providerKey })
    const before = await rowCounts(service())
    for (const providerKey of providerKeys) {
      await service().refused('createSocialProvider', 'provider_taken', {
        body: { tenantId: tenant.id, providerKey, enabled: false },
      })
    }
    assert.deepEqual(await rowCounts(service()), before)
  })

  it('creates one of two hundred of the same key that are sent at once', async () => {
    const { tenant } = await createTenant(service())
    const before = await rowCounts(service())
    const body = { tenantId: tenant.id, providerKey: 'google', enabled: true }
    const answers = await atOnce(200, () => service().call('createSocialProvider', { body }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 199 })
    assert.deepEqual(await newRows(service(), before), { social_providers: 1, events: 1 })
  })

  it('names every broken rule, and answers 404 for a tenant that does not exist', async () => {
    const body = {
      tenantId: newId(),
      providerKey: 'myspace',
      enabled: 'yes',
      useCustomCredentials: 'no',
      clientId: 5,
      redirectUri: 'http://evil.example',
      additionalScopes: 'x'.repeat(20_000),
      authenticatable: 1,
      secret: 'x',
    }
    const { issues = [] } = await service().refused('createSocialProvider', 'validation_failed', { body })
    assert.deepEqual(
      [...new Set(issues.map(({ path }) => path))].toSorted(),
      Object.keys(body)
        .filter((name) => name !== 'tenantId')
        .map((name) => `/${name}`)
        .toSorted(),
    )
    await service().refused('createSocialProvider', 'not_found', {
      body: { tenantId: newId(), providerKey: 'apple', enabled: true },
    })
  })
})

describeService('PUT /auth/social-providers/{id}', (service) => {
  it('keeps what is left out, including the client secret', async () => {
    const { tenant } = await createTenant(service())
    const body = everything()
    const provider = await createSocialProvider(service(), tenant.id, body)
    const unchanged = await put(service(), provider.id, {})
    assert.deepEqual({ ...unchanged, updatedAt: provider.updatedAt }, provider)
    for (const [name, value] of Object.entries({
      enabled: false,
      clientId: 'other',
      config: { teamId: 'T2' },
      additionalScopes: 'x',
    })) {
      const before = await put(service(), provider.id, {})
      const after = await put(service(), provider.id, { [name]: value })
      assert.deepEqual({ ...after, updatedAt: '' }, { ...before, [name]: value, updatedAt: '' })
      assert.ok(after.updatedAt > before.updatedAt)
    }
    assert.equal((await secretOf(service(), provider)).clear, body.clientSecret)
  })

  it('unsets properties with null', async () => {
    const { tenant } = await createTenant(service())
    const provider = await createSocialProvider(service(), tenant.id, everything())
    const nulls = { clientId: null, redirectUri: null, additionalScopes: null, config: null }
    const after = await put(service(), provider.id, { ...nulls, clientSecret: null })
    assert.deepEqual({ ...after, updatedAt: '' }, { ...provider, ...nulls, updatedAt: '' })
    assert.equal((await secretOf(service(), provider)).sealed, null)
  })

  it('replaces the client secret without showing it', async () => {
    const { tenant } = await createTenant(service())
    const provider = await createSocialProvider(service(), tenant.id, everything())
    const clientSecret = `secret ${unique()}`
    const answer = await service().call('updateSocialProvider', { params: { id: provider.id }, body: { clientSecret } })
    assert.equal(answer.status, 200)
    assert.ok(!answer.text.includes(clientSecret))
    assert.equal((await secretOf(service(), provider)).clear, clientSecret)
  })

  it('accepts neither key nor tenant', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createSocialProvider(service(), tenant.id)
    const body = { providerKey: 'google', tenantId: tenant.id, id }
    const { issues = [] } = await service().refused('updateSocialProvider', 'validation_failed', {
      params: { id },
      body,
    })
    assert.deepEqual(issues.map(({ path }) => path).toSorted(), ['/id', '/providerKey', '/tenantId'])
    await service().refused('updateSocialProvider', 'not_found', { params: { id: newId() }, body: { enabled: true } })
  })

  it('appends one event with before and after, which says of the secret only that it changed', async () => {
    const { tenant } = await createTenant(service())
    const body = everything()
    const provider = await createSocialProvider(service(), tenant.id, body)
    const clientSecret = `secret ${unique()}`
    await put(service(), provider.id, { enabled: false, clientSecret })
    await put(service(), provider.id, { clientId: null })
    const [created, ...updated] = await storedEvents(service(), tenant.id).then((events) =>
      events.filter(({ type }) => type.startsWith('social_provider.')),
    )
    assert.equal(created?.data['clientSecretChanged'], true)
    assert.deepEqual(
      updated.map(({ type, subject_id, data }) => [type, subject_id, data]),
      [
        [
          'social_provider.updated',
          provider.id,
          { before: { enabled: true }, after: { enabled: false }, clientSecretChanged: true },
        ],
        [
          'social_provider.updated',
          provider.id,
          { before: { clientId: body.clientId }, after: { clientId: null }, clientSecretChanged: false },
        ],
      ],
    )
    const text = JSON.stringify([created, updated])
    assert.ok(!text.includes(clientSecret) && !text.includes(body.clientSecret))
  })

  it('stores each of fifty changes that are sent at once', async () => {
    const { tenant } = await createTenant(service())
    const provider = await createSocialProvider(service(), tenant.id)
    const changes = [
      { clientId: 'id' },
      { enabled: false },
      { config: { a: 1 } },
      { authenticatable: true },
      { redirectUri: null },
    ]
    await atOnce(50, (n) =>
      service().call('updateSocialProvider', { params: { id: provider.id }, body: changes[n % changes.length] }),
    )
    const after = await put(service(), provider.id, {})
    assert.deepEqual({ ...after, updatedAt: '' }, { ...provider, ...Object.assign({}, ...changes), updatedAt: '' })
    assert.equal((await storedEvents(service(), tenant.id, 'social_provider.updated')).length, 51)
  })
})
