import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { Bailiwick, type BailiwickOptions } from '@bailiwick/sdk'
import { type Answer, baseUrl, errorAnswer, describeFailure, json, scripted, settle, silence } from '../test/answers.ts'

const key = { secretKey: 'sk_dev_1' }
const params = { id: 'ctenant0001' }
const body = { tenantId: 'ctenant0001', email: 'ada@example.com' }
const connectionLost = new TypeError('fetch failed')

function createClient(
  answers: readonly Answer[],
  options: Partial<Pick<BailiwickOptions, 'retries' | 'timeoutMs'>> = {},
) {
  const { fetch, sent } = scripted(...answers)
  return { client: new Bailiwick({ baseUrl, ...key, fetch, ...options }), sent }
}

describe('retries', () => {
  let random = 0.5
  beforeEach(() => {
    random = 0.5
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 10, 20) })
    mock.method(Math, 'random', () => random)
  })
  afterEach(() => mock.reset())

  /** Asserts that a further request leaves exactly after `ms`, not before. */
  async function assertNextAfter(ms: number, sent: readonly unknown[]) {
    const before = sent.length
    await settle()
    mock.timers.tick(ms - 1)
    await settle()
    assert.equal(sent.length, before, `a request left before ${ms} ms`)
    mock.timers.tick(1)
    await settle()
    assert.equal(sent.length, before + 1, `no request left after ${ms} ms`)
  }

  const transient: Readonly<Record<string, Answer>> = {
    'a lost connection': connectionLost,
    '429': errorAnswer(429, 'rate_limited'),
    '503': errorAnswer(503, 'unavailable'),
    "a proxy's 502, because its connection to a node that stops was reset": new Response('bad gateway', {
      status: 502,
    }),
    "a proxy's 503": new Response('<h1>busy</h1>', { status: 503 }),
    "a proxy's 504": new Response('gateway timeout', { status: 504 }),
  }
  for (const [what, answer] of Object.entries(transient)) {
    it(`tries again after ${what}, waiting longer each time`, async () => {
      const { client, sent } = createClient([answer, answer, json({ primary: 'red' })])
      const call = client.getTenantBrand({ params })
      await settle()
      assert.equal(sent.length, 1)
      await assertNextAfter(125, sent)
      await assertNextAfter(250, sent)
      assert.deepEqual(await call, { primary: 'red' })
    })
  }

  it('spreads the delays over the whole range, from nothing to the full time', async () => {
    const { client, sent } = createClient([connectionLost, connectionLost, json({})])
    random = 0
    const call = client.getTenantBrand({ params })
    await settle()
    mock.timers.tick(0)
    await settle()
    assert.equal(sent.length, 2)
    random = 0.9999999
    await settle()
    mock.timers.tick(500)
    await call
    assert.equal(sent.length, 3)
  })

  it('never waits for more than eight seconds unless it is told to', async () => {
    const { client, sent } = createClient([connectionLost], { retries: 10 })
    const call = describeFailure(client.getTenantBrand({ params }))
    for (let tries = 1; tries <= 10; tries++) {
      await settle()
      mock.timers.tick(4000)
    }
    assert.equal((await call).code, 'network_error')
    assert.equal(sent.length, 11)
  })

  it('throws the error of the last try', async () => {
    const { client, sent } = createClient([errorAnswer(503, 'unavailable')], { retries: 1 })
    const call = describeFailure(client.getTenantBrand({ params }))
    await settle()
    await assertNextAfter(125, sent)
    const error = await call
    assert.deepEqual([error.code, error.status, sent.length], ['unavailable', 503, 2])
  })

  it('does not try again with retries: 0', async () => {
    const { client, sent } = createClient([connectionLost], { retries: 0 })
    const error = await describeFailure(client.getTenantBrand({ params }))
    assert.deepEqual(
      [error.code, error.status, error.cause, sent.length],
      ['network_error', undefined, connectionLost, 1],
    )
  })

  for (const [status, code] of [
    [400, 'validation_failed'],
    [401, 'unauthenticated'],
    [404, 'not_found'],
    [409, 'email_taken'],
    [500, 'internal_error'],
  ] as const) {
    it(`does not try again after ${status}`, async () => {
      const { client, sent } = createClient([errorAnswer(status, code)])
      const error = await describeFailure(client.createUser({ body }))
      assert.deepEqual([error.code, error.status, error.requestId, sent.length], [code, status, 'req_1', 1])
    })
  }

  it('waits as many seconds as Retry-After says, plus a random time', async () => {
    const { client, sent } = createClient([errorAnswer(429, 'rate_limited', { 'retry-after': '7' }), json({})])
    const call = client.getTenantBrand({ params })
    await settle()
    await assertNextAfter(7125, sent)
    await call
  })

  it('waits until the date that Retry-After says', async () => {
    const date = new Date(Date.now() + 5000).toUTCString()
    const { client, sent } = createClient([errorAnswer(503, 'unavailable', { 'retry-after': date }), json({})])
    const call = client.getTenantBrand({ params })
    await settle()
    await assertNextAfter(5125, sent)
    await call
  })

  it('throws the error at once if Retry-After asks for more than a minute', async () => {
    const { client, sent } = createClient([errorAnswer(429, 'rate_limited', { 'retry-after': '61' })])
    const error = await describeFailure(client.getTenantBrand({ params }))
    assert.deepEqual([error.status, error.retryAfterSeconds, sent.length], [429, 61, 1])
  })

  for (const header of ['-1', '1e9', 'soon', '5 minutes', '']) {
    it(`ignores a Retry-After of ${JSON.stringify(header)}`, async () => {
      const { client } = createClient([errorAnswer(429, 'rate_limited', { 'retry-after': header })], { retries: 0 })
      assert.equal((await describeFailure(client.getTenantBrand({ params }))).retryAfterSeconds, undefined)
    })
  }

  it('aborts a try that takes longer than timeoutMs, and tries again', async () => {
    const { client, sent } = createClient([silence, json({})], { timeoutMs: 1000 })
    const call = client.getTenantBrand({ params })
    await settle()
    mock.timers.tick(999)
    assert.equal(sent[0]?.signal.aborted, false)
    mock.timers.tick(1)
    assert.equal(sent[0]?.signal.aborted, true)
    await assertNextAfter(125, sent)
    await call
  })

  it('throws timed_out if no try was answered in time', async () => {
    const { client } = createClient([silence], { retries: 0 })
    const call = describeFailure(client.getTenantBrand({ params, timeoutMs: 50 }))
    await settle()
    mock.timers.tick(50)
    assert.equal((await call).code, 'timed_out')
  })

  it('counts a body that does not end towards the time limit', async () => {
    const endless = ({ signal }: { readonly signal: AbortSignal }) => {
      const endlessBody = new ReadableStream({
        start: (stream) => signal.addEventListener('abort', () => stream.error(signal.reason)),
      })
      return Promise.resolve(new Response(endlessBody, { headers: { 'content-type': 'application/json' } }))
    }
    const { client } = createClient([endless], { retries: 0, timeoutMs: 50 })
    const call = describeFailure(client.getTenantBrand({ params }))
    await settle()
    mock.timers.tick(50)
    assert.equal((await call).code, 'timed_out')
  })

  it("ends with the caller's reason when the caller aborts, also between tries", async () => {
    const reason = new Error('the visitor left')
    for (const answer of [silence, connectionLost]) {
      const { client, sent } = createClient([answer])
      const controller = new AbortController()
      const call = client.getTenantBrand({ params, signal: controller.signal })
      await settle()
      controller.abort(reason)
      await assert.rejects(call, reason)
      mock.timers.tick(60_000)
      await settle()
      assert.equal(sent.length, 1)
    }
  })

  it("ends with the caller's reason on the last try as well", async () => {
    const reason = new Error('the visitor left')
    const { client } = createClient([silence], { retries: 0 })
    const controller = new AbortController()
    const call = client.getTenantBrand({ params, signal: controller.signal })
    await settle()
    controller.abort(reason)
    await assert.rejects(call, reason)
  })

  it('leaves no timer behind, whatever the result of the call', async () => {
    for (const answer of [json({}), errorAnswer(404, 'not_found'), connectionLost]) {
      const { client, sent } = createClient([answer], { retries: 0, timeoutMs: 1000 })
      await client.getTenantBrand({ params }).catch(() => undefined)
      mock.timers.tick(1000)
      assert.equal(sent[0]?.signal.aborted, false)
    }
  })

  it('sends nothing if the caller has already aborted', async () => {
    const reason = new Error('the visitor left')
    const { client, sent } = createClient([json({})])
    await assert.rejects(client.getTenantBrand({ params, signal: AbortSignal.abort(reason) }), reason)
    assert.equal(sent.length, 0)
  })
})

describe('Idempotency-Key', () => {
  beforeEach(() => {
    mock.method(Math, 'random', () => 0)
  })
  afterEach(() => mock.reset())

  const readKeys = (sent: readonly { readonly headers: Record<string, string> }[]) =>
    sent.map(({ headers }) => headers['idempotency-key'])

  it('is the same for all tries of one POST, and another for the next', async () => {
    const badGateway = new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
    const { client, sent } = createClient(
      [connectionLost, errorAnswer(503, 'unavailable'), badGateway, json({}), json({})],
      { retries: 3 },
    )
    await client.createUser({ body })
    await client.createUser({ body })
    const [first, second, third, fourth, other] = readKeys(sent)
    assert.match(first ?? '', /^[\da-f-]{36}$/)
    assert.deepEqual([second, third, fourth], [first, first, first])
    assert.match(other ?? '', /^[\da-f-]{36}$/)
    assert.notEqual(other, first)
  })

  it('is the one that the caller gives', async () => {
    const { client, sent } = createClient([connectionLost, json({})])
    await client.createUser({ body, idempotencyKey: 'order-17' })
    assert.deepEqual(readKeys(sent), ['order-17', 'order-17'])
  })

  it('is sent again if the first try is still running, after the time that the service names', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const running = errorAnswer(409, 'idempotency_key_in_use', { 'retry-after': '1' })
    const { client, sent } = createClient([running, json({})])
    const call = client.createUser({ body })
    for (let turns = 0; turns < 20; turns++) await Promise.resolve()
    mock.timers.tick(2000)
    await call
    const [first, second] = readKeys(sent)
    assert.deepEqual([sent.length, second], [2, first])
    mock.timers.reset()
  })

  it('is not sent with GET or PUT', async () => {
    const { client, sent } = createClient([json({})])
    await client.getTenantBrand({ params })
    await client.putTenantBrand({ params, body: {} })
    assert.deepEqual(readKeys(sent), [undefined, undefined])
  })
})
