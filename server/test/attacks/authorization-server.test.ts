// What has gone wrong in other authorization servers does not go wrong in this one. See docs/security-tests.md 2.6.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { it } from 'node:test'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import * as client from 'openid-client'
import { paths } from '../../src/applications/engine/paths.ts'
import { logoutHandler } from '../../src/applications/logout/back-channel.ts'
import type { JobHandler } from '../../src/platform/jobs/jobs.ts'
import { EgressError, createEgress } from '../../src/platform/net/egress.ts'
import { dumpTables } from '../harness/databases/table-dump.ts'
import {
  type TestApplication,
  VisitingBrowser,
  authorize,
  beginAuthorization,
  callbackUri,
  createApplication,
  createResource,
  interactionOf,
  issuerOf,
  relyingParty,
  setOAuthSettings,
} from '../harness/people/authorization.ts'
import { signedInPerson } from '../harness/people/people.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { type TestService, describeNodesInTurn, describeServiceWith } from '../harness/service.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
type Form = Readonly<Record<string, string>>

const basic = ({ clientId, secret }: TestApplication) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
})

async function post(service: TestService, url: string, form: Form, headers: object = {}) {
  const answer = await new VisitingBrowser(service).send('POST', url, new URLSearchParams(form), headers)
  return { status: answer.statusCode, text: answer.body, body: JSON.parse(answer.body) as Record<string, unknown> }
}

async function world(service: TestService, options: Parameters<typeof createApplication>[2] = {}) {
  const tenant = await tenantWith(service)
  const issuer = issuerOf(service, tenant.id)
  const application = await createApplication(service, tenant.id, {
    grantTypes: ['authorization_code', 'refresh_token', deviceGrant],
    ...options,
  })
  const rp = await relyingParty(service, tenant.id, application)
  const user = await signedInUser(service, tenant)
  const visiting = new VisitingBrowser(service)
  const tokens = async () => {
    const authorization = await beginAuthorization(rp)
    const back = await authorize(visiting, user.browser, authorization)
    return client.authorizationCodeGrant(rp, back, authorization.checks)
  }
  return { tenant, issuer, application, rp, user, visiting, tokens }
}

describeNodesInTurn('the authorization server', (service) => {
  // Guards: complete-sign-ins
  it('gives no code to a session that awaits a second factor (better-auth#9198)', async () => {
    const { rp, tenant } = await world(service())
    const person = await signedInPerson(service(), tenant)
    await person.addApp()
    const visiting = new VisitingBrowser(service())
    const begun = await visiting.visit((await beginAuthorization(rp)).url)
    const params = { uid: interactionOf(begun.headers['location']) }
    const elsewhere = person.elsewhere()
    const { signInAttempt } = await person.begin(elsewhere)
    assert.equal(signInAttempt.status, 'needs_factor_two')
    await elsewhere.refused('loginOAuthInteraction', 'unauthenticated', { params })
    const { redirectUri } = await person.browser.ok<{ redirectUri: string }>('loginOAuthInteraction', { params })
    const back = new URL(String((await visiting.visit(redirectUri)).headers['location']))
    assert.ok(back.searchParams.has('code'))
  })

  // Guards: complete-sign-ins
  it('lets only the user who entered a device’s code allow it, once (CVE-2026-45337)', async () => {
    const { rp, tenant, user, issuer, application } = await world(service())
    const device = await client.initiateDeviceAuthorization(rp, { scope: 'openid' })
    const body = { userCode: device.user_code }
    type Found = { interaction: { uid: string } }
    const { interaction } = await user.browser.ok<Found>('findOAuthDevice', { body })
    const params = { uid: interaction.uid }
    const stranger = await signedInUser(service(), tenant)
    const consent = { params, body: { scopes: ['openid'] } }
    await stranger.browser.refused('consentOAuthInteraction', 'not_found', consent)
    await stranger.browser.refused('abortOAuthInteraction', 'not_found', { params })
    await stranger.browser.refused('loginOAuthInteraction', 'not_found', { params })
    const poll = { grant_type: deviceGrant, device_code: device.device_code }
    const pending = await post(service(), issuer + paths.token, poll, basic(application))
    assert.equal(pending.body['error'], 'authorization_pending')
    await user.browser.ok('consentOAuthInteraction', consent)
    await stranger.browser.refused('findOAuthDevice', 'not_found', { body })
    const other = await createApplication(service(), tenant.id, { grantTypes: [deviceGrant] })
    const taken = await post(service(), issuer + paths.token, poll, basic(other))
    assert.equal(taken.body['error'], 'invalid_grant')
    const tokens = await client.pollDeviceAuthorizationGrant(rp, { ...device, interval: 0.01 })
    assert.equal(tokens.claims()?.sub, user.user.id)
    assert.equal((await post(service(), issuer + paths.token, poll, basic(application))).status, 400)
  })

  // Guards: registered-keys
  it('trusts no key that a token brings along (CVE-2026-27962)', async () => {
    const of = await world(service())
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const own = { ...(await exportJWK(publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }
    const { clientId } = await service().ok<{ clientId: string }>('createApplication', {
      body: {
        tenantId: of.tenant.id,
        name: 'Signs',
        type: 'web',
        redirectUris: [callbackUri],
        tokenEndpointAuthMethod: 'private_key_jwt',
        jwks: { keys: [own] },
      },
    })
    const attacker = await generateKeyPair('ES256')
    const jwk = await exportJWK(attacker.publicKey)
    const signed = (claims: object, key: Parameters<SignJWT['sign']>[0], header: object) =>
      new SignJWT({ ...claims, jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'ES256', ...header })
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(key)
    const claims = { iss: clientId, sub: clientId, aud: of.issuer }
    const push = (assertion: string, form: Form = {}) =>
      post(service(), of.issuer + paths.pushed_authorization_request, {
        client_id: clientId,
        client_assertion_type: assertionType,
        client_assertion: assertion,
        response_type: 'code',
        redirect_uri: callbackUri,
        scope: 'openid',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        ...form,
      })
    const forged = [{ jwk }, { jwk, kid: 'own' }, { jwk: { ...jwk, kid: 'own' }, jku: 'https://evil.example' }]
    for (const header of forged) {
      const answer = await push(await signed(claims, attacker.privateKey, header))
      assert.deepEqual([answer.status, answer.body['error']], [401, 'invalid_client'])
      const request = await signed(
        { client_id: clientId, ...claims, scope: 'openid email' },
        attacker.privateKey,
        header,
      )
      const carried = await push(await signed(claims, privateKey, { kid: 'own' }), { request })
      assert.deepEqual([carried.status, carried.body['error']], [400, 'invalid_request_object'])
    }
    assert.equal((await push(await signed(claims, privateKey, { kid: 'own' }))).status, 201)
    const assertion = await signed(claims, privateKey, { kid: 'own' })
    assert.equal((await push(assertion)).status, 201)
    assert.equal((await push(assertion)).status, 401)
    // The same with an ID token as a hint.
    const hint = { iss: of.issuer, aud: of.application.clientId, sub: of.user.user.id }
    const search = new URLSearchParams({ id_token_hint: await signed(hint, attacker.privateKey, { jwk }) })
    const answer = await of.visiting.visit(`${of.issuer}${paths.end_session}?${search.toString()}`)
    assert.equal(answer.statusCode, 400)
  })

  // Guards: bound-codes
  it('knows a code or token as a whole, and nothing that only begins like it (CVE-2026-27840)', async () => {
    const { issuer, application, tokens } = await world(service())
    const given = await tokens()
    const changed = (token: string) => [
      token.slice(0, -1),
      token.slice(0, 20),
      token.slice(1),
      `${token}A`,
      `${token}\0`,
      `${token} `,
      token.toLowerCase(),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    ]
    for (const token of changed(given.access_token)) {
      const info = await post(service(), issuer + paths.userinfo, { access_token: token })
      assert.equal(info.status, 401, token)
      const known = await post(service(), issuer + paths.introspection, { token }, basic(application))
      assert.deepEqual(known.body, { active: false }, token)
    }
    for (const token of changed(given.refresh_token ?? '')) {
      const form = { grant_type: 'refresh_token', refresh_token: token }
      const answer = await post(service(), issuer + paths.token, form, basic(application))
      assert.deepEqual([answer.status, answer.body['error']], [400, 'invalid_grant'], token)
    }
    assert.equal((await post(service(), issuer + paths.userinfo, { access_token: given.access_token })).status, 200)
  })

  // Guards: bound-codes
  it('lets an application revoke its own tokens alone', async () => {
    const { issuer, application, tenant, tokens } = await world(service())
    const { refresh_token: token = '' } = await tokens()
    const stranger = await createApplication(service(), tenant.id)
    await post(service(), issuer + paths.revocation, { token }, basic(stranger)).catch(() => undefined)
    const known = await post(service(), issuer + paths.introspection, { token }, basic(application))
    assert.equal(known.body['active'], true)
    const form = { grant_type: 'refresh_token', refresh_token: token }
    assert.equal((await post(service(), issuer + paths.token, form, basic(stranger))).body['error'], 'invalid_grant')
  })

  // Guards: issuer-addresses
  it('makes its addresses from the issuer, whatever host a request names', async () => {
    const { issuer, rp, application } = await world(service())
    const { host: own, pathname } = new URL(issuer)
    const evil = 'evil.example'
    const spoofed = [
      { host: evil },
      { 'x-forwarded-host': evil },
      { 'x-forwarded-proto': 'ftp', 'x-forwarded-host': evil, forwarded: `host=${evil}` },
      { 'x-original-host': evil, 'x-host': evil },
    ]
    const { pathname: authorizePath, search } = (await beginAuthorization(rp)).url
    for (const headers of spoofed) {
      const get = async (url: string) => {
        const answer = await service().request({ method: 'GET', url, headers: { host: own, ...headers } })
        return { status: answer.status, all: `${JSON.stringify(answer.headers)}${answer.text}` }
      }
      for (const name of ['openid-configuration', 'oauth-authorization-server', 'authzen-configuration']) {
        for (const url of [`${pathname}/.well-known/${name}`, `/.well-known/${name}${pathname}`]) {
          const { status, all } = await get(url)
          assert.ok(status === 200 && !all.includes(evil), `${url} ${all}`)
        }
      }
      const { status, all } = await get(authorizePath + search)
      assert.ok(status === 303 && !all.includes(evil), all)
      const form = { scope: 'openid', client_id: application.clientId }
      const device = await post(service(), issuer + paths.device_authorization, form, {
        ...basic(application),
        ...headers,
      })
      assert.ok(device.status === 200 && !device.text.includes(evil), device.text)
    }
  })

  // Guards: unstorable-text
  it('answers text that no database stores, and keys that have no name, as a mistake of the client', async () => {
    const { issuer, application, rp, tenant, visiting, user, tokens } = await world(service())
    const given = await tokens()
    const { indicator, id: resourceId } = await createResource(service(), tenant.id)
    const machineScopes = [{ resourceId, scopes: ['articles:read'] }]
    const machine = await createApplication(service(), tenant.id, { type: 'machine', machineScopes })
    for (const resource of [`${indicator}/\0`, `${indicator}\ud800`]) {
      const form = { grant_type: 'client_credentials', resource }
      const answer = await post(service(), issuer + paths.token, form, basic(machine))
      assert.deepEqual([answer.status, answer.body['error']], [400, 'invalid_target'], resource)
      const refused = await new VisitingBrowser(service()).visit((await beginAuthorization(rp, { resource })).url)
      assert.match(String(refused.headers['location']), /error=invalid_target/)
    }
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { iss: issuer, aud: application.clientId, sub: user.user.id }
    for (const kid of ['a\0b', '\ud800', {}, 7, null, ['a']]) {
      const hint = `${encoded({ alg: 'ES256', kid })}.${encoded(claims)}.${'A'.repeat(86)}`
      const search = new URLSearchParams({ id_token_hint: hint }).toString()
      const shown = await visiting.visit(`${issuer}${paths.end_session}?${search}`)
      assert.equal(shown.statusCode, 400, JSON.stringify(kid))
      const asked = await visiting.visit((await beginAuthorization(rp, { id_token_hint: hint })).url)
      assert.match(String(asked.headers['location']), /error=invalid_request/, JSON.stringify(kid))
    }
    for (const text of ['\0', '\ud800', `${given.access_token}\0`]) {
      const form = { token: text, user_code: text, code: text, refresh_token: text, device_code: text, scope: text }
      for (const path of [
        paths.token,
        paths.introspection,
        paths.revocation,
        paths.userinfo,
        paths.device_authorization,
      ]) {
        for (const grant of ['authorization_code', 'refresh_token', deviceGrant, text]) {
          const sent = { ...form, grant_type: grant, redirect_uri: callbackUri, access_token: text }
          const { statusCode, body } = await visiting.send(
            'POST',
            issuer + path,
            new URLSearchParams(sent),
            basic(application),
          )
          assert.ok(statusCode < 500, `${path} ${grant} ${body}`)
        }
      }
    }
  })

  // Guards: stored-hashes
  it('stores none of what it gives out: codes, tokens, tickets, cookies and secrets', async () => {
    const { rp, application, user, tenant, tokens, visiting } = await world(service())
    const { indicator } = await createResource(service(), tenant.id, { format: 'opaque' })
    const given = await tokens()
    const rotated = await client.refreshTokenGrant(rp, given.refresh_token ?? '')
    const device = await client.initiateDeviceAuthorization(rp, { scope: 'openid' })
    type Found = { interaction: { uid: string } }
    const body = { userCode: device.user_code }
    const found = await user.browser.ok<Found>('findOAuthDevice', { body })
    const pushed = await client.buildAuthorizationUrlWithPAR(rp, {
      redirect_uri: callbackUri,
      scope: 'openid articles:read',
      resource: indicator,
      code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    })
    const waiting = new VisitingBrowser(service())
    const begun = await waiting.visit(pushed)
    const uid = interactionOf(begun.headers['location'])
    const { redirectUri } = await user.browser.ok<{ redirectUri: string }>('loginOAuthInteraction', { params: { uid } })
    const { clientSecret } = await service().ok<{ clientSecret: string }>('rotateApplicationSecret', {
      params: { id: application.id },
      body: {},
    })
    const cookies = [visiting, waiting].flatMap((each) => [...each.cookies.values()].map(({ value }) => value))
    const secrets = [
      ...[given, rotated].flatMap((each) => [each.access_token, each.refresh_token ?? '', each.id_token ?? '']),
      device.device_code,
      device.user_code,
      device.user_code.replaceAll('-', ''),
      found.interaction.uid,
      uid,
      pushed.searchParams.get('request_uri')?.split(':').at(-1) ?? '',
      new URL(redirectUri).searchParams.get('ticket') ?? '',
      application.secret,
      clientSecret,
      ...cookies,
    ]
    assert.ok(secrets.every((secret) => secret.length >= 8))
    const stored = JSON.stringify(await dumpTables(service().deps.db))
    assert.deepEqual(
      secrets.filter((secret) => stored.includes(secret)),
      [],
    )
  })
})

// As in production; tests otherwise let the service reach this machine.
const guarded = createEgress({ isPrivateAllowed: false })

/** A name that anybody can register, and that leads inside. */
const byName = createEgress({ isPrivateAllowed: false }, async () => [{ address: '127.0.0.1', family: 4 }])

describeServiceWith(
  'a client that registers itself',
  () => ({ egress: byName }),
  (service) => {
    // Guards: self-described-addresses
    it('makes the service reach nothing inside its network by the addresses that it names', async () => {
      const { tenant, issuer, user } = await world(service())
      await setOAuthSettings(service(), tenant.id, { registration_enabled: 1 })
      const params = { id: tenant.id }
      const { token } = await service().ok<{ token: string }>('createRegistrationToken', { params, body: {} })
      let connections = 0
      const inside = createServer((socket) => {
        connections++
        socket.destroy()
      }).listen(0, '127.0.0.1')
      await once(inside, 'listening')
      const { port } = inside.address() as AddressInfo
      const register = async (at: string) => {
        const metadata = {
          redirect_uris: [callbackUri],
          token_endpoint_auth_method: 'private_key_jwt',
          jwks_uri: `${at}/keys`,
          backchannel_logout_uri: `${at}/logout`,
          sector_identifier_uri: `${at}/sector`,
          logo_uri: `${at}/logo`,
        }
        const { host, pathname } = new URL(issuer + paths.registration)
        const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        return service().request({ method: 'POST', url: pathname, headers, payload: JSON.stringify(metadata) })
      }
      try {
        // An address is refused at once; where a name leads is known when it is asked for.
        assert.equal((await register(`https://127.0.0.1:${port}`)).status, 400)
        const made = await register(`https://inside.example:${port}`)
        assert.equal(made.status, 201, made.text)
        const clientId = (made.body as { client_id: string }).client_id
        const { privateKey } = await generateKeyPair('ES256')
        const assertion = await new SignJWT({ iss: clientId, sub: clientId, aud: issuer, jti: crypto.randomUUID() })
          .setProtectedHeader({ alg: 'ES256', kid: 'own' })
          .setIssuedAt()
          .setExpirationTime('1m')
          .sign(privateKey)
        const shown = await post(service(), issuer + paths.token, {
          client_id: clientId,
          client_assertion_type: assertionType,
          client_assertion: assertion,
          grant_type: 'refresh_token',
          refresh_token: 'unknown',
        })
        assert.ok(shown.status === 400 || shown.status === 401, shown.text)
        assert.ok(!/ECONN|private|127/.test(shown.text), shown.text)
        const [application] = (
          await service().ok<{ data: { id: string; clientId: string }[] }>('listApplications', {
            params: { tenantId: tenant.id },
          })
        ).data.filter((each) => each.clientId === clientId)
        const payload = { sid: 'a', userId: user.user.id, applicationId: application?.id ?? '', issuer }
        const job = { tenantId: tenant.id, payload } as unknown as Parameters<JobHandler['run']>[0]
        const told = logoutHandler(service().deps).run(job, AbortSignal.timeout(10_000))
        await assert.rejects(told, EgressError)
        assert.equal(connections, 0)
      } finally {
        inside.close()
      }
    })
  },
  2,
)

describeServiceWith(
  'a client that describes itself',
  () => ({ egress: guarded }),
  (service) => {
    // Guards: self-described-addresses
    it('makes the service reach nothing inside its network (CVE-2026-45609)', async () => {
      const { tenant, issuer } = await world(service())
      await setOAuthSettings(service(), tenant.id, { metadata_documents_enabled: 1 })
      let connections = 0
      const inside = createServer((socket) => {
        connections++
        socket.destroy()
      }).listen(0, '127.0.0.1')
      await once(inside, 'listening')
      const { port } = inside.address() as AddressInfo
      try {
        const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '127.0.0.1.']
        for (const host of [...hosts, '169.254.169.254', '10.0.0.1', '[fe80::1]']) {
          const form = { client_id: `https://${host}:${port}/client.json`, response_type: 'code', scope: 'openid' }
          const search = new URLSearchParams({ ...form, redirect_uri: callbackUri })
          const answer = await new VisitingBrowser(service()).visit(
            `${issuer}${paths.authorization}?${search.toString()}`,
          )
          assert.deepEqual([answer.statusCode, answer.headers['location']], [400, undefined], host)
          assert.ok(!answer.body.includes('ECONN') && !answer.body.includes('private'), answer.body)
          const pushed = await post(service(), issuer + paths.pushed_authorization_request, form)
          assert.ok(pushed.status === 400 || pushed.status === 401, pushed.text)
        }
        assert.equal(connections, 0)
      } finally {
        inside.close()
      }
    })
  },
  2,
)
