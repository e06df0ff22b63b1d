// What clients by others were seen to send and to expect, besides what the first client libraries of the tests do.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deviceCodeGrant } from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  createResource,
  issuerOf,
  relyingParty,
  setOAuthSettings,
} from '../../../test/harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

interface Sent {
  readonly origin?: string
  readonly authorization?: string
}

describeService('the authorization server, for clients of all kinds', (service) => {
  const post = async (tenantId: string, path: string, form: Record<string, string>, headers: Sent = {}) => {
    const { pathname } = new URL(`${issuerOf(service(), tenantId)}${path}`)
    const answer = await service().app.inject({
      method: 'POST',
      url: pathname,
      headers: { host: 'id.test', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    })
    const body = (answer.body === '' ? {} : JSON.parse(answer.body)) as Record<string, unknown>
    return { status: answer.statusCode, headers: answer.headers, text: answer.body, body }
  }
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

  const signedIn = async (
    options: Parameters<typeof createApplication>[2],
    parameters: Record<string, string> = {},
  ) => {
    const tenant = await tenantWith(service())
    const application = await createApplication(service(), tenant.id, options)
    const rp = await relyingParty(service(), tenant.id, application)
    const user = await signedInUser(service(), tenant)
    const authorization = await beginAuthorization(rp, parameters)
    const back = await authorize(new VisitingBrowser(service()), user.browser, authorization)
    return { tenant, application, rp, user, authorization, back }
  }

  it('lets the pages at the redirect addresses of a single-page app ask for tokens, unless it names origins', async () => {
    const tenant = await tenantWith(service())
    const create = (change: object) =>
      service().ok<{ clientId: string }>('createApplication', {
        body: { tenantId: tenant.id, name: 'Page', redirectUris: ['https://page.example/back'], ...change },
      })
    const allowed = async (clientId: string, origin: string) => {
      const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: clientId }
      const { headers } = await post(tenant.id, '/oauth/token', form, { origin })
      return headers['access-control-allow-origin']
    }
    const [plain, named, web] = [
      await create({ type: 'spa' }),
      await create({ type: 'spa', corsOrigins: ['https://other.example'] }),
      await create({ type: 'web' }),
    ]
    assert.equal(await allowed(plain.clientId, 'https://page.example'), 'https://page.example')
    assert.equal(await allowed(plain.clientId, 'https://evil.example'), undefined)
    assert.equal(await allowed(named.clientId, 'https://other.example'), 'https://other.example')
    assert.equal(await allowed(named.clientId, 'https://page.example'), undefined)
    assert.equal(await allowed(web.clientId, 'https://page.example'), undefined)
  })

  it('answers a revocation without a body, and without the type of one', async () => {
    const { tenant, application, rp, authorization, back } = await signedIn({})
    const { refresh_token: token = '' } = await client.authorizationCodeGrant(rp, back, authorization.checks)
    const authentication = { authorization: basic(application.clientId, application.secret) }
    for (const each of [token, 'unknown']) {
      const { status, text, headers } = await post(tenant.id, '/oauth/revoke', { token: each }, authentication)
      assert.deepEqual([status, text, headers['content-type']], [200, '', undefined])
    }
  })

  it('knows a client without a secret by `Authorization: Basic` with an empty one, and no other client', async () => {
    const { tenant, application, authorization, back } = await signedIn({ type: 'spa' })
    const form = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: 'https://app.example/callback',
      code_verifier: authorization.checks.pkceCodeVerifier ?? '',
    }
    const web = await createApplication(service(), tenant.id)
    const machine = { grant_type: 'client_credentials' }
    const refused = await post(tenant.id, '/oauth/token', machine, { authorization: basic(web.clientId, '') })
    assert.deepEqual([refused.status, refused.body['error']], [401, 'invalid_client'])
    const mixed = await post(
      tenant.id,
      '/oauth/token',
      { ...form, client_id: web.clientId },
      { authorization: basic(application.clientId, '') },
    )
    assert.equal(mixed.status, 400)
    const { status, body } = await post(tenant.id, '/oauth/token', form, {
      authorization: basic(application.clientId, ''),
    })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(typeof body['access_token'], 'string')
  })

  it('names how clients authenticate at revocation and introspection', async () => {
    const tenant = await tenantWith(service())
    const rp = await relyingParty(service(), tenant.id, await createApplication(service(), tenant.id))
    const metadata = rp.serverMetadata()
    for (const endpoint of ['revocation', 'introspection'] as const) {
      const methods = metadata[`${endpoint}_endpoint_auth_methods_supported`]
      assert.deepEqual(methods, metadata.token_endpoint_auth_methods_supported)
    }
  })

  it('describes JWT access tokens to resource servers until what they belong to ends', async () => {
    const tenant = await tenantWith(service())
    const { id: resourceId, indicator } = await createResource(service(), tenant.id)
    const app = await createApplication(service(), tenant.id)
    const rp = await relyingParty(service(), tenant.id, app)
    const machineScopes = [{ resourceId, scopes: ['articles:read'] }]
    const api = await createApplication(service(), tenant.id, { type: 'machine', machineScopes })
    const server = await relyingParty(service(), tenant.id, api)
    const user = await signedInUser(service(), tenant)
    const authorization = await beginAuthorization(rp, { scope: 'openid articles:read', resource: indicator })
    const back = await authorize(new VisitingBrowser(service()), user.browser, authorization)
    const { access_token: token } = await client.authorizationCodeGrant(rp, back, authorization.checks, {
      resource: indicator,
    })
    assert.ok(token.includes('.'))
    const told = await client.tokenIntrospection(server, token)
    assert.deepEqual(
      [told.active, told.sub, told.aud, told.scope, told.client_id, told.token_type, told.exp],
      [true, user.user.id, indicator, 'articles:read', app.clientId, 'Bearer', decodeJwt(token).exp],
    )
    // Another tenant's server, an altered token and a client without a secret learn nothing.
    const elsewhere = await tenantWith(service())
    const stranger = await relyingParty(service(), elsewhere.id, await createApplication(service(), elsewhere.id))
    assert.deepEqual(await client.tokenIntrospection(stranger, token), { active: false })
    assert.deepEqual(await client.tokenIntrospection(server, `${token.slice(0, -4)}AAAA`), { active: false })
    const open = await relyingParty(
      service(),
      tenant.id,
      await createApplication(service(), tenant.id, { type: 'spa' }),
    )
    assert.deepEqual(await client.tokenIntrospection(open, token), { active: false })
    const own = await client.clientCredentialsGrant(server, { resource: indicator })
    assert.equal((await client.tokenIntrospection(server, own.access_token)).active, true)
    await user.browser.ok('endOwnSessions')
    assert.deepEqual(await client.tokenIntrospection(server, token), { active: false })
  })

  it('gives a machine the scopes that it asks for at its resource, or says what is missing', async () => {
    const tenant = await tenantWith(service())
    const [first, second] = [await createResource(service(), tenant.id), await createResource(service(), tenant.id)]
    const ask = async (resources: readonly { id: string }[], parameters: Record<string, string>) => {
      const machineScopes = resources.map(({ id }) => ({ resourceId: id, scopes: ['articles:read'] }))
      const machine = await createApplication(service(), tenant.id, { type: 'machine', machineScopes })
      const { body } = await post(
        tenant.id,
        '/oauth/token',
        { grant_type: 'client_credentials', ...parameters },
        { authorization: basic(machine.clientId, machine.secret) },
      )
      if (typeof body['access_token'] !== 'string') return [body['error'], String(body['error_description'])]
      return [decodeJwt(body['access_token']).aud, body['scope']]
    }
    const granted = [first.indicator, 'articles:read']
    assert.deepEqual(await ask([first], {}), granted)
    assert.deepEqual(await ask([first], { scope: 'articles:read' }), granted)
    for (const name of ['resource', 'audience']) {
      assert.deepEqual(await ask([first, second], { [name]: first.indicator }), granted)
    }
    const [error, description = ''] = await ask([first, second], { scope: 'articles:read' })
    assert.equal(error, 'invalid_target')
    assert.match(String(description), /resource/)
    assert.equal((await ask([], {}))[0], 'invalid_target')
    const both = { audience: second.indicator, resource: first.indicator }
    assert.equal((await ask([first, second], both))[0], 'invalid_target')
    for (const scope of ['articles:write', 'articles:read articles:write', 'openid']) {
      assert.equal((await ask([first], { resource: first.indicator, scope }))[0], 'invalid_scope')
    }
  })

  it('tells a device that polls twice at once to slow down, and keeps the tokens that it got', async () => {
    const tenant = await tenantWith(service())
    const grantTypes = [deviceCodeGrant, 'refresh_token']
    const application = await createApplication(service(), tenant.id, { type: 'device', grantTypes })
    const rp = await relyingParty(service(), tenant.id, application)
    const user = await signedInUser(service(), tenant)
    const device = await client.initiateDeviceAuthorization(rp, { scope: 'openid profile' })
    const poll = async () => {
      const form = { grant_type: deviceCodeGrant, device_code: device.device_code, client_id: application.clientId }
      return (await post(tenant.id, '/oauth/token', form)).body
    }
    assert.equal((await poll())['error'], 'authorization_pending')
    assert.equal((await poll())['error'], 'slow_down')
    const { interaction } = await user.browser.ok<{ interaction: { uid: string } }>('findOAuthDevice', {
      body: { userCode: device.user_code },
    })
    await user.browser.ok('consentOAuthInteraction', {
      params: { uid: interaction.uid },
      body: { scopes: ['openid', 'profile'] },
    })
    const answers = await Promise.all(Array.from({ length: 4 }, poll))
    const tokens = answers.filter((each) => each['access_token'] !== undefined)
    assert.equal(tokens.length, 1)
    assert.deepEqual(
      answers.filter((each) => each['error'] !== undefined).map((each) => each['error']),
      ['slow_down', 'slow_down', 'slow_down'],
    )
    await client.fetchUserInfo(rp, String(tokens[0]?.['access_token']), user.user.id)
  })

  it('limits the codes that a user may try, in development too', async () => {
    const tenant = await tenantWith(service())
    const user = await signedInUser(service(), tenant)
    // At once, because each further second gives one more.
    const answers = await Promise.all(
      Array.from({ length: 52 }, () =>
        user.browser.call<{ code?: string }>('findOAuthDevice', { body: { userCode: 'BBBB-BBBB' } }),
      ),
    )
    const codes = answers.map(({ body }) => body.code)
    assert.equal(codes.filter((code) => code === 'not_found').length, 50)
    assert.equal(codes.filter((code) => code === 'rate_limited').length, 2)
  })

  it('makes an initial access token, and a new secret, for a request without a body', async () => {
    const tenant = await tenantWith(service())
    const { token } = await service().ok<{ token: string }>('createRegistrationToken', { params: { id: tenant.id } })
    assert.match(token, /^ri_/)
    const { id } = await createApplication(service(), tenant.id)
    const { clientSecret } = await service().ok<{ clientSecret: string }>('rotateApplicationSecret', { params: { id } })
    assert.match(clientSecret, /^as_/)
  })

  it('takes resources on this device for tenants for development alone', async () => {
    const create = async (environment: string) => {
      const { id: tenantId } = await service().ok<{ id: string }>('createTenant', {
        body: { name: 'Local', environment },
      })
      return service().call<{ issues?: { path: string }[] }>('createResource', {
        body: { tenantId, indicator: 'http://localhost:3000/mcp', name: 'Local' },
      })
    }
    assert.equal((await create('development')).status, 200)
    const { status, body } = await create('production')
    assert.deepEqual([status, body.issues?.map(({ path }) => path)], [400, ['/indicator']])
  })

  it('registers a program on loopback addresses as a native one, and names one cause of a refusal', async () => {
    const { id } = await service().ok<{ id: string }>('createTenant', {
      body: { name: 'Registering', environment: 'production' },
    })
    await setOAuthSettings(service(), id, { registration_enabled: 1 })
    const { token } = await service().ok<{ token: string }>('createRegistrationToken', { params: { id } })
    const register = async (metadata: object) => {
      const { pathname } = new URL(`${issuerOf(service(), id)}/oauth/register`)
      const { body } = await service().app.inject({
        method: 'POST',
        url: pathname,
        headers: { host: 'id.test', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        payload: metadata,
      })
      return JSON.parse(body) as Record<string, unknown>
    }
    const loopback = { redirect_uris: ['http://127.0.0.1:33418/', 'http://localhost:33418'] }
    for (const change of [{}, { token_endpoint_auth_method: 'none' }]) {
      const { application_type: type, token_endpoint_auth_method: method } = await register({ ...loopback, ...change })
      assert.deepEqual([type, method], ['native', 'none'])
    }
    for (const change of [{ application_type: 'web' }, { redirect_uris: ['http://localhost.evil.example/'] }]) {
      assert.equal((await register({ ...loopback, ...change }))['error'], 'invalid_redirect_uri')
    }
    const several = { redirect_uris: ['ftp://x', 'http://y.example'], grant_types: ['password'], client_name: '' }
    const { error, error_description: description } = await register(several)
    assert.equal(typeof error, 'string')
    assert.ok(!String(description).includes(';'), String(description))
  })
})
