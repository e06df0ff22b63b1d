// What the provider of an organization says of its users, in tokens and in the attributes of the tenant.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { ClaimsPreview, Connection, ConnectionTest, UserDataExport, UserDetails } from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createOrganization, createUser, textAttribute } from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  createResource,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import {
  type EnterpriseWorld,
  createEnterpriseWorld,
  signInAtWork,
  staff,
} from '../../../test/harness/people/enterprise.ts'
import { openDirectory, person } from '../../../test/harness/people/scim.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { errorOf } from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const everywhere = ['session', 'id', 'access', 'userinfo']
const department = { ...textAttribute('department', 'user'), maxLength: 20 } as const
const seats = { ...textAttribute('seats', 'server'), type: 'number' } as const
const company = {
  key: 'company',
  type: 'choice',
  choices: [{ value: 'acme' }],
  label: { en: 'Company' },
  required: true,
  writableBy: 'user',
  shownAt: 'sign_up',
} as const

describeService('what the provider of an organization says', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  async function createWorld(connection: object = {}, attributes: readonly object[] = [department, seats]) {
    const auth = { signUpEnabled: false, organizationsEnabled: true }
    const world = await createEnterpriseWorld(service(), idp, { auth })
    const params = { id: world.tenant.id }
    await service().ok('putAttributes', { params, body: { attributes } })
    await service().ok('updateConnection', { params: { id: world.connection.id }, body: connection })
    return world
  }
  const name = (world: EnterpriseWorld, claims: readonly object[]) =>
    service().ok('putClaims', { params: { id: world.tenant.id }, body: { claims } })
  const claim = (source: string, more: object = {}) => ({
    claim: source.replaceAll(/\W/g, '_'),
    in: everywhere,
    source,
    ...more,
  })
  async function signIn({ browser }: Pick<EnterpriseWorld, 'browser'>, ada: Readonly<Record<string, unknown>>) {
    assert.equal(errorOf(await signInAtWork(browser, idp, ada)), null)
    return (await browser.ok<{ user: { id: string } }>('getProfile')).user.id
  }
  const token = async (browser: Browser, orgId?: string) =>
    decodeJwt((await browser.ok<{ jwt: string }>('createOwnToken', { body: orgId === undefined ? {} : { orgId } })).jwt)
  const readMeta = async (id: string) =>
    (await service().ok<{ data: UserDetails }>('getUser', { params: { id } })).data.publicMeta
  const refusedValues = async ({ tenant }: EnterpriseWorld) =>
    (await storedEvents(service(), tenant.id, 'connection.values_refused')).map(({ data }) => data['values'])

  const named = [
    claim('connection.id'),
    claim('connection.type'),
    claim('connection.name'),
    claim('idp.claims.department'),
    claim('idp.claims.groups', { as: 'list' }),
    claim('idp.claims.level', { as: 'number' }),
  ]
  const said = { department: 'Research', groups: ['a', 'b'], level: 7, salary: 'secret-of-the-provider' }
  const pick = (payload: object) =>
    Object.fromEntries(Object.entries(payload).filter(([key]) => /^(?:connection|idp)_/.test(key)))

  it('is in all tokens of the session for its organization, and in the preview, if the tenant names it', async () => {
    const world = await createWorld()
    const { tenant, organization, connection, browser } = world
    await name(world, named)
    const userId = await signIn(world, staff(world.domain, said))
    const began = { connection_id: connection.id, connection_type: 'oidc', connection_name: connection.name }
    const expected = {
      ...began,
      idp_claims_department: 'Research',
      idp_claims_groups: ['a', 'b'],
      idp_claims_level: 7,
    }
    assert.deepEqual(pick(await token(browser, organization.id)), expected)
    const application = await createApplication(service(), tenant.id)
    const rp = await relyingParty(service(), tenant.id, application)
    const { indicator: resource } = await createResource(service(), tenant.id)
    const parameters = {
      scope: 'openid offline_access articles:read',
      prompt: 'consent',
      organization: organization.id,
    }
    const authorization = await beginAuthorization(rp, { ...parameters, resource })
    const back = await authorize(new VisitingBrowser(service()), browser, authorization)
    const tokens = await client.authorizationCodeGrant(rp, back, authorization.checks, { resource })
    assert.deepEqual(pick(tokens.claims() ?? {}), expected)
    assert.deepEqual(pick(decodeJwt(tokens.access_token)), expected)
    assert.deepEqual(pick(await client.tokenIntrospection(rp, tokens.access_token)), expected)
    assert.deepEqual(
      pick(
        await client.fetchUserInfo(
          rp,
          (await client.refreshTokenGrant(rp, tokens.refresh_token ?? '')).access_token,
          userId,
        ),
      ),
      expected,
    )
    const { data: sessions } = await service().ok<{ data: { id: string }[] }>('listUserSessions', {
      params: { userId },
    })
    for (const { id } of sessions) await service().ok('deleteSession', { params: { id } })
    const preview = await service().ok<ClaimsPreview>('previewClaims', {
      params: { id: tenant.id },
      body: { userId, organizationId: organization.id, applicationId: application.id, audience: resource },
    })
    for (const each of ['session', 'id', 'access', 'userinfo'] as const)
      assert.deepEqual(pick(preview[each].payload as object), expected, each)
  })

  // Guards: asserted-claims
  it('counts for that organization alone, and for sessions that began there', async () => {
    const world = await createWorld()
    const { tenant, organization, connection, browser } = world
    await name(world, named)
    const ada = staff(world.domain, said)
    const userId = await signIn(world, ada)
    const other = await createOrganization(service(), tenant.id)
    await service().ok('createOrganizationMember', { body: { organizationId: other.id, userId } })
    const began = { connection_id: connection.id, connection_type: 'oidc', connection_name: connection.name }
    assert.deepEqual(pick(await token(browser, other.id)), began)
    assert.deepEqual(pick(await token(browser)), began)
    const { token: elsewhere } = await openSession(service(), tenant.id, userId)
    const plain = new Browser(service(), tenant.publicKey, { authorization: `Bearer ${elsewhere}` })
    assert.deepEqual(pick(await token(plain, organization.id)), {})
    // Forgetting the identity forgets what was said.
    const params = { userId, id: connection.id }
    await service().ok('deleteConnectionOfUser', { params })
    assert.deepEqual(pick(await token(browser, organization.id)), {})
  })

  it('is kept sealed, only as far as it is named, is exported, and goes with the user', async () => {
    const world = await createWorld()
    await name(world, [claim('idp.claims.department')])
    const userId = await signIn(world, staff(world.domain, said))
    const { db } = service().deps
    const rows = await db.all<{ sealed_claims: string }>(
      sql`SELECT sealed_claims FROM connection_sign_ins WHERE tenant_id = ${world.tenant.id} LIMIT 2`,
    )
    assert.equal(rows.length, 1)
    assert.equal(/Research|secret-of/.test(rows[0]?.sealed_claims ?? 'Research'), false)
    const exported = await service().ok<UserDataExport>('exportUserData', { params: { id: userId } })
    assert.deepEqual(
      exported.connectionSignIns.map(({ claims, connectionId }) => [claims, connectionId]),
      [[{ department: 'Research' }, world.connection.id]],
    )
    await service().ok('deleteUser', { params: { id: userId } })
    const left = sql`SELECT attempt_id FROM connection_sign_ins WHERE tenant_id = ${world.tenant.id} LIMIT 1`
    assert.equal(await db.first(left), undefined)
  })

  // Guards: oversized-claims
  it('is not kept at all, with an event, if what is named is too large for a token', async () => {
    const world = await createWorld()
    await name(world, named)
    await signIn(world, staff(world.domain, { ...said, groups: Array.from({ length: 500 }, (_, n) => `group-${n}`) }))
    const { idp_claims_department: kept, connection_id: id } = pick(await token(world.browser, world.organization.id))
    assert.deepEqual([kept, id], [undefined, world.connection.id])
    const [values] = await refusedValues(world)
    assert.deepEqual(
      (values as { code: string }[]).map(({ code }) => code),
      ['too_large', 'too_large', 'too_large'],
    )
  })

  it('becomes attributes at each sign-in of users whom the connection has made, each by its type', async () => {
    const attributeMappings = [
      { attribute: 'department', claim: 'department' },
      { attribute: 'seats', claim: 'level' },
    ]
    const world = await createWorld({ attributeMappings })
    const ada = staff(world.domain, said)
    const userId = await signIn(world, ada)
    assert.deepEqual(await readMeta(userId), { department: 'Research', seats: 7 })
    await service().ok('updateUser', { params: { id: userId }, body: { publicMeta: { note: 1, seats: 7 } } })
    await signIn(world, { ...ada, department: 'Sales', level: undefined })
    assert.deepEqual(await readMeta(userId), { note: 1, seats: 7, department: 'Sales' })
    // Neither a wrong value nor a list ends the sign-in.
    await signIn(world, { ...ada, department: 'x'.repeat(21), level: ['7', '8'] })
    assert.deepEqual(await readMeta(userId), { note: 1, seats: 7, department: 'Sales' })
    assert.deepEqual(await refusedValues(world), [
      [
        { source: 'department', attribute: 'department', code: 'too_long' },
        { source: 'level', attribute: 'seats', code: 'invalid_type' },
      ],
    ])
  })

  // Guards: directory-adopts
  it('does not change the attributes of an account that existed before', async () => {
    const world = await createWorld({ attributeMappings: [{ attribute: 'department', claim: 'department' }] })
    const ada = staff(world.domain, said)
    const publicMeta = { department: 'Own' }
    const user = await createUser(service(), world.tenant.id, { email: ada['email'], publicMeta })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    assert.equal(await signIn(world, ada), user.id)
    assert.deepEqual(await readMeta(user.id), publicMeta)
  })

  it('gives new users what the tenant requires, and they are asked for the rest alone', async () => {
    const attributeMappings = ['company', 'agreed'].map((key) => ({ attribute: key, claim: key }))
    const agreed = { ...company, key: 'agreed', type: 'boolean', choices: undefined, label: { en: 'Agreed' } }
    const world = await createWorld({ attributeMappings }, [company, agreed, department])
    const complete = { company: 'acme', agreed: true }
    assert.deepEqual(await readMeta(await signIn(world, staff(world.domain, complete))), complete)
    const browser = new Browser(service(), world.tenant.publicKey)
    const at = await signInAtWork(browser, idp, staff(world.domain, { company: 'other', agreed: false }))
    const params = { id: at.searchParams.get('flow') ?? '' }
    const { missingFields } = await browser.ok<{ missingFields: string[] }>('getSignIn', { params })
    assert.deepEqual(missingFields, ['attributes/company', 'attributes/agreed'])
    await browser.ok('attemptFirstFactor', { params, body: { strategy: 'enterprise', attributes: complete } })
  })

  it('is in the report of a test, with what cannot be used', async () => {
    const attributeMappings = [
      { attribute: 'department', claim: 'department' },
      { attribute: 'seats', claim: 'department' },
    ]
    const world = await createWorld({ attributeMappings })
    const params = { id: world.connection.id }
    const { authorizeUri } = await service().ok<{ authorizeUri: string }>('testConnection', { params })
    await world.browser.visit(idp.agree(authorizeUri, staff(world.domain, said)))
    const { report } = await service().ok<ConnectionTest>('getConnectionTest', { params })
    assert.deepEqual(report?.attributes, [
      { attribute: 'department', source: 'department', value: 'Research', problem: null },
      { attribute: 'seats', source: 'department', value: null, problem: 'must be number' },
    ])
  })

  it('is written from the directory when it changes there, and removed when it is removed', async () => {
    const attributeMappings = [
      { attribute: 'department', scim: 'department' },
      { attribute: 'seats', scim: 'employeeNumber' },
    ] as const
    const world = await createWorld({ attributeMappings })
    const directory = await openDirectory(service(), world.connection.id)
    const extension = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    const email = `scim-made@${world.domain}`
    const created = await directory.createUser({
      ...person(world.domain, 'scim-made'),
      [extension]: { department: 'Tools', employeeNumber: '12' },
    })
    const [user] = (
      await service().ok<{ data: { id: string }[] }>('listUsers', {
        query: { tenantId: world.tenant.id, query: email },
      })
    ).data
    const id = user?.id ?? ''
    assert.deepEqual(await readMeta(id), { department: 'Tools', seats: 12 })
    const patch = (op: string, path: string, value?: string) =>
      directory.patch(`/Users/${created.id}`, [{ op, path: `${extension}:${path}`, value }])
    assert.equal((await patch('replace', 'employeeNumber', 'twelve')).status, 200)
    assert.equal((await patch('remove', 'department')).status, 200)
    assert.deepEqual(await readMeta(id), { seats: 12 })
    assert.deepEqual(await refusedValues(world), [
      [{ source: 'employeeNumber', attribute: 'seats', code: 'invalid_type' }],
    ])
  })

  it('can be mapped only to attributes of the tenant, each once, and from something', async () => {
    const world = await createWorld()
    const body = {
      attributeMappings: [
        { attribute: 'unknown', claim: 'a' },
        { attribute: 'seats', claim: 'b' },
        { attribute: 'seats', scim: 'title' },
        { attribute: 'department' },
      ],
    }
    const params = { id: world.connection.id }
    const { issues = [] } = await service().refused('updateConnection', 'validation_failed', { params, body })
    assert.deepEqual(
      issues.map(({ path, code }) => `${path} ${code}`),
      [
        '/attributeMappings/0/attribute unknown_reference',
        '/attributeMappings/2/attribute duplicate',
        '/attributeMappings/3/claim required',
      ],
    )
    const { attributeMappings } = await service().ok<Connection>('updateConnection', {
      params,
      body: { attributeMappings: [{ attribute: 'seats', claim: 'level' }] },
    })
    assert.deepEqual(attributeMappings, [{ attribute: 'seats', claim: 'level', scim: null }])
  })
})
