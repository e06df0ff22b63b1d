// Signing in with the connection of an organization, friendly and hostile.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignInAnswer, SignInState, User, UserConnection } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createRole, createUser, unique } from '../../../test/harness/factories.ts'
import { type Claims, FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import {
  type EnterpriseWorld,
  addDomain,
  connectedOrganization,
  createEnterpriseWorld,
  leave,
  makeLive,
  signInAtWork,
  staff,
} from '../../../test/harness/people/enterprise.ts'
import { errorOf, locationOf, page, whoIs } from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'

interface Member {
  readonly userId: string
  readonly roleId: string | null
}

describeService('the connection of an organization', (service) => {
  const idp = new FakeIdentityProvider()
  const other = new FakeIdentityProvider()
  before(() => Promise.all([idp.start(), other.start()]))
  after(() => Promise.all([idp.stop(), other.stop()]))

  const newBrowser = ({ tenant }: EnterpriseWorld) => new Browser(service(), tenant.publicKey)
  const world = (connection: object = {}, auth: object = {}) =>
    createEnterpriseWorld(service(), idp, { connection, auth })

  async function membersOf(organizationId: string) {
    const { data } = await service().ok<{ data: Member[] }>('listOrganizationMembers', { params: { organizationId } })
    return data.map(({ userId, roleId }) => ({ userId, roleId }))
  }

  async function refusals(tenantId: string) {
    const events = await storedEvents(service(), tenantId, 'connection.sign_in_refused')
    return events.map(({ data }) => (data as { reason: string }).reason)
  }

  async function verifiedUser(tenantId: string, email: string, more: object = {}) {
    const user = await createUser(service(), tenantId, { email, ...more })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    return user
  }

  it('makes whoever signs in first a user and a member with the role of the rules, and knows them again', async () => {
    const { tenant, organization, domain, connection, browser } = await world()
    const role = await createRole(service(), tenant.id)
    const roleRules = [
      { claim: 'groups', value: 'admins', roleId: role.id },
      { claim: 'department', value: null, roleId: role.id },
    ]
    await service().ok('updateConnection', { params: { id: connection.id }, body: { roleRules } })
    const ada = staff(domain, { groups: ['staff', 'admins'] })
    assert.equal(errorOf(await signInAtWork(browser, idp, ada)), null)
    const { id, name } = await whoIs(browser)
    assert.equal(name, 'Ada Lovelace')
    assert.deepEqual(await membersOf(organization.id), [{ userId: id, roleId: role.id }])
    const { data: user } = await service().ok<{ data: User }>('getUser', { params: { id } })
    assert.deepEqual(
      user.emailAddresses.map(({ email, verifiedAt }) => [email, verifiedAt !== null]),
      [[ada['email'], true]],
    )
    // The address changes at the provider: the person stays the same.
    const again = new Browser(service(), tenant.publicKey)
    const renamed = { ...ada, email: `${unique()}@${domain}`, groups: [] }
    assert.equal(errorOf(await signInAtWork(again, idp, renamed)), null)
    assert.equal((await whoIs(again)).id, id)
    assert.deepEqual(await membersOf(organization.id), [{ userId: id, roleId: null }])
    const listed = await service().ok<UserConnection[]>('listConnectionsOfUser', { params: { userId: id } })
    assert.deepEqual(
      listed.map(({ connectionId, subject }) => [connectionId, subject]),
      [[connection.id, ada['sub']]],
    )
    const events = await storedEvents(service(), tenant.id, 'member.provisioned')
    assert.deepEqual(
      events.map(({ data }) => (data as { created: string[] }).created),
      [['user', 'membership'], []],
    )
  })

  it('leaves alone a role that no rule names', async () => {
    const { tenant, organization, domain, connection, browser } = await world()
    const [byHand, byRule] = [await createRole(service(), tenant.id), await createRole(service(), tenant.id)]
    const ada = staff(domain)
    await signInAtWork(browser, idp, ada)
    const { id } = await whoIs(browser)
    const { data } = await service().ok<{ data: { id: string }[] }>('listOrganizationMembers', {
      params: { organizationId: organization.id },
    })
    const member = { params: { id: data[0]?.id ?? '' }, body: { roleId: byHand.id } }
    await service().ok('updateOrganizationMember', member)
    const roleRules = [{ claim: null, value: null, roleId: byRule.id }]
    await service().ok('updateConnection', { params: { id: connection.id }, body: { roleRules } })
    await signInAtWork(new Browser(service(), tenant.publicKey), idp, ada)
    assert.deepEqual(await membersOf(organization.id), [{ userId: id, roleId: byHand.id }])
  })

  it('keeps the last member who can manage the organization', async () => {
    const { tenant, organization, domain, connection, browser } = await world()
    const manager = await createRole(service(), tenant.id, { permissions: ['org:members:manage'] })
    const roleRules = [{ claim: 'groups', value: 'admins', roleId: manager.id }]
    await service().ok('updateConnection', { params: { id: connection.id }, body: { roleRules } })
    const ada = staff(domain, { groups: ['admins'] })
    await signInAtWork(browser, idp, ada)
    const { id } = await whoIs(browser)
    await signInAtWork(new Browser(service(), tenant.publicKey), idp, { ...ada, groups: [] })
    assert.deepEqual(await membersOf(organization.id), [{ userId: id, roleId: manager.id }])
    // Once there is another one, the rule holds.
    const second = new Browser(service(), tenant.publicKey)
    await signInAtWork(second, idp, staff(domain, { groups: ['admins'] }))
    await signInAtWork(new Browser(service(), tenant.publicKey), idp, { ...ada, groups: [] })
    const roles = new Map((await membersOf(organization.id)).map(({ userId, roleId }) => [userId, roleId]))
    assert.equal(roles.get(id), null)
  })

  it('says of an address what its domain says, and nothing more', async () => {
    const { tenant, domain, connection, browser } = await world()
    const known = `${unique()}@${domain}`
    await verifiedUser(tenant.id, known, { password })
    const answers: [readonly string[], string | null][] = []
    for (const identifier of [known, `${unique()}@${domain}`]) {
      const answer = await browser.ok<SignInState>('createSignIn', { body: { identifier } })
      const { signInAttempt, connections } = answer
      assert.deepEqual(connections, [{ id: connection.id, name: connection.name }])
      answers.push([signInAttempt.supportedFirstFactors, signInAttempt.userId])
      const params = { id: signInAttempt.id }
      assert.deepEqual((await browser.ok<SignInState>('getSignIn', { params })).connections, connections)
    }
    assert.deepEqual(answers[0], answers[1])
    assert.equal(answers[0]?.[0]?.[0], 'enterprise')
    const elsewhere = await browser.ok<SignInState>('createSignIn', {
      body: { identifier: `${unique()}@sub.${domain}` },
    })
    assert.deepEqual(
      [elsewhere.connections, elsewhere.signInAttempt.supportedFirstFactors.includes('enterprise')],
      [undefined, false],
    )
  })

  it('is chosen by its id where several serve the domain', async () => {
    const { tenant, organization, domain, connection, browser } = await world()
    const oidc = { issuer: other.issuer, clientId: other.clientId, clientSecret: 'secret' }
    const second = await service().ok<{ id: string }>('createConnection', {
      body: { organizationId: organization.id, type: 'oidc', name: 'Contractors', oidc },
    })
    await makeLive(service(), { ...connection, id: second.id })
    const identifier = `${unique()}@${domain}`
    const body = { identifier, strategy: 'enterprise', redirectUri: page }
    const answer = await browser.call('createSignIn', { body })
    assert.equal(answer.status, 400)
    const ada = staff(domain)
    const { authorizeUri } = await leave(browser, identifier, { connectionId: second.id })
    assert.ok(authorizeUri.startsWith(other.issuer))
    assert.equal(errorOf(locationOf(await browser.visit(other.agree(authorizeUri, ada)))), null)
    const stranger = await connectedOrganization(service(), tenant.id, other)
    const refused = { body: { ...body, connectionId: stranger.connection.id } }
    await browser.refused('createSignIn', 'strategy_unavailable', refused)
  })

  // nOAuth: an address is only believed if the organization has proved by DNS that it owns the domain (tale#2036, GHSA-phx7-w8x2-3xgf).
  // Guards: enterprise-domains
  it('links no user by an address of a domain that is not verified by DNS for this organization', async () => {
    const { tenant, organization, browser, domain } = await world()
    const theirs = await connectedOrganization(service(), tenant.id, other)
    const claimed = await addDomain(service(), organization.id)
    const vouched = await addDomain(service(), organization.id)
    const params = { organizationId: organization.id, id: vouched.id }
    await service().ok('verifyDomainOfOrganization', { params })
    const victims = [`${unique()}@${theirs.domain}`, `${unique()}@${claimed.name}`, `${unique()}@${vouched.name}`]
    victims.push(`${unique()}@gmail.com`, `${unique()}@sub.${domain}`)
    for (const email of victims) {
      const victim = await verifiedUser(tenant.id, email)
      const { authorizeUri } = await leave(browser, `${unique()}@${domain}`)
      const at = locationOf(
        await browser.visit(idp.agree(authorizeUri, staff(domain, { email, email_verified: true }))),
      )
      assert.equal(errorOf(at), 'connection_refused', email)
      await browser.refused('getProfile', 'unauthenticated')
      const listed = { params: { userId: victim.id } }
      assert.deepEqual(await service().ok<UserConnection[]>('listConnectionsOfUser', listed), [])
    }
    assert.deepEqual(await membersOf(organization.id), [])
    assert.deepEqual(new Set(await refusals(tenant.id)), new Set(['domain_not_verified']))
  })

  it('links the user who has the address of a verified domain, once', async () => {
    const { tenant, organization, domain, browser } = await world()
    const email = `${unique()}@${domain}`
    const user = await verifiedUser(tenant.id, email, { password })
    const ada = staff(domain, { email })
    assert.equal(errorOf(await signInAtWork(browser, idp, ada)), null)
    assert.equal((await whoIs(browser)).id, user.id)
    assert.deepEqual(await membersOf(organization.id), [{ userId: user.id, roleId: null }])
    // The address was given to somebody else at the provider: that is another person.
    const at = await signInAtWork(new Browser(service(), tenant.publicKey), idp, { ...ada, sub: unique() })
    assert.equal(errorOf(at), 'connection_refused')
    assert.deepEqual(await refusals(tenant.id), ['identity_conflict'])
  })

  it('takes over an account whose address nobody has proven to read', async () => {
    const { tenant, domain, browser } = await world()
    const email = `${unique()}@${domain}`
    const user = await createUser(service(), tenant.id, { email, password })
    assert.equal(errorOf(await signInAtWork(browser, idp, staff(domain, { email }))), null)
    const { id, hasPassword } = await whoIs(browser)
    assert.deepEqual([id, hasPassword], [user.id, false])
  })

  it('refuses an address that the provider says it has not verified', async () => {
    const { tenant, domain, browser } = await world()
    const at = await signInAtWork(browser, idp, staff(domain, { email_verified: false }))
    assert.equal(errorOf(at), 'connection_refused')
    assert.deepEqual(await refusals(tenant.id), ['address_not_verified'])
  })

  it('admits only members where nobody is made one', async () => {
    const { tenant, organization, domain, browser } = await world({ jit: 'off' })
    const ada = staff(domain)
    const user = await verifiedUser(tenant.id, String(ada['email']))
    assert.equal(errorOf(await signInAtWork(browser, idp, ada)), 'connection_refused')
    await service().ok('createOrganizationMember', { body: { organizationId: organization.id, userId: user.id } })
    assert.equal(errorOf(await signInAtWork(browser, idp, ada)), null)
    assert.equal((await whoIs(browser)).id, user.id)
  })

  it('makes one user of a person who signs in for the first time in twenty browsers at once', async () => {
    const some = await world()
    const ada = staff(some.domain)
    const leaving = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const browser = newBrowser(some)
        return { browser, authorizeUri: (await leave(browser, String(ada['email']))).authorizeUri }
      }),
    )
    const ends = await Promise.all(
      leaving.map(async ({ browser, authorizeUri }) => locationOf(await browser.visit(idp.agree(authorizeUri, ada)))),
    )
    assert.deepEqual(new Set(ends.map(errorOf)), new Set([null]))
    assert.equal((await membersOf(some.organization.id)).length, 1)
  })

  // Guards: enterprise-mix-up
  it('accepts a state with the callback of its own connection alone', async () => {
    const some = await world()
    const theirs = await connectedOrganization(service(), some.tenant.id, idp)
    const { browser } = some
    const { authorizeUri } = await leave(browser, `${unique()}@${some.domain}`)
    const back = idp.agree(authorizeUri, staff(theirs.domain))
    const crossed = new URL(back)
    crossed.pathname = back.pathname.replace(some.connection.id, theirs.connection.id)
    assert.notEqual(crossed.href, back.href)
    const answer = await browser.visit(crossed)
    assert.equal(answer.status, 400)
    assert.match(answer.text, /oauth_state_invalid/)
    const social = new URL(back)
    social.pathname = '/frontend/api/v0/oauth/callback/google'
    assert.match((await browser.visit(social)).text, /oauth_state_invalid/)
    await browser.refused('getProfile', 'unauthenticated')
    // Its own callback has lost nothing, but another browser has no business there.
    assert.match((await newBrowser(some).visit(back)).text, /oauth_state_invalid/)
  })

  // RFC 9700 section 4.4: the answer of one provider must not be redeemed at another.
  // Guards: enterprise-mix-up
  it('refuses a token of another issuer, for another client, or with another nonce', async () => {
    const { domain, browser } = await world()
    const changes: Claims[] = [{ iss: other.issuer }, { aud: 'another client' }, { nonce: 'another' }]
    for (const change of changes) {
      idp.tamper = (claims) => ({ ...claims, ...change })
      try {
        assert.equal(errorOf(await signInAtWork(browser, idp, staff(domain))), 'provider_refused')
      } finally {
        idp.tamper = (claims) => claims
      }
      await browser.refused('getProfile', 'unauthenticated')
    }
    const { authorizeUri } = await leave(browser, `${unique()}@${domain}`)
    const back = idp.agree(authorizeUri, staff(domain))
    back.searchParams.set('iss', other.issuer)
    assert.equal(errorOf(locationOf(await browser.visit(back))), 'provider_refused')
  })

  // Guards: enterprise-ended
  it('signs nobody in any more once it is off, removed, or leads elsewhere, however far they are', async () => {
    const ends: readonly ((id: string) => Promise<unknown>)[] = [
      (id) => service().ok('updateConnection', { params: { id }, body: { state: 'off' } }),
      (id) => service().ok('deleteConnection', { params: { id } }),
      (id) =>
        service().ok('updateConnection', { params: { id }, body: { oidc: { clientId: 'x', clientSecret: 'y' } } }),
    ]
    for (const end of ends) {
      const { connection, domain, browser } = await world()
      const { authorizeUri } = await leave(browser, `${unique()}@${domain}`)
      // While the service redeems the code.
      idp.beforeTokens = () => end(connection.id)
      try {
        const at = locationOf(await browser.visit(idp.agree(authorizeUri, staff(domain))))
        assert.ok(['connection_refused', 'strategy_unavailable'].includes(errorOf(at) ?? ''), at.href)
      } finally {
        idp.beforeTokens = async () => undefined
      }
      await browser.refused('getProfile', 'unauthenticated')
    }
    const { connection, domain, browser } = await world()
    const { authorizeUri } = await leave(browser, `${unique()}@${domain}`)
    await service().ok('updateConnection', { params: { id: connection.id }, body: { state: 'off' } })
    const at = locationOf(await browser.visit(idp.agree(authorizeUri, staff(domain))))
    assert.equal(errorOf(at), 'strategy_unavailable')
    const begun = await browser.ok<SignInState>('createSignIn', { body: { identifier: `${unique()}@${domain}` } })
    assert.equal(begun.connections, undefined)
  })

  // Keycloak CVE-2025-7365, CVE-2026-9087.
  // Guards: bound-proofs
  it('ends nothing for an attempt that was given another address meanwhile', async () => {
    const some = await world()
    const theirs = await connectedOrganization(service(), some.tenant.id, other)
    const { browser } = some
    const { authorizeUri, signInAttempt } = await leave(browser, `${unique()}@${some.domain}`)
    await browser.ok('prepareFirstFactor', {
      params: { id: signInAttempt.id },
      body: { identifier: `${unique()}@${theirs.domain}`, strategy: 'email_password' },
    })
    const at = locationOf(await browser.visit(idp.agree(authorizeUri, staff(some.domain))))
    assert.equal(errorOf(at), 'attempt_not_open')
    await browser.refused('getProfile', 'unauthenticated')
  })

  // Zitadel CVE-2025-64103.
  // Guards: second-factors
  it('leaves the second factor of the tenant to be proven, unless the organization leaves it to its provider', async () => {
    const auth = { strategyAuthenticatorCodeEnabled: true, secondFactorRequired: true }
    for (const secondFactor of ['ask', 'skip']) {
      const { domain, browser } = await world({ secondFactor }, auth)
      const { authorizeUri, signInAttempt } = await leave(browser, `${unique()}@${domain}`)
      await browser.visit(idp.agree(authorizeUri, staff(domain)))
      const params = { id: signInAttempt.id }
      const { status } = (await browser.ok<SignInAnswer>('getSignIn', { params })).signInAttempt
      assert.equal(status, secondFactor === 'ask' ? 'needs_enrolment' : 'complete')
      if (secondFactor === 'ask') await browser.refused('getProfile', 'unauthenticated')
    }
  })

  it('signs an app in with a ticket, once', async () => {
    const { tenant, domain } = await world()
    const app = new Browser(service(), tenant.publicKey, { 'x-session-transport': 'body' })
    const ada = staff(domain)
    const begun = await app.call<SignInAnswer & { flowToken?: string }>('createSignIn', {
      body: { identifier: String(ada['email']), strategy: 'enterprise', redirectUri: page },
    })
    const { signInAttempt, authorizeUri = '', flowToken = '' } = begun.body.data
    const at = locationOf(await newBrowserOf(tenant.publicKey).visit(idp.agree(authorizeUri, ada)))
    const code = new URLSearchParams(at.hash.slice(1)).get('ticket') ?? ''
    const step = {
      params: { id: signInAttempt.id },
      body: { strategy: 'enterprise', code },
      headers: { 'x-flow-token': flowToken },
    }
    const stolen = new Browser(service(), tenant.publicKey, { 'x-session-transport': 'body' })
    assert.notEqual((await stolen.call('attemptFirstFactor', { ...step, headers: {} })).status, 200)
    const answer = await app.ok<SignInAnswer>('attemptFirstFactor', step)
    assert.equal(answer.signInAttempt.status, 'complete')
    assert.notEqual((await app.call('attemptFirstFactor', step)).status, 200)
  })

  const newBrowserOf = (publicKey: string) => new Browser(service(), publicKey)
})
