// The server side of an app against the real service.
import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { after, afterEach, before, describe, it, mock } from 'node:test'
import {
  type Auth,
  AuthError,
  type AuthErrorCode,
  type BailiwickAuthOptions,
  createAuthenticator,
} from '@bailiwick/sdk/server'
import {
  createOrganization,
  createRole,
  createTenant,
  createUser,
  unique,
} from '../../server/test/harness/factories.ts'
import { openSession } from '../../server/test/harness/people/sessions.ts'
import { describeService } from '../../server/test/harness/service.ts'
import { newKey, signToken } from '../test/issuer.ts'
import { type ServiceIssuer, serviceIssuer } from '../test/service-issuer.ts'

const requestWith = (headers: Record<string, string>, method = 'GET') =>
  new Request('https://app.example.com/orders', { headers, method })
const bearing = (token: string) => requestWith({ authorization: `Bearer ${token}` })

async function findReason(call: Promise<unknown>): Promise<AuthErrorCode> {
  const error: unknown = await call.then(
    () => new Error('it was accepted'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof AuthError)) throw error
  return error.code
}

describeService('the server side of an app', (service) => {
  let origin: string
  before(async () => {
    origin = await service().app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => service().app.server.closeAllConnections())
  afterEach(() => mock.timers.reset())

  /** A tenant with one user who is signed in, and the app's server. */
  async function appOf(user: object = {}, options: BailiwickAuthOptions = {}) {
    const { tenant } = await createTenant(service())
    const { id: userId } = await createUser(service(), tenant.id, user)
    const { row, token: session } = await openSession(service(), tenant.id, userId)
    const issuer = await serviceIssuer(service(), origin, tenant)
    const authenticator = createAuthenticator({ ...issuer.options, ...options })
    return { tenant, userId, session, sessionId: row.id, issuer, ...authenticator }
  }

  async function jwtOf(session: string, publicKey: string, body: object = {}): Promise<string> {
    const response = await fetch(`${origin}/frontend/api/v0/user/sessions/token`, {
      method: 'POST',
      headers: { 'x-public-key': publicKey, authorization: `Bearer ${session}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { data } = (await response.json()) as { data: { jwt: string } }
    return data.jwt
  }

  /** Makes tokens that the tenant's own key signs, like the good one except for the given changes. */
  async function genuineTokens(tenantId: string, good: string) {
    const { signers, tenants } = service().deps
    const tenant = await tenants.byId(tenantId)
    assert.ok(tenant !== undefined)
    const { key } = await signers.of(tenant)
    const [head, payload] = partsOf(good)
    return (claims: object, header: object = {}) => {
      const text = `${encoded({ ...head, ...header })}.${encoded({ ...payload, ...claims })}`
      return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
    }
  }

  it('reads the user, the tenant and the permissions from the Authorization header', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id, { permissions: ['orders:read'] })
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { name: 'Ada', email, roleId: role.id })
    const { row, token: session } = await openSession(service(), tenant.id, user.id)
    const { options } = await serviceIssuer(service(), origin, tenant)
    const { verifyRequest } = createAuthenticator(options)
    const auth = await verifyRequest(bearing(await jwtOf(session, tenant.publicKey)))
    assert.deepEqual(auth.user, {
      id: user.id,
      name: 'Ada',
      username: null,
      image: null,
      email,
      emailVerified: false,
      phone: null,
      phoneVerified: false,
      role: role.name,
    })
    assert.deepEqual(auth.tenant, { id: tenant.id, publicKey: tenant.publicKey })
    assert.deepEqual([auth.sessionId, auth.organization, auth.actor], [row.id, undefined, undefined])
    assert.deepEqual(auth.permissions, ['orders:read'])
    auth.requirePermission('orders:read')
    assert.throws(() => auth.requirePermission('orders:write'), isPermissionRequired)
    assert.throws(() => auth.requireOrganizationPermission('orders:read'), isPermissionRequired)
  })

  it('reads the organization of a token, and keeps its permissions apart', async () => {
    const { tenant } = await createTenant(service())
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { organizationsEnabled: true } })
    const user = await createUser(service(), tenant.id)
    const organization = await createOrganization(service(), tenant.id)
    const role = await createRole(service(), tenant.id, { permissions: ['invoices:pay'] })
    await service().ok('createOrganizationMember', {
      body: { organizationId: organization.id, userId: user.id, roleId: role.id },
    })
    const { token: session } = await openSession(service(), tenant.id, user.id)
    const { options } = await serviceIssuer(service(), origin, tenant)
    const { verifyRequest } = createAuthenticator(options)
    const auth = await verifyRequest(bearing(await jwtOf(session, tenant.publicKey, { orgId: organization.id })))
    assert.deepEqual(auth.organization, { id: organization.id, role: role.name, permissions: ['invoices:pay'] })
    auth.requireOrganizationPermission('invoices:pay')
    assert.throws(() => auth.requirePermission('invoices:pay'), isPermissionRequired)
  })

  it("names the actor in the user's place", async () => {
    const { tenant, issuer, verifyRequest, userId } = await appOf()
    const { sessionToken } = await service().ok<{ sessionToken: string }>('impersonateUser', {
      params: { id: userId },
      body: { reason: 'Ticket 4711' },
    })
    const auth = await verifyRequest(bearing(await jwtOf(sessionToken, tenant.publicKey)))
    assert.equal(auth.actor?.type, 'operator')
    assert.equal(issuer.requests.length, 1)
  })

  it("requests only the service's keys, once for all requests", async () => {
    const { issuer, session, tenant, verifyRequest } = await appOf()
    const token = await jwtOf(session, tenant.publicKey)
    await Promise.all(Array.from({ length: 20 }, () => verifyRequest(bearing(token))))
    assert.deepEqual(issuer.requests, ['/.well-known/jwks.json'])
  })

  it('follows a change of the keys, and requests them at most every 30 seconds', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const { issuer, session, tenant, verifyRequest } = await appOf()
    const { fetch: _fetch, ...expected } = issuer.options
    const forged = await forgedToken(expected)
    assert.equal(await findReason(verifyRequest(bearing(forged))), 'invalid_token')
    await service().ok('rotateJwkCertificates', { body: { tenantId: tenant.id } })
    const token = await jwtOf(session, tenant.publicKey)
    assert.equal(await findReason(verifyRequest(bearing(token))), 'invalid_token')
    mock.timers.tick(30_000)
    await verifyRequest(bearing(token))
    assert.equal(issuer.requests.length, 2)
  })

  describe('with the token in a cookie', () => {
    it('accepts the app’s own cookie, under any configured name', async () => {
      const { session, tenant, userId, verifyRequest } = await appOf()
      const token = await jwtOf(session, tenant.publicKey)
      assert.equal((await verifyRequest(requestWith({ cookie: `a=b; bailiwick-jwt=${token}` }))).user.id, userId)
      const named = await appOf({}, { jwtCookie: '__Host-jwt' })
      const other = await jwtOf(named.session, named.tenant.publicKey)
      assert.equal((await named.verifyRequest(requestWith({ cookie: `__Host-jwt=${other}` }))).user.id, named.userId)
    })

    it('refuses two cookies with one name', async () => {
      const { session, tenant, verifyRequest } = await appOf()
      const cookie = `bailiwick-jwt=${await jwtOf(session, tenant.publicKey)}`
      assert.equal(await findReason(verifyRequest(requestWith({ cookie: `${cookie}; ${cookie}` }))), 'unauthenticated')
    })

    // Guards: app-servers
    it('lets pages of other origins read, and change nothing', async () => {
      const { session, tenant, verifyRequest } = await appOf({}, { origins: ['https://admin.example.com'] })
      const cookie = `bailiwick-jwt=${await jwtOf(session, tenant.publicKey)}`
      const from = (headers: Record<string, string>, method = 'POST') =>
        verifyRequest(requestWith({ cookie, ...headers }, method))
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: 'https://blog.example.com' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: 'https://app.example.com.evil.example' },
      ]) {
        assert.equal(await findReason(from(headers)), 'cross_origin', JSON.stringify(headers))
        assert.ok(await from(headers, 'GET'))
      }
      for (const headers of [
        {},
        { 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://app.example.com' },
        { 'sec-fetch-site': 'same-site', origin: 'https://admin.example.com' },
      ]) {
        assert.ok(await from(headers), JSON.stringify(headers))
      }
    })
  })

  describe("with the session's own cookie", () => {
    const cookieOf = (tenant: { id: string }, session: string) => `__Host-sid-${tenant.id}=${session}`

    it('fetches one token for many requests, on either kind of address', async () => {
      const { issuer, session, tenant, userId, verifyRequest } = await appOf()
      const request = requestWith({ cookie: cookieOf(tenant, session) })
      const all = await Promise.all([1, 2, 3].map(() => verifyRequest(request)))
      const onOwnDomain = await verifyRequest(requestWith({ cookie: `__Host-sid=${session}` }))
      for (const { user } of [...all, onOwnDomain]) assert.equal(user.id, userId)
      assert.deepEqual(issuer.requests.toSorted(), ['/.well-known/jwks.json', '/user/sessions/token'])
    })

    it('ignores a cookie of another program with the same name', async () => {
      const { session, tenant, userId, verifyRequest } = await appOf()
      for (const cookie of [`__Host-sid=s%3Aforeign; ${cookieOf(tenant, session)}`, cookieOf(tenant, session)]) {
        assert.equal((await verifyRequest(requestWith({ cookie }))).user.id, userId)
      }
      assert.equal(
        await findReason(verifyRequest(requestWith({ cookie: '__Host-sid=s%3Aforeign' }))),
        'unauthenticated',
      )
    })

    it('renews the token during a request, which does not wait for it', async () => {
      mock.timers.enable({ apis: ['Date'], now: Date.now() })
      const { issuer, session, tenant, verifyRequest } = await appOf()
      const request = requestWith({ cookie: cookieOf(tenant, session) })
      const first = await verifyRequest(request)
      mock.timers.tick(31_000)
      const second = await verifyRequest(request)
      assert.equal(second.token, first.token)
      const third = await untilAnother(() => verifyRequest(request), first)
      assert.equal(issuer.requests.filter((path) => path === '/user/sessions/token').length, 2)
      mock.timers.tick(25_000)
      assert.equal((await verifyRequest(request)).token, third.token)
    })

    it('uses it in place of a token that has expired', async () => {
      const { session, tenant, userId, verifyRequest } = await appOf()
      const good = await jwtOf(session, tenant.publicKey)
      const at = Math.floor(Date.now() / 1000) - 120
      const old = (await genuineTokens(tenant.id, good))({ iat: at, nbf: at, exp: at + 60 })
      const cookie = `bailiwick-jwt=${old}`
      assert.equal(await findReason(verifyRequest(requestWith({ cookie }))), 'token_expired')
      const auth = await verifyRequest(requestWith({ cookie: `${cookie}; ${cookieOf(tenant, session)}` }))
      assert.equal(auth.user.id, userId)
    })

    // Guards: app-servers
    it('refuses a session that has ended as soon as the service has said so', async () => {
      mock.timers.enable({ apis: ['Date'], now: Date.now() })
      const { issuer, session, sessionId, tenant, findAuth, verifyRequest } = await appOf()
      const request = requestWith({ cookie: cookieOf(tenant, session) })
      await verifyRequest(request)
      await service().ok('deleteSession', { params: { id: sessionId } })
      mock.timers.tick(51_000)
      assert.equal(await findReason(verifyRequest(request)), 'unauthenticated')
      assert.equal(await findAuth(request), undefined)
      assert.equal(issuer.requests.at(-1), '/user/sessions/token')
    })

    // Guards: forged-cookies
    it('asks the service about the same forged cookie once in 30 seconds, and goes on to know genuine ones', async () => {
      mock.timers.enable({ apis: ['Date'], now: Date.now() })
      const { issuer, session, tenant, userId, verifyRequest } = await appOf()
      const forged = requestWith({ cookie: cookieOf(tenant, `se_${'a'.repeat(49)}`) })
      for (let times = 0; times < 20; times++) assert.equal(await findReason(verifyRequest(forged)), 'unauthenticated')
      assert.deepEqual(issuer.requests, ['/user/sessions/token'])
      assert.equal((await verifyRequest(requestWith({ cookie: cookieOf(tenant, session) }))).user.id, userId)
      mock.timers.tick(30_000)
      assert.equal(await findReason(verifyRequest(forged)), 'unauthenticated')
      assert.equal(issuer.requests.filter((path) => path === '/user/sessions/token').length, 3)
    })

    it("does not send the service values that cannot be a session's token", async () => {
      const { issuer, verifyRequest } = await appOf()
      for (const value of ['', 'x', 'se_', 'sk_dev_1', 'se_a b', `se_${'a'.repeat(1000)}`, '..']) {
        assert.equal(await findReason(verifyRequest(requestWith({ cookie: `__Host-sid=${value}` }))), 'unauthenticated')
      }
      assert.deepEqual(issuer.requests, [])
    })
  })

  describe('if the caller cannot be determined', () => {
    it('reports that nobody is signed in', async () => {
      const { findAuth, verifyRequest } = await appOf()
      for (const headers of [{}, { authorization: 'Basic YTpi' }, { cookie: 'theme=dark' }]) {
        const request = requestWith(headers)
        assert.equal(await findReason(verifyRequest(request)), 'unauthenticated')
        assert.equal(await findAuth(request), undefined)
      }
    })

    it('answers 503 if neither keys nor tokens can be fetched', async () => {
      const { tenant } = await createTenant(service())
      const { token: session } = await openSession(service(), tenant.id, (await createUser(service(), tenant.id)).id)
      const { options } = await serviceIssuer(service(), origin, tenant)
      const away = createAuthenticator({ ...options, fetch: () => Promise.reject(new TypeError('fetch failed')) })
      const requests = [
        bearing(await jwtOf(session, tenant.publicKey)),
        requestWith({ cookie: cookieOfSession(session) }),
      ]
      for (const request of requests) {
        assert.equal(await findReason(away.verifyRequest(request)), 'service_unavailable')
        assert.equal(await findReason(away.findAuth(request)), 'service_unavailable')
      }
    })
  })

  // Guards: app-servers
  it('refuses every hostile token, whichever way it comes', async () => {
    const { issuer, session, tenant, verifyRequest } = await appOf()
    const foreign = await appOf()
    const good = await jwtOf(session, tenant.publicKey)
    await verifyRequest(bearing(good))
    const genuine = await genuineTokens(tenant.id, good)
    await verifyRequest(bearing(genuine({})))
    const tokens: Readonly<Record<string, string>> = {
      ...(await forgedTokens(good, issuer)),
      'of another tenant': await jwtOf(foreign.session, foreign.tenant.publicKey),
      'of another issuer': genuine({ iss: foreign.issuer.options.frontendApiUrl.replace('http', 'https') }),
      'for another audience': genuine({ aud: foreign.tenant.publicKey }),
      'of another type': genuine({}, { typ: 'JWT' }),
      'without an end': genuine({ exp: undefined }),
      'without a subject': genuine({ sub: undefined }),
      'with a key in its header': genuine({}, { jwk: { kty: 'EC' } }),
      'with the address of a key in its header': genuine({}, { jku: 'https://evil.example/jwks.json' }),
      'of no session': genuine({ claims: undefined }),
    }
    for (const [what, token] of Object.entries(tokens)) {
      assert.equal(await findReason(verifyRequest(bearing(token))), 'invalid_token', what)
      const cookie = `bailiwick-jwt=${token}`
      assert.equal(await findReason(verifyRequest(requestWith({ cookie }))), 'invalid_token', what)
    }
  })

  it('refuses a token whose minute is over', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const { session, tenant, verifyRequest } = await appOf()
    const token = await jwtOf(session, tenant.publicKey)
    mock.timers.tick(64_000)
    await verifyRequest(bearing(token))
    mock.timers.tick(2000)
    assert.equal(await findReason(verifyRequest(bearing(token))), 'token_expired')
  })
})

const cookieOfSession = (session: string) => `__Host-sid=${session}`
const isPermissionRequired = (error: unknown) => error instanceof AuthError && error.code === 'permission_required'

/** Repeats the request until the answer has another token. */
async function untilAnother(ask: () => Promise<Auth>, last: Auth): Promise<Auth> {
  for (let turn = 0; turn < 1000; turn++) {
    const auth = await ask()
    if (auth.token !== last.token) return auth
    await new Promise((resolve) => void setImmediate(resolve))
  }
  return assert.fail('the token is never renewed')
}

type Claims = Record<string, unknown>

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const partsOf = (token: string): [Claims, Claims] => {
  const [header = '', payload = ''] = token.split('.')
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims
  return [decoded(header), decoded(payload)]
}

/** A token whose claims are all right, signed by a key that the service does not publish. */
async function forgedToken({ frontendApiUrl, publicKey }: { frontendApiUrl: string; publicKey: string }) {
  const at = Math.floor(Date.now() / 1000)
  return signToken(await newKey('forged'), { iss: frontendApiUrl, aud: publicKey, iat: at, nbf: at, exp: at + 60 })
}

/** Tokens made by somebody who has seen a good one, but has no key of the service. */
async function forgedTokens(good: string, { options }: ServiceIssuer) {
  const [header, claims] = partsOf(good)
  const [, payload, signature] = good.split('.')
  const own = await newKey(String(header['kid']))
  const reheaded = (changes: object) => `${encoded({ ...header, ...changes })}.${payload}.${signature}`
  return {
    'alg none': `${encoded({ ...header, alg: 'none' })}.${payload}.`,
    'alg none with a signature': reheaded({ alg: 'none' }),
    'alg HS256': reheaded({ alg: 'HS256' }),
    'another key under the same id': await signToken(own, claims),
    'a key of its own in the header': await signToken(own, claims, { jwk: own.jwk }),
    'a key that nobody published': await forgedToken(options),
    'a changed claim': `${encoded(header)}.${encoded({ ...claims, sub: 'cadmin0001' })}.${signature}`,
    'the session token itself': `se_${'a'.repeat(49)}`,
  }
}
