// A console user's JWT as a credential: what it opens, and each token that it could be mistaken for.
import assert from 'node:assert/strict'
import { createSecretKey, generateKeyPairSync, sign } from 'node:crypto'
import { after, before, it } from 'node:test'
import {
  type CryptoKey,
  type JWTHeaderParameters,
  type JWTPayload,
  type KeyObject,
  SignJWT,
  decodeJwt,
  decodeProtectedHeader,
} from 'jose'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import {
  type SignedIn,
  addMember,
  openSession,
  signInConsoleUser,
  startServiceWithClock,
} from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { createSessionJwt } from '../../identity/session-tokens/session-jwt.ts'
import { endSession } from '../../identity/sessions/sessions.ts'
import { getUser } from '../../identity/users/users.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import type { TenantId } from '../../platform/ids.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'

const nobody = { type: 'system', id: null, ip: null, ua: null } as const

describeOnEachEngine('a JWT of a console session', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  let consoleId: TenantId
  let signedIn: SignedIn
  let header: JWTHeaderParameters
  let payload: JWTPayload
  let key: KeyObject | CryptoKey
  const consoleTenant = async () => {
    const tenant = await service.deps.tenants.byId(consoleId)
    assert.ok(tenant !== undefined)
    return tenant
  }
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
    consoleId = await getConsoleTenantId(service.deps.db)
    signedIn = await signInConsoleUser(service)
    const jwt = await jwtOf(signedIn.token)
    header = decodeProtectedHeader(jwt) as JWTHeaderParameters
    payload = { ...decodeJwt(jwt), exp: Math.floor(service.deps.clock.nowMs() / 1000) + 600 }
    key = (await service.deps.signers.of(await consoleTenant())).key
  })
  after(() => service.app.close())

  async function jwtOf(token: string): Promise<string> {
    const { deps } = service
    const session = await deps.sessions.find(hashToken(token))
    assert.ok(session)
    const user = await getUser(deps, session.row.tenant_id, session.row.user_id)
    return createSessionJwt(deps, session, user)
  }

  type Headers = Readonly<Record<string, string>>
  const ask = (jwt: string, headers: Headers = {}) =>
    service.call<{ readonly id?: string; readonly code?: string }>('whoAmI', {
      token: null,
      headers: { authorization: `Bearer ${jwt}`, ...headers },
    })
  async function assertRefused(jwt: string, headers: Headers = {}) {
    const { status, body } = await ask(jwt, headers)
    assert.deepEqual([status, body.code], [401, 'unauthenticated'])
  }

  it('authenticates its user, with the rights that the user has at that moment', async () => {
    const { tenant } = await createTenant(service)
    const jwt = await jwtOf(signedIn.token)
    assert.equal((await ask(jwt)).body.id, signedIn.user.id)
    const headers = { authorization: `Bearer ${jwt}` }
    const roles = () => service.call('listRoles', { params: { tenantId: tenant.id }, token: null, headers })
    assert.equal((await roles()).status, 404)
    await addMember(service, tenant.id, signedIn, 'roleViewConfig')
    assert.equal((await roles()).status, 200)
  })

  it('is not accepted from a page of another origin, in a cookie or beside a public key', async () => {
    const jwt = await jwtOf(signedIn.token)
    assert.equal((await ask(jwt, { origin: 'https://evil.example' })).status, 403)
    await assertRefused(jwt, { 'x-public-key': String(payload.aud) })
    const cookie = await service.call('whoAmI', { token: null, headers: { cookie: `__Host-console=${jwt}` } })
    assert.equal(cookie.status, 401)
  })

  it('ends with its session and with its user', async () => {
    const ended = await signInConsoleUser(service)
    const suspended = await signInConsoleUser(service)
    const jwts = [await jwtOf(ended.token), await jwtOf(suspended.token)]
    for (const jwt of jwts) assert.equal((await ask(jwt)).status, 200)
    await endSession(service.deps, consoleId, ended.sessionId, nobody)
    await service.ok('suspendUser', { params: { id: suspended.user.id } })
    for (const jwt of jwts) await assertRefused(jwt)
  })

  it('stays valid until it expires if the key that signed it is replaced', async () => {
    const jwt = await jwtOf(signedIn.token)
    await service.ok('rotateJwkCertificates', { body: { tenantId: consoleId } })
    assert.equal((await ask(jwt)).status, 200)
  })

  it('gives no access to a user of another tenant', async () => {
    const { tenant } = await createTenant(service)
    const user = await createUser(service, tenant.id)
    const { token } = await openSession(service, tenant.id, user.id)
    await assertRefused(await jwtOf(token))
  })

  type Claims = { readonly [Name in keyof JWTPayload]?: unknown }
  const signed = (claims: Claims, head: Partial<JWTHeaderParameters> = {}, by: KeyObject | CryptoKey = key) =>
    new SignJWT({ ...payload, ...claims } as JWTPayload).setProtectedHeader({ ...header, ...head }).sign(by)

  it('must be exactly what its key has signed', async () => {
    assert.equal((await ask(await signed({}))).body.id, signedIn.user.id)
    const jwt = await signed({})
    const [head = '', body = '', signature = ''] = jwt.split('.')
    const flipped = Buffer.from(signature, 'base64url')
    flipped[5] = (flipped[5] ?? 0) ^ 1
    await assertRefused(`${head}.${body}.${flipped.toString('base64url')}`)
    await assertRefused(
      `${head}.${Buffer.from(JSON.stringify({ ...payload, exp: 9_999_999_999 })).toString('base64url')}.${signature}`,
    )
    await assertRefused(`${Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url')}.${body}.`)
    await assertRefused(`${jwt}.${signature}`)
    await assertRefused(`${head}.${body}`)
  })

  it('is refused if it is junk in three parts', async () => {
    const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const heads = [
      null,
      [],
      1,
      'x',
      {},
      [header],
      { ...header, crit: [] },
      { ...header, crit: ['b64'], b64: false },
      ...[null, {}, [], 1, '', 'ES512', 'none', '__proto__'].map((alg) => ({ ...header, alg })),
      { ...header, typ: {} },
      { ...header, b64: 'no' },
    ]
    for (const head of heads)
      for (const body of [payload, null, []]) await assertRefused(`${text(head)}.${text(body)}.AAAA`)
    for (const head of ['AA', 'eyJ', '____']) await assertRefused(`${head}.${text(payload)}.AAAA`)
    for (const body of [null, [], 1, 'x']) {
      const { key: signer } = await service.deps.signers.of(await consoleTenant())
      const part = `${text(decodeProtectedHeader(await jwtOf(signedIn.token)))}.${text(body)}`
      await assertRefused(`${part}.${sign('sha256', Buffer.from(part), signer).toString('base64url')}`)
    }
  })

  // Guards: token-checks
  it('is refused if it is signed with another key or in another way', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await assertRefused(await signed({}, {}, other.privateKey))
    await assertRefused(await signed({}, { jwk: other.publicKey.export({ format: 'jwk' }) }, other.privateKey))
    for (const kid of ['unknown', '', 'a\0', '\ud800', 7, {}, ['x'], null, undefined]) {
      await assertRefused(await signed({}, { kid: kid as string }))
    }
    await assertRefused(await signed({}, { typ: 'JWT' }))
    const [{ public: pem } = { public: '' }] = await service.ok<{ public: string }[]>('listJwkCertificates', {
      query: { tenantId: consoleId },
    })
    const secret = createSecretKey(Buffer.from(pem))
    await assertRefused(await signed({}, { alg: 'HS256' }, secret))
  })

  for (const [what, claims] of Object.entries<Claims>({
    'another issuer': { iss: 'https://evil.example' },
    'another audience': { aud: 'pk_dev_another' },
    'no audience': { aud: undefined },
    'no end': { exp: undefined },
    'no beginning': { nbf: undefined },
    'no user': { sub: undefined },
    'a user other than that of its session': { sub: 'c0mwq1xz3pqos6t8bx4g5h9pv' },
    'no session': { claims: {} },
    'a session that does not exist': { claims: { sessionId: 'c0mwq1xz3pqos6t8bx4g5h9pv' } },
    'a session in a list': { claims: { sessionId: ['c0mwq1xz3pqos6t8bx4g5h9pv'] } },
    'a beginning in the future': { nbf: 9_999_999_000, exp: 9_999_999_999 },
  })) {
    // Guards: missing-claims
    it(`is refused with ${what}`, async () => assertRefused(await signed(claims)))
  }

  it('is refused after its end, apart from the allowed clock difference', async () => {
    const exp = Math.floor(service.deps.clock.nowMs() / 1000) + 60
    const jwt = await signed({ exp })
    assert.equal((await ask(jwt)).status, 200)
    advance(66_000)
    await assertRefused(jwt)
  })
})
