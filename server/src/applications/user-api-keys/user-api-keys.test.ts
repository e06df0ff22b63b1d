import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OwnOrganization, UserApiKeyCheck, UserApiKeyWithKey } from '@bailiwick/contract'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import {
  createApplication,
  createOrganization,
  createResource,
  createRole,
  createTenant,
  createUser,
} from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { type SignedInUser, signedInUser } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { hasValidChecksum } from '../../platform/crypto/tokens.ts'

const day = 24 * 60 * 60_000
const scopes = ['reports:read', 'reports:write']
const named = scopes.map((name) => ({ name }))

describeOnEachEngine('API keys of users', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  async function world(auth: object = {}) {
    const { tenant, secretKey } = await createTenant(service)
    const body = { userApiKeysEnabled: true, userApiKeyPrefix: 'acme_live_', organizationsEnabled: true, ...auth }
    await service.ok('putAuthTenant', { params: { id: tenant.id }, body })
    const resource = await createResource(service, tenant.id, { scopes: named })
    const role = await createRole(service, tenant.id, { permissions: ['reports:read', 'other:thing'] })
    const person = await signedInUser(service, tenant, { roleId: role.id })
    return { tenant, secretKey, resource, role, person }
  }

  const create = async ({ browser }: SignedInUser, body: object = {}) => {
    const all = { name: 'Script', scopes: ['reports:read'], ...body }
    return (await browser.ok<{ apiKey: UserApiKeyWithKey }>('createOwnApiKey', { body: all })).apiKey
  }
  const check = (tenantId: string, key: string, body: object = {}) =>
    service.ok<UserApiKeyCheck>('verifyUserApiKey', { body: { tenantId, key, ...body } })

  async function createOrganizationOwnedBy(person: SignedInUser) {
    const body = { name: 'Research' }
    const { organization } = await person.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body,
    })
    return organization.id
  }

  it('are shown once, and say whose they are and what they may do', async () => {
    const { tenant, person } = await world()
    const apiKey = await create(person)
    assert.match(apiKey.key, /^acme_live_[0-9A-Za-z]{49}$/)
    assert.ok(hasValidChecksum(apiKey.key))
    const { apiKeys, offer } = await person.browser.ok<{ apiKeys: object[]; offer: object }>('listOwnApiKeys')
    const { key, ...shown } = apiKey
    assert.deepEqual([apiKeys, offer], [[shown], { scopes: ['reports:read'], daysMax: 365 }])
    assert.deepEqual(await check(tenant.id, key), {
      valid: true,
      reason: null,
      keyId: apiKey.id,
      name: 'Script',
      userId: person.user.id,
      organizationId: null,
      scopes: ['reports:read'],
      expiresAt: apiKey.expiresAt,
    })
    assert.equal((await check(tenant.id, key, { requiredScopes: ['reports:write'] })).reason, 'missing_scopes')
    const [listed] = await service.ok<{ lastUsedAt: string | null }[]>('listUserApiKeys', {
      params: { id: person.user.id },
    })
    assert.ok(listed?.lastUsedAt)
    const exported = await service.call('exportUserData', { params: { id: person.user.id } })
    assert.ok(exported.text.includes(apiKey.id) && !exported.text.includes(key))
  })

  // Guards: keys-of-users
  it('never have more rights than their owner at this moment', async () => {
    const { tenant, person, role, resource } = await world()
    const { key } = await create(person)
    for (const scope of ['reports:write', 'other:thing', 'admin'])
      await person.browser.refused('createOwnApiKey', 'validation_failed', { body: { name: 'More', scopes: [scope] } })
    const now = async () => (await check(tenant.id, key)).scopes
    assert.deepEqual(await now(), ['reports:read'])
    await service.ok('updateRole', { params: { id: role.id }, body: { permissions: ['other:thing'] } })
    assert.deepEqual(await now(), [])
    await service.ok('updateRole', { params: { id: role.id }, body: { permissions: scopes } })
    assert.deepEqual(await now(), ['reports:read'])
    await service.ok('updateResource', { params: { id: resource.id }, body: { scopes: [] } })
    assert.deepEqual(await now(), [])
    await service.ok('updateResource', { params: { id: resource.id }, body: { scopes: named } })
    await service.ok('updateUser', { params: { id: person.user.id }, body: { roleId: null } })
    assert.deepEqual(await now(), [])
  })

  // Guards: keys-of-users
  it('end at once with whatever they depend on', async () => {
    type World = Awaited<ReturnType<typeof world>> & { key: UserApiKeyWithKey; organizationId: string }
    const endings: Readonly<Record<string, (at: World) => Promise<unknown> | void>> = {
      'ended by the user': ({ person, key }) => person.browser.ok('deleteOwnApiKey', { params: { id: key.id } }),
      'ended by the tenant': ({ key }) => service.ok('deleteUserApiKey', { params: { id: key.id } }),
      replaced: ({ person, key }) => person.browser.ok('rotateOwnApiKey', { params: { id: key.id }, body: {} }),
      reported: ({ tenant, key }) => service.ok('reportUserApiKey', { body: { tenantId: tenant.id, key: key.key } }),
      'suspended user': ({ person }) => service.ok('suspendUser', { params: { id: person.user.id } }),
      'erased user': ({ person }) => service.ok('deleteUser', { params: { id: person.user.id } }),
      'left organization': ({ person, organizationId: id }) =>
        person.browser.ok('leaveOrganization', { params: { id } }),
      'deleted organization': ({ organizationId: id }) => service.ok('deleteOrganization', { params: { id } }),
      'at the end of the time in an organization': () => advance(2 * 60_000),
      'turned off': ({ tenant }) =>
        service.ok('putAuthTenant', { params: { id: tenant.id }, body: { userApiKeysEnabled: false } }),
      expired: () => advance(366 * day),
    }
    for (const [name, end] of Object.entries(endings)) {
      const made = await world()
      const isOfOrganization = name.endsWith('organization')
      const { id: organizationId } = await createOrganization(service, made.tenant.id)
      const inAMinute = new Date(service.deps.clock.nowMs() + 60_000).toISOString()
      const ending = name.startsWith('at the end') ? { expiresAt: inAMinute } : {}
      const member = { organizationId, userId: made.person.user.id, ...ending }
      await service.ok('createOrganizationMember', { body: member })
      const body = isOfOrganization ? { organizationId, scopes: [] } : {}
      const key = await create(made.person, body)
      assert.equal((await check(made.tenant.id, key.key)).valid, true, name)
      await end({ ...made, key, organizationId })
      assert.equal((await check(made.tenant.id, key.key)).reason, 'unknown', name)
    }
  })

  // Guards: keys-of-users
  it('are made for nobody else, and touched by nobody else', async () => {
    const { tenant, person } = await world()
    const other = await signedInUser(service, tenant)
    const body = { name: 'Script', userId: other.user.id }
    await person.browser.refused('createOwnApiKey', 'validation_failed', { body })
    const { id, key } = await create(person)
    await other.browser.refused('deleteOwnApiKey', 'not_found', { params: { id } })
    await other.browser.refused('rotateOwnApiKey', 'not_found', { params: { id }, body: {} })
    const organizationId = await createOrganizationOwnedBy(person)
    await other.browser.refused('createOwnApiKey', 'not_found', { body: { name: 'Script', organizationId } })
    const elsewhere = await world()
    assert.equal((await check(elsewhere.tenant.id, key)).valid, false)
    await service.refused('verifyUserApiKey', 'not_found', {
      body: { tenantId: tenant.id, key },
      token: elsewhere.secretKey,
    })
  })

  // Guards: keys-of-users
  it('are made and replaced only in a fresh session, and by nobody who acts in the place of the user', async () => {
    const { tenant, person } = await world()
    const { id } = await create(person)
    const { sessionToken } = await service.ok<{ sessionToken: string }>('impersonateUser', {
      params: { id: person.user.id },
      body: { reason: 'Ticket 4711' },
    })
    const headers = { authorization: `Bearer ${sessionToken}` }
    const refused = async (options: object) => {
      const body = { name: 'Script' }
      await person.browser.refused('createOwnApiKey', 'reauthentication_required', { body, ...options })
      const params = { id }
      await person.browser.refused('rotateOwnApiKey', 'reauthentication_required', { params, body: {}, ...options })
    }
    await refused({ headers })
    advance(11 * 60_000)
    await refused({})
    assert.equal((await storedEvents(service, tenant.id, 'user_api_key.created')).length, 1)
  })

  it('of an organization are managed with a permission, outlive their creator, and give nobody more rights', async () => {
    const { tenant, person } = await world()
    const id = await createOrganizationOwnedBy(person)
    const params = { id }
    const manager = await createRole(service, tenant.id, {
      permissions: ['org:api-keys:manage', 'org:members:manage', ...scopes],
    })
    const lesser = await createRole(service, tenant.id, { permissions: ['org:api-keys:manage', 'org:members:manage'] })
    const member = async (roleId?: string) => {
      const fellow = await signedInUser(service, tenant)
      const body = { organizationId: id, userId: fellow.user.id, ...(roleId === undefined ? {} : { roleId }) }
      await service.ok('createOrganizationMember', { body })
      return fellow
    }
    const strong = await member(manager.id)
    const weak = await member(lesser.id)
    const plain = await member()
    await plain.browser.refused('listOwnOrganizationApiKeys', 'forbidden', { params })
    await plain.browser.refused('createOwnOrganizationApiKey', 'forbidden', { params, body: { name: 'Theirs' } })
    const body = { name: 'Billing', scopes: ['reports:write'] }
    await weak.browser.refused('createOwnOrganizationApiKey', 'validation_failed', { params, body })
    const { apiKey } = await strong.browser.ok<{ apiKey: UserApiKeyWithKey }>('createOwnOrganizationApiKey', {
      params,
      body,
    })
    const keyParams = { id, keyId: apiKey.id }
    await weak.browser.refused('rotateOwnOrganizationApiKey', 'forbidden', { params: keyParams, body: {} })
    await strong.browser.refused('deleteOwnApiKey', 'not_found', { params: { id: apiKey.id } })
    await service.ok('deleteUser', { params: { id: strong.user.id } })
    const { userId, organizationId, scopes: rights } = await check(tenant.id, apiKey.key)
    assert.deepEqual([userId, organizationId, rights], [null, id, ['reports:write']])
    assert.equal((await service.ok<unknown[]>('listOrganizationApiKeys', { params })).length, 1)
    await service.ok('reportUserApiKey', { body: { tenantId: tenant.id, key: apiKey.key, foundAt: 'a public page' } })
    const { subject } = await latestMessageTo(service.deps, weak.email)
    assert.match(subject ?? '', /leaked/)
    const [event] = await storedEvents(service, tenant.id, 'user_api_key.deleted')
    assert.deepEqual([event?.data['reason'], event?.data['foundAt']], ['leaked', 'a public page'])
    const again = { body: { tenantId: tenant.id, key: apiKey.key } }
    assert.deepEqual(await service.ok('reportUserApiKey', again), { ended: false })
  })

  it('are exchanged for a JWT of five minutes, which no one takes for the token of a session', async () => {
    const { tenant, person } = await world()
    const { id, key } = await create(person)
    const application = await createApplication(service, tenant.id, {
      type: 'machine',
      redirectUris: [],
      grantTypes: ['urn:bailiwick:api-key'],
    })
    const { clientId, clientSecret } = application
    const exchange = (apiKey: string) =>
      service.app.inject({
        method: 'POST',
        url: `/t/${tenant.id}/oauth/token`,
        headers: {
          host: new URL(service.deps.config.baseUrl).host,
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: new URLSearchParams({ grant_type: 'urn:bailiwick:api-key', api_key: apiKey }).toString(),
      })
    const answer = await exchange(key)
    const { access_token: jwt = '', expires_in: seconds, scope } = answer.json<Record<string, string>>()
    assert.deepEqual([answer.statusCode, seconds, scope], [200, 300, 'reports:read'], answer.body)
    assert.equal(decodeProtectedHeader(jwt).typ, 'api-key+jwt')
    const { sub, aud, claims } = decodeJwt(jwt)
    assert.deepEqual([sub, aud, (claims as { keyId: string }).keyId], [person.user.id, tenant.publicKey, id])
    const headers = { authorization: `Bearer ${jwt}` }
    await person.browser.refused('getProfile', 'unauthenticated', { headers })
    await service.refused('listUsers', 'unauthenticated', { query: { tenantId: tenant.id }, token: jwt })
    await person.browser.ok('deleteOwnApiKey', { params: { id } })
    assert.equal((await exchange(key)).statusCode, 400)
  })

  it('have as many owners, and live as long, as the tenant allows', async () => {
    const { tenant, person } = await world({ userApiKeysMax: 2, userApiKeyDaysMax: 30, userApiKeyPrefix: null })
    const at = (days: number) => new Date(service.deps.clock.nowMs() + days * day).toISOString()
    for (const expiresAt of [at(-1), at(31)])
      await person.browser.refused('createOwnApiKey', 'validation_failed', { body: { name: 'Script', expiresAt } })
    const { expiresAt, key } = await create(person)
    assert.ok(key.startsWith('uk_') && expiresAt !== null && expiresAt <= at(30) && expiresAt > at(29))
    await create(person, { expiresAt: at(1) })
    await person.browser.refused('createOwnApiKey', 'user_api_key_limit_reached', { body: { name: 'Script' } })
    const params = { id: tenant.id }
    await service.ok('putAuthTenant', { params, body: { userApiKeysEnabled: false } })
    await person.browser.refused('createOwnApiKey', 'user_api_keys_disabled', { body: { name: 'Script' } })
    await service.refused('putAuthTenant', 'validation_failed', { params, body: { userApiKeyPrefix: 'sk_live_' } })
    const { id: userId } = await createUser(service, tenant.id)
    const made = await service.ok<UserApiKeyWithKey>('createUserApiKey', {
      body: { tenantId: tenant.id, userId, name: 'Script' },
    })
    assert.equal((await check(tenant.id, made.key)).valid, false)
    await service.ok('putAuthTenant', { params, body: { userApiKeysEnabled: true } })
    assert.equal((await check(tenant.id, made.key)).valid, true)
  })
})
