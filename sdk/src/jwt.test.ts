import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import {
  JwtError,
  type JwtErrorCode,
  type JwtVerifierOptions,
  createAccessTokenVerifier,
  createJwtVerifier,
} from '@bailiwick/sdk/jwt'
import { errorAnswer, json, settle, silence } from '../test/answers.ts'
import { audience, goodPayload, issuer, jwksUrl, newKey, now, publish, signToken } from '../test/issuer.ts'

const [first, second] = await Promise.all([newKey('first'), newKey('second')])
const expected = { jwksUrl, issuer, audience }

const isRefusal = (code: JwtErrorCode) => (error: unknown) => error instanceof JwtError && error.code === code

describe('createJwtVerifier', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: now * 1000 }))
  afterEach(() => mock.reset())

  it('returns the claims of a valid token', async () => {
    const { fetch } = publish([first.jwk])
    assert.deepEqual(await createJwtVerifier({ ...expected, fetch })(await signToken(first)), goodPayload)
  })

  it('accepts a token for several audiences, of which it is one', async () => {
    const { fetch } = publish([first.jwk])
    const verify = createJwtVerifier({ ...expected, fetch })
    assert.deepEqual((await verify(await signToken(first, { aud: ['other', audience] }))).aud, ['other', audience])
  })

  it('accepts another typ if told to, and then no longer its own', async () => {
    const { fetch } = publish([first.jwk])
    const verify = createJwtVerifier({ ...expected, fetch, typ: 'JWT' })
    await verify(await signToken(first, {}, { typ: 'JWT' }))
    await assert.rejects(verify(await signToken(first)), isRefusal('wrong_type'))
  })

  it('allows the clock tolerance on both ends of a token’s life, and not a moment more', async () => {
    const { fetch } = publish([first.jwk])
    for (const [clockToleranceSeconds, options] of [
      [5, {}],
      [0, { clockToleranceSeconds: 0 }],
      [60, { clockToleranceSeconds: 60 }],
    ] as const) {
      const verify = createJwtVerifier({ ...expected, fetch, ...options })
      const ending = (exp: number) => signToken(first, { exp, nbf: now - 600, iat: now - 600 })
      await verify(await ending(now - clockToleranceSeconds + 1))
      await assert.rejects(verify(await ending(now - clockToleranceSeconds)), isRefusal('expired'))
      await verify(await signToken(first, { nbf: now + clockToleranceSeconds }))
      await assert.rejects(
        verify(await signToken(first, { nbf: now + clockToleranceSeconds + 1 })),
        isRefusal('not_yet_valid'),
      )
    }
  })

  const refusedOptions: Readonly<Record<string, Partial<Record<keyof JwtVerifierOptions, unknown>>>> = {
    'no issuer': { issuer: undefined },
    'an empty issuer': { issuer: '' },
    'an empty audience': { audience: '' },
    'several audiences': { audience: ['a', 'b'] },
    'an empty typ': { typ: '' },
    'keys over http': { jwksUrl: 'http://id.example.com/jwks.json' },
    'keys from a file': { jwksUrl: 'file:///jwks.json' },
    'keys from a host that only looks like this machine': { jwksUrl: 'http://localhost.example.com/jwks.json' },
    'a relative address of the keys': { jwksUrl: '/jwks.json' },
    'a tolerance that is no number': { clockToleranceSeconds: Number.NaN },
    'a negative tolerance': { clockToleranceSeconds: -1 },
    'a boundless tolerance': { clockToleranceSeconds: Infinity },
  }
  for (const [what, options] of Object.entries(refusedOptions)) {
    it(`refuses ${what}`, () => {
      assert.throws(() => createJwtVerifier({ ...expected, ...options } as JwtVerifierOptions), TypeError)
    })
  }

  it('accepts keys over http from this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      createJwtVerifier({ ...expected, jwksUrl: `http://${host}:4000/jwks.json` })
    }
  })
})

describe("the issuer's keys", () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: now * 1000 }))
  afterEach(() => mock.reset())

  /** A verifier whose tokens never expire, and its issuer. */
  function createVerifier(keys: readonly unknown[]) {
    const { fetch, state } = publish(keys)
    const verify = createJwtVerifier({ ...expected, fetch })
    return { state, check: async (key: typeof first) => verify(await signToken(key, { exp: now + 1e6 })) }
  }

  it('are fetched when the first token comes, once for all callers', async () => {
    const { fetch, state } = publish([first.jwk, second.jwk])
    const verify = createJwtVerifier({ ...expected, fetch })
    const tokens = await Promise.all([signToken(first), signToken(second), signToken(first)])
    assert.equal(state.requests, 0)
    await Promise.all(tokens.map(verify))
    await Promise.all(tokens.map(verify))
    assert.equal(state.requests, 1)
  })

  it('are fetched again when a token names a new one', async () => {
    const { check, state } = createVerifier([first.jwk])
    await check(first)
    state.keys = [first.jwk, second.jwk]
    mock.timers.tick(30_000)
    await check(second)
    await check(first)
    assert.equal(state.requests, 2)
  })

  it('cost the issuer one request in 30 seconds, however many unknown keys are named', async () => {
    const { check, state } = createVerifier([first.jwk])
    await check(first)
    for (const at of [0, 29_999]) {
      mock.timers.setTime(now * 1000 + at)
      await assert.rejects(check(second), isRefusal('unknown_key'))
    }
    assert.equal(state.requests, 1)
    mock.timers.setTime(now * 1000 + 30_000)
    await Promise.all([1, 2, 3].map(() => assert.rejects(check(second), isRefusal('unknown_key'))))
    assert.equal(state.requests, 2)
    await assert.rejects(check(second), isRefusal('unknown_key'))
    assert.equal(state.requests, 2)
  })

  it('are no longer trusted ten minutes after they were withdrawn', async () => {
    const { check, state } = createVerifier([first.jwk])
    await check(first)
    state.keys = [second.jwk]
    mock.timers.tick(599_999)
    await check(first)
    assert.equal(state.requests, 1)
    mock.timers.tick(1)
    await assert.rejects(check(first), isRefusal('unknown_key'))
    assert.equal(state.requests, 2)
  })

  it('do not become young again when the clock is set back', async () => {
    const { check, state } = createVerifier([first.jwk])
    await check(first)
    mock.timers.setTime(now * 1000 - 3000)
    await check(first)
    assert.equal(state.requests, 2)
  })

  it('cause every token to be refused while they cannot be fetched, and are requested once a second', async () => {
    const { check, state } = createVerifier([first.jwk])
    state.outage = new TypeError('fetch failed')
    await assert.rejects(check(first), isRefusal('keys_unavailable'))
    state.outage = undefined
    mock.timers.tick(999)
    await assert.rejects(check(first), isRefusal('keys_unavailable'))
    assert.equal(state.requests, 1)
    mock.timers.tick(1)
    await check(first)
    assert.equal(state.requests, 2)
  })

  it('survive an outage while they are young, but not longer', async () => {
    const { check, state } = createVerifier([first.jwk])
    await check(first)
    state.outage = errorAnswer(503, 'unavailable')
    mock.timers.tick(599_999)
    await assert.rejects(check(second), isRefusal('keys_unavailable'))
    await check(first)
    mock.timers.tick(1)
    await assert.rejects(check(first), isRefusal('keys_unavailable'))
  })

  it('are waited for at most five seconds', async () => {
    const verify = createJwtVerifier({ ...expected, fetch: (_url, init) => silence(init) })
    const call = assert.rejects(verify(await signToken(first)), isRefusal('keys_unavailable'))
    await settle()
    mock.timers.tick(5000)
    await call
  })

  const useless: Readonly<Record<string, Response>> = {
    'a redirect': new Response(null, { status: 302, headers: { location: 'https://evil.example/jwks.json' } }),
    'an error': errorAnswer(404, 'not_found'),
    'an error with keys in it': json({ keys: [first.jwk] }, { status: 500 }),
    'an answer that only looks like a success': json({ keys: [first.jwk] }, { status: 203 }),
    'no JSON': new Response('<h1>Welcome</h1>'),
    null: json(null),
    'a list': json([first.jwk]),
    'keys that are no list': json({ keys: { first: first.jwk } }),
    'more than a hundred keys': json({ keys: Array.from({ length: 101 }, () => first.jwk) }),
    'more than a quarter of a megabyte': json({ keys: [first.jwk], padding: 'x'.repeat(262_144) }),
  }
  for (const [what, answer] of Object.entries(useless)) {
    it(`are not accepted from ${what}`, async () => {
      const { check, state } = createVerifier([])
      state.outage = answer
      await assert.rejects(check(first), isRefusal('keys_unavailable'))
    })
  }

  // Guards: forged-cookies
  it('are not read to the end of an answer that is too long', async () => {
    let chunks = 0
    let isGivenUp = false
    const long = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(16_384).fill(32))
        if (++chunks === 1000) controller.close()
      },
      cancel: () => {
        isGivenUp = true
      },
    })
    const verify = createJwtVerifier({ ...expected, fetch: async () => new Response(long) })
    await assert.rejects(verify(await signToken(first)), isRefusal('keys_unavailable'))
    assert.ok(isGivenUp && chunks <= 20, `${chunks} pieces were read`)
  })

  const foreignKeys: readonly unknown[] = [
    null,
    7,
    'first',
    [],
    {},
    { ...first.jwk, kid: undefined },
    { ...first.jwk, kid: 1 },
    { ...first.jwk, kty: 'RSA' },
    { ...first.jwk, crv: 'P-384' },
    { ...first.jwk, alg: 'ES384' },
    { ...first.jwk, use: 'enc' },
    { ...first.jwk, key_ops: ['sign'] },
    { ...first.jwk, key_ops: 'verify' },
    { ...first.jwk, x: undefined },
    { ...first.jwk, y: first.jwk.x },
    { ...first.jwk, x: 'AAAA' },
    { kty: 'oct', kid: 'first', k: 'c2VjcmV0' },
    { kty: 'OKP', crv: 'Ed25519', kid: 'first', x: first.jwk.x },
  ]
  for (const jwk of foreignKeys) {
    it(`are usable beside ${JSON.stringify(jwk)?.slice(0, 60)}, which is ignored`, async () => {
      const { check } = createVerifier([jwk, second.jwk])
      await check(second)
      await assert.rejects(check(first), isRefusal('unknown_key'))
    })
  }

  it('may state their purpose', async () => {
    const { check } = createVerifier([{ ...first.jwk, alg: 'ES256', use: 'sig', key_ops: ['verify'], x5t: 'ignored' }])
    await check(first)
  })
})

describe('createAccessTokenVerifier', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: now * 1000 }))
  afterEach(() => mock.reset())
  const granted = { nbf: undefined, client_id: 'cclient001', scope: 'articles:read', claims: undefined }

  it('accepts a token without nbf, with the keys below the issuer', async () => {
    const { fetch: keys } = publish([first.jwk])
    const asked: string[] = []
    const fetch: typeof keys = async (url, init) => {
      asked.push(url)
      return keys(url, init)
    }
    const token = await createAccessTokenVerifier({ issuer, audience, fetch })(await signToken(first, granted))
    assert.deepEqual([token.sub, token.client_id, token.scope], ['cuser00001', 'cclient001', 'articles:read'])
    assert.deepEqual(asked, [`${issuer}/oauth/jwks`])
  })

  const refused: Readonly<Record<string, readonly [Readonly<Record<string, unknown>>, JwtErrorCode]>> = {
    'of no client, such as the token of a session': [{ client_id: undefined }, 'malformed_claim'],
    'whose client is no text': [{ client_id: 7 }, 'malformed_claim'],
    'that does not say when it was issued': [{ iat: undefined }, 'malformed_claim'],
    'without an end': [{ exp: undefined }, 'malformed_claim'],
    'that has ended': [{ exp: now - 6 }, 'expired'],
    'for another resource': [{ aud: 'https://other.example' }, 'wrong_audience'],
    'of another issuer': [{ iss: 'https://evil.example' }, 'wrong_issuer'],
    'that begins later': [{ nbf: now + 60 }, 'not_yet_valid'],
    'that is bound to a key of its client': [{ cnf: { jkt: 'x' } }, 'wrong_type'],
  }
  for (const [what, [changes, code]] of Object.entries(refused)) {
    // Guards: app-servers
    it(`refuses a token ${what}`, async () => {
      const { fetch } = publish([first.jwk])
      const verify = createAccessTokenVerifier({ issuer, audience, fetch })
      await assert.rejects(verify(await signToken(first, { ...granted, ...changes })), isRefusal(code))
    })
  }
})
