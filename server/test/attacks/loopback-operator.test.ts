// In development a caller on this machine is the operator. Every sign of a proxy, a foreign page or a rebound name disables that rule, and
// it does not exist in production. Also: the host for which production answers.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ErrorBody } from '@bailiwick/contract'
import { type TestService, describeService, productionEnv, testEnv } from '../harness/service.ts'

interface Caller {
  readonly peer: string
  readonly host: string
  readonly origin: string | undefined
  readonly site: string | undefined
  readonly proxy: Readonly<Record<string, string>>
}

/** Its own origin replaces the one that the host implies. */
const ownOrigin = 'own'

type Dimension = keyof Caller
type Values = { readonly [D in Dimension]: readonly Caller[D][] }

const good: Values = {
  peer: ['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1'],
  host: ['localhost', 'localhost:4000', 'LocalHost:4000', '127.0.0.1', '127.0.0.1:4000', '[::1]', '[::1]:4000'],
  origin: [undefined, ownOrigin],
  site: [undefined, 'same-origin', 'none'],
  proxy: [{}],
}

const bad: Values = {
  peer: [
    '10.0.0.5',
    '192.168.1.2',
    '172.17.0.1',
    '0.0.0.0',
    '::',
    '::ffff:10.0.0.5',
    'fe80::1',
    '1127.0.0.1',
    '8.8.8.8',
  ],
  host: [
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    'localhost.',
    'notlocalhost',
    'sub.localhost',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io:4000',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0.0.0.0:4000',
    '[::ffff:127.0.0.1]',
    '[::]:4000',
    '::1',
    '10.0.0.5:4000',
    'localhost:evil',
    'localhost:4000:80',
    'user@localhost',
    'localhost,evil.example',
    'localhost evil.example',
  ],
  origin: [
    'http://evil.example',
    'null',
    '',
    'https://localhost:4000',
    'http://localhost:9999',
    'http://localhost:4000/',
    'file://',
  ],
  site: ['cross-site', 'same-site', 'unknown', '', 'same-origin, none'],
  proxy: [
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-forwarded-proto': 'http' },
    { 'x-forwarded-server': 'proxy' },
    { 'x-real-ip': '127.0.0.1' },
    { 'x-original-url': '/' },
    { 'x-host': 'localhost' },
  ],
}

const dimensions = Object.keys(good) as Dimension[]

/** Every combination of good values; or all bad values of one dimension with some good ones of the others. */
function* callers(broken?: Dimension): Generator<Caller> {
  const some = broken === undefined ? undefined : 2
  const from = <D extends Dimension>(dimension: D): readonly Caller[D][] =>
    dimension === broken ? bad[dimension] : good[dimension].slice(0, some)
  for (const peer of from('peer')) {
    for (const host of from('host')) {
      for (const origin of from('origin')) {
        for (const site of from('site')) for (const proxy of from('proxy')) yield { peer, host, origin, site, proxy }
      }
    }
  }
}

async function ask(service: TestService, { peer, host, origin, site, proxy }: Caller) {
  const answer = await service.request({
    method: 'GET',
    url: '/api/v0/tenants?perPage=1',
    remoteAddress: peer,
    headers: {
      host,
      ...(origin === undefined ? {} : { origin: origin === ownOrigin ? `http://${host}` : origin }),
      ...(site === undefined ? {} : { 'sec-fetch-site': site }),
      ...proxy,
    },
  })
  return answer.status === 200 ? 'operator' : (answer.body as ErrorBody).code
}

function itLetsNobodyIn(service: () => TestService, codes: readonly ErrorBody['code'][]) {
  for (const broken of [undefined, ...dimensions]) {
    it(`refuses callers of every kind, ${broken === undefined ? 'the most local ones' : `a bad ${broken}`} included`, async () => {
      for (const caller of callers(broken)) {
        const answered = await ask(service(), caller)
        assert.ok(codes.includes(answered), `${answered}: ${JSON.stringify(caller)}`)
      }
    })
  }
}

describeService('a caller without a credential in development', (service) => {
  it('is the operator if everything about it is local', async () => {
    for (const caller of callers()) assert.equal(await ask(service(), caller), 'operator', JSON.stringify(caller))
  })

  for (const broken of dimensions) {
    it(`is nobody with a bad ${broken}, even if everything else is local`, async () => {
      for (const caller of callers(broken)) {
        assert.equal(await ask(service(), caller), 'unauthenticated', JSON.stringify(caller))
      }
    })
  }

  it('is the operator for changes too, but never from a foreign page', async () => {
    const create = (headers: Readonly<Record<string, string>>) =>
      service().request({
        method: 'POST',
        url: '/api/v0/tenants',
        remoteAddress: '127.0.0.1',
        headers: { host: 'localhost:4000', ...headers },
        payload: { name: 'Made locally', environment: 'development' },
      })
    assert.equal((await create({})).status, 200)
    assert.equal((await create({ origin: 'https://evil.example' })).status, 401)
    assert.equal((await create({ 'sec-fetch-site': 'cross-site' })).status, 401)
  })
})

describeService(
  'a caller without a credential in development behind a trusted proxy',
  (service) => {
    it('is not the operator if a proxy on this machine forwards it', async () => {
      const headers = [
        { 'x-forwarded-for': '127.0.0.1' },
        { 'x-forwarded-for': '::1', 'x-forwarded-host': 'localhost:4000' },
        { 'x-forwarded-for': '203.0.113.9' },
      ]
      for (const proxy of headers) {
        const caller = { peer: '127.0.0.1', host: 'localhost:4000', origin: undefined, site: undefined, proxy }
        assert.equal(await ask(service(), caller), 'unauthenticated', JSON.stringify(proxy))
      }
    })

    it('is not the operator if it only claims to come from this machine', async () => {
      const proxy = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost' }
      const caller = { peer: '10.0.0.5', host: 'localhost:4000', origin: undefined, site: undefined, proxy }
      assert.equal(await ask(service(), caller), 'unauthenticated')
    })
  },
  { ...testEnv, BAILIWICK_TRUSTED_PROXIES: '127.0.0.1,::1,10.0.0.0/8' },
)

describe('in production', () => {
  describeService(
    'a caller without a credential',
    (service) => itLetsNobodyIn(service, ['misdirected_request']),
    productionEnv,
  )

  describeService(
    'a caller without a credential if the public address is a local one',
    (service) => {
      const local = { peer: '127.0.0.1', host: 'localhost', origin: undefined, site: undefined, proxy: {} }
      it('is nobody', async () => {
        assert.equal(await ask(service(), local), 'unauthenticated')
        assert.equal(await ask(service(), { ...local, peer: '::1', site: 'same-origin' }), 'unauthenticated')
      })
    },
    { ...productionEnv, BAILIWICK_BASE_URL: 'https://localhost/api/v0' },
  )

  describeService(
    'a caller without a credential behind trusted proxies',
    (service) => itLetsNobodyIn(service, ['unauthenticated', 'misdirected_request']),
    {
      ...productionEnv,
      BAILIWICK_BASE_URL: 'https://localhost/api/v0',
      BAILIWICK_TRUSTED_PROXIES: '127.0.0.0/8,::1',
    },
  )
})
