import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Connection, ErrorBody, UserConnection, UserDataExport } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import {
  createConnection,
  createOrganization,
  createRole,
  createTenant,
  createUser,
} from '../../../test/harness/factories.ts'
import { storeConnectionIdentity } from '../../../test/harness/people/connections.ts'
import { makeLive } from '../../../test/harness/people/enterprise.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

async function someOrganization(service: TestService) {
  const { tenant } = await createTenant(service)
  return { tenantId: tenant.id, organizationId: (await createOrganization(service, tenant.id)).id }
}

/** The issues of a refused request, as `path code`. */
const issuesOf = ({ status, body }: { status: number; body: unknown }) => {
  const { issues = [] } = body as ErrorBody
  return [status, ...issues.map(({ path, code }) => `${path} ${code}`)]
}

describeService('POST /auth/connections', (service) => {
  it('keeps what is given, and fills in the rest', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const { id, createdAt, updatedAt, ...rest } = await createConnection(service(), organizationId)
    const callbackUri = new URL(`/frontend/api/v0/connections/${id}/callback`, service().deps.config.baseUrl).href
    assert.deepEqual(rest, {
      tenantId,
      organizationId,
      type: 'oidc',
      name: 'Acme staff',
      state: 'draft',
      oidc: {
        issuer: 'http://127.0.0.1:9',
        clientId: 'client',
        scopes: ['email', 'profile'],
        claims: { email: 'email', name: 'name', givenName: 'given_name', familyName: 'family_name' },
        hasClientSecret: true,
        callbackUri,
      },
      saml: null,
      roleRules: [],
      attributeMappings: [],
      jit: 'member',
      required: false,
      fallbackUserIds: [],
      secondFactor: 'ask',
      idJag: 'off',
      idJagScopes: [],
      idJagTtl: 900,
      revocationUri: new URL(`/t/${tenantId}/connections/${id}/global-token-revocation`, callbackUri).href,
    })
    assert.equal(createdAt, updatedAt)
    const listed = await service().ok('listConnectionsOfOrganization', { params: { organizationId } })
    assert.deepEqual(listed, [await service().ok('getConnection', { params: { id } })])
  })

  it('shows the secret in no answer, event or row', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const { id } = await createConnection(service(), organizationId)
    await service().ok('updateConnection', { params: { id }, body: { oidc: { clientSecret: 'another secret' } } })
    const events = JSON.stringify(await storedEvents(service(), tenantId))
    assert.match(events, /"secretChanged":true/)
    for (const text of [events, JSON.stringify(await dumpTables(service().deps.db))]) {
      assert.doesNotMatch(text, /the secret of the client|another secret/)
    }
  })

  it('refuses an issuer that is none, settings that are missing, and what rules and lists name wrongly', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const body = { organizationId, type: 'oidc', name: 'Staff' }
    const answer = (more: object) => service().call('createConnection', { body: { ...body, ...more } })
    assert.deepEqual(issuesOf(await answer({})), [400, '/oidc required'])
    const oidc = { issuer: 'http://127.0.0.1:9', clientId: 'client' }
    assert.deepEqual(issuesOf(await answer({ oidc: { ...oidc, issuer: 'ftp://id.example' } })).slice(0, 2), [
      400,
      '/oidc/issuer invalid_format',
    ])
    const stranger = await createUser(service(), tenantId)
    const roleRules = [{ claim: null, value: null, roleId: 'none' }]
    assert.deepEqual(issuesOf(await answer({ oidc, roleRules, fallbackUserIds: [stranger.id] })), [
      400,
      '/roleRules/0/roleId unknown_reference',
      '/fallbackUserIds/0 unknown_reference',
    ])
  })

  it('lets an organization have twenty, however many are made at once', async () => {
    const { organizationId } = await someOrganization(service())
    const oidc = { issuer: 'http://127.0.0.1:9', clientId: 'client' }
    const answers = await atOnce(25, () =>
      service().call('createConnection', { body: { organizationId, type: 'oidc', name: 'Staff', oidc } }),
    )
    assert.deepEqual(statusCounts(answers), { 200: 20, 409: 5 })
  })
})

describeService('PUT /auth/connections/{id}', (service) => {
  it('changes what is sent alone', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const before = await createConnection(service(), organizationId)
    const role = await createRole(service(), tenantId)
    const member = await createUser(service(), tenantId)
    await service().ok('createOrganizationMember', { body: { organizationId, userId: member.id } })
    const body = {
      name: 'Everybody',
      oidc: { scopes: ['groups'] },
      roleRules: [{ claim: 'groups', value: 'admins', roleId: role.id }],
      required: true,
      fallbackUserIds: [member.id],
      jit: 'off' as const,
      secondFactor: 'skip' as const,
    }
    const after = await service().ok<Connection>('updateConnection', { params: { id: before.id }, body })
    const { updatedAt } = after
    assert.deepEqual(after, { ...before, ...body, oidc: { ...before.oidc, scopes: ['groups'] }, updatedAt })
  })

  it('sends a secret that stays nowhere else', async () => {
    const { organizationId } = await someOrganization(service())
    const { id } = await createConnection(service(), organizationId)
    const elsewhere = { issuer: 'https://id.evil.example' }
    const answer = await service().call('updateConnection', { params: { id }, body: { oidc: elsewhere } })
    assert.deepEqual(issuesOf(answer), [400, '/oidc/clientSecret secret_required'])
    await service().ok('updateConnection', { params: { id }, body: { oidc: { ...elsewhere, clientSecret: 'new' } } })
  })

  it('keeps the issuer of a connection with which somebody has signed in', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const { id } = await createConnection(service(), organizationId)
    const user = await createUser(service(), tenantId)
    await storeConnectionIdentity(service(), { tenantId, organizationId, connectionId: id, userId: user.id })
    const body = { oidc: { issuer: 'https://id.evil.example', clientSecret: 'new' } }
    const answer = await service().call('updateConnection', { params: { id }, body })
    assert.deepEqual(issuesOf(answer), [400, '/oidc/issuer connection_in_use'])
  })

  it('makes no connection live that was never tested', async () => {
    const { organizationId } = await someOrganization(service())
    const { id } = await createConnection(service(), organizationId)
    const answer = await service().call('updateConnection', { params: { id }, body: { state: 'live' } })
    assert.equal((answer.body as ErrorBody).code, 'connection_not_tested')
  })

  it('requires no live connection whose present settings were not tested', async () => {
    const { organizationId } = await someOrganization(service())
    const connection = await createConnection(service(), organizationId)
    await makeLive(service(), connection)
    const update = (body: object) =>
      service().call<ErrorBody>('updateConnection', { params: { id: connection.id }, body })
    assert.equal((await update({ required: true })).status, 200)
    assert.equal((await update({ required: false, oidc: { clientSecret: 'another' } })).status, 200)
    assert.equal((await update({ required: true })).body.code, 'connection_not_tested')
  })

  it('has the event connection.activated as it goes live, once', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const connection = await createConnection(service(), organizationId)
    await makeLive(service(), connection)
    const params = { id: connection.id }
    for (const state of ['off', 'live', 'live'] as const)
      await service().ok('updateConnection', { params, body: { state } })
    const events = await storedEvents(service(), tenantId, 'connection.activated')
    assert.deepEqual(
      events.map(({ data }) => [data['organizationId'], data['before']]),
      [[organizationId, { state: 'off' }]],
    )
  })
})

describeService('GET /auth/users/{userId}/connections', (service) => {
  it('lists who the user is where, as the export of all data does', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const { id: connectionId } = await createConnection(service(), organizationId)
    const { id: userId } = await createUser(service(), tenantId)
    const subject = await storeConnectionIdentity(service(), { tenantId, organizationId, connectionId, userId })
    const listed = await service().ok<UserConnection[]>('listConnectionsOfUser', { params: { userId } })
    assert.deepEqual(
      listed.map((each) => [each.connectionId, each.organizationId, each.subject]),
      [[connectionId, organizationId, subject]],
    )
    const exported = await service().ok<UserDataExport>('exportUserData', { params: { id: userId } })
    assert.deepEqual(exported.connections, listed)
    await service().ok('deleteConnectionOfUser', { params: { userId, id: connectionId } })
    assert.deepEqual(await service().ok('listConnectionsOfUser', { params: { userId } }), [])
  })

  it('loses what is removed with the organization', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const { id: connectionId } = await createConnection(service(), organizationId)
    const { id: userId } = await createUser(service(), tenantId)
    await storeConnectionIdentity(service(), { tenantId, organizationId, connectionId, userId })
    await service().ok('deleteOrganization', { params: { id: organizationId } })
    assert.deepEqual(await service().ok('listConnectionsOfUser', { params: { userId } }), [])
    assert.equal((await service().call('getConnection', { params: { id: connectionId } })).status, 404)
  })
})
