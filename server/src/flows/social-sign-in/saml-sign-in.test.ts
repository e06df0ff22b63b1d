// Signing in with the SAML connection of an organization, friendly and hostile.
import assert from 'node:assert/strict'
import { X509Certificate, verify } from 'node:crypto'
import { it } from 'node:test'
import type { BegunConnectionTest, Connection, ConnectionTest, User, UserDetails } from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createRole, textAttribute, unique } from '../../../test/harness/factories.ts'
import { leave } from '../../../test/harness/people/enterprise.ts'
import { errorOf, locationOf, page, whoIs } from '../../../test/harness/people/social-sign-in.ts'
import {
  assertionXml,
  base64,
  encryptedAssertion,
  newProviderKey,
  responseXml,
  signed,
} from '../../../test/harness/saml/crafted-response.ts'
import {
  connectedBySaml,
  createSamlWorld,
  post,
  providerKey,
  requestIn,
  said,
  signInBySaml,
} from '../../../test/harness/saml/saml-world.ts'
import { type Answer, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

interface Names {
  readonly firstName: string | null
  readonly lastName: string | null
}

const readCode = (answer: Answer) => (answer.body as { code?: string } | undefined)?.code

describeService('the SAML connection of an organization', (service) => {
  async function refusals(tenantId: string) {
    const events = await storedEvents(service(), tenantId, 'connection.sign_in_refused')
    return events.map(({ data }) => (data as { reason: string }).reason)
  }

  it('sends the browser away with a signed request', async () => {
    const { domain, own, browser } = await createSamlWorld(service(), { nameIdFormat: 'persistent' })
    const { authorizeUri } = await leave(browser, `ada@${domain}`)
    const { origin, searchParams } = new URL(authorizeUri)
    assert.deepEqual([origin, searchParams.get('x')], ['https://idp.example', '1'])
    const { xml, id } = requestIn(authorizeUri)
    assert.match(id, /^[A-Za-z_][\w.-]+$/)
    assert.ok(xml.includes(`<saml:Issuer>${own.ownEntityId}</saml:Issuer>`))
    assert.ok(xml.includes(`AssertionConsumerServiceURL="${own.acsUrl}"`))
    assert.ok(xml.includes('Destination="https://idp.example/sso?x=1"'))
    assert.ok(xml.includes('Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"'))
    const bytes = Buffer.from(/SAMLRequest=.*SigAlg=[^&]*/.exec(authorizeUri)?.[0] ?? '')
    const signature = Buffer.from(searchParams.get('Signature') ?? '', 'base64')
    assert.ok(verify('sha256', bytes, new X509Certificate(own.ownCertificate).publicKey, signature))
  })

  it('is tested by a sign-in that makes nobody, and may then go live', async () => {
    const { tenant, domain, connection, issuer, own, browser, organization } = await createSamlWorld(service())
    const params = { id: connection.id }
    const draft = sql`UPDATE connections SET state = 'draft', tested_at = NULL WHERE id = ${connection.id}`
    await service().deps.db.transaction((tx) => tx.run(draft))
    const live = { params, body: { state: 'live' } }
    await service().refused('updateConnection', 'connection_not_tested', live)
    const place = { organization, domain, connection, issuer, own }
    const answerWith = async (change: object) => {
      const { authorizeUri } = await service().ok<BegunConnectionTest>('testConnection', { params })
      const { id, relayState } = requestIn(authorizeUri ?? '')
      const crafted = { ...said(service(), place, id, `ada@${domain}`), ...change }
      const SAMLResponse = base64(signed(responseXml(crafted), 'Assertion', providerKey))
      const posted = await post(service(), own.acsUrl, { SAMLResponse, RelayState: relayState })
      await browser.visit(locationOf(posted))
      return service().ok<ConnectionTest>('getConnectionTest', { params })
    }
    const wrong = await answerWith({ audience: 'https://other.example' })
    assert.deepEqual([wrong.state, /audience/i.test(wrong.report?.problem ?? '')], ['failed', true])
    await service().refused('updateConnection', 'connection_not_tested', live)
    const right = await answerWith({})
    assert.deepEqual([right.state, right.report?.email, right.report?.user], ['passed', `ada@${domain}`, 'created'])
    assert.equal((await service().ok<Connection>('updateConnection', live)).state, 'live')
    const users = await service().ok<{ meta: { total: number } }>('listUsers', { query: { tenantId: tenant.id } })
    assert.equal(users.meta.total, 0)
    assert.deepEqual(await refusals(tenant.id), [])
  })

  it('makes whoever signs in first a user and a member with the role of a group, and knows them again', async () => {
    const world = await createSamlWorld(service())
    const { tenant, organization, domain, connection, browser } = world
    const role = await createRole(service(), tenant.id)
    const roleRules = [{ claim: 'groups', value: 'admins', roleId: role.id }]
    await service().ok('updateConnection', { params: { id: connection.id }, body: { roleRules } })
    const email = `${unique()}@${domain}`
    const attributes = { mail: email, givenName: 'Ada', sn: 'Lovelace', memberOf: ['staff', 'admins'] }
    const at = await signInBySaml(service(), world, email, { attributes })
    assert.deepEqual([at.origin + at.pathname, errorOf(at)], [page, null])
    const { id } = await whoIs(browser)
    const { data: user } = await service().ok<{ data: User & Names }>('getUser', { params: { id } })
    assert.deepEqual([user.firstName, user.lastName], ['Ada', 'Lovelace'])
    assert.deepEqual(
      user.emailAddresses.map((each) => [each.email, each.verifiedAt !== null]),
      [[email, true]],
    )
    const { data: members } = await service().ok<{ data: { userId: string; roleId: string }[] }>(
      'listOrganizationMembers',
      { params: { organizationId: organization.id } },
    )
    assert.deepEqual(
      members.map(({ userId, roleId }) => [userId, roleId]),
      [[id, role.id]],
    )
    const again = { ...world, browser: new Browser(service(), tenant.publicKey) }
    await signInBySaml(service(), again, email)
    assert.equal((await whoIs(again.browser)).id, id)
  })

  it('becomes claims of tokens and attributes of users as the sign-ins of other providers do', async () => {
    const world = await createSamlWorld(service())
    const { tenant, organization, domain, connection, browser } = world
    const params = { id: tenant.id }
    await service().ok('putAuthTenant', { params, body: { organizationsEnabled: true } })
    await service().ok('putAttributes', { params, body: { attributes: [textAttribute('department', 'server')] } })
    const forms = [
      ['department', 'string'],
      ['level', 'number'],
      ['groups', 'list'],
      ['team', undefined],
    ] as const
    const claims = forms.map(([name, as]) => ({
      claim: `work_${name}`,
      in: ['session'],
      source: `idp.claims.${name}`,
      ...(as === undefined ? {} : { as }),
    }))
    await service().ok('putClaims', { params, body: { claims } })
    const attributeMappings = [{ attribute: 'department', claim: 'department' }]
    await service().ok('updateConnection', { params: { id: connection.id }, body: { attributeMappings } })
    const email = `${unique()}@${domain}`
    const attributes = { mail: email, department: 'Research', level: '7', groups: 'staff', team: 'Tools' }
    assert.equal(errorOf(await signInBySaml(service(), world, email, { attributes })), null)
    const { jwt } = await browser.ok<{ jwt: string }>('createOwnToken', { body: { orgId: organization.id } })
    const payload = decodeJwt(jwt)
    assert.deepEqual(
      forms.map(([name]) => payload[`work_${name}`]),
      ['Research', 7, ['staff'], ['Tools']],
    )
    const { id } = await whoIs(browser)
    const { data: user } = await service().ok<{ data: UserDetails }>('getUser', { params: { id } })
    assert.deepEqual(user.publicMeta, { department: 'Research' })
  })

  it('decrypts assertions with the key of its metadata', async () => {
    const world = await createSamlWorld(service(), { wantEncrypted: true })
    const { domain, own, browser } = world
    const answer = await service().request({ method: 'GET', url: new URL(own.ownEntityId).pathname })
    assert.equal(answer.headers['content-type'], 'application/samlmetadata+xml; charset=utf-8')
    const [certificate = ''] = /(?<=use="encryption">[^]*X509Certificate>)[^<]+/.exec(answer.text) ?? []
    assert.ok(answer.text.includes(`Location="${own.acsUrl}"`) && answer.text.includes(`entityID="${own.ownEntityId}"`))
    const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'))
    const email = `${unique()}@${domain}`
    const { authorizeUri } = await leave(browser, email)
    const { id, relayState } = requestIn(authorizeUri)
    const crafted = said(service(), world, id, email)
    const inside = encryptedAssertion(signed(assertionXml(crafted), 'Assertion', providerKey), publicKey)
    const form = { SAMLResponse: base64(responseXml(crafted, inside)), RelayState: relayState }
    assert.equal(errorOf(locationOf(await browser.visit(locationOf(await post(service(), own.acsUrl, form))))), null)
    assert.ok((await whoIs(browser)).id)
    const plain = { ...world, browser: new Browser(service(), world.tenant.publicKey) }
    assert.equal(errorOf(await signInBySaml(service(), plain, email)), 'provider_refused')
    assert.deepEqual(await refusals(world.tenant.id), ['not_encrypted'])
  })

  it('says on the page that the provider refused, and in the event why', async () => {
    const world = await createSamlWorld(service())
    const email = `ada@${world.domain}`
    const audiences = ['https://other.example']
    assert.equal(errorOf(await signInBySaml(service(), world, email, { audiences })), 'provider_refused')
    assert.deepEqual(await refusals(world.tenant.id), ['wrong_audience'])
    await world.browser.refused('getProfile', 'unauthenticated')
  })

  // Guards: saml-used-once
  it('signs nobody in with the response to a sign-in that another browser began', async () => {
    const world = await createSamlWorld(service())
    const { domain, own, tenant } = world
    const attacker = `${unique()}@${domain}`
    const { authorizeUri } = await leave(world.browser, attacker)
    const { id, relayState } = requestIn(authorizeUri)
    const xml = signed(responseXml(said(service(), world, id, attacker)), 'Assertion', providerKey)
    // The victim's browser is made to post it.
    const posted = await post(service(), own.acsUrl, { SAMLResponse: base64(xml), RelayState: relayState })
    const victim = new Browser(service(), tenant.publicKey)
    await leave(victim, `${unique()}@${domain}`)
    assert.equal(readCode(await victim.visit(locationOf(posted))), 'oauth_state_invalid')
    await victim.refused('getProfile', 'unauthenticated')
  })

  // Guards: saml-used-once
  it('accepts a response once: of twenty at once one is, and no assertion serves two sign-ins', async () => {
    const world = await createSamlWorld(service())
    const { domain, own, browser, tenant } = world
    const email = `${unique()}@${domain}`
    const { authorizeUri } = await leave(browser, email)
    const { id, relayState } = requestIn(authorizeUri)
    const crafted = { ...said(service(), world, id, email), assertionId: `_${unique()}` }
    const form = {
      SAMLResponse: base64(signed(responseXml(crafted), 'Assertion', providerKey)),
      RelayState: relayState,
    }
    const answers = await atOnce(20, () => post(service(), own.acsUrl, form))
    assert.equal(answers.filter(({ status }) => status === 303).length, 1)
    assert.equal(
      errorOf(
        locationOf(await browser.visit(locationOf(answers.find(({ status }) => status === 303) ?? assert.fail()))),
      ),
      null,
    )
    // A provider, or a thief with its key, that repeats the id in another response.
    const second = { ...world, browser: new Browser(service(), tenant.publicKey) }
    const at = await signInBySaml(service(), second, email, { assertionId: crafted.assertionId })
    assert.equal(errorOf(at), 'provider_refused')
    assert.deepEqual(await refusals(tenant.id), ['repeated'])
    await second.browser.refused('getProfile', 'unauthenticated')
  })

  // Guards: saml-one-provider
  it('accepts no response of another connection’s provider, whichever address it is posted to', async () => {
    const world = await createSamlWorld(service())
    const { tenant, domain, own, browser } = world
    const otherKey = newProviderKey()
    const other = await connectedBySaml(service(), tenant.id, { certificates: [otherKey.certificate] })
    const email = `ada@${domain}`
    const { authorizeUri } = await leave(browser, email)
    const { id, relayState } = requestIn(authorizeUri)
    const form = (xml: string) => ({ SAMLResponse: base64(signed(xml, 'Assertion', otherKey)), RelayState: relayState })
    const forOther = form(responseXml(said(service(), other, id, email)))
    assert.equal(readCode(await post(service(), other.own.acsUrl, forOther)), 'oauth_state_invalid')
    const forThis = form(
      responseXml({ ...said(service(), other, id, email), acsUrl: own.acsUrl, audience: own.ownEntityId }),
    )
    assert.equal(
      errorOf(locationOf(await browser.visit(locationOf(await post(service(), own.acsUrl, forThis))))),
      'provider_refused',
    )
    assert.deepEqual(await refusals(tenant.id), ['signature_wrong'])
  })

  // Guards: own-pages
  it('takes the RelayState for a key only, and answers 400 to one that is unknown, missing or doubled', async () => {
    const { own } = await createSamlWorld(service())
    for (const relayState of ['', 'x', 'https://evil.example', `os_${'a'.repeat(49)}`]) {
      const answer = await post(service(), own.acsUrl, { SAMLResponse: 'x', RelayState: relayState })
      assert.deepEqual([answer.status, answer.headers['location']], [400, undefined], relayState)
    }
    assert.equal((await post(service(), own.acsUrl, { SAMLResponse: 'x' })).status, 400)
    const tooLong = { SAMLResponse: 'x'.repeat(300_000), RelayState: 'x' }
    assert.equal((await post(service(), own.acsUrl, tooLong)).status, 413)
  })

  it('is unusable until its provider is known, and answers 404 at addresses that are not its own', async () => {
    const { own, domain, browser, connection } = await createSamlWorld(service(), {})
    const other = await createSamlWorld(service())
    await service().deps.db.transaction((tx) =>
      tx.run(sql`UPDATE connections SET settings = REPLACE(settings, '"ssoUrl":"https://idp.example/sso?x=1"', '"ssoUrl":null')
        WHERE id = ${connection.id}`),
    )
    await browser.refused('createSignIn', 'provider_unusable', {
      body: { identifier: `ada@${domain}`, strategy: 'enterprise', redirectUri: page },
    })
    const foreign = new URL(own.ownEntityId).pathname.replace(/^\/t\/[^/]+/, `/t/${other.tenant.id}`)
    assert.equal((await service().request({ method: 'GET', url: foreign })).status, 404)
  })
})
