// Each tenant is an authorization server of its own, though one engine serves them all: whatever one tenant has issued is worth nothing at
// another one, at every endpoint, and is still worth the same at its own.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, customFetch } from 'jose'
import * as client from 'openid-client'
import { enginePaths, paths } from '../../src/applications/engine/paths.ts'
import { managementIndicator } from '../../src/applications/engine/tokens/management-resource.ts'
import {
  type TestApplication,
  VisitingBrowser,
  authorize,
  beginAuthorization,
  callbackUri,
  createApplication,
  createResource,
  fetchFrom,
  interactionOf,
  issuerOf,
  relyingParty,
  signedOutUri,
} from '../harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { type TestService, describeService } from '../harness/service.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

type Parameters = Readonly<Record<string, string>>

const basic = ({ clientId, secret }: TestApplication) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
})

/** Everything that a tenant's authorization server gives out, none of it used up. */
async function everythingOf(service: TestService) {
  const tenant = await tenantWith(service)
  const issuer = issuerOf(service, tenant.id)
  const { id: resourceId, indicator } = await createResource(service, tenant.id)
  const application = await createApplication(service, tenant.id, {
    grantTypes: ['authorization_code', 'refresh_token', deviceGrant],
  })
  const machine = await createApplication(service, tenant.id, {
    type: 'machine',
    machineScopes: [{ resourceId, scopes: ['articles:read'] }],
  })
  const rp = await relyingParty(service, tenant.id, application)
  const user = await signedInUser(service, tenant)
  const visiting = new VisitingBrowser(service)
  const codeFor = async (parameters: Parameters = {}) => {
    const authorization = await beginAuthorization(rp, parameters)
    return { authorization, back: await authorize(visiting, user.browser, authorization) }
  }
  const first = await codeFor()
  const tokens = await client.authorizationCodeGrant(rp, first.back, first.authorization.checks)
  const second = await codeFor({ resource: indicator, scope: 'openid articles:read' })
  const atResource = await client.authorizationCodeGrant(rp, second.back, second.authorization.checks, {
    resource: indicator,
  })
  const unused = await codeFor()
  const device = await client.initiateDeviceAuthorization(rp, { scope: 'openid' })
  const pushed = await client.buildAuthorizationUrlWithPAR(rp, {
    redirect_uri: callbackUri,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  })
  const waiting = new VisitingBrowser(service)
  const begun = await waiting.visit((await beginAuthorization(rp)).url)
  const uid = interactionOf(begun.headers['location'])
  const { redirectUri } = await user.browser.ok<{ redirectUri: string }>('loginOAuthInteraction', { params: { uid } })
  return {
    tenant,
    issuer,
    indicator,
    application,
    machine,
    rp,
    user,
    visiting,
    waiting,
    device,
    uid,
    redirectUri,
    authorization: unused.authorization,
    code: unused.back.searchParams.get('code') ?? '',
    refreshToken: tokens.refresh_token ?? '',
    opaque: tokens.access_token,
    idToken: tokens.id_token ?? '',
    jwt: atResource.access_token,
    requestUri: pushed.searchParams.get('request_uri') ?? '',
  }
}
type Everything = Awaited<ReturnType<typeof everythingOf>>

/** The cookies of one tenant under the names of another one's. */
function withCookiesOf(service: TestService, from: VisitingBrowser, fromId: string, atId: string) {
  const browser = new VisitingBrowser(service)
  for (const [name, { value, path }] of from.cookies) {
    browser.cookies.set(name.replace(fromId, atId), { value, path: path.replace(fromId, atId) })
  }
  return browser
}

describeService('of two tenants with an authorization server', (service) => {
  let tenants: readonly [Everything, Everything]
  before(async () => {
    tenants = [await everythingOf(service()), await everythingOf(service())]
  })

  const send = async (method: 'GET' | 'POST', url: string, parameters: Parameters = {}, headers: object = {}) => {
    const browser = new VisitingBrowser(service())
    const form = new URLSearchParams(parameters)
    const answer = await (method === 'POST'
      ? browser.send('POST', url, form, headers)
      : browser.visit(`${url}?${form.toString()}`, headers))
    return { status: answer.statusCode, location: answer.headers['location'] ?? '', text: answer.body }
  }
  const readError = ({ status, text }: { status: number; text: string }) =>
    [status, (JSON.parse(text) as { error?: string }).error] as const
  const isActive = async ({ issuer, application }: Everything, token: string) => {
    const answer = await send('POST', issuer + paths.introspection, { token }, basic(application))
    return (JSON.parse(answer.text) as { active?: boolean }).active === true
  }

  /** What is refused at each path of the authorization server of one tenant, although it is right at another one. */
  const refusals: Readonly<Record<string, (at: Everything, from: Everything) => Promise<void>>> = {
    async [paths.authorization](at, from) {
      const ask = async (parameters: Parameters, browser = new VisitingBrowser(service())) => {
        const { url } = await beginAuthorization(at.rp, parameters)
        return browser.visit(url)
      }
      const foreignClient = await ask({ client_id: from.application.clientId })
      assert.deepEqual([foreignClient.statusCode, foreignClient.headers['location']], [400, undefined])
      const pushed = `${at.issuer}${paths.authorization}?client_id=${at.application.clientId}&request_uri=${from.requestUri}`
      const foreignRequest = await new VisitingBrowser(service()).visit(pushed)
      assert.deepEqual([foreignRequest.statusCode, foreignRequest.headers['location']], [400, undefined])
      const cookies = withCookiesOf(service(), from.visiting, from.tenant.id, at.tenant.id)
      assert.ok(cookies.cookies.has(`__Host-oauth-${at.tenant.id}`))
      for (const browser of [cookies, from.visiting]) {
        assert.match(String((await ask({ prompt: 'none' }, browser)).headers['location']), /error=login_required/)
      }
      const hinted = await ask({ prompt: 'none', id_token_hint: from.idToken }, at.visiting)
      assert.match(String(hinted.headers['location']), /error=/)
    },
    async [`${paths.authorization}/:uid`](at, from) {
      const there = from.redirectUri.replace(from.issuer, at.issuer)
      const cookies = withCookiesOf(service(), from.waiting, from.tenant.id, at.tenant.id)
      for (const browser of [cookies, from.waiting, at.visiting]) {
        const answer = await browser.visit(there)
        assert.deepEqual([answer.statusCode, answer.headers['location']], [403, undefined])
      }
    },
    async [paths.token](at, from) {
      const { pkceCodeVerifier: verifier = '' } = from.authorization.checks
      const grants: readonly Parameters[] = [
        { grant_type: 'authorization_code', code: from.code, redirect_uri: callbackUri, code_verifier: verifier },
        { grant_type: 'refresh_token', refresh_token: from.refreshToken },
        { grant_type: deviceGrant, device_code: from.device.device_code },
      ]
      for (const grant of grants) {
        const name = grant['grant_type']
        const own = await send('POST', at.issuer + paths.token, grant, basic(at.application))
        assert.deepEqual(readError(own), [400, 'invalid_grant'], name)
        const foreign = await send('POST', at.issuer + paths.token, grant, basic(from.application))
        assert.deepEqual(readError(foreign), [401, 'invalid_client'], name)
      }
      const machine = { grant_type: 'client_credentials', scope: 'articles:read' }
      const foreign = { ...machine, resource: at.indicator }
      const asForeign = await send('POST', at.issuer + paths.token, foreign, basic(from.machine))
      assert.deepEqual(readError(asForeign), [401, 'invalid_client'])
      const atForeign = { ...machine, resource: from.indicator }
      const refused = await send('POST', at.issuer + paths.token, atForeign, basic(at.machine))
      assert.deepEqual(readError(refused), [400, 'invalid_target'])
    },
    async [paths.userinfo](at, from) {
      for (const token of [from.opaque, from.jwt, from.idToken]) {
        const url = at.issuer + paths.userinfo
        assert.equal((await send('GET', url, {}, { authorization: `Bearer ${token}` })).status, 401)
        assert.equal((await send('POST', url, { access_token: token })).status, 401)
      }
    },
    async [paths.introspection](at, from) {
      for (const token of [from.opaque, from.refreshToken, from.jwt]) assert.equal(await isActive(at, token), false)
      const asForeign = await send(
        'POST',
        at.issuer + paths.introspection,
        { token: from.opaque },
        basic(from.application),
      )
      assert.deepEqual(readError(asForeign), [401, 'invalid_client'])
    },
    async [paths.revocation](at, from) {
      for (const token of [from.opaque, from.refreshToken]) {
        await send('POST', at.issuer + paths.revocation, { token }, basic(at.application))
        const asForeign = await send('POST', at.issuer + paths.revocation, { token }, basic(from.application))
        assert.deepEqual(readError(asForeign), [401, 'invalid_client'])
        assert.equal(await isActive(from, token), true)
      }
    },
    async [paths.pushed_authorization_request](at, from) {
      const url = at.issuer + paths.pushed_authorization_request
      const asForeign = await send('POST', url, { response_type: 'code' }, basic(from.application))
      assert.deepEqual(readError(asForeign), [401, 'invalid_client'])
    },
    async [paths.device_authorization](at, from) {
      const asForeign = await send(
        'POST',
        at.issuer + paths.device_authorization,
        { scope: 'openid' },
        basic(from.application),
      )
      assert.deepEqual(readError(asForeign), [401, 'invalid_client'])
      const body = { userCode: from.device.user_code }
      await at.user.browser.refused('findOAuthDevice', 'not_found', { body })
    },
    async [paths.end_session](at, from) {
      const hints: readonly Parameters[] = [
        { id_token_hint: from.idToken },
        { id_token_hint: from.idToken, client_id: at.application.clientId },
        { client_id: from.application.clientId, post_logout_redirect_uri: signedOutUri },
      ]
      for (const parameters of hints) {
        const answer = await send('GET', at.issuer + paths.end_session, parameters)
        assert.equal(answer.status, 400, JSON.stringify(parameters))
      }
    },
    async [`${paths.end_session}/confirm`](at, from) {
      const browser = withCookiesOf(service(), from.visiting, from.tenant.id, at.tenant.id)
      const page = await browser.visit(at.issuer + paths.end_session)
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.body) ?? []
      const form = new URLSearchParams({ xsrf, logout: 'yes' })
      await browser.send('POST', `${at.issuer}${paths.end_session}/confirm`, form)
      await from.user.browser.ok('getProfile')
    },
    async [`${paths.end_session}/success`](at, from) {
      const url = `${at.issuer}${paths.end_session}/success?client_id=${from.application.clientId}`
      assert.equal((await new VisitingBrowser(service()).visit(url)).statusCode, 400)
    },
  }

  const eachPair = async (check: (at: Everything, from: Everything) => Promise<void>) => {
    const [one, other] = tenants
    await check(one, other)
    await check(other, one)
  }

  for (const [path, refuse] of Object.entries(refusals)) {
    // Guards: other-tenants-tokens
    it(`neither takes at ${path} what the other one has issued`, () => eachPair(refuse))
  }

  // Guards: other-tenants-tokens
  it('neither has an endpoint that is missing above', () => {
    const known = new Set(Object.keys(refusals))
    assert.deepEqual(
      enginePaths.map(([, path]) => path).filter((path) => !known.has(path)),
      [],
    )
  })

  // Guards: other-tenants-tokens
  it('each has metadata, keys and tokens of its own', () =>
    eachPair(async (at, from) => {
      const ask = async (url: string) => JSON.parse((await send('GET', url)).text) as Record<string, unknown>
      for (const name of ['openid-configuration', 'oauth-authorization-server', 'authzen-configuration']) {
        const metadata = await ask(`${at.issuer}/.well-known/${name}`)
        assert.equal(metadata['issuer'] ?? metadata['policy_decision_point'], at.issuer)
        assert.ok(!JSON.stringify(metadata).includes(from.tenant.id))
      }
      const keys = createRemoteJWKSet(new URL(at.issuer + paths.jwks), {
        [customFetch]: (url) =>
          fetchFrom(service())(url, { method: 'GET', headers: {}, redirect: 'manual', body: null }),
      })
      for (const token of [at.idToken, at.jwt]) {
        assert.equal((await jwtVerify(token, keys)).payload.iss, at.issuer)
      }
      for (const token of [from.idToken, from.jwt]) {
        assert.notEqual(decodeProtectedHeader(token).kid, decodeProtectedHeader(at.idToken).kid)
        await assert.rejects(jwtVerify(token, keys))
      }
    }))

  // Guards: other-tenants-tokens
  it('neither’s users reach an interaction of the other one', () =>
    eachPair(async (at, from) => {
      const params = { uid: from.uid }
      const { browser } = at.user
      await browser.refused('getOAuthInteraction', 'not_found', { params })
      await browser.refused('loginOAuthInteraction', 'not_found', { params })
      await browser.refused('consentOAuthInteraction', 'not_found', { params, body: { scopes: ['openid'] } })
      await browser.refused('abortOAuthInteraction', 'not_found', { params })
    }))

  // Guards: other-tenants-tokens
  it('each still takes all of it afterwards', async () => {
    for (const own of tenants) {
      const { pkceCodeVerifier: verifier = '' } = own.authorization.checks
      const grants: readonly Parameters[] = [
        { grant_type: 'authorization_code', code: own.code, redirect_uri: callbackUri, code_verifier: verifier },
        { grant_type: 'refresh_token', refresh_token: own.refreshToken },
      ]
      for (const grant of grants) {
        const answer = await send('POST', own.issuer + paths.token, grant, basic(own.application))
        assert.equal(answer.status, 200, answer.text)
        assert.equal(decodeJwt((JSON.parse(answer.text) as { id_token: string }).id_token).iss, own.issuer)
      }
      const pending = { grant_type: deviceGrant, device_code: own.device.device_code }
      const answer = await send('POST', own.issuer + paths.token, pending, basic(own.application))
      assert.deepEqual(readError(answer), [400, 'authorization_pending'])
      const machine = { grant_type: 'client_credentials', scope: 'articles:read', resource: own.indicator }
      assert.equal((await send('POST', own.issuer + paths.token, machine, basic(own.machine))).status, 200)
      assert.match(String((await own.waiting.visit(own.redirectUri)).headers['location']), /callback\?code=/)
      const pushed = `${own.issuer}${paths.authorization}?client_id=${own.application.clientId}&request_uri=${own.requestUri}`
      assert.match(String((await own.visiting.visit(pushed)).headers['location']), /callback\?code=/)
    }
  })

  // Guards: other-tenants-tokens
  it('none is mixed up with another one while many are served at once', async () => {
    const machines = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { id } = await tenantWith(service())
        const resource = managementIndicator(service().deps.config)
        const machineScopes = [{ resourceId: 'management', scopes: ['users:read'] }]
        const application = await createApplication(service(), id, { type: 'machine', machineScopes })
        return { id, application, form: { grant_type: 'client_credentials', scope: 'users:read', resource } }
      }),
    )
    const answers = await Promise.all(
      Array.from({ length: 80 }, async (_, n) => {
        const own = machines[n % machines.length] ?? assert.fail()
        const issuer = issuerOf(service(), own.id)
        const answer = await send('POST', issuer + paths.token, own.form, basic(own.application))
        const token = (JSON.parse(answer.text) as { access_token: string }).access_token
        return (
          [decodeJwt(token).iss, decodeJwt(token)['client_id']].join() === [issuer, own.application.clientId].join()
        )
      }),
    )
    assert.equal(answers.filter(Boolean).length, 80)
  })
})
