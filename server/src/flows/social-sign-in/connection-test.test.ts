// Checks, tests and previews of connections, which make nothing.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { BegunConnectionTest, Connection, ConnectionCheck, ConnectionTest, ErrorBody } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { newRows, rowCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import {
  createConnection,
  createOrganization,
  createRole,
  createTenant,
  createUser,
  testPages,
  unique,
} from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import {
  addDomain,
  createEnterpriseWorld,
  provenByDns,
  signInAtWork,
  staff,
} from '../../../test/harness/people/enterprise.ts'
import { locationOf } from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('POST /auth/connections/{id}/test', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  async function draft(body: object = {}) {
    const { tenant } = await createTenant(service())
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: testPages } })
    const organization = await createOrganization(service(), tenant.id)
    const domain = await addDomain(service(), organization.id)
    await provenByDns(service(), domain)
    const oidc = { issuer: idp.issuer, clientId: idp.clientId, clientSecret: 'its secret: 100 %' }
    const connection = await createConnection(service(), organization.id, { oidc, ...body })
    return { tenant, organization, connection, domain: domain.name, params: { id: connection.id } }
  }

  async function begin(params: { id: string }) {
    const { authorizeUri } = await service().ok<BegunConnectionTest>('testConnection', { params })
    return { authorizeUri: authorizeUri ?? '' }
  }
  const read = (params: { id: string }) => service().ok<ConnectionTest>('getConnectionTest', { params })
  /** In a browser that knows nothing of the tenant. */
  const visit = (address: URL) => new Browser(service(), '').visit(address)

  it('ends in a report of what a sign-in would do, and lets the connection go live', async () => {
    const { tenant, organization, connection, domain, params } = await draft()
    const role = await createRole(service(), tenant.id)
    const roleRules = [{ claim: 'groups', value: 'admins', roleId: role.id }]
    await service().ok('updateConnection', { params, body: { roleRules } })
    const ada = staff(domain, { groups: ['admins'] })
    const { authorizeUri } = await begin(params)
    assert.equal((await read(params)).state, 'open')
    const counts = await rowCounts(service())
    const at = locationOf(await visit(idp.agree(authorizeUri, ada)))
    assert.deepEqual([at.pathname, at.searchParams.get('error')], [`/t/${tenant.slug}/return`, null])
    assert.deepEqual(Object.keys(await newRows(service(), counts)), ['events'])
    const { state, report } = await read(params)
    assert.equal(state, 'passed')
    assert.deepEqual(
      [report?.subject, report?.email, report?.user, report?.userId, report?.membership, report?.roleId],
      [ada['sub'], ada['email'], 'created', null, 'created', role.id],
    )
    assert.match(JSON.stringify(report?.claims), /"groups":\["admins"\]/)
    const { data } = await service().ok<{ data: object[] }>('listOrganizationMembers', {
      params: { organizationId: organization.id },
    })
    assert.deepEqual(data, [])
    assert.equal((await service().ok<Connection>('getConnection', { params })).state, 'tested')
    const live = await service().ok<Connection>('updateConnection', { params, body: { state: 'live' } })
    assert.equal(live.state, 'live')
    const browser = new Browser(service(), tenant.publicKey)
    await signInAtWork(browser, idp, ada)
    assert.equal((await browser.ok<{ user: { name: string } }>('getProfile')).user.name, 'Ada Lovelace')
    const tested = await storedEvents(service(), tenant.id, 'connection.tested')
    assert.deepEqual(
      tested.map(({ subject_id: id, data: said }) => [id, (said as { state: string }).state]),
      [[connection.id, 'passed']],
    )
  })

  it('says why a person would be refused, and why a provider was', async () => {
    const { params } = await draft()
    const { authorizeUri } = await begin(params)
    await visit(idp.agree(authorizeUri, staff('unverified.example')))
    assert.deepEqual((await read(params)).report?.refusal, 'domain_not_verified')
    const again = await begin(params)
    idp.tamper = (claims) => ({ ...claims, aud: 'another client' })
    try {
      const at = locationOf(await visit(idp.agree(again.authorizeUri, staff('acme.example'))))
      assert.equal(at.searchParams.get('error'), 'provider_refused')
    } finally {
      idp.tamper = (claims) => claims
    }
    const { state, report } = await read(params)
    assert.equal(state, 'failed')
    assert.ok((report?.problem ?? '') !== '')
  })

  // Guards: used-once
  it('is used once, signs nobody in, and is over when a newer one begins', async () => {
    const { domain, params } = await draft()
    const first = await begin(params)
    const second = await begin(params)
    assert.equal((await visit(idp.agree(first.authorizeUri, staff(domain)))).status, 400)
    const back = idp.agree(second.authorizeUri, staff(domain))
    const answer = await visit(back)
    assert.deepEqual([answer.status, answer.headers['set-cookie']], [303, undefined])
    assert.equal((await visit(back)).status, 400)
  })

  it('has to be repeated for a connection that leads elsewhere', async () => {
    const { domain, params } = await draft()
    const { authorizeUri } = await begin(params)
    await visit(idp.agree(authorizeUri, staff(domain)))
    const body = { oidc: { clientId: 'another', clientSecret: 'another' } }
    assert.equal((await service().ok<Connection>('updateConnection', { params, body })).state, 'draft')
    const answer = await service().call('updateConnection', { params, body: { state: 'live' } })
    assert.equal((answer.body as ErrorBody).code, 'connection_not_tested')
  })
})

describeService('POST /auth/connections/{id}/check', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  async function check(oidc: object) {
    const { tenant } = await createTenant(service())
    const organization = await createOrganization(service(), tenant.id)
    const { id } = await createConnection(service(), organization.id, { oidc: { clientId: 'client', ...oidc } })
    return service().ok<ConnectionCheck>('checkConnection', { params: { id } })
  }

  it('reads what the provider says of itself, and its keys', async () => {
    const { problem, keys, authorizationEndpoint } = await check({ issuer: idp.issuer })
    assert.deepEqual([problem, keys, authorizationEndpoint], [null, 1, `${idp.issuer}/authorize`])
  })

  it('names what is wrong with it', async () => {
    assert.equal((await check({ issuer: 'http://127.0.0.1:9' })).problem, 'unreachable')
    idp.describe = (metadata) => ({ ...metadata, issuer: 'https://id.evil.example' })
    try {
      assert.equal((await check({ issuer: idp.issuer })).problem, 'not_an_issuer')
      idp.describe = (metadata) => ({ ...metadata, jwks_uri: `${idp.issuer}/nothing` })
      assert.equal((await check({ issuer: idp.issuer })).problem, 'no_keys')
    } finally {
      idp.describe = (metadata) => metadata
    }
  })
})

describeService('GET /auth/connections/{id}/preview', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  it('counts the members whom a required connection would leave no other way', async () => {
    const { tenant, organization, domain, connection, browser } = await createEnterpriseWorld(service(), idp)
    const params = { id: connection.id }
    const member = async (email: string) => {
      const { id: userId } = await createUser(service(), tenant.id, { email })
      await service().ok('createOrganizationMember', { body: { organizationId: organization.id, userId } })
      return userId
    }
    await member(`${unique()}@elsewhere.example`)
    const fallback = await member(`${unique()}@${domain}`)
    const never = await member(`${unique()}@${domain}`)
    await signInAtWork(browser, idp, staff(domain))
    await service().ok('updateConnection', { params, body: { fallbackUserIds: [fallback] } })
    assert.deepEqual(await service().ok('previewConnection', { params }), {
      members: 4,
      bound: 2,
      neverConnected: 1,
      neverConnectedUserIds: [never],
    })
  })
})
