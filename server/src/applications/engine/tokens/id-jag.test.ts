// Identity assertions for agents (ID-JAG), signed by the provider of an organization and redeemed by an independent client.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { type Authorization, idJagGrant } from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { Browser } from '../../../../test/harness/browser/frontend.ts'
import { storedEvents } from '../../../../test/harness/databases/stored.ts'
import { createRole } from '../../../../test/harness/factories.ts'
import { type Claims, FakeIdentityProvider } from '../../../../test/harness/outside/fake-identity-provider.ts'
import { createApplication, createResource, relyingParty } from '../../../../test/harness/people/authorization.ts'
import { connectedOrganization, staff } from '../../../../test/harness/people/enterprise.ts'
import { openSession } from '../../../../test/harness/people/sessions.ts'
import { tenantWith } from '../../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../../test/harness/service.ts'
import { findUserRow } from '../../../identity/users/find-user.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { listAgents } from '../../grants/own-authorizations.ts'

const typ = 'oauth-id-jag+jwt'

describeService('the grant by which agents redeem identity assertions', (service) => {
  const idp = new FakeIdentityProvider()
  const other = new FakeIdentityProvider()
  before(() => Promise.all([idp.start(), other.start()]))
  after(() => Promise.all([idp.stop(), other.stop()]))

  async function createWorld(rules: object = {}) {
    const tenant = await tenantWith(service())
    const connected = await connectedOrganization(service(), tenant.id, idp, { idJag: 'on', ...rules })
    const agent = await createApplication(service(), tenant.id, {
      type: 'machine',
      grantTypes: ['client_credentials', idJagGrant],
    })
    const rp = await relyingParty(service(), tenant.id, agent)
    const { id: resourceId, indicator } = await createResource(service(), tenant.id)
    const now = Math.floor(Date.now() / 1000)
    const ada = staff(connected.domain)
    const claims = (more: Claims = {}): Claims => ({
      ...ada,
      aud: rp.serverMetadata().issuer,
      client_id: agent.clientId,
      resource: indicator,
      jti: randomUUID(),
      iat: now,
      exp: now + 300,
      ...more,
    })
    return { ...connected, tenant, agent, rp, resourceId, indicator, ada, claims, now }
  }
  type World = Awaited<ReturnType<typeof createWorld>>

  const sendTo = (rp: client.Configuration, assertion: string, parameters: Record<string, string> = {}) =>
    client.genericGrantRequest(rp, idJagGrant, { assertion, ...parameters })
  const redeem = async ({ rp, claims }: World, more: Claims = {}, parameters: Record<string, string> = {}) =>
    sendTo(rp, await idp.sign(claims(more), { typ }), parameters)
  const refused = async (work: Promise<unknown>, what: string, code = 'invalid_grant') =>
    assert.rejects(
      work,
      (error: unknown) => error instanceof client.ResponseBodyError && error.error === code,
      `${what} is refused with ${code}`,
    )

  // Guards: identity-assertions
  it('gives an agent a short access token for a member, with the organization and who acts, and no refresh token', async () => {
    const of = await createWorld({ idJagTtl: 120 })
    const answer = await redeem(of)
    const {
      sub,
      aud,
      org_id: organizationId,
      act,
      scope,
      client_id: clientId,
      exp = 0,
      iat = 0,
    } = decodeJwt(answer.access_token)
    assert.deepEqual(
      [aud, organizationId, act, scope, clientId, exp - iat],
      [
        of.indicator,
        of.organization.id,
        { sub: of.agent.clientId },
        'articles:read articles:write',
        of.agent.clientId,
        120,
      ],
    )
    assert.equal(answer.refresh_token, undefined)
    const { data } = await service().ok<{ data: { applicationId: string; organizationId: string }[] }>(
      'listUserGrants',
      {
        params: { userId: sub ?? '' },
      },
    )
    assert.deepEqual(
      data.map((each) => [each.applicationId, each.organizationId]),
      [[of.agent.id, of.organization.id]],
      'the user sees what the agent has got',
    )
    const user = await findUserRow(service().deps.db, of.tenant.id as TenantId, sub ?? '')
    assert.ok(user)
    const { token } = await openSession(service(), of.tenant.id, user.id)
    const browser = new Browser(service(), of.tenant.publicKey, { authorization: `Bearer ${token}` })
    const own = await browser.ok<{ authorizations: Authorization[] }>('listOwnAuthorizations')
    assert.deepEqual(
      own.authorizations.map((each) => [each.application.clientId, each.isAgent]),
      [[of.agent.clientId, true]],
    )
    const agents = await listAgents(service().deps, of.tenant.id as TenantId, of.organization.id)
    assert.deepEqual(
      agents.map(({ members }) => members),
      [1],
    )
    const [event] = await storedEvents(service(), of.tenant.id, 'connection.assertion_redeemed')
    assert.deepEqual(event?.data, {
      organizationId: of.organization.id,
      userId: sub,
      applicationId: of.agent.id,
      resource: of.indicator,
      scopes: ['articles:read', 'articles:write'],
    })
    assert.equal(decodeJwt((await redeem(of)).access_token).sub, sub, 'the subject at the connection is the same user')
    const introspected = await client.tokenIntrospection(of.rp, answer.access_token)
    assert.equal(introspected.active, true)
  })

  // Guards: identity-assertions
  it('narrows the scopes by assertion, connection and request, and the permissions by the role of the member', async () => {
    const of = await createWorld({ idJagScopes: ['articles:read'] })
    const role = await createRole(service(), of.tenant.id, { permissions: ['articles:read'] })
    const roleRules = [{ claim: null, value: null, roleId: role.id }]
    await service().ok('updateConnection', { params: { id: of.connection.id }, body: { roleRules } })
    const { scope, permissions } = decodeJwt((await redeem(of)).access_token)
    assert.deepEqual([scope, permissions], ['articles:read', ['articles:read']])
    await refused(redeem(of, {}, { scope: 'articles:write' }), 'a scope beyond the connection', 'invalid_scope')
    await refused(redeem(of, { scope: 'articles:write' }), 'an assertion without an allowed scope', 'invalid_scope')
    const body = { idJagScopes: [] }
    await service().ok('updateConnection', { params: { id: of.connection.id }, body })
    assert.equal(decodeJwt((await redeem(of, { scope: 'articles:write' })).access_token)['scope'], 'articles:write')
    await refused(
      redeem(of, { scope: 'articles:write' }, { scope: 'articles:read' }),
      'a scope beyond the assertion',
      'invalid_scope',
    )
  })

  // Guards: identity-assertions
  it('refuses what is not an assertion of this provider, for this server, this client and of now', async () => {
    const of = await createWorld()
    const elsewhere = await createWorld()
    const { rp, claims, now } = of
    const wrong: Readonly<Record<string, Promise<string>>> = {
      nonsense: Promise.resolve('nonsense'),
      'a signature of another provider': other.sign(claims({ iss: idp.issuer }), { typ }),
      'an issuer of no connection': other.sign(claims(), { typ }),
      'another kind of token': idp.sign(claims(), { typ: 'JWT' }),
      'a token without a kind': idp.sign(claims()),
      'another audience': idp.sign(claims({ aud: elsewhere.rp.serverMetadata().issuer }), { typ }),
      'two audiences': idp.sign(claims({ aud: [rp.serverMetadata().issuer, 'https://other.example'] }), { typ }),
      'no audience': idp.sign(claims({ aud: undefined }), { typ }),
      'another client': idp.sign(claims({ client_id: elsewhere.agent.clientId }), { typ }),
      'no client': idp.sign(claims({ client_id: undefined }), { typ }),
      'no jti': idp.sign(claims({ jti: undefined }), { typ }),
      'no user': idp.sign(claims({ sub: undefined }), { typ }),
      'no resource': idp.sign(claims({ resource: undefined }), { typ }),
      'several resources': idp.sign(claims({ resource: [of.indicator, elsewhere.indicator] }), { typ }),
      'an assertion of an hour ago': idp.sign(claims({ iat: now - 3600, exp: now - 3000 }), { typ }),
      'an assertion for a day': idp.sign(claims({ exp: now + 86_400 }), { typ }),
      'an address of another domain': idp.sign(claims({ sub: 'new', email: `ada@${elsewhere.domain}` }), { typ }),
    }
    for (const [what, assertion] of Object.entries(wrong)) await refused(sendTo(rp, await assertion), what)
    await refused(redeem(of, { resource: elsewhere.indicator }), 'a resource of another tenant', 'invalid_target')
    await refused(redeem(of, {}, { resource: 'https://api.example/other' }), 'another resource', 'invalid_target')
    await redeem(of)
  })

  // Guards: identity-assertions
  it('redeems an assertion once, also if it is sent twice at the same moment', async () => {
    const { rp, claims } = await createWorld()
    const assertion = await idp.sign(claims(), { typ })
    const results = await Promise.allSettled([sendTo(rp, assertion), sendTo(rp, assertion)])
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    await refused(sendTo(rp, assertion), 'an assertion that was used')
  })

  // Guards: identity-assertions
  it('refuses an assertion of a connection that is off or takes none, and for a user who is disabled', async () => {
    const of = await createWorld()
    const { sub = '' } = decodeJwt((await redeem(of)).access_token)
    const params = { id: of.connection.id }
    await service().ok('updateConnection', { params, body: { state: 'off' } })
    await refused(redeem(of), 'a connection that is off')
    await service().ok('updateConnection', { params, body: { state: 'live' } })
    await redeem(of)
    await service().ok('updateConnection', { params, body: { idJag: 'off' } })
    await refused(redeem(of), 'a connection without idJag')
    await service().ok('updateConnection', { params, body: { idJag: 'on' } })
    const { access_token: token } = await redeem(of)
    await service().ok('suspendUser', { params: { id: sub } })
    await refused(redeem(of), 'a suspended user')
    const { active } = await client.tokenIntrospection(of.rp, token)
    assert.equal(active, false, 'tokens that were issued before have ended')
  })

  // Guards: identity-assertions
  it('never takes the same subject of two issuers for one user, nor guesses between organizations of one issuer', async () => {
    const of = await createWorld()
    const { sub } = decodeJwt((await redeem(of)).access_token)
    const second = await connectedOrganization(service(), of.tenant.id, other, { idJag: 'on' })
    const claims = of.claims({ email: `ada@${second.domain}` })
    const answer = await sendTo(of.rp, await other.sign(claims, { typ }))
    const foreign = decodeJwt(answer.access_token)
    assert.notEqual(foreign.sub, sub)
    assert.equal(foreign['org_id'], second.organization.id)
    await connectedOrganization(service(), of.tenant.id, idp, { idJag: 'on' })
    assert.equal(decodeJwt((await redeem(of)).access_token)['org_id'], of.organization.id, 'the user is known at one')
    await refused(redeem(of, staff(of.domain)), 'a user whom neither connection knows')
  })

  // Guards: identity-assertions
  it('asks nobody but the providers of live connections', async () => {
    const of = await createWorld()
    await redeem(of)
    const connectionsBefore = other.connections
    const header = { typ, jku: `${other.issuer}/jwks`, x5u: `${other.issuer}/jwks` }
    await refused(sendTo(of.rp, await other.sign(of.claims(), { typ })), 'an unknown issuer')
    await refused(sendTo(of.rp, await other.sign(of.claims({ iss: idp.issuer }), header)), 'a key by its address')
    assert.equal(other.connections, connectionsBefore)
  })

  it('holds agents to the rules of the organization and to the membership', async () => {
    const of = await createWorld({ jit: 'off' })
    await refused(redeem(of), 'somebody who is not a member')
    await service().ok('updateConnection', { params: { id: of.connection.id }, body: { jit: 'member' } })
    await redeem(of)
    const params = { id: of.organization.id }
    await service().ok('updateOrganizationSecurity', { params, body: { sessionMaximumLifetime: 600 } })
    await refused(redeem(of, { auth_time: of.now - 3600 }), 'a sign-in at the provider that is too old')
    await redeem(of, { auth_time: of.now - 60 })
  })

  // Guards: required-attributes
  it('acts for nobody whom the tenant has still to ask for what it requires of new users', async () => {
    const of = await createWorld()
    const company = { key: 'company', type: 'text', label: { en: 'Company' }, required: true } as const
    const attributes = [{ ...company, writableBy: 'user', shownAt: 'sign_up' }]
    const asked = { params: { id: of.tenant.id }, body: { attributes } }
    await service().ok('putAttributes', asked)
    await refused(redeem(of), 'a new user')
    await service().ok('putAttributes', { ...asked, body: { attributes: [] } })
    await redeem(of)
    await service().ok('putAttributes', asked)
    await redeem(of)
  })

  it('is only for applications that have the grant type', async () => {
    const of = await createWorld()
    const plain = await relyingParty(
      service(),
      of.tenant.id,
      await createApplication(service(), of.tenant.id, { type: 'machine' }),
    )
    await refused(sendTo(plain, await idp.sign(of.claims(), { typ })), 'an application without it', 'invalid_request')
    assert.deepEqual(of.rp.serverMetadata()['authorization_grant_profiles_supported'], [
      'urn:ietf:params:oauth:grant-profile:id-jag',
    ])
  })
})
