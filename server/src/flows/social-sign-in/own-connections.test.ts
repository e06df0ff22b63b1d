import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SocialConnection } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import {
  createSocialWorld,
  errorOf,
  locationOf,
  page,
  person,
  signInAs,
  whoIs,
} from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const password = 'correct horse battery staple'

describeService('GET|POST|DELETE /user/connections', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  async function signedInWorld(settings: Parameters<typeof createSocialWorld>[2] = {}) {
    const world = await createSocialWorld(service(), idp, settings)
    const email = `${unique()}@example.com`
    const user = await createUser(service(), world.tenant.id, { email, password })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    await signIn(world.browser, email)
    return { ...world, user, email }
  }

  const signIn = (browser: Browser, identifier: string) =>
    browser.ok('createSignIn', { body: { identifier, strategy: 'email_password', password } })

  const startConnecting = (browser: Browser) =>
    browser.ok<{ authorizeUri: string; flowToken?: string }>('createOwnConnection', {
      body: { providerKey: 'google', redirectUri: page },
    })

  const listConnections = async (browser: Browser) =>
    (await browser.ok<{ connections: SocialConnection[] }>('listOwnConnections')).connections

  it('connects an account whatever its address, which then signs the user in', async () => {
    const { browser, tenant, user } = await signedInWorld({ provider: { autoConnectAccounts: false } })
    const ada = person({ email_verified: false })
    const back = locationOf(await browser.visit(idp.agree((await startConnecting(browser)).authorizeUri, ada)))
    assert.equal(errorOf(back), null)
    assert.equal(back.searchParams.get('purpose'), 'connection')
    const [connection] = await listConnections(browser)
    assert.equal(connection?.email, ada['email'])
    const another = new Browser(service(), tenant.publicKey)
    await signInAs(another, idp, ada)
    assert.equal((await whoIs(another)).id, user.id)
  })

  it('connects an account at a provider that cannot be used to sign in', async () => {
    const { browser } = await signedInWorld({ provider: { authenticatable: false } })
    await browser.visit(idp.agree((await startConnecting(browser)).authorizeUri, person()))
    assert.equal((await listConnections(browser)).length, 1)
  })

  // Guards: other-users-records
  it('does not take an account from another user', async () => {
    const { browser, tenant } = await signedInWorld()
    const ada = person()
    const owner = new Browser(service(), tenant.publicKey)
    await signInAs(owner, idp, ada)
    const back = locationOf(await browser.visit(idp.agree((await startConnecting(browser)).authorizeUri, ada)))
    assert.equal(errorOf(back), 'connection_taken')
    assert.equal((await listConnections(browser)).length, 0)
    assert.equal((await listConnections(owner)).length, 1)
  })

  // Guards: fresh-connections
  it('connects nothing to a session that has ended meanwhile', async () => {
    const { browser } = await signedInWorld()
    const { authorizeUri } = await startConnecting(browser)
    await browser.ok('endOwnSessions')
    const back = locationOf(await browser.visit(idp.agree(authorizeUri, person())))
    assert.equal(errorOf(back), 'oauth_state_invalid')
  })

  // Guards: fresh-connections
  it('requires a session that began at most ten minutes ago', async () => {
    const { browser, user } = await signedInWorld()
    await browser.visit(idp.agree((await startConnecting(browser)).authorizeUri, person()))
    const [connection] = await listConnections(browser)
    const { db, sessions } = service().deps
    const longAgo = new Date(Date.now() - 11 * 60_000).toISOString().replace('Z', '000Z')
    await db.transaction((tx) => tx.run(sql`UPDATE sessions SET created_at = ${longAgo} WHERE user_id = ${user.id}`))
    sessions.clear()
    await browser.refused('createOwnConnection', 'reauthentication_required', {
      body: { providerKey: 'google', redirectUri: page },
    })
    await browser.refused('deleteOwnConnection', 'reauthentication_required', { params: { id: connection?.id ?? '' } })
  })

  it('removes one, but no other user’s, and not the last way of signing in', async () => {
    const { browser, tenant } = await signedInWorld({
      auth: { strategyEmailCodeEnabled: false, strategyEmailLinkEnabled: false },
    })
    const other = new Browser(service(), tenant.publicKey)
    await signInAs(other, idp, person())
    const [only] = await listConnections(other)
    const params = { id: only?.id ?? '' }
    await browser.refused('deleteOwnConnection', 'not_found', { params })
    await other.refused('deleteOwnConnection', 'last_way_in', { params })
    await browser.visit(idp.agree((await startConnecting(browser)).authorizeUri, person()))
    const [own] = await listConnections(browser)
    await browser.ok('deleteOwnConnection', { params: { id: own?.id ?? '' } })
    assert.equal((await listConnections(browser)).length, 0)
  })

  it('keeps one of two that are removed at once if they are the last ways of signing in', async () => {
    const { tenant } = await createSocialWorld(service(), idp, {
      auth: { strategyEmailCodeEnabled: false, strategyEmailLinkEnabled: false },
    })
    const browser = new Browser(service(), tenant.publicKey)
    await signInAs(browser, idp, person())
    await browser.visit(idp.agree((await startConnecting(browser)).authorizeUri, person()))
    const both = await listConnections(browser)
    assert.equal(both.length, 2)
    await Promise.all(both.map(({ id }) => browser.call('deleteOwnConnection', { params: { id } })))
    assert.equal((await listConnections(browser)).length, 1)
  })

  it('connects for an app by the ticket, only with the token of its own flow', async () => {
    const { tenant, email } = await signedInWorld()
    const app = new Browser(service(), tenant.publicKey, { 'x-session-transport': 'body' })
    const { sessionToken } = (await signIn(app, email)) as { sessionToken: string }
    app.headers['authorization'] = `Bearer ${sessionToken}`
    const { authorizeUri, flowToken } = await startConnecting(app)
    const back = locationOf(await new Browser(service(), tenant.publicKey).visit(idp.agree(authorizeUri, person())))
    const code = new URLSearchParams(back.hash.slice(1)).get('ticket') ?? ''
    assert.equal((await listConnections(app)).length, 0)
    await app.refused('confirmOwnConnection', 'oauth_state_invalid', { body: { code } })
    const headers = { 'x-flow-token': flowToken ?? '' }
    await app.ok('confirmOwnConnection', { body: { code }, headers })
    await app.refused('confirmOwnConnection', 'oauth_state_invalid', { body: { code }, headers })
    assert.equal((await listConnections(app)).length, 1)
  })
})
