// ID tokens signed with RS256, which OpenID Connect Core 1.0 section 15.1 requires and some applications take for granted.
import assert from 'node:assert/strict'
import { createHash, createPublicKey } from 'node:crypto'
import { after, before, it } from 'node:test'
import { SignJWT, createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { exported, imported, newService } from '../../../test/harness/files/archives.ts'
import { WebhookReceiver } from '../../../test/harness/outside/webhook-receiver.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createResource,
  fetchFrom,
  issuerOf,
  relyingParty,
  setOAuthSettings,
  signedOutUri,
} from '../../../test/harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sessionEndedJobKind } from '../../identity/sessions/followers.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import type { TenantId } from '../../platform/ids.ts'
import { createJobRunner } from '../../platform/jobs/runner.ts'
import { logoutHandler } from '../logout/back-channel.ts'
import { oauthSignersOf, publishedBeforeMs } from './oauth-signers.ts'

const redirectUris = ['https://app.example/callback']

interface Registered {
  readonly id: string
  readonly clientId: string
  readonly clientSecret: string
  readonly idTokenSigningAlg: string
}

const register = (service: TestService, tenantId: string, change: object = {}) =>
  service.ok<Registered>('createApplication', {
    body: {
      tenantId,
      name: 'Older client',
      type: 'web',
      redirectUris,
      postLogoutRedirectUris: [signedOutUri],
      requireConsent: false,
      idTokenSigningAlg: 'RS256',
      ...change,
    },
  })

/** The library refuses ID tokens by every other algorithm. */
const expectAlgorithm = (rp: client.Configuration, alg: string) =>
  Object.assign(rp.clientMetadata(), { id_token_signed_response_alg: alg })

const keysAt = async (service: TestService, tenantId: string) => {
  const { pathname } = new URL(`${issuerOf(service, tenantId)}/oauth/jwks`)
  const { body } = await service.app.inject({ url: pathname, headers: { host: 'id.test' } })
  return (JSON.parse(body) as { keys: { kid: string; alg: string; kty: string }[] }).keys
}

describeService('an application with idTokenSigningAlg RS256', (service) => {
  let receiver: WebhookReceiver
  before(async () => {
    receiver = await WebhookReceiver.start()
  })
  after(() => receiver.stop())

  const world = async (change: object = {}) => {
    const tenant = await tenantWith(service())
    const application = await register(service(), tenant.id, change)
    const rp = await relyingParty(service(), tenant.id, { ...application, secret: application.clientSecret })
    expectAlgorithm(rp, 'RS256')
    const user = await signedInUser(service(), tenant)
    const visiting = new VisitingBrowser(service())
    const signIn = async (parameters: Record<string, string> = {}) => {
      const authorization = await beginAuthorization(rp, parameters)
      const back = await authorize(visiting, user.browser, authorization)
      return client.authorizationCodeGrant(rp, back, authorization.checks, parameters)
    }
    const keySet = async () => createLocalJWKSet({ keys: await keysAt(service(), tenant.id) })
    return { tenant, application, rp, user, visiting, signIn, keySet }
  }

  it('gets ID tokens that the published RSA key verifies, with at_hash, also when it refreshes', async () => {
    const { tenant, rp, user, signIn, keySet } = await world()
    assert.deepEqual(rp.serverMetadata().id_token_signing_alg_values_supported, ['ES256', 'RS256'])
    const tokens = await signIn()
    const refreshed = await client.refreshTokenGrant(rp, tokens.refresh_token ?? '')
    for (const { id_token: token = '', access_token: access } of [tokens, refreshed]) {
      const { payload, protectedHeader } = await jwtVerify(token, await keySet(), {
        algorithms: ['RS256'],
        issuer: issuerOf(service(), tenant.id),
      })
      assert.equal(payload.sub, user.user.id)
      const half = createHash('sha256').update(access).digest().subarray(0, 16)
      assert.equal(payload['at_hash'], half.toString('base64url'))
      const key = (await keysAt(service(), tenant.id)).find(({ kid }) => kid === protectedHeader.kid)
      assert.deepEqual([key?.kty, key?.alg], ['RSA', 'RS256'])
    }
  })

  it('leaves the access tokens and every other application with ES256', async () => {
    const { tenant, user, signIn } = await world()
    const { indicator } = await createResource(service(), tenant.id)
    const tokens = await signIn({ scope: 'openid articles:read', resource: indicator })
    assert.equal(decodeProtectedHeader(tokens.access_token).alg, 'ES256')
    const other = await register(service(), tenant.id, { idTokenSigningAlg: undefined })
    assert.equal(other.idTokenSigningAlg, 'ES256')
    const rp = await relyingParty(service(), tenant.id, { ...other, secret: other.clientSecret })
    const authorization = await beginAuthorization(rp)
    const back = await authorize(new VisitingBrowser(service()), user.browser, authorization)
    const own = await client.authorizationCodeGrant(rp, back, authorization.checks)
    assert.equal(decodeProtectedHeader(own.id_token ?? '').alg, 'ES256')
  })

  it('makes the RSA key with the first such application, once, with its event; other tenants have none', async () => {
    const plain = await tenantWith(service())
    await register(service(), plain.id, { idTokenSigningAlg: 'ES256' })
    assert.deepEqual(
      (await keysAt(service(), plain.id)).map(({ alg }) => alg),
      ['ES256'],
    )
    const made = await Promise.all([1, 2, 3].map(() => register(service(), plain.id)))
    assert.ok(made.every(({ idTokenSigningAlg: alg }) => alg === 'RS256'))
    const keys = await keysAt(service(), plain.id)
    assert.deepEqual(
      keys.map(({ alg }) => alg),
      ['ES256', 'RS256'],
    )
    const events = await storedEvents(service(), plain.id, 'signing_key.rotated')
    assert.deepEqual(
      events.map(({ data }) => data['kid']),
      [keys.find(({ alg }) => alg === 'RS256')?.kid],
    )
  })

  it('can be switched to RS256 and back', async () => {
    const { application, rp, signIn } = await world({ idTokenSigningAlg: 'ES256' })
    const algorithms: unknown[] = []
    for (const alg of ['RS256', 'ES256']) {
      await service().ok('updateApplication', { params: { id: application.id }, body: { idTokenSigningAlg: alg } })
      expectAlgorithm(rp, alg)
      algorithms.push(decodeProtectedHeader((await signIn()).id_token ?? '').alg)
    }
    assert.deepEqual(algorithms, ['RS256', 'ES256'])
    await service().refused('updateApplication', 'validation_failed', {
      params: { id: application.id },
      body: { idTokenSigningAlg: 'HS256' },
    })
  })

  it('signs users out with its ID token as a hint, and takes no token whose header names another algorithm', async () => {
    const { tenant, rp, signIn, visiting } = await world()
    const { id_token: hint = '' } = await signIn()
    const ask = (token: string) => {
      const url = client.buildEndSessionUrl(rp, { id_token_hint: token, post_logout_redirect_uri: signedOutUri })
      return visiting.visit(url, { accept: 'text/html' })
    }
    assert.equal((await ask(hint)).statusCode, 200)
    // The public RSA key as the secret of an HMAC, and the key of another algorithm.
    const [rsa] = (await keysAt(service(), tenant.id)).filter(({ alg }) => alg === 'RS256')
    assert.ok(rsa !== undefined)
    const pem = createPublicKey({ key: rsa, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
    const forged = await new SignJWT(decodeJwt(hint))
      .setProtectedHeader({ alg: 'HS256', kid: rsa.kid })
      .sign(Buffer.from(pem))
    const { kid } = await oauthSignersOf(service().deps).of(tenant.id as TenantId)
    const { key } = await oauthSignersOf(service().deps, 'RS256').of(tenant.id as TenantId)
    const crossed = await new SignJWT(decodeJwt(hint)).setProtectedHeader({ alg: 'RS256', kid }).sign(key)
    for (const token of [forged, crossed]) assert.equal((await ask(token)).statusCode, 400)
  })

  it('gets logout tokens of RS256 by the back channel', async () => {
    const address = receiver.url
    const { tenant, user, signIn, keySet } = await world({ backchannelLogoutUri: `${address}?of=rs256` })
    await signIn()
    await user.browser.ok('endOwnSessions')
    const runner = createJobRunner(service().deps, { [sessionEndedJobKind]: logoutHandler(service().deps) })
    while ((await runner.claim()) > 0) await runner.idle()
    const sent = receiver.received.filter(({ url }) => url.endsWith('rs256'))
    const token = new URLSearchParams(sent.at(-1)?.body).get('logout_token') ?? ''
    const verified = await jwtVerify(token, await keySet(), {
      algorithms: ['RS256'],
      typ: 'logout+jwt',
      issuer: issuerOf(service(), tenant.id),
    })
    assert.equal(verified.payload.sub, user.user.id)
  })

  it('rotates its key with the other one, published before it signs; earlier tokens still verify', async () => {
    const { tenant, signIn, keySet } = await world()
    const { id_token: early = '' } = await signIn()
    const rotated = await service().ok<unknown[]>('rotateJwkCertificates', { body: { tenantId: tenant.id } })
    assert.equal(rotated.length, 4)
    const { id_token: late = '' } = await signIn()
    const kidOf = (token: string) => decodeProtectedHeader(token).kid
    assert.equal(kidOf(late), kidOf(early))
    const { deps } = service()
    const now = () => addMilliseconds(deps.clock.now(), publishedBeforeMs + 60_000)
    const next = await oauthSignersOf({ ...deps, clock: { ...deps.clock, now } }, 'RS256').of(tenant.id as TenantId)
    assert.notEqual(next.kid, kidOf(early))
    const published = (await keysAt(service(), tenant.id)).map(({ kid }) => kid)
    assert.ok(published.includes(next.kid) && published.length === 4)
    await jwtVerify(early, await keySet(), { algorithms: ['RS256'] })
  })

  it('keeps its key where its tenant is exported to', async () => {
    const { tenant, signIn } = await world()
    const { id_token: token = '' } = await signIn()
    const target = await newService(service().deps.db.engine)
    await imported(target, await exported(service(), tenant.id))
    const keys = await keysAt(target, tenant.id)
    await jwtVerify(token, createLocalJWKSet({ keys }), { algorithms: ['RS256'] })
    const { kid } = await oauthSignersOf(target.deps, 'RS256').of(tenant.id as TenantId)
    assert.equal(kid, decodeProtectedHeader(token).kid)
  })
})

describeService('the registration of a client', (service) => {
  const world = async () => {
    const tenant = await tenantWith(service())
    await setOAuthSettings(service(), tenant.id, { registration_enabled: 1 })
    const { token } = await service().ok<{ token: string }>('createRegistrationToken', {
      params: { id: tenant.id },
      body: {},
    })
    const url = `${issuerOf(service(), tenant.id)}/oauth/register`
    const send = async (metadata: object) => {
      const { pathname } = new URL(url)
      const { statusCode, body } = await service().app.inject({
        method: 'POST',
        url: pathname,
        headers: { host: 'id.test', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        payload: { redirect_uris: redirectUris, ...metadata },
      })
      return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> }
    }
    return { tenant, send }
  }

  it('gets ID tokens by the algorithm that it names, ES256 if it names none', async () => {
    const { tenant, send } = await world()
    const plain = await send({})
    assert.deepEqual([plain.status, plain.body['id_token_signed_response_alg']], [201, 'ES256'])
    const { status, body } = await send({ id_token_signed_response_alg: 'RS256' })
    assert.deepEqual([status, body['id_token_signed_response_alg']], [201, 'RS256'])
    const rp = await client.discovery(
      new URL(issuerOf(service(), tenant.id)),
      String(body['client_id']),
      { id_token_signed_response_alg: 'RS256' },
      client.ClientSecretBasic(String(body['client_secret'])),
      { [client.customFetch]: fetchFrom(service()), execute: [client.allowInsecureRequests] },
    )
    const user = await signedInUser(service(), tenant)
    const authorization = await beginAuthorization(rp)
    const scopes = ['openid', 'profile', 'email']
    const back = await authorize(new VisitingBrowser(service()), user.browser, authorization, { scopes })
    const tokens = await client.authorizationCodeGrant(rp, back, authorization.checks)
    assert.equal(decodeProtectedHeader(tokens.id_token ?? '').alg, 'RS256')
  })

  it('is refused for every algorithm and form that is not offered, by the name of the member', async () => {
    const { send } = await world()
    const refusals: readonly (readonly [string, unknown])[] = [
      ...['HS256', 'PS256', 'none', 'EdDSA', 'RS512'].map((alg) => ['id_token_signed_response_alg', alg] as const),
      ['id_token_encrypted_response_alg', 'RSA-OAEP'],
      ['id_token_encrypted_response_enc', 'A128CBC-HS256'],
      ['userinfo_signed_response_alg', 'ES256'],
      ['userinfo_encrypted_response_alg', 'RSA-OAEP'],
      ['request_object_signing_alg', 'HS256'],
      ['request_object_encryption_alg', 'RSA-OAEP'],
      ['token_endpoint_auth_signing_alg', 'HS256'],
      ['token_endpoint_auth_method', 'client_secret_jwt'],
      ['introspection_signed_response_alg', 'RS256'],
      ['authorization_signed_response_alg', 'ES256'],
      ['subject_type', 'pairwise'],
      ['response_types', ['code id_token']],
      ['require_signed_request_object', true],
      ['tls_client_certificate_bound_access_tokens', true],
    ]
    for (const [name, value] of refusals) {
      const { status, body } = await send({ [name]: value })
      const { error, error_description: description } = body
      assert.deepEqual([name, value, status, error], [name, value, 400, 'invalid_client_metadata'])
      assert.ok(String(description).startsWith(`${name} `), String(description))
    }
    const fitting = { request_object_signing_alg: 'ES256', subject_type: 'public', response_types: ['code'] }
    assert.equal((await send(fitting)).status, 201)
  })
})
