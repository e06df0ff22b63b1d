// Okta's Universal Logout: who may sign whom out of what.
import assert from 'node:assert/strict'
import { type KeyObject, randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { SignJWT } from 'jose'
import { storeGrant } from '../../../test/harness/applications.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import {
  createApplication,
  createConnection,
  createTenant,
  createUser,
  unique,
} from '../../../test/harness/factories.ts'
import { type Claims, FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { storeConnectionIdentity } from '../../../test/harness/people/connections.ts'
import { connectedOrganization, makeLive } from '../../../test/harness/people/enterprise.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { newProviderKey } from '../../../test/harness/saml/crafted-response.ts'
import { describeService } from '../../../test/harness/service.ts'

const typ = 'global-token-revocation+jwt'

describeService('Universal Logout', (service) => {
  const idp = new FakeIdentityProvider()
  const other = new FakeIdentityProvider()
  before(() => Promise.all([idp.start(), other.start()]))
  after(() => Promise.all([idp.stop(), other.stop()]))

  /** Somebody of a connected organization, with a session, an application that acts for the user, and a subject at the provider. */
  async function createWorld(email?: string) {
    const { tenant } = await createTenant(service())
    const connected = await connectedOrganization(service(), tenant.id, idp)
    const { organization, connection, domain } = connected
    const address = email ?? `${unique()}@${domain}`
    const user = await createUser(service(), tenant.id, { email: address })
    await service().ok('createOrganizationMember', { body: { organizationId: organization.id, userId: user.id } })
    const place = { tenantId: tenant.id, organizationId: organization.id, connectionId: connection.id, userId: user.id }
    const sub = await storeConnectionIdentity(service(), place)
    const { token } = await openSession(service(), tenant.id, user.id)
    const browser = new Browser(service(), tenant.publicKey, { authorization: `Bearer ${token}` })
    const application = await createApplication(service(), tenant.id)
    await storeGrant(service(), { tenantId: tenant.id, userId: user.id, applicationId: application.id })
    return { tenant, organization, connection, domain, user, address, sub, browser }
  }
  type World = Awaited<ReturnType<typeof createWorld>>

  const isIn = async ({ browser }: World) => (await browser.call('getProfile')).status === 200
  const countGrants = async ({ user }: World) =>
    (await service().ok<{ data: unknown[] }>('listUserGrants', { params: { userId: user.id } })).data.length

  const claimsFor = ({ connection }: Pick<World, 'connection'>, more: Claims = {}): Claims => {
    const now = Math.floor(Date.now() / 1000)
    const { revocationUri: aud } = connection
    return { jti: randomUUID(), sub: idp.clientId, aud, iat: now, nbf: now - 300, exp: now + 300, ...more }
  }

  const send = (to: string, token: string | undefined, body: unknown) => {
    const { pathname, host } = new URL(to)
    return service().request({
      method: 'POST',
      url: pathname,
      headers: { host, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      payload: body as object,
    })
  }
  const bySubject = ({ sub }: World) => ({ sub_id: { format: 'iss_sub', iss: idp.issuer, sub } })
  const byEmail = (email: string) => ({ sub_id: { format: 'email', email } })

  it('ends all sessions and grants of an account of the organization, by subject and by address', async () => {
    for (const read of [bySubject, ({ address }: World) => byEmail(address)]) {
      const world = await createWorld()
      assert.deepEqual([await isIn(world), await countGrants(world)], [true, 1])
      const token = await idp.sign(claimsFor(world), { typ })
      assert.equal((await send(world.connection.revocationUri, token, read(world))).status, 204)
      assert.deepEqual([await isIn(world), await countGrants(world)], [false, 0])
      const [event] = await storedEvents(service(), world.tenant.id, 'connection.user_signed_out')
      assert.deepEqual(event?.data, {
        organizationId: world.organization.id,
        userId: world.user.id,
        sessions: 1,
        everywhere: true,
      })
    }
  })

  // Guards: universal-logout
  it('does nothing for a token that is not of this provider, for this address, this client, of this kind and of now', async () => {
    const world = await createWorld()
    const stranger = await createWorld()
    const now = Math.floor(Date.now() / 1000)
    const good = claimsFor(world)
    const wrong = [
      undefined,
      'nonsense',
      await other.sign({ ...good, iss: idp.issuer }, { typ }),
      await idp.sign(good, { typ: 'JWT' }),
      await idp.sign(good),
      await idp.sign({ ...good, iss: other.issuer }, { typ }),
      await idp.sign({ ...good, sub: 'another client' }, { typ }),
      await idp.sign({ ...good, aud: stranger.connection.revocationUri }, { typ }),
      await idp.sign({ ...good, aud: undefined }, { typ }),
      await idp.sign({ ...good, iat: now - 3600, nbf: now - 3600, exp: now - 3000 }, { typ }),
      await idp.sign({ ...good, exp: now + 86_400 }, { typ }),
      await idp.sign({ ...good, exp: undefined }, { typ }),
      await idp.sign({ ...good, jti: undefined }, { typ }),
    ]
    const answers = []
    for (const token of wrong) answers.push(await send(world.connection.revocationUri, token, bySubject(world)))
    assert.deepEqual(statusCounts(answers), { 401: wrong.length })
    const token = await idp.sign(good, { typ })
    await service().ok('updateConnection', { params: { id: world.connection.id }, body: { state: 'off' } })
    assert.equal((await send(world.connection.revocationUri, token, bySubject(world))).status, 401)
    assert.deepEqual([await isIn(world), await countGrants(world)], [true, 1])
  })

  // Guards: universal-logout
  it('reaches nobody whom the connection does not know, and of a foreign account only what acts for the organization', async () => {
    const world = await createWorld()
    const stranger = await createWorld()
    const { revocationUri } = world.connection
    const tell = async (body: unknown) =>
      (await send(revocationUri, await idp.sign(claimsFor(world), { typ }), body)).status
    assert.equal(await tell(bySubject(stranger)), 404)
    assert.equal(await tell(byEmail(stranger.address)), 404)
    const elsewhere = await createUser(service(), world.tenant.id, { email: `${unique()}@gmail.com` })
    assert.equal(await tell(byEmail(elsewhere.emailAddresses[0]?.email ?? '')), 404)
    const unknown = await createUser(service(), world.tenant.id, { email: `${unique()}@${world.domain}` })
    assert.equal(await tell(byEmail(unknown.emailAddresses[0]?.email ?? '')), 404)
    for (const body of [
      {},
      [],
      { sub_id: null },
      { sub_id: { format: 'opaque', id: 'x' } },
      { sub_id: { format: 'email' } },
    ])
      assert.equal(await tell(body), 400)
    const otherIssuer = { sub_id: { format: 'iss_sub', iss: other.issuer, sub: world.sub } }
    assert.equal(await tell(otherIssuer), 400)
    assert.deepEqual([await isIn(world), await isIn(stranger)], [true, true])
    const foreign = await createWorld(`${unique()}@gmail.com`)
    const token = await idp.sign(claimsFor(foreign), { typ })
    assert.equal((await send(foreign.connection.revocationUri, token, bySubject(foreign))).status, 204)
    assert.deepEqual([await isIn(foreign), await countGrants(foreign)], [true, 1])
    await foreign.browser.ok('setActiveOrganization', { body: { organizationId: foreign.organization.id } })
    assert.equal((await send(foreign.connection.revocationUri, token, bySubject(foreign))).status, 204)
    assert.equal(await isIn(foreign), false)
  })

  it('accepts the certificates of a SAML connection, and of no other', async () => {
    const world = await createWorld()
    const [own, foreign] = [newProviderKey(), newProviderKey()]
    const saml = { entityId: 'https://idp.example', ssoUrl: 'https://idp.example/sso', certificates: [own.certificate] }
    const connection = await createConnection(service(), world.organization.id, { type: 'saml', oidc: undefined, saml })
    await makeLive(service(), connection)
    const place = { tenantId: world.tenant.id, organizationId: world.organization.id, userId: world.user.id }
    const sub = await storeConnectionIdentity(service(), { ...place, connectionId: connection.id })
    const sign = (key: KeyObject) =>
      new SignJWT({ ...claimsFor({ connection }), iss: 'https://acme.okta.com', sub: 'app instance' })
        .setProtectedHeader({ alg: 'RS256', typ })
        .sign(key)
    const body = { sub_id: { format: 'iss_sub', iss: 'https://acme.okta.com', sub } }
    assert.equal((await send(connection.revocationUri, await sign(foreign.privateKey), body)).status, 401)
    assert.equal((await send(connection.revocationUri, await sign(own.privateKey), body)).status, 204)
    assert.equal(await isIn(world), false)
  })
})
