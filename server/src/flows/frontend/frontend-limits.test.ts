// How often end users' browsers may make requests that guess or send, in production. Regression: limits that a header or another address of
// the same subscriber evaded (Pingvin X CVE-2026-108162, OpenClaw GHSA-5847-rm3g-23mw).
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Tenant } from '@bailiwick/contract'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { unique } from '../../../test/harness/factories.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { type TestService, operatorKey, productionEnv, startTestService } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'

const proxy = '198.51.100.1'
const env = { ...productionEnv, BAILIWICK_TRUSTED_PROXIES: proxy }
const host = 'id.example.com'

describeOnEachEngine("the limits of end users' browsers", (open) => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    const startedAt = Date.now()
    // The clock stands still, so that no budget is refilled meanwhile.
    const clock = createClock(() => startedAt)
    service = await startTestService((await open()).database, env, () => ({ clock }))
    tenant = await manage<Tenant>('/tenants', { name: unique(), environment: 'production' })
  })
  after(() => service.app.close())

  async function manage<Body>(path: string, payload: object): Promise<Body> {
    const headers = { host, authorization: `Bearer ${operatorKey}` }
    const answer = await service.request({ method: 'POST', url: `/api/v0${path}`, headers, payload })
    assert.equal(answer.status, 200, answer.text)
    return answer.body as Body
  }
  const begin = (from: string, forwardedFor?: string) =>
    service.request({
      method: 'POST',
      url: '/frontend/api/v0/sign-ins',
      remoteAddress: from,
      headers: {
        host,
        'x-public-key': tenant.publicKey,
        ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor, forwarded: `for=${forwardedFor}` }),
      },
      payload: { identifier: `${unique()}@example.com` },
    })
  const statuses = async (count: number, one: (n: number) => Promise<{ status: number }>) => {
    const found: number[] = []
    for (let n = 0; n < count; n++) found.push((await one(n)).status)
    return found
  }
  const tenAndNoMore = [...Array.from({ length: 10 }, () => 200), 429]

  // Guards: caller-addresses
  it('count all the addresses of one subscriber together, and an IPv4 address as itself when IPv6 maps it', async () => {
    assert.deepEqual(await statuses(11, (n) => begin(`2001:db8:1:2::${(n + 1).toString(16)}`)), tenAndNoMore)
    assert.equal((await begin('2001:db8:1:3::1')).status, 200)
    assert.deepEqual(await statuses(11, (n) => begin(n % 2 === 0 ? '203.0.113.7' : '::ffff:203.0.113.7')), tenAndNoMore)
  })

  // Guards: caller-addresses
  it('apply to a whole IPv6 /48 at ten times the limit of one /64, for each kind of limit', async () => {
    const call = (operation: string, payload: object) => (network: string) => (n: number) =>
      service.request({
        method: 'POST',
        url: `/frontend/api/v0/${operation}`,
        remoteAddress: `2001:db8:${network}:${n.toString(16)}::1`,
        headers: { host, 'x-public-key': tenant.publicKey },
        payload,
      })
    for (const [ofOne, ask] of [
      [10, call('sign-ins', { identifier: 'nobody@example.com' })],
      [5, call('sign-ups', { email: 'junk' })],
      [10, call('password-resets/cnobodyhasthis/attempt', { code: '314159', password: 'correct horse' })],
      [20, call('password-resets', { identifier: 'junk' })],
    ] as const) {
      const network = unique().slice(1, 5)
      // Each caller is in a /64 of its own, so that none of those is near its limit.
      const found = await statuses(ofOne * 10 + 1, ask(network))
      assert.equal(found.indexOf(429), ofOne * 10, found.join())
      assert.notEqual((await ask(unique().slice(1, 5))(1)).status, 429)
    }
  })

  // Guards: caller-addresses
  it('let one /64 use no more than its own part of the /48', async () => {
    const from = (subnet: number) => `2001:db8:ffff:${subnet.toString(16)}::1`
    const all = await statuses(30, () => begin(from(1)))
    assert.deepEqual(all.slice(0, 11), tenAndNoMore)
    for (let subnet = 2; subnet <= 10; subnet++) {
      assert.deepEqual(await statuses(11, () => begin(from(subnet))), tenAndNoMore, `subnet ${subnet}`)
    }
    const answer = await begin(from(11))
    assert.deepEqual([answer.status, answer.headers['ratelimit-policy']], [429, '"frontend-sign-in-48";q=100;w=60'])
  })

  // Guards: caller-addresses, failing-checks
  it('trust only a proxy to name the address of its caller, and count the proxy itself if what it names is not an address', async () => {
    assert.deepEqual(await statuses(11, (n) => begin('203.0.113.8', `192.0.2.${n}`)), tenAndNoMore)
    assert.deepEqual(await statuses(11, (n) => begin(proxy, `192.0.2.${n}, 203.0.113.9`)), tenAndNoMore)
    assert.equal((await begin(proxy, '203.0.113.10')).status, 200)
    // Regression: an address that could not be parsed skipped the check (authentik CVE-2024-47070).
    assert.deepEqual(await statuses(11, (n) => begin(proxy, ['a', 'unknown', '999.1.1.1', '::g'][n % 4])), tenAndNoMore)
  })

  it('count what is sent with the first request like what is sent later', async () => {
    const from = '203.0.113.62'
    const post = (path: string, payload: object) =>
      service.request({
        method: 'POST',
        url: `/frontend/api/v0/sign-ins${path}`,
        remoteAddress: from,
        headers: { host, 'x-public-key': tenant.publicKey, 'x-session-transport': 'body' },
        payload,
      })
    const atOnce = (strategy: string) => post('', { identifier: `${unique()}@example.com`, strategy })
    const later = () => post('/cnobodyhasthis/prepare-first-factor', { strategy: 'email_code' })
    await statuses(4, () => atOnce('email_code'))
    await statuses(2, () => atOnce('email_link'))
    await statuses(3, () => atOnce('security_key'))
    const found = await statuses(15, later)
    assert.equal(found.indexOf(429), 14, found.join())
  })

  it('apply to the fields of a sign-up, sent one by one: each may reveal that a username is taken', async () => {
    const headers = { host, 'x-public-key': tenant.publicKey, 'x-session-transport': 'body' }
    const fill = (from: string) =>
      service.request({
        method: 'PATCH',
        url: '/frontend/api/v0/sign-ups/cnobodyhasthis',
        remoteAddress: from,
        headers,
        payload: { username: unique() },
      })
    const found = await statuses(31, () => fill('203.0.113.60'))
    assert.equal(found.indexOf(429), 30, found.join())
    assert.notEqual((await fill('203.0.113.61')).status, 429)
  })

  it('apply to a user who sends codes to own addresses and guesses at them, wherever the user calls from', async () => {
    const user = await manage<{ id: string }>('/auth/users', { tenantId: tenant.id })
    const other = await manage<{ id: string }>('/auth/users', { tenantId: tenant.id })
    const [mine, theirs] = [
      (await openSession(service, tenant.id, user.id)).token,
      (await openSession(service, tenant.id, other.id)).token,
    ]
    const call = (operation: string, token: string, from: string, payload: object | undefined) =>
      service.request({
        method: 'POST',
        url: `/frontend/api/v0/user/emails/cnobodyhasthis/${operation}`,
        remoteAddress: from,
        headers: { host, 'x-public-key': tenant.publicKey, authorization: `Bearer ${token}` },
        ...(payload === undefined ? {} : { payload }),
      })
    for (const [operation, count, payload] of [
      ['verify', 10, { code: '314159' }],
      ['prepare', 20, undefined],
    ] as const) {
      const found = await statuses(count + 1, (n) => call(operation, mine, `203.0.113.${n + 20}`, payload))
      assert.equal(found.indexOf(429), count, found.join())
      assert.notEqual((await call(operation, theirs, '203.0.113.20', payload)).status, 429)
    }
  })
})
