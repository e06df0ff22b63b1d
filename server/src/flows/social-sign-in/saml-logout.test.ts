// Single logout with the SAML provider of an organization: friendly, and hostile.
import assert from 'node:assert/strict'
import { X509Certificate, verify } from 'node:crypto'
import { it } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { type Connection, frontendEndpoints } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { unique } from '../../../test/harness/factories.ts'
import { page, whoIs } from '../../../test/harness/people/social-sign-in.ts'
import {
  type CraftedLogout,
  logoutRequest,
  logoutResponse,
  posted,
  redirected,
} from '../../../test/harness/saml/crafted-logout.ts'
import {
  type Crafted,
  base64,
  newProviderKey,
  responseXml,
  signed,
} from '../../../test/harness/saml/crafted-response.ts'
import {
  type SamlPlace,
  connectedBySaml,
  createSamlWorld,
  post,
  providerKey,
  requestIn,
  said,
  signInBySaml,
} from '../../../test/harness/saml/saml-world.ts'
import { signedByXmlsec, skipWithoutXmlsec } from '../../../test/harness/saml/xmlsec.ts'
import { type Answer, describeService } from '../../../test/harness/service.ts'

const sloUrl = 'https://idp.example/slo?y=1'
const otherKey = newProviderKey()

describeService('single logout with a SAML provider', (service) => {
  const createWorld = () => createSamlWorld(service(), { sloUrl })
  type World = Awaited<ReturnType<typeof createWorld>>

  const bring = (at: string, query: string, headers = {}): Promise<Answer> =>
    service().request({
      method: 'GET',
      url: `${new URL(at).pathname}?${query}`,
      headers: { host: 'id.test', ...headers },
    })
  const about = ({ issuer, own }: SamlPlace, email: string): CraftedLogout => ({
    issuer,
    destination: own.ownSloUrl,
    now: service().deps.clock.nowMs(),
    nameId: `sub-${email}`,
  })
  async function signedIn(world: World, email = `${unique()}@${world.domain}`, changes: Partial<Crafted> = {}) {
    const browser = new Browser(service(), world.tenant.publicKey)
    await signInBySaml(service(), { ...world, browser }, email, changes)
    await whoIs(browser)
    return { browser, email }
  }
  const isSignedIn = async (browser: Browser) => (await browser.call('getProfile')).status === 200
  const locationIn = ({ status, headers }: Answer) => {
    assert.equal(status, 303)
    return String(headers['location'])
  }
  /** Checks the signature of a message of ours; returns its XML. */
  function ownMessage(address: string, name: 'SAMLRequest' | 'SAMLResponse', { own }: SamlPlace) {
    const [bytes = ''] = new RegExp(`${name}=.*SigAlg=[^&]*`).exec(address) ?? []
    const { searchParams } = new URL(address)
    const signature = Buffer.from(searchParams.get('Signature') ?? '', 'base64')
    assert.ok(verify('sha256', Buffer.from(bytes), new X509Certificate(own.ownCertificate).publicKey, signature))
    return inflateRawSync(Buffer.from(searchParams.get(name) ?? '', 'base64')).toString()
  }

  it('is in our metadata, on as soon as the provider offers it, and can be switched off', async () => {
    const world = await createWorld()
    const { headers: _, text } = await service().request({
      method: 'GET',
      url: new URL(world.own.ownEntityId).pathname,
    })
    assert.equal(text.split(`Location="${world.own.ownSloUrl}"`).length, 3)
    const params = { id: world.connection.id }
    const saml = (body: object) => service().ok<Connection>('updateConnection', { params, body: { saml: body } })
    assert.deepEqual([world.own.singleLogout, world.own.idpInitiated], [true, false])
    const { browser } = await signedIn(world)
    const off = await saml({ singleLogout: false })
    assert.deepEqual([off.state, off.saml?.singleLogout], ['live', false])
    assert.deepEqual(await browser.ok('endOwnSessions'), { ended: 1 })
    assert.equal(
      (await bring(world.own.ownSloUrl, redirected(logoutRequest(about(world, 'x')), providerKey))).status,
      404,
    )
    assert.equal((await saml({ sloUrl: null })).saml?.singleLogout, false)
    const wrong = await service().call<{ issues: { path: string }[] }>('updateConnection', {
      params,
      body: { saml: { singleLogout: true } },
    })
    assert.deepEqual([wrong.status, wrong.body.issues[0]?.path], [400, '/saml/singleLogout'])
  })

  it('leads whoever signs out to the provider with a signed request, and back only by its answer, once', async () => {
    const world = await createWorld()
    const { browser, email } = await signedIn(world)
    await browser.refused('endOwnSessions', 'redirect_refused', { body: { redirectUri: 'https://evil.example' } })
    const ended = await browser.ok<{ ended: number; providerSignOutUri: string }>('endOwnSessions', {
      body: { redirectUri: page },
    })
    // Whatever the provider does now, nobody is signed in here.
    assert.deepEqual([ended.ended, await isSignedIn(browser)], [1, false])
    assert.ok(ended.providerSignOutUri.startsWith(`${sloUrl}&SAMLRequest=`))
    const xml = ownMessage(ended.providerSignOutUri, 'SAMLRequest', world)
    assert.ok(
      xml.includes(`Destination="${sloUrl.replace('&', '&amp;')}"`) &&
        xml.includes(`>${world.own.ownEntityId}</saml:Issuer>`),
    )
    assert.ok(
      xml.includes(`>sub-${email}</saml:NameID>`) && xml.includes('<samlp:SessionIndex>_s1</samlp:SessionIndex>'),
    )
    const { id: inResponseTo } = requestIn(ended.providerSignOutUri)
    const answer = { ...about(world, email), inResponseTo }
    const other = await connectedBySaml(service(), world.tenant.id, { sloUrl })
    const wrong: Record<string, Promise<Answer>> = {
      unsigned: bring(world.own.ownSloUrl, redirected(logoutResponse(answer))),
      'another key': bring(world.own.ownSloUrl, redirected(logoutResponse(answer), otherKey)),
      'another request': bring(
        world.own.ownSloUrl,
        redirected(logoutResponse({ ...answer, inResponseTo: 'on_x' }), providerKey),
      ),
      'another issuer': bring(
        world.own.ownSloUrl,
        redirected(logoutResponse({ ...answer, issuer: 'https://x.example' }), providerKey),
      ),
      'another connection': bring(
        other.own.ownSloUrl,
        redirected(logoutResponse({ ...answer, issuer: other.issuer, destination: other.own.ownSloUrl }), providerKey),
      ),
      'an address as RelayState': bring(
        world.own.ownSloUrl,
        redirected(logoutResponse(answer), otherKey, 'https://evil.example'),
      ),
    }
    for (const [name, each] of Object.entries(wrong)) {
      const { status, headers } = await each
      assert.deepEqual([status, headers['location']], [400, undefined], name)
    }
    const right = redirected(logoutResponse(answer), providerKey, 'https://evil.example')
    const answers = await atOnce(5, () => bring(world.own.ownSloUrl, right))
    const back = answers.filter(({ status }) => status === 303)
    assert.deepEqual([back.length, back.map(locationIn)[0]], [1, page])
  })

  it('goes on from the pages of the tenant and from applications, whatever status the provider answers with', async () => {
    const world = await createWorld()
    const at = `/t/${world.tenant.slug}`
    const pages = new PageBrowser(service())
    const email = `${unique()}@${world.domain}`
    const asked = await pages.send(await pages.open(`${at}/sign-in`), { identifier: email })
    const left = await pages.send(asked, {})
    const [, away = ''] = /^0;\s*url=(.*)$/.exec(String(left.headers['refresh'])) ?? []
    const { id, relayState } = requestIn(away)
    const xml = signed(responseXml(said(service(), world, id, email)), 'Assertion', providerKey)
    const { pathname, search } = new URL(
      locationIn(await post(service(), world.own.acsUrl, { SAMLResponse: base64(xml), RelayState: relayState })),
    )
    await pages.open(pathname + search)
    const out = await pages.send(await pages.open(`${at}/sign-out`), {})
    const [, provider = ''] = /^0;\s*url=(.*)$/.exec(String(out.headers['refresh'])) ?? []
    assert.ok(provider.startsWith(sloUrl))
    const failed = {
      ...about(world, email),
      inResponseTo: requestIn(provider).id,
      status: 'urn:oasis:names:tc:SAML:2.0:status:Responder',
    }
    const back = new URL(
      locationIn(await post(service(), world.own.ownSloUrl, posted(logoutResponse(failed), providerKey))),
    )
    assert.equal(back.pathname, `${at}/sign-out`)
    assert.equal((await pages.open(back.pathname)).title, 'You are signed out')
  })

  it('ends the sessions of the subject that the provider names, and answers with a signed response', async () => {
    const world = await createWorld()
    const first = await signedIn(world)
    const second = await signedIn(world, first.email)
    const stranger = await signedIn(world)
    const request = { ...about(world, first.email), id: `_${unique()}` }
    const address = locationIn(
      await bring(world.own.ownSloUrl, redirected(logoutRequest(request), providerKey, 'state & more')),
    )
    assert.ok(address.startsWith(`${sloUrl}&SAMLResponse=`))
    assert.equal(new URL(address).searchParams.get('RelayState'), 'state & more')
    const xml = ownMessage(address, 'SAMLResponse', world)
    assert.ok(xml.includes(`InResponseTo="${request.id}"`) && xml.includes('status:Success'))
    assert.deepEqual(
      [await isSignedIn(first.browser), await isSignedIn(second.browser), await isSignedIn(stranger.browser)],
      [false, false, true],
    )
    const events = await storedEvents(service(), world.tenant.id, 'connection.user_signed_out')
    assert.deepEqual(
      events.map(({ data }) => (data as { sessions: number }).sessions),
      [2],
    )
  })

  it('honours the index of the session, by either binding, and leaves ways in alone that are not the connection’s', async () => {
    const world = await createWorld()
    const one = await signedIn(world)
    const params = { id: (await whoIs(one.browser)).id }
    const elsewhere = await connectedBySaml(service(), world.tenant.id, { sloUrl })
    const request = (indexes: readonly string[]) =>
      logoutRequest({ ...about(world, one.email), sessionIndexes: indexes })
    locationIn(await bring(world.own.ownSloUrl, redirected(request(['_other']), providerKey)))
    assert.equal(await isSignedIn(one.browser), true)
    // The same subject at another connection, whose provider has the same key, is somebody else.
    const foreign = logoutRequest({ ...about(elsewhere, one.email) })
    locationIn(await bring(elsewhere.own.ownSloUrl, redirected(foreign, providerKey)))
    assert.equal(await isSignedIn(one.browser), true)
    const { sessionToken } = await service().ok<{ sessionToken: string }>('impersonateUser', {
      params,
      body: { reason: 'a test' },
    })
    const administrator = { authorization: `Bearer ${sessionToken}`, 'x-public-key': world.tenant.publicKey }
    locationIn(await post(service(), world.own.ownSloUrl, posted(request(['_x', '_s1']), providerKey)))
    assert.equal(await isSignedIn(one.browser), false)
    const still = await service().request({
      method: 'GET',
      url: `/frontend/api/v0${frontendEndpoints.getProfile.path}`,
      headers: administrator,
    })
    assert.equal(still.status, 200)
  })

  it(
    'takes a request that xmlsec1 has signed, and not one that was changed after that',
    skipWithoutXmlsec,
    async () => {
      const world = await createWorld()
      const { browser, email } = await signedIn(world)
      const element = 'urn:oasis:names:tc:SAML:2.0:protocol:LogoutRequest'
      const byXmlsec = (id: string, nameId: string) =>
        signedByXmlsec(logoutRequest({ ...about(world, email), id, nameId }), providerKey, { id, element })
      const send = (xml: string) => post(service(), world.own.ownSloUrl, { SAMLRequest: base64(xml) })
      const changed = await send(byXmlsec('_x1', 'nobody').replace('>nobody<', `>sub-${email}<`))
      assert.deepEqual([changed.status, await isSignedIn(browser)], [400, true])
      const address = locationIn(await send(byXmlsec('_x2', `sub-${email}`)))
      assert.ok(ownMessage(address, 'SAMLResponse', world).includes('InResponseTo="_x2"'))
      assert.equal(await isSignedIn(browser), false)
    },
  )

  // Guards: saml-logout
  it('believes no request that is unsigned, foreign, old, changed, wrapped or repeated', async () => {
    const world = await createWorld()
    const foreign = await createWorld()
    const other = await connectedBySaml(service(), world.tenant.id, { sloUrl })
    const { browser, email } = await signedIn(world)
    const right = about(world, email)
    const { now } = right
    const at = world.own.ownSloUrl
    const byRedirect = (change: Partial<CraftedLogout>, key = providerKey) =>
      bring(at, redirected(logoutRequest({ ...right, ...change }), key))
    const good = signed(logoutRequest({ ...right, nameId: 'nobody' }), 'LogoutRequest', providerKey)
    const [signature = ''] = /<ds:Signature[^]*<\/ds:Signature>/.exec(good) ?? []
    const evil = logoutRequest(right)
    const wrapped = evil
      .replace('</saml:Issuer>', `</saml:Issuer>${signature}`)
      .replace(
        '</samlp:LogoutRequest>',
        `<samlp:Extensions>${good.replace(signature, '')}</samlp:Extensions></samlp:LogoutRequest>`,
      )
    const query = redirected(logoutRequest({ ...right, nameId: 'nobody' }), providerKey)
    const swapped = query.replace(/SAMLRequest=[^&]*/, redirected(evil))
    const refusals: Record<string, Promise<Answer>> = {
      'unsigned redirect': bring(at, redirected(evil)),
      'unsigned form': post(service(), at, { SAMLRequest: base64(evil) }),
      'another key': byRedirect({}, otherKey),
      'another key in a form': post(service(), at, posted(evil, otherKey)),
      'another issuer': byRedirect({ issuer: other.issuer }),
      'another destination': byRedirect({ destination: other.own.ownSloUrl }),
      'another tenant': byRedirect({ destination: foreign.own.ownSloUrl, issuer: foreign.issuer }),
      'at another connection': bring(other.own.ownSloUrl, redirected(evil, providerKey)),
      'at another tenant': bring(foreign.own.ownSloUrl, redirected(evil, providerKey)),
      expired: byRedirect({ notOnOrAfter: now - 61_000 }),
      'issued long ago': byRedirect({ now: now - 700_000, notOnOrAfter: null }),
      'from the future': byRedirect({ now: now + 120_000 }),
      wrapped: post(service(), at, { SAMLRequest: base64(wrapped) }),
      changed: post(service(), at, { SAMLRequest: base64(good.replace('>nobody<', `>sub-${email}<`)) }),
      'a message beside the signed one': bring(at, `${query}&${redirected(evil)}`),
      'the message replaced': bring(at, swapped),
      'two names': bring(at, `${query}&SAMLResponse=x`),
      'a response as a request': bring(
        at,
        redirected(logoutResponse(right), providerKey).replace('SAMLResponse', 'SAMLRequest'),
      ),
    }
    for (const [name, each] of Object.entries(refusals)) {
      const { status, headers } = await each
      assert.deepEqual([status, headers['location']], [400, undefined], name)
    }
    assert.equal(await isSignedIn(browser), true)
    const path = new URL(foreign.own.ownSloUrl).pathname.replace(/^\/t\/[^/]+/, `/t/${world.tenant.id}`)
    assert.equal((await bring(`https://id.test${path}`, query)).status, 404)
    const once = redirected(logoutRequest({ ...right, id: '_once' }), providerKey)
    const answers = await atOnce(10, () => bring(at, once))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, two) => one - two),
      [303, ...Array.from({ length: 9 }, () => 400)],
    )
    const again = await signedIn(world, email)
    assert.equal((await bring(at, once)).status, 400)
    assert.equal(await isSignedIn(again.browser), true)
  })
})
