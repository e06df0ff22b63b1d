// Connections as members of the organization manage them: what the tenant, the role, the session and the rules of others decide.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type {
  Connection,
  ConnectionTest,
  GroupRules,
  GroupRulesPreview,
  OwnOrganization,
  ScimTokenWithToken,
} from '@bailiwick/contract'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createRole, createTenant, testPages, textAttribute } from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { addDomain, provenByDns, signInAtWork, staff } from '../../../test/harness/people/enterprise.ts'
import { type Person, signedInPerson } from '../../../test/harness/people/people.ts'
import { Directory } from '../../../test/harness/people/scim.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

type Made = { connection: Connection }

async function createScene(service: TestService, auth: object = { organizationConnectionManagementEnabled: true }) {
  const { tenant } = await createTenant(service)
  await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: testPages, ...auth } })
  const owner = await signedInPerson(service, tenant)
  const { organization } = await owner.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
    body: { name: 'Research' },
  })
  return { tenant, owner, id: organization.id, params: { id: organization.id } }
}

type Scene = Awaited<ReturnType<typeof createScene>>

/** Another member, whose role has these permissions. */
async function join(service: TestService, { tenant, id }: Scene, permissions: readonly string[]) {
  const person = await signedInPerson(service, tenant)
  const role = await createRole(service, tenant.id, { permissions })
  const body = { organizationId: id, userId: person.user.id, roleId: role.id }
  await service.ok('createOrganizationMember', { body })
  return { person, role }
}

/** As if the sessions of the tenant had been proven an hour and a minute ago. */
async function age(service: TestService, { tenant }: Scene) {
  const old = new Date(Date.now() - 61 * 60_000).toISOString().replace('Z', '000Z')
  await service.deps.db.transaction((tx) =>
    tx.run(sql`UPDATE sessions SET auth_time = ${old}, created_at = ${old} WHERE tenant_id = ${tenant.id}`),
  )
  service.deps.sessions.clear()
}

describeService('the connections of an organization, for its members', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  const provider = () => ({ issuer: idp.issuer, clientId: idp.clientId, clientSecret: 'its secret: 100 %' })
  const create = async ({ browser }: Person, params: { id: string }, body: object = {}) => {
    const input = { type: 'oidc', name: 'Acme staff', oidc: provider(), ...body }
    return (await browser.ok<Made>('createOwnOrganizationConnection', { params, body: input })).connection
  }

  it('are created, tested, switched on, used and removed, with the member as the actor of each event', async () => {
    const { tenant, owner, id, params } = await createScene(service())
    const domain = await addDomain(service(), id)
    await provenByDns(service(), domain)
    const { browser } = owner
    const connection = await create(owner, params)
    assert.deepEqual([connection.state, connection.organizationId, connection.secondFactor], ['draft', id, 'ask'])
    assert.equal(JSON.stringify(connection).includes('its secret'), false)
    const one = { params: { ...params, connectionId: connection.id } }
    const { check } = await browser.ok<{ check: object }>('checkOwnOrganizationConnection', one)
    assert.equal('problem' in check && check.problem, null)
    const live = { ...one, body: { state: 'live' } }
    await browser.refused('updateOwnOrganizationConnection', 'connection_not_tested', live)
    const { test } = await browser.ok<{ test: { authorizeUri: string } }>('testOwnOrganizationConnection', one)
    await browser.visit(idp.agree(test.authorizeUri, staff(domain.name)))
    const { test: ended } = await browser.ok<{ test: ConnectionTest }>('getOwnOrganizationConnectionTest', one)
    assert.deepEqual([ended.state, ended.report?.user, ended.report?.membership], ['passed', 'created', 'created'])
    assert.equal((await browser.ok<Made>('updateOwnOrganizationConnection', live)).connection.state, 'live')
    await signInAtWork(owner.elsewhere(), idp, staff(domain.name))
    const { preview } = await browser.ok<{ preview: { members: number } }>('previewOwnOrganizationConnection', one)
    assert.equal(preview.members, 2)
    await browser.ok('deleteOwnOrganizationConnection', one)
    const listed = await browser.ok<{ connections: Connection[] }>('listOwnOrganizationConnections', { params })
    assert.deepEqual(listed.connections, [])
    const events = (await storedEvents(service(), tenant.id)).filter(
      ({ type }) => type.startsWith('connection.') && type !== 'connection.tested',
    )
    assert.deepEqual(
      events.map(({ type, actor_id: actor }) => [type, actor === owner.user.id]),
      ['created', 'activated', 'deleted'].map((verb) => [`connection.${verb}`, true]),
    )
  })

  it('have tokens for the directory, which are shown once and refused when they are revoked', async () => {
    const { owner, params } = await createScene(service())
    const connection = await create(owner, params)
    const one = { params: { ...params, connectionId: connection.id } }
    const made = await owner.browser.ok<{ token: ScimTokenWithToken }>('createOwnOrganizationScimToken', {
      ...one,
      body: { name: 'Okta' },
    })
    const { token, id, baseUri } = made.token
    const { scim } = await owner.browser.ok<{ scim: { baseUri: string; tokens: { id: string }[] } }>(
      'getOwnOrganizationProvisioning',
      one,
    )
    assert.deepEqual([scim.baseUri, scim.tokens.map((each) => each.id)], [baseUri, [id]])
    assert.equal(JSON.stringify(scim).includes(token), false)
    const ask = async () => {
      const headers = { host: 'id.test', authorization: `Bearer ${token}` }
      return (await service().request({ method: 'GET', url: `${new URL(baseUri).pathname}/Users`, headers })).status
    }
    assert.equal(await ask(), 200)
    await owner.browser.ok('deleteOwnOrganizationScimToken', { params: { ...one.params, tokenId: id } })
    assert.equal(await ask(), 401)
  })

  // Guards: customers-administrators
  it('are for members with the permission alone, where the tenant offers it, and never for whoever acts for a user', async () => {
    const scene = await createScene(service())
    const { tenant, owner, params } = scene
    const connection = await create(owner, params)
    const one = { params: { ...params, connectionId: connection.id } }
    const { person } = await join(service(), scene, ['org:manage', 'org:members:manage'])
    await person.browser.refused('listOwnOrganizationConnections', 'forbidden', { params })
    await person.browser.refused('createOwnOrganizationScimToken', 'forbidden', { ...one, body: { name: 'Okta' } })
    const outsider = await createScene(service())
    const elsewhere = { params: { ...outsider.params, connectionId: connection.id }, body: { name: 'Mine' } }
    await outsider.owner.browser.refused('updateOwnOrganizationConnection', 'not_found', elsewhere)
    const own = await person.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body: { name: 'Mine' },
    })
    const here = { params: { id: own.organization.id, connectionId: connection.id }, body: { name: 'Mine' } }
    await person.browser.refused('updateOwnOrganizationConnection', 'not_found', here)
    await service().deps.db.transaction((tx) =>
      tx.run(sql`UPDATE sessions SET actor_type = 'system', actor_id = 'x' WHERE user_id = ${owner.user.id}`),
    )
    service().deps.sessions.clear()
    await owner.browser.refused('listOwnOrganizationConnections', 'forbidden', { params })
    await service().deps.db.transaction((tx) =>
      tx.run(sql`UPDATE sessions SET actor_type = NULL, actor_id = NULL WHERE user_id = ${owner.user.id}`),
    )
    service().deps.sessions.clear()
    await owner.browser.ok('listOwnOrganizationConnections', { params })
    const body = { organizationConnectionManagementEnabled: false }
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body })
    await owner.browser.refused('listOwnOrganizationConnections', 'forbidden', { params })
  })

  // Guards: customers-administrators
  it('change only in a session that was proven within the hour', async () => {
    const scene = await createScene(service())
    const { owner, params } = scene
    const connection = await create(owner, params)
    await age(service(), scene)
    await owner.browser.ok('listOwnOrganizationConnections', { params })
    const one = { params: { ...params, connectionId: connection.id } }
    const changes = [
      ['updateOwnOrganizationConnection', { name: 'Other' }],
      ['deleteOwnOrganizationConnection'],
      ['testOwnOrganizationConnection'],
      ['createOwnOrganizationScimToken', { name: 'Okta' }],
      ['updateOwnOrganizationGroupRules', { rules: [] }],
    ] as const
    for (const [id, body] of changes)
      await owner.browser.refused(id, 'reauthentication_required', { ...one, ...(body === undefined ? {} : { body }) })
    await owner.browser.ok('previewOwnOrganizationGroupRules', { ...one, body: { rules: [] } })
  })

  // Guards: customers-administrators
  it('give only roles that the member may give, and keep the rules that others have made', async () => {
    const scene = await createScene(service())
    const { tenant, owner, params } = scene
    const { person, role } = await join(service(), scene, ['org:connections:manage'])
    const boss = await createRole(service(), tenant.id, { permissions: ['org:manage', 'org:connections:manage'] })
    const everybody = (roleId: string) => ({ claim: null, value: null, roleId })
    const greedy = { type: 'oidc', name: 'Mine', oidc: provider(), roleRules: [everybody(boss.id)] }
    const { browser } = person
    await browser.refused('createOwnOrganizationConnection', 'forbidden', { params, body: greedy })
    const connection = await create(owner, params, { roleRules: [everybody(boss.id)] })
    const one = { params: { ...params, connectionId: connection.id } }
    const set = (...roleRules: object[]) => ({ ...one, body: { roleRules } })
    const id = 'updateOwnOrganizationConnection'
    await browser.refused(id, 'forbidden', set(everybody(boss.id), { ...everybody(boss.id), claim: 'groups' }))
    await browser.refused(id, 'forbidden', set())
    await browser.refused(id, 'forbidden', set({ claim: 'groups', value: 'all', roleId: boss.id }))
    await browser.ok(id, set({ roleId: boss.id, value: null, claim: null }, everybody(role.id)))
    await browser.ok(id, set(everybody(role.id), everybody(boss.id)))
    await browser.ok(id, { ...one, body: { name: 'Renamed' } })

    const { token } = await owner.browser.ok<{ token: ScimTokenWithToken }>('createOwnOrganizationScimToken', {
      ...one,
      body: { name: 'Okta' },
    })
    const directory = new Directory(service(), new URL(token.baseUri).pathname, token.token)
    const { id: memberId } = await directory.createUser()
    const { id: groupId } = await directory.createGroup('Engineering', [memberId])
    const rules = (...ids: string[]) => ({ ...one, body: { rules: ids.map((roleId) => ({ groupId, roleId })) } })
    const preview = 'previewOwnOrganizationGroupRules'
    await browser.refused('updateOwnOrganizationGroupRules', 'forbidden', rules(boss.id))
    await browser.refused(preview, 'forbidden', rules(boss.id))
    const tried = await browser.ok<{ preview: GroupRulesPreview }>(preview, rules(role.id))
    const { examined, changed, members } = tried.preview
    assert.deepEqual([examined, changed, members.map(({ newRoleId }) => newRoleId)], [1, 1, [role.id]])
    const { scim } = await browser.ok<{ scim: GroupRules }>('getOwnOrganizationProvisioning', one)
    assert.deepEqual(scim.rules, [], 'a preview saves nothing')
    await owner.browser.ok('updateOwnOrganizationGroupRules', rules(boss.id))
    await browser.refused('updateOwnOrganizationGroupRules', 'forbidden', rules())
    const kept = await browser.ok<GroupRules>('updateOwnOrganizationGroupRules', rules(role.id, boss.id))
    assert.equal(kept.rules.length, 2)
  })

  it('leave second factors and agents to the tenant', async () => {
    const { owner, params } = await createScene(service())
    const connection = await create(owner, params)
    const one = { params: { ...params, connectionId: connection.id } }
    for (const body of [{ secondFactor: 'skip' }, { idJag: 'on' }, { idJagScopes: [] }])
      await owner.browser.refused('updateOwnOrganizationConnection', 'validation_failed', { ...one, body })
  })

  // Guards: mapped-attributes
  it('map only attributes that users write, and keep the mappings of others as the tenant has made them', async () => {
    const { tenant, owner, params } = await createScene(service())
    const attributes = [textAttribute('desk', 'user'), textAttribute('plan', 'server')]
    await service().ok('putAttributes', { params: { id: tenant.id }, body: { attributes } })
    const desk = { attribute: 'desk', claim: 'desk', scim: null }
    const plan = { attribute: 'plan', claim: 'plan', scim: null }
    const connection = await create(owner, params, { attributeMappings: [desk] })
    assert.deepEqual(connection.attributeMappings, [desk])
    const one = { params: { ...params, connectionId: connection.id } }
    const change = (attributeMappings: object[]) => ({ ...one, body: { attributeMappings } })
    const input = { type: 'oidc', name: 'Other', oidc: provider(), attributeMappings: [plan] }
    await owner.browser.refused('createOwnOrganizationConnection', 'forbidden', { params, body: input })
    await owner.browser.refused('updateOwnOrganizationConnection', 'forbidden', change([desk, plan]))
    await service().ok('updateConnection', { params: { id: connection.id }, body: { attributeMappings: [plan] } })
    for (const taken of [[], [{ ...plan, claim: 'desk' }], [{ ...plan, scim: 'title' }]])
      await owner.browser.refused('updateOwnOrganizationConnection', 'forbidden', change(taken))
    const { connection: changed } = await owner.browser.ok<Made>(
      'updateOwnOrganizationConnection',
      change([plan, desk]),
    )
    assert.deepEqual(changed.attributeMappings, [plan, desk])
  })
})
