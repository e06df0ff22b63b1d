// A console user's session as a credential: as a token, as a cookie, and when a page of another site abuses it.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { ErrorBody, Tenant, User } from '@bailiwick/contract'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { type SignedIn, addMember, openSession, signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import { describeService, operatorKey, productionEnv } from '../../../test/harness/service.ts'
import { createUser as createUserRecord } from '../../identity/users/users.ts'
import { newToken } from '../../platform/crypto/tokens.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'

const systemActor = { type: 'system', id: null, ip: null, ua: null } as const

type Headers = Readonly<Record<string, string>>

const cookie = (token: string): Headers => ({ cookie: `theme=dark; __Host-console=${token}; lang=en` })

describeService('a console session', (service) => {
  let signedIn: SignedIn
  let tenantId: string
  before(async () => {
    signedIn = await signInConsoleUser(service())
    tenantId = (await createTenant(service())).tenant.id
    await addMember(service(), tenantId, signedIn, 'roleEditConfig')
  })

  const read = (headers: Headers) =>
    service().call<Partial<ErrorBody> & { readonly id?: string }>('whoAmI', { token: null, headers })
  const write = (headers: Headers) =>
    service().call<ErrorBody>('putTenantBrand', { params: { id: tenantId }, body: {}, token: null, headers })

  it('shows the signed-in user', async () => {
    const user = await service().ok<User>('whoAmI', { token: signedIn.token })
    const { data } = await service().ok<{ data: User }>('getUser', { params: { id: signedIn.user.id } })
    assert.deepEqual(user, data)
  })

  it('is accepted as a Bearer token and as a cookie among others', async () => {
    for (const headers of [{ authorization: `Bearer ${signedIn.token}` }, cookie(signedIn.token)]) {
      assert.equal((await read(headers)).body.id, signedIn.user.id)
    }
  })

  it('is refused with 401 if the token is unknown, ill-formed, doubled or of another kind', async () => {
    const { token } = signedIn
    const { secretKey } = await createTenant(service())
    const bad: Headers[] = [
      { authorization: `Bearer ${newToken('se_')}` },
      { authorization: `Bearer ${token.slice(0, -1)}` },
      { authorization: `Bearer ${token}`, 'x-public-key': 'pk_dev_x' },
      cookie(newToken('se_')),
      cookie(token.slice(0, -1)),
      cookie(secretKey),
      cookie(operatorKey),
      cookie(''),
      cookie(`"${token}"`),
      { cookie: `__Host-console=${token}; __Host-console=${token}` },
      { cookie: `__Host-console=x; __Host-console=${token}` },
      { cookie: `__host-console=${token}` },
      { cookie: `x__Host-console=${token}` },
      { cookie: `__Host-console ${token}` },
    ]
    for (const headers of bad) {
      const { status, body } = await read(headers)
      assert.deepEqual([status, body.code], [401, 'unauthenticated'], JSON.stringify(headers))
    }
  })

  it('is no credential here if it belongs to a user of another tenant', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { token } = await openSession(service(), tenant.id, user.id)
    for (const headers of [{ authorization: `Bearer ${token}` }, cookie(token)]) {
      assert.equal((await read(headers)).status, 401)
    }
  })

  it('does not fall back on the rule for loopback callers if it is invalid', async () => {
    const headers = { host: 'localhost:4000', ...cookie(newToken('se_')) }
    const { status } = await service().request({
      method: 'GET',
      url: '/api/v0/tenants',
      remoteAddress: '127.0.0.1',
      headers,
    })
    assert.equal(status, 401)
  })

  it('ends at once if its user is suspended or erased', async () => {
    for (const id of ['suspendUser', 'deleteUser'] as const) {
      const { user, token } = await signInConsoleUser(service())
      await service().ok('whoAmI', { token })
      await service().ok(id, { params: { id: user.id } })
      await service().refused('whoAmI', 'unauthenticated', { token })
    }
  })

  it('stays ended if its user is suspended and made active again', async () => {
    const { user, token } = await signInConsoleUser(service())
    await service().ok('suspendUser', { params: { id: user.id } })
    await service().ok('unsuspendUser', { params: { id: user.id } })
    await service().refused('whoAmI', 'unauthenticated', { token })
  })

  for (const [what, headers] of Object.entries<Headers>({
    'nothing that says where it comes from': {},
    'a page of another origin': { origin: 'https://evil.example' },
    'a page without an origin': { origin: 'null' },
    'another origin that the browser calls the same': {
      origin: 'https://evil.example',
      'sec-fetch-site': 'same-origin',
    },
    'a sibling of the site': { 'sec-fetch-site': 'same-site', origin: 'http://id.test' },
    'another site': { 'sec-fetch-site': 'cross-site' },
    'the address bar': { 'sec-fetch-site': 'none' },
    'another port': { origin: 'http://id.test:81' },
    'another scheme': { origin: 'https://id.test' },
  })) {
    it(`in a cookie can change nothing with ${what}`, async () => {
      const { status, body } = await write({ ...cookie(signedIn.token), ...headers })
      assert.deepEqual([status, body.code], [403, 'forbidden'])
    })
  }

  for (const [what, headers] of Object.entries<Headers>({
    'its own origin': { origin: 'http://id.test' },
    'the same origin by Sec-Fetch-Site': { 'sec-fetch-site': 'same-origin' },
    both: { origin: 'http://id.test', 'sec-fetch-site': 'same-origin' },
  })) {
    it(`in a cookie can make its changes with ${what}`, async () => {
      assert.equal((await write({ ...cookie(signedIn.token), ...headers })).status, 200)
    })
  }

  it('in a cookie can read nothing for a page of another origin', async () => {
    assert.equal((await read({ ...cookie(signedIn.token), origin: 'https://evil.example' })).status, 403)
  })

  it('as a token can make its changes without an origin, but not from a page of another one', async () => {
    const authorization = `Bearer ${signedIn.token}`
    assert.equal((await write({ authorization })).status, 200)
    assert.equal((await write({ authorization, origin: 'https://evil.example' })).status, 403)
  })

  it('has its changed rights with the next request', async () => {
    const user = await signInConsoleUser(service())
    const roles = () => service().call('listRoles', { params: { tenantId }, token: user.token })
    assert.equal((await roles()).status, 404)
    const { id } = await addMember(service(), tenantId, user, 'roleViewConfig')
    assert.equal((await roles()).status, 200)
    await service().ok('updateTenantMember', { params: { id }, body: { roleViewUsers: true } })
    assert.equal((await roles()).status, 403)
    await service().ok('deleteTenantMember', { params: { id } })
    assert.equal((await roles()).status, 404)
  })

  it('can create a tenant, in which its user may do everything at once, and list it', async () => {
    const { token, user } = await signInConsoleUser(service())
    const tenant = await service().ok<Tenant>('createTenant', {
      body: { name: 'Founded', environment: 'development' },
      token,
    })
    assert.equal(tenant.creatorId, user.id)
    const members = await service().ok<{ data: { userId: string }[] }>('listTenantMembers', {
      params: { tenantId: tenant.id },
      token,
    })
    assert.deepEqual(
      members.data.map(({ userId }) => userId),
      [user.id],
    )
    const second = await service().ok<Tenant>('createTenant', {
      body: { name: 'Founded too', environment: 'staging' },
      token,
    })
    const listed = await service().ok<Tenant[]>('listTenants', { token })
    assert.deepEqual(
      listed.map(({ id }) => id),
      [second.id, tenant.id],
    )
    const narrowed = await service().ok<Tenant[]>('listTenants', {
      token,
      query: { environment: 'staging', perPage: '1' },
    })
    assert.deepEqual(
      narrowed.map(({ id }) => id),
      [second.id],
    )
  })
})

describeService('GET /meta', (service) => {
  it('tells every caller what this deployment is, and where administrators sign in', async () => {
    const meta = await service().ok<Record<string, string>>('getMeta', { token: null })
    const key = meta['consolePublicKey'] ?? ''
    const console = await service().ok<Tenant>('getTenantByPublicKey', { params: { publicKey: key } })
    assert.equal(console.name, 'Console')
    assert.deepEqual(Object.keys(meta).toSorted(), [
      'consolePublicKey',
      'consoleSignUpEnabled',
      'environment',
      'version',
    ])
    assert.match(meta['version'] ?? '', /^\d+\.\d+\.\d+/)
    assert.equal(meta['environment'], 'development')
  })
})

describeService(
  'a console session in production',
  (service) => {
    const own = { host: 'id.example.com' }
    it('in a cookie can make changes from the configured origin alone', async () => {
      const { deps } = service()
      const consoleTenantId = await getConsoleTenantId(deps.db)
      const { row } = await createUserRecord(deps, consoleTenantId, { name: 'Ada' }, systemActor)
      const { token } = await openSession(service(), consoleTenantId, row.id)
      const create = (origin: string) =>
        service().call('createTenant', {
          body: { name: 'Founded', environment: 'production' },
          token: null,
          headers: { ...own, ...cookie(token), origin },
        })
      for (const origin of ['https://id.example.com.evil.example', 'http://id.example.com', 'https://example.com']) {
        assert.equal((await create(origin)).status, 403, origin)
      }
      assert.equal((await create('https://id.example.com')).status, 200)
    })
  },
  productionEnv,
)
