// How many requests each caller may send, in production, by a clock that only the test advances.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { ErrorBody } from '@bailiwick/contract'
import { createSessionDirectory } from '../../src/identity/sessions/session-directory.ts'
import { createClock } from '../../src/platform/clock.ts'
import { newToken } from '../../src/platform/crypto/tokens.ts'
import { createTenantDirectory } from '../../src/tenancy/directory/tenant-directory.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { type TestTenant, createTenant } from '../harness/factories.ts'
import { addMember, signInConsoleUser } from '../harness/people/sessions.ts'
import {
  type Answer,
  type TestService,
  operatorKey,
  productionEnv,
  startTestService,
  testEnv,
} from '../harness/service.ts'

const perSecond = 5
const env = {
  ...productionEnv,
  BAILIWICK_TENANT_REQUESTS_PER_SECOND: String(perSecond),
  BAILIWICK_TRUSTED_PROXIES: '198.51.100.1',
}

interface Asking {
  readonly token?: string | null
  readonly from?: string
  readonly forwardedFor?: string
  readonly url?: string
}

describeOnEachEngine('rate limits', (open) => {
  let service: TestService
  let own: TestTenant
  let ms = Date.now()
  const advance = (by: number) => void (ms += by)

  before(async () => {
    const { database } = await open()
    const clock = createClock(() => ms)
    service = await startTestService(database, env, ({ log }) => {
      const tenants = createTenantDirectory(database, clock)
      return { clock, tenants, sessions: createSessionDirectory(database, tenants, clock, log) }
    })
    own = await inProduction()
  })
  after(() => service.app.close())

  /** Sends the factories' requests under the host name for which production answers. */
  const inProduction = () => createTenant(asProduction(service))

  const ask = ({ token = null, from = '203.0.113.9', forwardedFor, url = `/tenants/${own.tenant.id}` }: Asking = {}) =>
    service.request({
      method: 'GET',
      url: `/api/v0${url}`,
      remoteAddress: from,
      headers: {
        host: 'id.example.com',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
      },
    })
  const statuses = async (count: number, asking: () => Asking) => {
    const found: number[] = []
    for (let n = 0; n < count; n++) found.push((await ask(asking())).status)
    return found
  }
  const assertLimited = ({ status, body, headers }: Answer, policy: string) => {
    assert.deepEqual([status, (body as ErrorBody).code], [429, 'rate_limited'])
    assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
    assert.equal(headers['ratelimit-policy'], policy)
    const [name] = policy.split(';')
    assert.equal(headers['ratelimit'], `${name};r=0;t=${String(headers['retry-after'])}`)
  }

  it("refuse a tenant's keys beyond the configured number, and no other tenant's", async () => {
    advance(1000)
    const other = await inProduction()
    const token = own.secretKey
    assert.deepEqual(await statuses(perSecond, () => ({ token })), Array(perSecond).fill(200))
    assertLimited(await ask({ token }), `"tenant";q=${perSecond};w=1`)
    const elsewhere = await ask({ token: other.secretKey, url: `/tenants/${other.tenant.id}` })
    assert.equal(elsewhere.status, 200)
    advance(1000)
    assert.equal((await ask({ token })).status, 200)
  })

  it('say how much is left once less than half is', async () => {
    advance(1000)
    const seen = []
    for (let n = 0; n < perSecond; n++) seen.push((await ask({ token: own.secretKey })).headers['ratelimit'])
    assert.deepEqual(seen, [undefined, undefined, '"tenant";r=2', '"tenant";r=1', '"tenant";r=0'])
  })

  it('do not apply to the operator', async () => {
    for (const { headers } of await Promise.all(Array.from({ length: 700 }, () => ask({ token: operatorKey })))) {
      assert.equal(headers['ratelimit'], undefined)
    }
  })

  it('refuse a console user beyond 300 requests a minute, and no other one', async () => {
    const production = asProduction(service)
    const [ada, ben] = [await signInConsoleUser(production), await signInConsoleUser(production)]
    for (const user of [ada, ben]) await addMember(production, own.tenant.id, user, 'roleViewConfig')
    assert.deepEqual(new Set(await statuses(300, () => ({ token: ada.token }))), new Set([200]))
    assertLimited(await ask({ token: ada.token, from: '203.0.113.10' }), '"console-user";q=300;w=60')
    assert.equal((await ask({ token: ben.token })).status, 200)
  })

  it('refuse an address beyond 600 requests a minute that need no credential, and no other address', async () => {
    const url = '/meta'
    assert.deepEqual(new Set(await statuses(600, () => ({ url }))), new Set([200]))
    assertLimited(await ask({ url }), '"address";q=600;w=60')
    assertLimited(await ask({ url, from: '::ffff:203.0.113.9' }), '"address";q=600;w=60')
    assert.equal((await ask({ url, from: '203.0.113.10' })).status, 200)
  })

  // Guards: limits-of-users
  it('count an address behind a trusted proxy separately, and trust no other sender to name one', async () => {
    const url = '/meta'
    const from = '198.51.100.1'
    assert.equal((await statuses(600, () => ({ url, from, forwardedFor: '203.0.113.20' }))).at(-1), 200)
    assert.equal((await ask({ url, from, forwardedFor: '203.0.113.20' })).status, 429)
    assert.equal((await ask({ url, from, forwardedFor: '203.0.113.21' })).status, 200)
    // The part of the header before the proxy's own entry may be invented by anybody.
    assert.equal((await ask({ url, from, forwardedFor: '203.0.113.77, 203.0.113.20' })).status, 429)
    let invented = 0
    const stranger = () => ({ url, from: '203.0.113.30', forwardedFor: `192.0.2.${invented++ % 250}` })
    assert.equal((await statuses(601, stranger)).at(-1), 429)
  })

  it('look up no further credential for an address that has sent 300 wrong ones, and do not delay a live one in use', async () => {
    advance(60_000)
    const from = '203.0.113.40'
    const unused = await inProduction()
    assert.equal((await ask({ token: own.secretKey, from })).status, 200)
    const wrong = () => ({ token: newToken('sk_live_'), from })
    assert.deepEqual(new Set(await statuses(300, wrong)), new Set([401]))
    assertLimited(await ask(wrong()), '"wrong-credentials";q=300;w=60')
    const lookUp = { token: unused.secretKey, from, url: `/tenants/${unused.tenant.id}` }
    assert.equal((await ask(lookUp)).status, 429, 'a right guess is answered like a wrong one')
    assert.equal((await ask({ token: own.secretKey, from })).status, 200)
    assert.equal((await ask({ ...lookUp, from: '203.0.113.41' })).status, 200)
    advance(60_000)
    assert.equal((await ask(wrong())).status, 401)
  })

  // Guards: caller-addresses
  it('count the wrong credentials of all of an IPv6 /48 together', async () => {
    advance(60_000)
    const wrong = (n: number) => ask({ token: newToken('sk_live_'), from: `2001:db8:1:${(n % 1000).toString(16)}::1` })
    for (let start = 0; start < 3000; start += 100) {
      const found = await Promise.all(Array.from({ length: 100 }, (_, n) => wrong(start + n)))
      assert.deepEqual(new Set(found.map(({ status }) => status)), new Set([401]))
    }
    assertLimited(await wrong(2000), '"wrong-credentials-48";q=3000;w=60')
    assert.equal((await ask({ token: newToken('sk_live_'), from: '2001:db8:2:1::1' })).status, 401)
  })

  it('do not count requests without a credential as guesses', async () => {
    const from = '203.0.113.50'
    assert.deepEqual(new Set(await statuses(400, () => ({ from }))), new Set([401]))
    assert.equal((await ask({ token: newToken('sk_live_'), from })).status, 401)
  })
})

describeOnEachEngine('rate limits of the development deployment', (open) => {
  it('are a hundred times as high', async () => {
    const { database } = await open()
    const ms = Date.now()
    const clock = createClock(() => ms)
    const service = await startTestService(database, { ...testEnv, BAILIWICK_TENANT_REQUESTS_PER_SECOND: '1' }, () => ({
      clock,
    }))
    const { tenant, secretKey } = await createTenant(service)
    const ask = () => service.call('getTenant', { params: { id: tenant.id }, token: secretKey })
    for (let n = 0; n < 100; n++) assert.equal((await ask()).status, 200)
    assert.equal((await ask()).status, 429)
    await service.app.close()
  })
})

/** Sends every call under the host name for which a production deployment answers. */
function asProduction(service: TestService): TestService {
  const call: TestService['call'] = (id, options) =>
    service.call(id, { ...options, headers: { ...options?.headers, host: 'id.example.com' } })
  return Object.assign(Object.create(service) as TestService, { call })
}
