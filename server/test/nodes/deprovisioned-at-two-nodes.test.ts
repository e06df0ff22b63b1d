// A directory deactivates a member, or a provider signs a person out, at one node: the person is out at both.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserDetails } from '@bailiwick/contract'
import { Browser } from '../harness/browser/frontend.ts'
import { createUser, unique } from '../harness/factories.ts'
import { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { storeConnectionIdentity } from '../harness/people/connections.ts'
import { createEnterpriseWorld } from '../harness/people/enterprise.ts'
import { person, scimWorld } from '../harness/people/scim.ts'
import { openSession } from '../harness/people/sessions.ts'
import { logoutRequest, redirected } from '../harness/saml/crafted-logout.ts'
import { createSamlWorld, providerKey, signInBySaml } from '../harness/saml/saml-world.ts'
import { describeOnTwoNodes } from './two-nodes.ts'

/** A change is at the other node within a second; a slow machine has half a minute. */
const [triesMax, pauseMs] = [600, 50]

async function waitForRefusal(status: () => Promise<number>) {
  for (let tries = 0; (await status()) !== 401; tries++) {
    assert.ok(tries < triesMax, 'waited in vain until the other node refuses the session')
    await sleep(pauseMs)
  }
}

describeOnTwoNodes('a member whom a directory deactivates', (nodes) => {
  // Guards: directory-ends-membership
  it('has no session at any node, and the token of the directory that is revoked works at none', async () => {
    const { one, other } = nodes()
    const { tenant, domain, directory, connectionId } = await scimWorld(one)
    const sent = person(domain)
    const { id } = await directory.createUser(sent)
    const query = { tenantId: tenant.id, query: sent.userName }
    const [user] = (await one.ok<{ data: UserDetails[] }>('listUsers', { query })).data
    const { token } = await openSession(one, tenant.id, user?.id ?? '')
    const status = async () => {
      const browser = new Browser(other, tenant.publicKey, { authorization: `Bearer ${token}` })
      return (await browser.call('getProfile')).status
    }
    assert.equal(await status(), 200)
    await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }])
    await waitForRefusal(status)
    const there = directory.at(other)
    assert.equal((await there.call('GET', '/Users')).status, 200)
    const [listed] = await one.ok<{ id: string }[]>('listScimTokens', { params: { id: connectionId } })
    await one.ok('deleteScimToken', { params: { id: connectionId, tokenId: listed?.id ?? '' } })
    assert.equal((await there.call('GET', '/Users')).status, 401)
  })
})

describeOnTwoNodes('a person whom the provider of an organization signs out', (nodes) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  // Guards: universal-logout
  it('has no session at any node', async () => {
    const { one, other } = nodes()
    const { tenant, connection, domain } = await createEnterpriseWorld(one, idp)
    const { id: userId } = await createUser(one, tenant.id, { email: `${unique()}@${domain}` })
    const place = { tenantId: tenant.id, organizationId: connection.organizationId, connectionId: connection.id }
    const sub = await storeConnectionIdentity(one, { ...place, userId })
    const { token } = await openSession(one, tenant.id, userId)
    const browser = new Browser(other, tenant.publicKey, { authorization: `Bearer ${token}` })
    const status = async () => (await browser.call('getProfile')).status
    assert.equal(await status(), 200)
    const { host, pathname, href } = new URL(connection.revocationUri)
    const now = Math.floor(Date.now() / 1000)
    const claims = { jti: unique(), sub: idp.clientId, aud: href, iat: now, exp: now + 300 }
    const authorization = `Bearer ${await idp.sign(claims, { typ: 'global-token-revocation+jwt' })}`
    const answer = await one.request({
      method: 'POST',
      url: pathname,
      headers: { host, authorization },
      payload: { sub_id: { format: 'iss_sub', iss: idp.issuer, sub } },
    })
    assert.equal(answer.status, 204)
    await waitForRefusal(status)
  })
})

describeOnTwoNodes('a person whom a SAML provider signs out', (nodes) => {
  // Guards: saml-logout
  it('has no session at any node, by a request that counts once at all of them together', async () => {
    const { one, other } = nodes()
    const world = await createSamlWorld(one, { sloUrl: 'https://idp.example/slo' })
    const { own, issuer, browser, tenant } = world
    const email = `${unique()}@${world.domain}`
    await signInBySaml(one, world, email)
    const there = new Browser(other, tenant.publicKey)
    for (const [name, value] of browser.cookies) there.cookies.set(name, value)
    const status = async () => (await there.call('getProfile')).status
    assert.equal(await status(), 200)
    const about = { issuer, destination: own.ownSloUrl, now: one.deps.clock.nowMs(), nameId: `sub-${email}` }
    const url = `${new URL(own.ownSloUrl).pathname}?${redirected(logoutRequest(about), providerKey)}`
    const answers = await Promise.all(
      [one, other].map((node) => node.request({ method: 'GET', url, headers: { host: 'id.test' } })),
    )
    assert.deepEqual(
      answers.map((answer) => answer.status).toSorted((first, second) => first - second),
      [303, 400],
    )
    await waitForRefusal(status)
  })
})
