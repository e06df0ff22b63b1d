// The other protocols of the authorization server, each over HTTP with an independent client.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deviceCodeGrant } from '@bailiwick/contract'
import { generateKeyPair, decodeJwt, decodeProtectedHeader, exportJWK } from 'jose'
import * as client from 'openid-client'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  callbackUri,
  createApplication,
  createResource,
  fetchFrom,
  issuerOf,
  relyingParty,
  setOAuthSettings,
} from '../../../test/harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { oauthSignersOf, publishedBeforeMs } from './oauth-signers.ts'

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof client.ResponseBodyError && error.error === code

describeService('the authorization server', (service) => {
  const world = async (options: Parameters<typeof createApplication>[2] = {}) => {
    const tenant = await tenantWith(service())
    const application = await createApplication(service(), tenant.id, options)
    const rp = await relyingParty(service(), tenant.id, application)
    const user = await signedInUser(service(), tenant)
    return { tenant, application, rp, user, visiting: new VisitingBrowser(service()) }
  }

  it('describes opaque tokens to resource servers until the application revokes them', async () => {
    const { tenant } = await world()
    const { id: resourceId, indicator } = await createResource(service(), tenant.id, { format: 'opaque' })
    const machineScopes = [{ resourceId, scopes: ['articles:read'] }]
    const [own, other] = await Promise.all(
      [1, 2].map(async () => {
        const machine = await createApplication(service(), tenant.id, { type: 'machine', machineScopes })
        return relyingParty(service(), tenant.id, machine)
      }),
    )
    assert.ok(own !== undefined && other !== undefined)
    const { access_token: token, scope } = await client.clientCredentialsGrant(own, {
      resource: indicator,
      scope: 'articles:read',
    })
    assert.equal(scope, 'articles:read')
    const told = await client.tokenIntrospection(other, token)
    assert.deepEqual([told.active, told.aud, told.scope], [true, indicator, 'articles:read'])
    assert.equal((await client.tokenIntrospection(other, `${token}x`)).active, false)
    await client.tokenRevocation(other, token)
    assert.equal((await client.tokenIntrospection(other, token)).active, true)
    await client.tokenRevocation(own, token)
    assert.equal((await client.tokenIntrospection(other, token)).active, false)
  })

  // Guards: pushed-requests
  it('accepts a pushed request once (RFC 9126), even if the user has to sign in meanwhile', async () => {
    const { rp, user, visiting, tenant } = await world()
    const { checks, url } = await beginAuthorization(rp)
    const pushed = await client.buildAuthorizationUrlWithPAR(rp, url.searchParams)
    assert.deepEqual([...pushed.searchParams.keys()].toSorted(), ['client_id', 'request_uri'])
    const back = await authorize(visiting, user.browser, { rp, url: pushed, checks })
    await client.authorizationCodeGrant(rp, back, checks)
    const again = await visiting.visit(pushed)
    assert.match(`${again.body} ${String(again.headers['location'])}`, /invalid_request_uri/)
    const other = await createApplication(service(), tenant.id)
    const next = await client.buildAuthorizationUrlWithPAR(rp, url.searchParams)
    next.searchParams.set('client_id', other.clientId)
    const stolen = await new VisitingBrowser(service()).visit(next)
    assert.equal(stolen.statusCode, 400)
  })

  it('binds tokens to a key (RFC 9449), without which they cannot be used', async () => {
    const { rp, user, visiting } = await world({ type: 'spa' })
    const [own, other] = await Promise.all([client.randomDPoPKeyPair(), client.randomDPoPKeyPair()])
    const authorization = await beginAuthorization(rp)
    const back = await authorize(visiting, user.browser, authorization)
    const handle = () => client.getDPoPHandle(rp, own)
    const tokens = await client.authorizationCodeGrant(rp, back, authorization.checks, undefined, { DPoP: handle() })
    assert.equal(tokens.token_type, 'dpop')
    await client.fetchUserInfo(rp, tokens.access_token, user.user.id, { DPoP: handle() })
    await assert.rejects(client.fetchUserInfo(rp, tokens.access_token, user.user.id))
    const stranger = client.getDPoPHandle(rp, other)
    await assert.rejects(
      client.refreshTokenGrant(rp, tokens.refresh_token ?? '', undefined, { DPoP: stranger }),
      refusedWith('invalid_grant'),
    )
    await client.refreshTokenGrant(rp, tokens.refresh_token ?? '', undefined, { DPoP: handle() })
  })

  it('authenticates a client by its key, and accepts request objects by value (RFC 9101) signed with this key', async () => {
    const { tenant, user, visiting } = await world()
    const [own, other] = await Promise.all(['ES256', 'ES256'].map((alg) => generateKeyPair(alg)))
    assert.ok(own !== undefined && other !== undefined)
    const { clientId } = await service().ok<{ clientId: string }>('createApplication', {
      body: {
        tenantId: tenant.id,
        name: 'Signing',
        type: 'web',
        redirectUris: [callbackUri],
        requireConsent: false,
        tokenEndpointAuthMethod: 'private_key_jwt',
        jwks: { keys: [{ ...(await exportJWK(own.publicKey)), alg: 'ES256', use: 'sig' }] },
      },
    })
    const configurationBy = (key: Parameters<typeof client.PrivateKeyJwt>[0]) =>
      client.discovery(new URL(issuerOf(service(), tenant.id)), clientId, {}, client.PrivateKeyJwt(key), {
        [client.customFetch]: fetchFrom(service()),
        execute: [client.allowInsecureRequests],
      })
    const [rp, forger] = await Promise.all([configurationBy(own.privateKey), configurationBy(other.privateKey)])
    const { checks, url } = await beginAuthorization(rp)
    const signed = await client.buildAuthorizationUrlWithJAR(rp, url.searchParams, own.privateKey)
    const back = await authorize(visiting, user.browser, { rp, url: signed, checks })
    await assert.rejects(client.authorizationCodeGrant(forger, back, checks), refusedWith('invalid_client'))
    await client.authorizationCodeGrant(rp, back, checks)
    const forged = await client.buildAuthorizationUrlWithJAR(rp, url.searchParams, other.privateKey)
    const answer = await visiting.visit(forged)
    assert.match(`${answer.body} ${String(answer.headers['location'])}`, /invalid_request_object/)
  })

  it('signs in a device that shows a code (RFC 8628), once the user has allowed it', async () => {
    const { rp, user } = await world({ type: 'device', grantTypes: [deviceCodeGrant, 'refresh_token'] })
    const device = await client.initiateDeviceAuthorization(rp, { scope: 'openid profile' })
    const poll = () => client.genericGrantRequest(rp, deviceCodeGrant, { device_code: device.device_code })
    await assert.rejects(poll(), refusedWith('authorization_pending'))
    const { interaction } = await user.browser.ok<{ interaction: { uid: string } }>('findOAuthDevice', {
      body: { userCode: device.user_code },
    })
    await user.browser.ok('consentOAuthInteraction', {
      params: { uid: interaction.uid },
      body: { scopes: ['openid', 'profile'] },
    })
    const tokens = await poll()
    assert.equal(decodeJwt(tokens.id_token ?? '').sub, user.user.id)
    await client.fetchUserInfo(rp, tokens.access_token, user.user.id)
    // Later than a device that has polled twice at once would come, it is somebody else who has the code.
    const { db, clock } = service().deps
    const before = addMilliseconds(clock.now(), -60_000)
    await db.write(() => [
      sql`UPDATE oauth_tokens SET consumed_at = ${before}
      WHERE kind = 'DeviceCode' AND consumed_at IS NOT NULL AND user_id = ${user.user.id}`,
    ])
    await assert.rejects(poll(), refusedWith('invalid_grant'))
    await assert.rejects(client.fetchUserInfo(rp, tokens.access_token, user.user.id))
  })

  it('redirects a request that is sent by POST to the same request by GET', async () => {
    const { rp, user, visiting } = await world()
    const authorization = await beginAuthorization(rp)
    const { searchParams, origin, pathname } = authorization.url
    const answer = await visiting.send('POST', origin + pathname, searchParams)
    assert.equal(answer.statusCode, 303)
    const url = new URL(String(answer.headers['location']))
    assert.equal(url.origin + url.pathname, `${issuerOf(service(), String(pathname.split('/')[2]))}/oauth/authorize`)
    const back = await authorize(visiting, user.browser, { ...authorization, url })
    await client.authorizationCodeGrant(rp, back, authorization.checks)
    const long = new URLSearchParams({ state: 'x'.repeat(8192) })
    assert.equal((await visiting.send('POST', origin + pathname, long)).statusCode, 413)
  })

  it('publishes a new key for a quarter of an hour before it signs', async () => {
    const { tenant, rp } = await world()
    const { deps } = service()
    const { id: resourceId, indicator } = await createResource(service(), tenant.id)
    const machineScopes = [{ resourceId, scopes: ['articles:read'] }]
    const machine = await createApplication(service(), tenant.id, { type: 'machine', machineScopes })
    const machineRp = await relyingParty(service(), tenant.id, machine)
    const kidOfToken = async () => {
      const { access_token: token } = await client.clientCredentialsGrant(machineRp, { resource: indicator })
      return decodeProtectedHeader(token).kid
    }
    const before = await kidOfToken()
    await service().ok('rotateJwkCertificates', { body: { tenantId: tenant.id } })
    assert.equal(await kidOfToken(), before)
    // Signers that have nothing in memory choose only by the clock.
    const kidAt = async (laterMs: number) => {
      const now = () => addMilliseconds(deps.clock.now(), laterMs)
      const signers = oauthSignersOf({ ...deps, clock: { ...deps.clock, now } })
      return (await signers.of(tenant.id as TenantId)).kid
    }
    assert.equal(await kidAt(publishedBeforeMs - 60_000), before)
    const after = await kidAt(publishedBeforeMs + 60_000)
    assert.notEqual(after, before)
    const url = new URL(rp.serverMetadata().jwks_uri ?? '').pathname
    const { body } = await service().app.inject({ url, headers: { host: 'id.test' } })
    const { keys } = JSON.parse(body) as { keys: { kid: string }[] }
    const published = keys.map(({ kid }) => kid)
    assert.ok(published.includes(after) && published.includes(String(before)))
  })

  it('serves the previous issuer for its grace period, and each issuer only at its own place', async () => {
    const tenant = await tenantWith(service())
    const name = `login-${tenant.id.toLowerCase()}.example`
    const { id } = await service().ok<{ id: string }>('createDomain', { body: { tenantId: tenant.id, name } })
    const { db, clock } = service().deps
    await db.write(() => [sql`UPDATE domains SET verified_at = ${clock.now()} WHERE id = ${id}`])
    const at = addMilliseconds(clock.now(), 60_000)
    await setOAuthSettings(service(), tenant.id, {
      issuer_domain: name,
      has_previous_issuer: 1,
      previous_issuer_domain: null,
      previous_issuer_until: at,
    })
    const read = async (host: string, path: string) => {
      const url = `${path}/.well-known/openid-configuration`
      const { statusCode, body } = await service().app.inject({ url, headers: { host } })
      return statusCode === 200 ? (JSON.parse(body) as { issuer: string }).issuer : statusCode
    }
    const own = new URL(service().deps.config.baseUrl).host
    assert.equal(await read(name, ''), `https://${name}`)
    assert.equal(await read(own, `/t/${tenant.id}`), issuerOf(service(), tenant.id))
    assert.equal(await read(own, ''), 404)
    // A browser that begins at the previous issuer ends there, where its cookies are.
    const user = await signedInUser(service(), tenant)
    const rp = await relyingParty(service(), tenant.id, await createApplication(service(), tenant.id))
    const authorization = await beginAuthorization(rp)
    const back = await authorize(new VisitingBrowser(service()), user.browser, authorization)
    const tokens = await client.authorizationCodeGrant(rp, back, authorization.checks)
    assert.equal(tokens.claims()?.iss, issuerOf(service(), tenant.id))
    await service().ok('putOAuthSettings', { params: { id: tenant.id }, body: { accessTokenTtl: 600 } })
    await db.write(() => [
      sql`UPDATE oauth_settings SET previous_issuer_until = ${clock.now()} WHERE tenant_id = ${tenant.id}`,
    ])
    await service().ok('putOAuthSettings', { params: { id: tenant.id }, body: { accessTokenTtl: 601 } })
    assert.equal(await read(own, `/t/${tenant.id}`), 404)
  })

  it('registers clients only with an initial access token, and only if the tenant allows it', async () => {
    const { tenant, user, visiting } = await world()
    const register = async (token: string | undefined, body: object) => {
      const answer = await service().app.inject({
        method: 'POST',
        url: `/t/${tenant.id}/oauth/register`,
        headers: {
          host: 'id.test',
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        payload: JSON.stringify(body),
      })
      return { status: answer.statusCode, body: JSON.parse(answer.body) as Record<string, string> }
    }
    const metadata = { redirect_uris: [callbackUri], client_name: 'Stranger', scope: 'openid', software_id: 'x' }
    const params = { id: tenant.id }
    const { token } = await service().ok<{ token: string }>('createRegistrationToken', { params, body: {} })
    assert.equal((await register(token, metadata)).status, 404)
    await service().ok('putOAuthSettings', { params, body: { registrationEnabled: true } })
    assert.equal((await register(undefined, metadata)).status, 401)
    assert.equal((await register(`${token}x`, metadata)).status, 401)
    const wrong: readonly (readonly [object, string])[] = [
      [{ ...metadata, redirect_uris: ['https://app.example/*'] }, 'invalid_redirect_uri'],
      [{ ...metadata, redirect_uris: undefined }, 'invalid_redirect_uri'],
      [{ ...metadata, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
      [{ ...metadata, client_name: 7 }, 'invalid_client_metadata'],
      [
        { ...metadata, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://user:pass@app.example/' },
        'invalid_client_metadata',
      ],
    ]
    for (const [each, error] of wrong) {
      const answer = await register(token, each)
      assert.deepEqual([answer.status, answer.body['error']], [400, error], JSON.stringify(answer.body))
    }
    const made = await register(token, metadata)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { client_id: clientId = '', client_secret: secret = '' } = made.body
    const rp = await relyingParty(service(), tenant.id, { id: clientId, clientId, secret })
    const authorization = await beginAuthorization(rp, { scope: 'openid' })
    const begun = await visiting.visit(authorization.url)
    assert.equal(begun.statusCode, 303)
    const back = await authorize(visiting, user.browser, authorization, { scopes: ['openid'] })
    await client.authorizationCodeGrant(rp, back, authorization.checks)
    const { origin, requireConsent } = await service().ok<{ origin: string; requireConsent: boolean }>(
      'getApplication',
      { params: { id: clientId } },
    )
    assert.deepEqual([origin, requireConsent], ['registration', true])
    assert.match(rp.serverMetadata().registration_endpoint ?? '', /\/oauth\/register$/)
  })
})
