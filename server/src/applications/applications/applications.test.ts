import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Application, type ApplicationWithSecret, managementResource } from '@bailiwick/contract'
import { storeGrant } from '../../../test/harness/applications.ts'
import { atOnce } from '../../../test/harness/at-once.ts'
import { ownStatementsOnly } from '../../../test/harness/databases/own-statements.ts'
import { storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import {
  createApiKey,
  createApplication,
  createResource,
  createTenant,
  createUser,
} from '../../../test/harness/factories.ts'
import { describeService, describeServiceWith } from '../../../test/harness/service.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'

const callback = 'https://reports.acme.example/callback'

describeService('POST /auth/applications', (service) => {
  it('shows the secret once, and stores only its hash', async () => {
    const { tenant } = await createTenant(service())
    const { clientSecret, ...application } = await createApplication(service(), tenant.id)
    assert.match(clientSecret ?? '', /^as_[0-9A-Za-z]{49}$/)
    assert.deepEqual(
      [application.clientId, application.grantTypes, application.tokenEndpointAuthMethod, application.requirePkce],
      [application.id, ['authorization_code', 'refresh_token'], 'client_secret_basic', true],
    )
    assert.deepEqual(
      application.secrets.map(({ last4 }) => last4),
      [clientSecret?.slice(-4)],
    )
    const stored = JSON.stringify(await dumpTables(service().deps.db))
    assert.ok(!stored.includes(clientSecret?.slice(3, -10) ?? '') && stored.includes(hashToken(clientSecret ?? '')))
    assert.deepEqual(await service().ok('getApplication', { params: { id: application.id } }), application)
    const [created] = await storedEvents(service(), tenant.id, 'application.created')
    assert.equal(created?.subject_id, application.id)
    assert.equal(await storedCounter(service(), tenant.id, 'applications'), 1)
    await service().ok('deleteApplication', { params: { id: application.id } })
    assert.equal(await storedCounter(service(), tenant.id, 'applications'), 0)
  })

  it('gives public clients no secret, and always requires PKCE', async () => {
    const { tenant } = await createTenant(service())
    for (const [type, redirectUris] of [
      ['spa', [callback]],
      ['native', ['com.example.app:/callback', 'http://127.0.0.1/callback', callback]],
      ['device', []],
    ] as const) {
      const made = await createApplication(service(), tenant.id, { type, redirectUris })
      assert.deepEqual(
        [made.clientSecret, made.secrets, made.requirePkce, made.tokenEndpointAuthMethod],
        [null, [], true, 'none'],
      )
    }
  })

  const machine = { type: 'machine', redirectUris: [] }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
  const wrong: readonly (readonly [body: object, path: string, code: string])[] = [
    [{ redirectUris: ['https://*.acme.example/callback'] }, '/redirectUris/0', 'invalid_format'],
    [{ redirectUris: ['https://acme.example/*'] }, '/redirectUris/0', 'address_refused'],
    [{ redirectUris: [`${callback}#code`] }, '/redirectUris/0', 'invalid_format'],
    [{ redirectUris: ['com.example.app:/callback'] }, '/redirectUris/0', 'address_refused'],
    [{ redirectUris: [callback, 'http://localhost/callback'] }, '/redirectUris/1', 'address_refused'],
    [{ redirectUris: ['javascript:alert(1)'] }, '/redirectUris/0', 'invalid_format'],
    [{ redirectUris: [] }, '/redirectUris', 'required'],
    [{ postLogoutRedirectUris: ['com.example.app:/out'] }, '/postLogoutRedirectUris/0', 'address_refused'],
    [{ type: 'spa', requirePkce: false }, '/requirePkce', 'required'],
    [{ type: 'spa', refreshTokenRotation: false }, '/refreshTokenRotation', 'required'],
    [{ type: 'spa', tokenEndpointAuthMethod: 'client_secret_post' }, '/tokenEndpointAuthMethod', 'not_of_this_type'],
    [
      { type: 'native', tokenEndpointAuthMethod: 'client_secret_basic' },
      '/tokenEndpointAuthMethod',
      'not_of_this_type',
    ],
    [{ tokenEndpointAuthMethod: 'none' }, '/tokenEndpointAuthMethod', 'not_of_this_type'],
    [{ type: 'spa', grantTypes: ['client_credentials'], redirectUris: [] }, '/grantTypes/0', 'not_of_this_type'],
    [{ ...machine, grantTypes: ['authorization_code'], redirectUris: [callback] }, '/grantTypes/0', 'not_of_this_type'],
    [{ ...machine, redirectUris: [callback] }, '/redirectUris', 'not_of_this_type'],
    [{ grantTypes: ['refresh_token', 'client_credentials'], redirectUris: [] }, '/grantTypes', 'nothing_to_refresh'],
    [{ type: 'native', backchannelLogoutUri: 'https://acme.example/out' }, '/backchannelLogoutUri', 'not_of_this_type'],
    [{ corsOrigins: ['https://acme.example/page'] }, '/corsOrigins/0', 'no_origin'],
    [
      { machineScopes: [{ resourceId: managementResource, scopes: ['users:read'] }] },
      '/machineScopes',
      'not_of_this_type',
    ],
    [
      { ...machine, machineScopes: [{ resourceId: managementResource, scopes: ['root'] }] },
      '/machineScopes/0/scopes/0',
      'unknown_scope',
    ],
    [
      { ...machine, machineScopes: [{ resourceId: 'c0', scopes: ['a'] }] },
      '/machineScopes/0/resourceId',
      'unknown_reference',
    ],
    [{ tokenEndpointAuthMethod: 'private_key_jwt' }, '/jwks', 'required'],
    [{ jwks: { keys: [jwk] } }, '/jwks', 'not_of_this_method'],
    [
      { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [{ ...jwk, d: 'secret' }] } },
      '/jwks/keys/0',
      'private_key',
    ],
  ]
  it('refuses values that do not fit the type, naming the field and the rule', async () => {
    const { tenant } = await createTenant(service(), { environment: 'production' })
    for (const [body, path, code] of wrong) {
      const whole = { tenantId: tenant.id, name: 'A', type: 'web', redirectUris: [callback], ...body }
      const { issues = [] } = await service().refused('createApplication', 'validation_failed', { body: whole })
      assert.deepEqual(
        issues.map((issue) => [issue.path, issue.code]),
        [[path, code]],
        JSON.stringify(body),
      )
    }
    assert.equal(await storedCounter(service(), tenant.id, 'applications'), 0)
  })

  it('accepts http on localhost in a tenant for development', async () => {
    const { tenant } = await createTenant(service(), { environment: 'development' })
    await createApplication(service(), tenant.id, { redirectUris: ['http://localhost:3000/callback'] })
  })

  it('refuses an application, or its secret, with more rights at the management interface than the caller has', async () => {
    const { tenant } = await createTenant(service())
    const machineScopes = [{ resourceId: managementResource, scopes: ['users:write'] }]
    const body = { tenantId: tenant.id, name: 'A', type: 'machine', machineScopes }
    const { key: weak } = await createApiKey(service(), tenant.id, ['config:write'])
    const { key: strong } = await createApiKey(service(), tenant.id, ['config:write', 'users:write'])
    await service().refused('createApplication', 'forbidden', { body, token: weak })
    const { id } = await service().ok<Application>('createApplication', { body, token: strong })
    const rotation = { params: { id }, body: {} }
    await service().refused('rotateApplicationSecret', 'forbidden', { ...rotation, token: weak })
    const keys = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] } }
    for (const change of [keys, { ...keys, machineScopes: [] }, { name: 'B' }]) {
      await service().refused('updateApplication', 'forbidden', { params: { id }, body: change, token: weak })
    }
    await service().ok('rotateApplicationSecret', { ...rotation, token: strong })
  })
})

// Sixteen concurrent creations once answered 503, because each held a connection while it waited for another one.
describeServiceWith('operations on applications', ownStatementsOnly, (service) => {
  it('wait only for their own statements while they hold the tenant', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createResource(service(), tenant.id)
    const machineScopes = [{ resourceId: id, scopes: ['reports:read'] }]
    const machine = { type: 'machine', redirectUris: [], machineScopes }
    const [made] = await atOnce(24, () =>
      service().call<Application>('createApplication', { body: { tenantId: tenant.id, name: 'A', ...machine } }),
    )
    const params = { id: made?.body.id ?? '' }
    await service().ok('updateApplication', { params, body: { name: 'B' } })
    await service().ok('rotateApplicationSecret', { params, body: {} })
    await service().ok('deleteApplication', { params })
    await service().ok('putOAuthSettings', { params: { id: tenant.id }, body: { accessTokenTtl: 600 } })
    await service().ok('updateResource', { params: { id }, body: { name: 'B' } })
    assert.equal(await storedCounter(service(), tenant.id, 'applications'), 23)
  })
})

describeService('the secrets of an application', (service) => {
  const rotate = (id: string, body: object = {}) =>
    service().ok<ApplicationWithSecret>('rotateApplicationSecret', { params: { id }, body })

  it('are at most two, and the older one ends after a grace period', async () => {
    const { tenant } = await createTenant(service())
    const first = await createApplication(service(), tenant.id)
    const second = await rotate(first.id)
    assert.equal(second.secrets.length, 2)
    assert.deepEqual(
      second.secrets.map(({ expiresAt }) => expiresAt === null),
      [true, false],
    )
    const third = await rotate(first.id, { graceSeconds: 60 })
    assert.deepEqual(
      third.secrets.map(({ last4 }) => last4),
      [third.clientSecret?.slice(-4), second.clientSecret?.slice(-4)],
    )
    const fourth = await rotate(first.id, { graceSeconds: 0 })
    assert.deepEqual(
      fourth.secrets.map(({ last4 }) => last4),
      [fourth.clientSecret?.slice(-4)],
    )
    const [secret] = fourth.secrets
    assert.ok(secret !== undefined)
    const secretId = secret.id
    await service().ok('deleteApplicationSecret', { params: { id: first.id, secretId } })
    await service().refused('deleteApplicationSecret', 'not_found', { params: { id: first.id, secretId } })
    const { secrets } = await service().ok<Application>('getApplication', { params: { id: first.id } })
    assert.deepEqual(secrets, [])
  })

  it('end when the application changes to authenticating by keys, and public ones have none', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createApplication(service(), tenant.id)
    const body = { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://acme.example/keys' }
    const changed = await service().ok<Application>('updateApplication', { params: { id }, body })
    assert.deepEqual(changed.secrets, [])
    await service().refused('rotateApplicationSecret', 'application_without_secret', { params: { id }, body: {} })
    const back = { tokenEndpointAuthMethod: 'client_secret_basic', jwksUri: null }
    assert.deepEqual((await service().ok<Application>('updateApplication', { params: { id }, body: back })).secrets, [])
  })
})

describeService('resources, grants and settings', (service) => {
  it('keep a resource that machines may call, and have unique indicators', async () => {
    const { tenant } = await createTenant(service())
    const { id, indicator } = await createResource(service(), tenant.id)
    const again = { tenantId: tenant.id, indicator, name: 'B' }
    await service().refused('createResource', 'resource_indicator_taken', { body: again })
    const machineScopes = [{ resourceId: id, scopes: ['reports:read'] }]
    const made = await createApplication(service(), tenant.id, { type: 'machine', redirectUris: [], machineScopes })
    await service().refused('deleteResource', 'resource_in_use', { params: { id } })
    await service().ok('updateApplication', { params: { id: made.id }, body: { machineScopes: [] } })
    await service().ok('deleteResource', { params: { id } })
    const scopes = [{ name: 'openid' }]
    const reserved = { ...again, scopes }
    const { issues } = await service().refused('createResource', 'validation_failed', { body: reserved })
    assert.deepEqual(
      issues?.map(({ path, code }) => [path, code]),
      [['/scopes/0/name', 'reserved']],
    )
  })

  it('list the grants of an application and of a user, and withdraw one with one event', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { id: applicationId } = await createApplication(service(), tenant.id)
    const id = await storeGrant(service(), { tenantId: tenant.id, userId: user.id, applicationId })
    for (const [operation, params] of [
      ['listApplicationGrants', { id: applicationId }],
      ['listUserGrants', { userId: user.id }],
    ] as const) {
      const { data, meta } = await service().ok<{ data: { id: string }[]; meta: { total: number } }>(operation, {
        params,
      })
      assert.deepEqual([data.map((grant) => grant.id), meta.total], [[id], 1])
    }
    await service().ok('deleteGrant', { params: { id } })
    await service().refused('deleteGrant', 'not_found', { params: { id } })
    const [deleted, ...more] = await storedEvents(service(), tenant.id, 'grant.deleted')
    assert.deepEqual([deleted?.subject_id, more.length], [id, 0])
  })

  it('have defaults, and accept only a verified domain as the issuer', async () => {
    const { tenant } = await createTenant(service())
    const params = { id: tenant.id }
    const before = await service().ok<{ accessTokenTtl: number; issuer: string }>('getOAuthSettings', { params })
    assert.deepEqual([before.accessTokenTtl, before.issuer], [900, `http://127.0.0.1:4000/t/${tenant.id}`])
    const body = { accessTokenTtl: 600, metadataDocumentsEnabled: true }
    assert.deepEqual(await service().ok('putOAuthSettings', { params, body }), { ...before, ...body })
    assert.deepEqual(await service().ok('putOAuthSettings', { params, body: {} }), { ...before, ...body })
    const { issues } = await service().refused('putOAuthSettings', 'validation_failed', {
      params,
      body: { issuerDomain: 'evil.example' },
    })
    assert.deepEqual(
      issues?.map(({ path }) => path),
      ['/issuerDomain'],
    )
    const { token } = await service().ok<{ token: string }>('createRegistrationToken', { params, body: {} })
    const stored = JSON.stringify(await dumpTables(service().deps.db))
    assert.ok(stored.includes(hashToken(token)) && !stored.includes(token))
  })
})
