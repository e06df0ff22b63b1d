import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { CustomProvider, CustomProviderCheck } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { createCustomProvider, createFile, createTenant, unique } from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { describeService } from '../../../test/harness/service.ts'
import { newId } from '../../platform/ids.ts'

describeService('POST /auth/custom-providers', (service) => {
  it('keeps what is given, and fills in the rest', async () => {
    const { tenant } = await createTenant(service())
    const { id, createdAt, updatedAt, key, ...rest } = await createCustomProvider(service(), tenant.id)
    assert.deepEqual(rest, {
      tenantId: tenant.id,
      name: 'Acme staff',
      enabled: true,
      issuer: 'http://127.0.0.1:9',
      clientId: 'client',
      hasClientSecret: false,
      redirectUri: null,
      scopes: ['email', 'profile'],
      claims: { email: 'email', emailVerified: 'email_verified', name: 'name' },
      trustEmails: false,
      authenticatable: true,
      autoConnectAccounts: true,
      keepTokens: false,
      tokenScopes: [],
      logoId: null,
      logoUri: null,
    })
    assert.ok(id !== '' && createdAt === updatedAt && key.startsWith('custom-'))
    assert.deepEqual(await service().ok('getCustomProvider', { params: { id } }), {
      ...rest,
      id,
      key,
      createdAt,
      updatedAt,
    })
  })

  it('keeps the client secret sealed, and gives it by its own operation alone, which is an event', async () => {
    const { tenant } = await createTenant(service())
    const clientSecret = `secret ${unique()}`
    const { id, key, hasClientSecret } = await createCustomProvider(service(), tenant.id, { clientSecret })
    assert.equal(hasClientSecret, true)
    assert.ok(!JSON.stringify(await dumpTables(service().deps.db)).includes(clientSecret))
    const listed = await service().call('listCustomProviders', { query: { tenantId: tenant.id } })
    assert.ok(listed.text.includes(id) && !listed.text.includes(clientSecret))
    assert.deepEqual(await service().ok('getCustomProviderSecret', { params: { id } }), {
      clientSecret,
      secret: clientSecret,
    })
    const [revealed] = await storedEvents(service(), tenant.id, 'custom_provider.secret_revealed')
    assert.deepEqual([revealed?.subject_id, revealed?.data], [id, { providerKey: key }])
  })

  it('names every broken rule', async () => {
    const { tenant } = await createTenant(service())
    const body = {
      tenantId: tenant.id,
      key: 'google',
      name: ' ',
      enabled: 'yes',
      issuer: 'https://id.acme.example?tenant=1',
      clientId: '',
      clientSecret: '',
      redirectUri: 'http://evil.example',
      scopes: ['two words'],
      claims: { subject: 'email' },
      trustEmails: 1,
    }
    const { issues = [] } = await service().refused('createCustomProvider', 'validation_failed', { body })
    const paths = new Set(issues.map(({ path }) => path.split('/')[1]))
    assert.deepEqual(
      [...paths].toSorted((one = '', other = '') => one.localeCompare(other)),
      Object.keys(body)
        .filter((name) => name !== 'tenantId')
        .toSorted((one, other) => one.localeCompare(other)),
    )
  })

  it('refuses a key that is taken, also of two hundred at once, and keeps to 50 providers', async () => {
    const { tenant } = await createTenant(service())
    const body = { tenantId: tenant.id, name: 'A', enabled: true, issuer: 'https://id.acme.example', clientId: 'a' }
    const same = await atOnce(200, () => service().call('createCustomProvider', { body: { ...body, key: 'custom-a' } }))
    assert.deepEqual(statusCounts(same), { 200: 1, 409: 199 })
    const others = await atOnce(60, (n) =>
      service().call('createCustomProvider', { body: { ...body, key: `custom-b${n}` } }),
    )
    assert.deepEqual(statusCounts(others), { 200: 49, 409: 11 })
    await service().refused('createCustomProvider', 'provider_limit_reached', { body: { ...body, key: 'custom-c' } })
  })

  it('answers 404 for a tenant that does not exist', async () => {
    const body = {
      tenantId: newId(),
      key: 'custom-a',
      name: 'A',
      enabled: true,
      issuer: 'https://a.example',
      clientId: 'a',
    }
    await service().refused('createCustomProvider', 'not_found', { body })
  })
})

describeService('PUT /auth/custom-providers/{id}', (service) => {
  const put = (id: string, body: object) =>
    service().ok<CustomProvider>('updateCustomProvider', { params: { id }, body })

  it('leaves what is left out as it is, and takes neither key nor tenant', async () => {
    const { tenant } = await createTenant(service())
    const provider = await createCustomProvider(service(), tenant.id, {
      clientSecret: 'kept',
      claims: { email: 'mail' },
    })
    assert.deepEqual({ ...(await put(provider.id, {})), updatedAt: provider.updatedAt }, provider)
    const changed = await put(provider.id, { name: 'Others', claims: { name: 'nick' }, trustEmails: true })
    assert.deepEqual(
      { ...changed, updatedAt: '' },
      {
        ...provider,
        name: 'Others',
        claims: { email: 'email', emailVerified: 'email_verified', name: 'nick' },
        trustEmails: true,
        updatedAt: '',
      },
    )
    const refused = { params: { id: provider.id }, body: { key: 'custom-other', tenantId: tenant.id } }
    const { issues = [] } = await service().refused('updateCustomProvider', 'validation_failed', refused)
    assert.deepEqual(issues.map(({ path }) => path).toSorted(), ['/key', '/tenantId'])
  })

  it('asks for the client secret again where another issuer would get it', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createCustomProvider(service(), tenant.id, { clientSecret: 'kept' })
    const body = { issuer: 'https://evil.example' }
    const { issues = [] } = await service().refused('updateCustomProvider', 'validation_failed', {
      params: { id },
      body,
    })
    assert.deepEqual(
      issues.map(({ path, code }) => [path, code]),
      [['/clientSecret', 'secret_required']],
    )
    assert.equal((await put(id, { ...body, clientSecret: 'another' })).issuer, body.issuer)
    assert.equal((await put(id, { issuer: 'https://id.acme.example', clientSecret: null })).hasClientSecret, false)
    await put(id, body)
  })

  it('writes one event with before and after, and of the secret only that it changed', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createCustomProvider(service(), tenant.id, { clientSecret: 'kept quiet' })
    await put(id, { enabled: false, clientSecret: 'kept quiet too' })
    await service().ok('deleteCustomProvider', { params: { id } })
    await service().refused('getCustomProvider', 'not_found', { params: { id } })
    const events = (await storedEvents(service(), tenant.id)).filter(({ subject_id: subject }) => subject === id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['custom_provider.created', 'custom_provider.updated', 'custom_provider.deleted'],
    )
    assert.deepEqual(events[1]?.data, {
      before: { enabled: true },
      after: { enabled: false },
      clientSecretChanged: true,
    })
    assert.ok(!JSON.stringify(events).includes('kept quiet'))
  })

  it('shows a logo that everybody may see, which cannot be deleted meanwhile', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createCustomProvider(service(), tenant.id)
    const file = await createFile(service(), tenant.id)
    const { logoUri } = await put(id, { logoId: file.id })
    assert.equal(logoUri, `${service().deps.config.baseUrl}/media/${tenant.id}/${file.id}/image?t=original`)
    await service().refused('deleteFile', 'file_in_use', { params: { id: file.id } })
    await put(id, { logoId: null })
    await service().ok('deleteFile', { params: { id: file.id } })
  })
})

describeService('POST /auth/custom-providers/{id}/check', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())
  const check = (id: string) => service().ok<CustomProviderCheck>('checkCustomProvider', { params: { id } })

  it('says where people are sent, and which address to register', async () => {
    const { tenant } = await createTenant(service())
    const { id, key } = await createCustomProvider(service(), tenant.id, { issuer: idp.issuer })
    assert.deepEqual(await check(id), {
      problem: null,
      reason: null,
      authorizationEndpoint: `${idp.issuer}/authorize`,
      callbackUri: `http://127.0.0.1:4000/frontend/api/v0/oauth/callback/${key}`,
    })
  })

  const wrong: Readonly<Record<string, readonly [(metadata: object) => unknown, string]>> = {
    'of another issuer': [(metadata) => ({ ...metadata, issuer: 'https://other.example' }), 'not_an_issuer'],
    'without an issuer': [(metadata) => ({ ...metadata, issuer: undefined }), 'unreachable'],
    'without keys': [(metadata) => ({ ...metadata, jwks_uri: undefined }), 'unsupported'],
    'with a script in place of a page': [
      (metadata) => ({ ...metadata, authorization_endpoint: 'javascript:alert(1)' }),
      'unsupported',
    ],
    'that are no object': [() => ['issuer'], 'unreachable'],
    'that are larger than 256 KiB': [(metadata) => ({ ...metadata, more: 'x'.repeat(300 * 1024) }), 'unreachable'],
  }
  for (const [what, [describe, problem]] of Object.entries(wrong)) {
    it(`refuses metadata ${what}: ${problem}`, async () => {
      const { tenant } = await createTenant(service())
      const { id } = await createCustomProvider(service(), tenant.id, { issuer: idp.issuer })
      idp.describe = describe
      try {
        const { problem: found, reason } = await check(id)
        assert.equal(found, problem)
        assert.ok(reason !== null && !reason.includes(idp.issuer))
      } finally {
        idp.describe = (metadata) => metadata
      }
    })
  }

  it('compares the issuer also at an address in /.well-known/, where openid-client does not', async () => {
    const { tenant } = await createTenant(service())
    const issuer = `${idp.issuer}/.well-known/openid-configuration`
    const { id } = await createCustomProvider(service(), tenant.id, { issuer })
    assert.equal((await check(id)).problem, 'not_an_issuer')
  })
})
