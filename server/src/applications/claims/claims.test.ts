// The claims that a tenant adds to tokens.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type ClaimsPreview,
  type TenantClaims,
  type TokenClaim,
  claimTokens,
  isClaimName,
  isReservedClaim,
  reservedClaims,
} from '@bailiwick/contract'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createOrganization, createRole, createUser } from '../../../test/harness/factories.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  createResource,
  interactionOf,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { addClaims } from '../../tenancy/tenants/claims/add-claims.ts'

const everywhere = [...claimTokens]
const put = (service: TestService, id: string, claims: readonly object[], scopes: readonly object[] = []) =>
  service.ok<TenantClaims>('putClaims', { params: { id }, body: { claims, scopes } })

// Guards: reserved-claims
describe('the name of a claim', () => {
  it('is never one that tokens reserve, in any case', () => {
    for (const name of reservedClaims) {
      assert.equal(isClaimName(name), false, name)
      assert.equal(isClaimName(name.toUpperCase()), false, name)
    }
  })

  it('cannot be reserved in whatever is added to a token', () => {
    const name = fc.oneof(fc.constantFrom(...reservedClaims), fc.string({ maxLength: 20 }))
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.jsonValue()), { maxLength: 5 }), (pairs) => {
        const { claims = {} } = addClaims({}, Object.fromEntries(pairs))
        assert.deepEqual(Object.keys(claims).filter(isReservedClaim), [])
      }),
    )
  })
})

describeService('PUT /auth/tenants/{id}/claims', (service) => {
  it('stores a version of each change, and goes back to one', async () => {
    const tenant = await tenantWith(service())
    const params = { id: tenant.id }
    const plan = { claim: 'plan', in: ['session'], source: 'user.publicMeta.plan' }
    assert.deepEqual(await put(service(), tenant.id, [plan]), { claims: [plan], scopes: [], version: 1 })
    await put(service(), tenant.id, [{ ...plan, as: 'list' }], [{ name: 'plan:read', description: 'see your plan' }])
    const difference = await service().ok<{ setting: string }[]>('diffClaimsVersions', {
      params: { ...params, from: '1', to: '2' },
    })
    assert.deepEqual(
      difference.map(({ setting }) => setting),
      ['claims.plan', 'scopes.plan:read'],
    )
    const restored = await service().ok<TenantClaims>('restoreClaimsVersion', { params: { ...params, version: '1' } })
    assert.deepEqual([restored.version, restored.claims, restored.scopes], [3, [plan], []])
    assert.equal((await storedEvents(service(), tenant.id, 'tenant.claims_updated')).length, 3)
    await service().refused('putClaims', 'changed_meanwhile', {
      params,
      query: { ifVersion: '1' },
      body: { claims: [] },
    })
  })

  // Guards: reserved-claims
  it('refuses what no token may say, each at its place', async () => {
    const tenant = await tenantWith(service())
    const plan = { claim: 'plan', in: ['access'], source: 'user.publicMeta.plan' }
    const constant = { claim: 'plan', in: ['access'], source: 'constant' }
    const cases: [claims: object[], path: string][] = [
      ...['sub', 'Sub', 'permissions', 'org_id', 'email', 'act', 'cnf', '__proto__', '1plan', ''].map(
        (claim): [object[], string] => [[{ ...plan, claim }], '/claims/0/claim'],
      ),
      ...[
        'user.passwordHash',
        'user.publicMeta',
        'user.publicMeta.a.b.c.d.e.f',
        'user.publicMeta.a b',
        'session.id',
      ].map((source): [object[], string] => [[{ ...plan, source }], '/claims/0/source']),
      [[{ ...plan, source: 'user.privateMeta.plan' }], '/claims/0/exposePrivate'],
      [[{ ...plan, source: 'organization.privateMeta.a', exposePrivate: false }], '/claims/0/exposePrivate'],
      [[constant], '/claims/0/value'],
      [[{ ...constant, value: { a: 1 } }], '/claims/0/value'],
      [[{ ...plan, value: 'x' }], '/claims/0/value'],
      [[{ ...plan, scope: 'plan:read' }], '/claims/0/scope'],
      [[{ ...plan, in: ['session'], scope: 'profile' }], '/claims/0/in'],
      [[{ ...plan, in: ['id'], audience: 'https://api.example' }], '/claims/0/audience'],
      [[plan, { ...plan, claim: 'Plan', audience: 'https://api.example' }], '/claims/1/claim'],
      [[1, 2, 3, 4, 5].map((n) => ({ ...constant, claim: `c${n}`, value: 'x'.repeat(900) })), '/claims'],
    ]
    for (const [claims, path] of cases) {
      const { issues = [] } = await service().refused('putClaims', 'validation_failed', {
        params: { id: tenant.id },
        body: { claims },
      })
      assert.ok(
        issues.some((issue) => issue.path === path),
        `${JSON.stringify(claims)} is refused at ${path}, not ${JSON.stringify(issues)}`,
      )
    }
    await service().refused('putClaims', 'validation_failed', {
      params: { id: tenant.id },
      body: { claims: [], scopes: [{ name: 'openid', description: 'x' }] },
    })
  })

  it('refuses claims that would be too large for a present user', async () => {
    const tenant = await tenantWith(service())
    await createUser(service(), tenant.id, { publicMeta: { notes: 'x'.repeat(5000) } })
    const { issues } = await service().refused('putClaims', 'validation_failed', {
      params: { id: tenant.id },
      body: { claims: [{ claim: 'notes', in: ['id'], source: 'user.publicMeta.notes' }] },
    })
    assert.deepEqual(
      issues?.map(({ code }) => code),
      ['too_large'],
    )
  })
})

describeService('the claims of a tenant', (service) => {
  const world = async (options: Parameters<typeof createApplication>[2] = {}) => {
    const tenant = await tenantWith(service(), { organizationsEnabled: true })
    const application = await createApplication(service(), tenant.id, options)
    const resource = await createResource(service(), tenant.id)
    const role = await createRole(service(), tenant.id, { name: 'editor', permissions: ['articles:read'] })
    const user = await signedInUser(service(), tenant, {
      roleId: role.id,
      publicMeta: { plan: 'pro', seats: 5, beta: true, nested: { list: ['a', 1] } },
      privateMeta: { credit: 12 },
    })
    const rp = await relyingParty(service(), tenant.id, application)
    return { tenant, application, resource, user, rp, visiting: new VisitingBrowser(service()) }
  }
  type World = Awaited<ReturnType<typeof world>>
  const sessionClaims = async ({ user }: World, body: object = {}) =>
    decodeJwt((await user.browser.ok<{ jwt: string }>('createOwnToken', { body })).jwt)
  const signIn = async (
    { rp, visiting, user }: World,
    parameters: Record<string, string> = {},
    consent?: Parameters<typeof authorize>[3],
  ) => {
    const authorization = await beginAuthorization(rp, parameters)
    const back = await authorize(visiting, user.browser, authorization, consent)
    const { resource } = parameters
    return client.authorizationCodeGrant(rp, back, authorization.checks, resource === undefined ? {} : { resource })
  }

  it('are in session JWTs, ID tokens, access tokens, userinfo and introspection, with their types', async () => {
    const of = await world()
    const expected = {
      plan: 'pro',
      seats: 5,
      beta: true,
      groups: ['editor'],
      'https://hasura.io/list': ['a', 1],
      credit: '12',
      none: null,
      product: 'acme',
    }
    const sources: [claim: string, source: string, more?: object][] = [
      ['plan', 'user.publicMeta.plan'],
      ['seats', 'user.publicMeta.seats', { as: 'number' }],
      ['beta', 'user.publicMeta.beta'],
      ['groups', 'role.name', { as: 'list' }],
      ['https://hasura.io/list', 'user.publicMeta.nested.list'],
      ['credit', 'user.privateMeta.credit', { as: 'string', exposePrivate: true }],
      ['none', 'user.publicMeta.constructor', { ifMissing: 'null' }],
      ['omitted', 'user.publicMeta.plan', { as: 'number' }],
      ['product', 'constant', { value: 'acme' }],
    ]
    const claims = sources.map(([claim, source, more]) => ({ claim, in: everywhere, source, ...more }))
    await put(service(), of.tenant.id, claims)
    const mapped = (payload: object) =>
      Object.fromEntries(Object.entries(payload).filter(([name]) => name in expected || name === 'omitted'))
    assert.deepEqual(mapped(await sessionClaims(of)), expected)
    const tokens = await signIn(of)
    assert.deepEqual(mapped(tokens.claims() ?? {}), expected)
    assert.deepEqual(mapped(await client.fetchUserInfo(of.rp, tokens.access_token, of.user.user.id)), expected)
    const { indicator } = of.resource
    for (const format of ['jwt', 'opaque'] as const) {
      const resource =
        format === 'jwt' ? indicator : (await createResource(service(), of.tenant.id, { format })).indicator
      const access = await signIn(of, { scope: 'openid articles:read', resource })
      if (format === 'jwt') assert.deepEqual(mapped(decodeJwt(access.access_token)), expected)
      assert.deepEqual(mapped(await client.tokenIntrospection(of.rp, access.access_token)), expected, format)
    }
    const preview = await service().ok<ClaimsPreview>('previewClaims', {
      params: { id: of.tenant.id },
      body: { userId: of.user.user.id, applicationId: of.application.id, audience: indicator },
    })
    // The preview is of a session that has just begun with two factors.
    const namesIn = (payload: unknown) =>
      Object.keys(payload as object)
        .filter((name) => name !== 'amr')
        .toSorted()
    for (const token of everywhere) assert.deepEqual(mapped(preview[token].payload as object), expected, token)
    assert.deepEqual(namesIn(preview.session.payload), namesIn(await sessionClaims(of)))
    assert.equal(preview.id.claimBytes, Buffer.byteLength(JSON.stringify(expected)))
  })

  it('are those of the organization that the token is for, and end with its membership or switch', async () => {
    const of = await world()
    const organization = await createOrganization(service(), of.tenant.id, { name: 'Acme', publicMeta: { tier: 3 } })
    const member = await service().ok<{ id: string }>('createOrganizationMember', {
      body: { organizationId: organization.id, userId: of.user.user.id, publicMeta: { desk: 'A1' } },
    })
    const sources = [
      'organization.slug',
      'organization.publicMeta.tier',
      'membership.publicMeta.desk',
      'organizations.slug',
    ]
    const claims = sources.map((source, n) => ({ claim: `c${n}`, in: ['session', 'id', 'access'], source }))
    await put(service(), of.tenant.id, claims)
    const { c0, c1, c2 } = await sessionClaims(of, { orgId: organization.id })
    assert.deepEqual([c0, c1, c2], [organization.slug, 3, 'A1'])
    const { c0: personal, c3 } = await sessionClaims(of)
    assert.deepEqual([personal, c3], [undefined, [organization.slug]])
    const params = { id: of.tenant.id }
    const preview = await service().ok<ClaimsPreview>('previewClaims', { params, body: { userId: of.user.user.id } })
    assert.deepEqual((preview.id.payload as { c3?: unknown }).c3, [organization.slug])
    const parameters = {
      scope: 'openid org_name articles:read',
      organization: organization.id,
      resource: of.resource.indicator,
    }
    const tokens = await signIn(of, parameters)
    const claimed: Readonly<Record<string, unknown>> = tokens.claims() ?? {}
    assert.deepEqual([claimed['c0'], claimed['org_name'], claimed['org_slug']], [organization.slug, 'Acme', undefined])
    assert.deepEqual(claimed['c3'], [organization.slug])
    // Guards: organization-claims
    await service().ok('putAuthTenant', { params: { id: of.tenant.id }, body: { organizationsEnabled: false } })
    const introspected = await client.tokenIntrospection(of.rp, tokens.access_token)
    assert.deepEqual([introspected.active, introspected['c0'], introspected['org_id']], [true, undefined, undefined])
    await service().ok('putAuthTenant', { params: { id: of.tenant.id }, body: { organizationsEnabled: true } })
    await service().ok('deleteOrganizationMember', { params: { id: member.id } })
    assert.deepEqual((({ c0: of0, c3: of3 }) => [of0, of3])(await sessionClaims(of)), [undefined, []])
  })

  it('are bound to a scope, which the consent page names, and which applications of others always need', async () => {
    const of = await world({ isTrusted: false })
    const bound: TokenClaim = {
      claim: 'plan',
      in: ['id', 'access'],
      source: 'user.publicMeta.plan',
      scope: 'plan:read',
    }
    const open: TokenClaim = { claim: 'seats', in: ['id'], source: 'user.publicMeta.seats' }
    await put(service(), of.tenant.id, [bound, open], [{ name: 'plan:read', description: 'see your plan' }])
    const scope = 'openid plan:read'
    const asked = await of.visiting.visit((await beginAuthorization(of.rp, { scope })).url)
    const login = interactionOf(asked.headers['location'])
    const { redirectUri } = await of.user.browser.ok<{ redirectUri: string }>('loginOAuthInteraction', {
      params: { uid: login },
    })
    const uid = interactionOf((await of.visiting.visit(redirectUri)).headers['location'])
    const { interaction } = await of.user.browser.ok<{
      interaction: { scopes: { name: string; description: string }[] }
    }>('getOAuthInteraction', { params: { uid } })
    assert.equal(interaction.scopes.find(({ name }) => name === 'plan:read')?.description, 'see your plan')
    const claimsFor = async (parameters: Record<string, string>, scopes: string[]) => {
      const claims = (await signIn(of, { prompt: 'consent', ...parameters }, { scopes })).claims()
      return [claims?.['plan'], claims?.['seats']]
    }
    assert.deepEqual(await claimsFor({ scope }, ['openid']), [undefined, 5])
    assert.deepEqual(await claimsFor({ scope }, ['openid', 'plan:read']), ['pro', 5])
    assert.deepEqual(await claimsFor({ scope: 'openid' }, ['openid']), [undefined, 5])
    const withResource = await signIn(
      of,
      { scope: `${scope} articles:read`, resource: of.resource.indicator, prompt: 'consent' },
      { scopes: ['openid', 'plan:read', 'articles:read'] },
    )
    assert.equal(decodeJwt(withResource.access_token)['plan'], 'pro')
    const { id } = of.application
    await service().deps.db.write(() => [
      sql`UPDATE applications SET origin = 'registration' WHERE tenant_id = ${of.tenant.id} AND id = ${id}`,
    ])
    // Also makes nodes read the application again.
    await put(service(), of.tenant.id, [bound, open], [{ name: 'plan:read', description: 'see what you pay for' }])
    assert.deepEqual(await claimsFor({ scope }, ['openid', 'plan:read']), ['pro', undefined])
    const body = { userId: of.user.user.id, applicationId: id }
    const preview = await service().ok<ClaimsPreview>('previewClaims', { params: { id: of.tenant.id }, body })
    assert.equal(preview.id.claimBytes, JSON.stringify({ plan: 'pro' }).length)
  })

  it('of one application or resource are in its tokens alone', async () => {
    const of = await world()
    const other = await createApplication(service(), of.tenant.id)
    const source = 'user.publicMeta.plan'
    await put(service(), of.tenant.id, [
      { claim: 'own', in: ['id'], source, applicationId: of.application.id },
      { claim: 'others', in: ['id'], source, applicationId: other.id },
      { claim: 'here', in: ['access'], source, audience: of.resource.indicator },
      { claim: 'there', in: ['access'], source, audience: 'https://elsewhere.example' },
    ])
    const tokens = await signIn(of, { scope: 'openid articles:read', resource: of.resource.indicator })
    const claims: Readonly<Record<string, unknown>> = tokens.claims() ?? {}
    assert.deepEqual([claims['own'], claims['others']], ['pro', undefined])
    const access = decodeJwt(tokens.access_token)
    assert.deepEqual([access['here'], access['there'], access['own']], ['pro', undefined, undefined])
  })

  // Guards: oversized-claims
  it('are left out as a whole, with an event, where a user has too much of them', async () => {
    const of = await world()
    await put(service(), of.tenant.id, [
      { claim: 'notes', in: everywhere, source: 'user.publicMeta.notes' },
      { claim: 'plan', in: everywhere, source: 'user.publicMeta.plan' },
    ])
    assert.equal((await sessionClaims(of))['plan'], 'pro')
    await service().ok('updateUser', {
      params: { id: of.user.user.id },
      body: { publicMeta: { plan: 'pro', notes: 'x'.repeat(5000) } },
    })
    for (const payload of [await sessionClaims(of), await sessionClaims(of)]) {
      assert.deepEqual([payload['plan'], payload['notes']], [undefined, undefined])
    }
    const omitted = await storedEvents(service(), of.tenant.id, 'tenant.claims_omitted')
    assert.deepEqual(
      omitted.map(({ data }) => [data['token'], data['userId'], data['bytesMax']]),
      [['session', of.user.user.id, 4096]],
    )
  })
})
