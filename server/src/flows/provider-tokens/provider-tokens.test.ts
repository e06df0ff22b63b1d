// Tokens of a certified provider with which a tenant's server acts for its users.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { ProviderToken, SocialConnection } from '@bailiwick/contract'
import * as client from 'openid-client'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import {
  createApiKey,
  createSocialProvider,
  createTenant,
  createUser,
  testPages,
  unique,
} from '../../../test/harness/factories.ts'
import { CertifiedProvider, certifiedClient, followPages } from '../../../test/harness/outside/certified-provider.ts'
import { createApplication, relyingParty } from '../../../test/harness/people/authorization.ts'
import { errorOf, locationOf, page } from '../../../test/harness/people/social-sign-in.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { describeOnTwoNodes } from '../../../test/nodes/two-nodes.ts'
import { sql } from '../../platform/db/sql.ts'
import { createJobRunner } from '../../platform/jobs/runner.ts'
import { feature } from './feature.ts'

const callback = 'http://127.0.0.1:4000/frontend/api/v0/oauth/callback/gitlab'
const password = 'correct horse battery staple'
const offered = ['files:read', 'files:write']
const long = '2020-01-01T00:00:00.000000Z'

describeOnTwoNodes('provider tokens', (nodes) => {
  const idp = new CertifiedProvider()
  before(async () => {
    await idp.start()
    idp.serve(callback, offered)
  })
  after(() => idp.stop())

  async function createWorld(settings: object = {}) {
    const service = nodes().one
    const { tenant, secretKey } = await createTenant(service)
    await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: testPages } })
    const provider = await createSocialProvider(service, tenant.id, {
      providerKey: 'gitlab',
      useCustomCredentials: true,
      clientId: certifiedClient.client_id,
      clientSecret: certifiedClient.client_secret,
      config: { issuer: idp.issuer },
      keepTokens: true,
      tokenScopes: offered,
      ...settings,
    })
    return { service, tenant, secretKey, provider, ...(await createPerson(service, tenant)) }
  }

  async function createPerson(service: TestService, tenant: { id: string; publicKey: string }) {
    const email = `${unique()}@example.com`
    const user = await createUser(service, tenant.id, { email, password })
    await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const browser = new Browser(service, tenant.publicKey)
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_password', password } })
    return { user, browser, account: unique() }
  }

  type World = Awaited<ReturnType<typeof createWorld>>
  type Person = Pick<World, 'browser' | 'account'>

  /** The user agrees, and returns from the provider. */
  async function allow({ browser, account }: Person, accessScopes: readonly string[] = ['files:read']) {
    const body = { providerKey: 'gitlab', redirectUri: page, accessScopes }
    const { authorizeUri } = await browser.ok<{ authorizeUri: string }>('createOwnConnection', { body })
    const back = await followPages(`${authorizeUri}&login_hint=${account}`, callback)
    assert.equal(errorOf(locationOf(await browser.visit(back))), null)
  }

  const asked = ({ user, secretKey }: Pick<World, 'user' | 'secretKey'>, body: object = {}) => ({
    params: { id: user.id },
    body: { providerKey: 'gitlab', ...body },
    token: secretKey,
  })
  const getToken = (world: World, body: object = {}) =>
    world.service.ok<ProviderToken>('getProviderToken', asked(world, body))
  const refused = (world: World, code: string, body: object = {}) =>
    world.service.refused('getProviderToken', code, asked(world, body))
  const listOwn = async ({ browser }: Person) =>
    (await browser.ok<{ connections: SocialConnection[] }>('listOwnConnections')).connections
  const typesIn = async ({ service, tenant }: World) =>
    (await storedEvents(service, tenant.id))
      .map(({ type }) => type)
      .filter((type) => type.startsWith('social_connection.access_'))
  const expire = ({ service, tenant }: World) =>
    service.deps.db.write(() => [
      sql`UPDATE provider_tokens SET expires_at = ${long}, refresh_at = ${long} WHERE tenant_id = ${tenant.id}`,
    ])
  /** Whether the provider still knows whom an access token is for. */
  const isAlive = async ({ accessToken }: ProviderToken) =>
    (await fetch(`${idp.issuer}/me`, { headers: { authorization: `Bearer ${accessToken}` } })).ok

  async function revokeAll({ deps }: TestService) {
    const runner = createJobRunner(deps, feature.jobs?.(deps) ?? {})
    while ((await runner.claim()) > 0) await runner.idle()
  }

  // Guards: secrets-unseen
  it('are kept once the user has agreed, sealed, and given to servers only', async () => {
    const world = await createWorld()
    await refused(world, 'consent_required')
    await allow(world)
    const token = await getToken(world, { scopes: ['files:read'] })
    assert.deepEqual(
      [token.tokenType, token.providerKey, token.scopes.includes('files:read')],
      ['bearer', 'gitlab', true],
    )
    assert.ok(await isAlive(token))
    assert.equal((await getToken(world)).accessToken, token.accessToken)
    assert.deepEqual(await typesIn(world), ['social_connection.access_granted', 'social_connection.access_used'])

    const [own] = await listOwn(world)
    assert.equal(own?.access?.state, 'active')
    const listed = await world.service.call('listSocialConnections', { params: { id: world.user.id } })
    const exported = await world.service.call('exportUserData', { params: { id: world.user.id } })
    const tables = Object.values(await dumpTables(world.service.deps.db)).flat()
    for (const text of [JSON.stringify(own), listed.text, exported.text, ...tables])
      assert.ok(!text.includes(token.accessToken), text)
  })

  // Guards: provider-tokens
  it('are not kept by a sign-in or a connection without that agreement', async () => {
    const world = await createWorld()
    const body = { providerKey: 'gitlab', redirectUri: page }
    const { authorizeUri } = await world.browser.ok<{ authorizeUri: string }>('createOwnConnection', { body })
    const back = await followPages(`${authorizeUri}&login_hint=${world.account}`, callback)
    await world.browser.visit(back)
    assert.deepEqual(
      (await listOwn(world)).map(({ access }) => access),
      [null],
    )
    await refused(world, 'consent_required')
  })

  // Guards: provider-tokens
  it('have the scopes that the user has allowed, to which others are added by asking again', async () => {
    const world = await createWorld()
    await allow(world, ['files:read'])
    const { message } = await refused(world, 'consent_required', { scopes: ['files:read', 'files:write'] })
    assert.match(message, /has not allowed files:write at/)
    await allow(world, ['files:write'])
    const { scopes } = await getToken(world, { scopes: offered })
    assert.deepEqual(
      offered.filter((scope) => scopes.includes(scope)),
      offered,
    )
    const body = { providerKey: 'gitlab', redirectUri: page, accessScopes: ['files:read', 'admin'] }
    const answer = await world.browser.refused('createOwnConnection', 'validation_failed', { body })
    assert.match(answer.text, /accessScopes\/1/)
  })

  // Guards: provider-tokens
  it('are for those who may have them: not for others, nor with other rights', async () => {
    const world = await createWorld()
    const { service, tenant, user } = world
    await allow(world)
    const stranger = await createWorld()
    await service.refused('getProviderToken', 'not_found', { ...asked(world), token: stranger.secretKey })
    const other = await createPerson(service, tenant)
    await refused({ ...world, ...other }, 'consent_required')
    const [connection] = await listOwn(world)
    await refused({ ...world, ...other }, 'not_found', { connectionId: connection?.id })
    const withScope = async (scope: 'users:write' | 'provider-tokens:use') =>
      (await createApiKey(service, tenant.id, [scope])).key
    await service.refused('getProviderToken', 'forbidden', { ...asked(world), token: await withScope('users:write') })
    await service.refused('getProviderToken', 'unauthenticated', { ...asked(world), token: tenant.publicKey })
    const { jwt } = await world.browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
    await service.refused('getProviderToken', 'unauthenticated', { ...asked(world), token: jwt })
    await service.ok('getProviderToken', { ...asked(world), token: await withScope('provider-tokens:use') })
    const agentWith = async (scope: string) => {
      const machineScopes = [{ resourceId: 'management', scopes: [scope] }]
      const agent = await createApplication(service, tenant.id, { type: 'machine', machineScopes })
      return (await client.clientCredentialsGrant(await relyingParty(service, tenant.id, agent), { scope }))
        .access_token
    }
    await service.refused('getProviderToken', 'forbidden', { ...asked(world), token: await agentWith('users:read') })
    await service.ok('getProviderToken', { ...asked(world), token: await agentWith('provider-tokens:use') })
    await service.ok('suspendUser', { params: { id: user.id } })
    await refused(world, 'user_not_active')
  })

  // Guards: provider-tokens
  it('end when the user withdraws them, here and at the provider', async () => {
    const world = await createWorld()
    await allow(world)
    const token = await getToken(world)
    const [connection] = await listOwn(world)
    const other = await createPerson(world.service, world.tenant)
    const params = { id: connection?.id ?? '' }
    await other.browser.refused('deleteOwnConnectionAccess', 'not_found', { params })
    await world.browser.ok('deleteOwnConnectionAccess', { params })
    await refused(world, 'consent_required')
    assert.deepEqual(
      (await listOwn(world)).map(({ access }) => access),
      [null],
    )
    await revokeAll(world.service)
    assert.equal(await isAlive(token), false)
    const { provider_revocations: left = [] } = await dumpTables(world.service.deps.db)
    assert.deepEqual(left, [])
    assert.equal((await typesIn(world)).at(-1), 'social_connection.access_removed')
  })

  it('end with the connection, the user, and by an administrator', async () => {
    const ways = {
      async disconnected({ browser }: World, id: string) {
        await browser.ok('deleteOwnConnection', { params: { id } })
      },
      async erased({ service, user }: World) {
        await service.ok('deleteUser', { params: { id: user.id } })
      },
      async removed({ service, user }: World, id: string) {
        await service.ok('deleteProviderAccess', { params: { userId: user.id, id } })
      },
    }
    for (const [name, end] of Object.entries(ways)) {
      const world = await createWorld()
      await allow(world)
      const token = await getToken(world)
      const [connection] = await listOwn(world)
      await end(world, connection?.id ?? '')
      await revokeAll(world.service)
      assert.equal(await isAlive(token), false, name)
    }
  })

  // Guards: used-once
  it('are refreshed by one request at the provider, however many need them at two nodes', async () => {
    const world = await createWorld()
    await allow(world)
    const old = await getToken(world)
    await expire(world)
    const granted = idp.grants.length
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        nodes().inTurn(index).ok<ProviderToken>('getProviderToken', asked(world)),
      ),
    )
    assert.deepEqual(idp.grants.slice(granted), ['refresh_token'])
    const [token] = answers
    assert.ok(token !== undefined && token.accessToken !== old.accessToken)
    assert.deepEqual(new Set(answers.map(({ accessToken }) => accessToken)), new Set([token.accessToken]))
    assert.ok(await isAlive(token))
    // The refresh token was replaced, too: the next refresh works.
    await expire(world)
    assert.notEqual((await getToken(world)).accessToken, token.accessToken)
  })

  it('need a new consent once the provider no longer accepts them', async () => {
    const world = await createWorld()
    await allow(world)
    await idp.endGrants()
    await expire(world)
    await refused(world, 'consent_required')
    assert.equal((await listOwn(world))[0]?.access?.state, 'consent_required')
    assert.equal((await typesIn(world)).at(-1), 'social_connection.access_lapsed')
    await allow(world)
    assert.ok(await isAlive(await getToken(world)))
  })

  // Guards: provider-tokens
  it('are not sent to another provider that takes the place of theirs', async () => {
    const world = await createWorld()
    await allow(world)
    const other = new CertifiedProvider()
    await other.start()
    other.serve(callback, offered)
    try {
      await world.service.ok('updateSocialProvider', {
        params: { id: world.provider.id },
        body: { config: { issuer: other.issuer }, clientSecret: certifiedClient.client_secret },
      })
      await expire(world)
      await refused(world, 'consent_required')
      const [connection] = await listOwn(world)
      await world.browser.ok('deleteOwnConnectionAccess', { params: { id: connection?.id ?? '' } })
      await revokeAll(world.service)
      assert.equal(other.requests, 1, 'only its metadata were read')
    } finally {
      other.stop()
    }
  })

  // Guards: provider-tokens
  it('that are withdrawn while they are refreshed are revoked, and not kept', async () => {
    const world = await createWorld()
    await allow(world)
    await expire(world)
    const [connection] = await listOwn(world)
    idp.beforeTokens = () => world.browser.ok('deleteOwnConnectionAccess', { params: { id: connection?.id ?? '' } })
    try {
      await refused(world, 'consent_required')
    } finally {
      idp.beforeTokens = async () => undefined
    }
    const { provider_revocations: waiting = [] } = await dumpTables(world.service.deps.db)
    assert.equal(waiting.length, 2, 'what was kept, and what came in its place')
    await revokeAll(world.service)
  })

  it('are refused while the tenant does not keep those of the provider', async () => {
    const world = await createWorld()
    await allow(world)
    await world.service.ok('updateSocialProvider', { params: { id: world.provider.id }, body: { keepTokens: false } })
    await refused(world, 'provider_tokens_disabled')
    const body = { providerKey: 'gitlab', redirectUri: page, accessScopes: [] }
    await world.browser.refused('createOwnConnection', 'provider_tokens_disabled', { body })
  })

  // Guards: provider-tokens
  it('end, here and at the provider, once the tenant no longer keeps those of the provider', async () => {
    const [world, other] = [await createWorld(), await createWorld()]
    for (const each of [world, other]) await allow(each)
    const [token, kept] = [await getToken(world), await getToken(other)]
    const { service } = world
    const keep = (keepTokens: boolean) =>
      service.ok('updateSocialProvider', { params: { id: world.provider.id }, body: { keepTokens } })
    await keep(false)
    await keep(true)
    await revokeAll(service)
    assert.ok(await isAlive(await getToken(world)), 'it was switched on again before anything had ended')
    await keep(false)
    await revokeAll(service)
    assert.deepEqual([await isAlive(token), await isAlive(kept)], [false, true])
    assert.deepEqual(
      (await listOwn(world)).map(({ access }) => access),
      [null],
    )
    assert.equal((await typesIn(world)).at(-1), 'social_connection.access_removed')
    await service.ok('deleteSocialProvider', { params: { id: other.provider.id } })
    await revokeAll(service)
    const { provider_tokens: left = [] } = await dumpTables(service.deps.db)
    assert.deepEqual(
      left.filter((row) => row.includes(world.tenant.id) || row.includes(other.tenant.id)),
      [],
    )
  })
})
