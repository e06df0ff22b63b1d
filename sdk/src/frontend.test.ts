import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { BailiwickFrontend, type BailiwickFrontendOptions, createMemoryTokenStore } from '@bailiwick/sdk/frontend'
import { type Answer, errorAnswer, describeFailure, json, scripted, settle } from '../test/answers.ts'

const baseUrl = 'https://id.example.com/frontend/api/v0'
const publicKey = 'pk_live_1'
const success = (data: object) => json({ status: 'success', data })
const createJwt = (name: string, seconds = 60) => {
  const payload = Buffer.from(JSON.stringify({ iat: 1000, exp: 1000 + seconds, name })).toString('base64url')
  return `e30.${payload}.c2ln`
}
const tokenAnswer = (name: string, seconds?: number) => success({ jwt: createJwt(name, seconds), sessionUser: {} })

function createClient(answers: readonly Answer[], options: Partial<BailiwickFrontendOptions> = {}) {
  const { fetch, sent } = scripted(...answers)
  return { client: new BailiwickFrontend({ baseUrl, publicKey, fetch, ...options }), sent }
}

describe('new BailiwickFrontend', () => {
  for (const [what, options] of Object.entries({
    'a secret key in place of the public one': { baseUrl, publicKey: 'sk_live_1' },
    'a relative base address': { baseUrl: '/frontend/api/v0', publicKey },
  })) {
    it(`refuses ${what}`, () => {
      assert.throws(() => new BailiwickFrontend(options), TypeError)
    })
  }
})

describe('a frontend call in a browser', () => {
  it('sends the public key and the cookies, and returns the content of the answer', async () => {
    const { client, sent } = createClient([success({ user: { id: 'c1' } })])
    assert.deepEqual(await client.getProfile(), { user: { id: 'c1' } })
    const [first] = sent
    assert.equal(first?.url, `${baseUrl}/user/profile`)
    assert.equal(first?.credentials, 'include')
    assert.equal(first?.headers['x-public-key'], publicKey)
    assert.equal(first?.headers['authorization'], undefined)
    assert.equal(first?.headers['x-session-transport'], undefined)
  })

  it('repeats only requests that change nothing, because there are no idempotency keys', async () => {
    const reading = createClient([errorAnswer(503, 'unavailable', { 'retry-after': '0' }), success({ user: {} })])
    await reading.client.getProfile()
    assert.equal(reading.sent.length, 2)
    const writing = createClient([errorAnswer(503, 'unavailable', { 'retry-after': '0' }), success({})])
    const error = await describeFailure(
      writing.client.createPasswordReset({ body: { identifier: 'ada@acme.example' } }),
    )
    assert.deepEqual([error.code, writing.sent.length], ['unavailable', 1])
    assert.equal(writing.sent[0]?.headers['idempotency-key'], undefined)
  })
})

describe('a frontend call of an app', () => {
  const signedIn = { sessionToken: 'st_1', deviceToken: 'dv_1', session: { id: 'c1' } }
  const body = { identifier: 'ada@acme.example', strategy: 'email_password', password: 'x' } as const

  it('keeps the tokens of the answers and sends them back', async () => {
    const tokens = createMemoryTokenStore()
    const { client, sent } = createClient([success({ flowToken: 'fl_1' }), success(signedIn), success({})], { tokens })
    await client.createSignIn({ body })
    await client.attemptFirstFactor({ params: { id: 'c2' }, body: { password: 'x' } })
    await client.getProfile()
    const shown = sent.map(({ headers }) => [
      headers['x-session-transport'],
      headers['x-flow-token'],
      headers['x-device-token'],
      headers['authorization'],
    ])
    assert.deepEqual(shown, [
      ['body', undefined, undefined, undefined],
      ['body', 'fl_1', undefined, undefined],
      ['body', undefined, 'dv_1', 'Bearer st_1'],
    ])
    assert.ok(sent.every(({ credentials }) => credentials === undefined))
  })

  it('forgets a session that has ended, and no other', async () => {
    const tokens = createMemoryTokenStore()
    await tokens.set('session', 'st_1')
    await tokens.set('device', 'dv_1')
    const { client } = createClient([errorAnswer(401, 'unauthenticated')], { tokens })
    await describeFailure(client.getProfile())
    assert.deepEqual([await tokens.get('session'), await tokens.get('device')], [undefined, 'dv_1'])

    await tokens.set('session', 'st_2')
    const whileItSignsInAnew = async () => {
      await tokens.set('session', 'st_3')
      return errorAnswer(401, 'unauthenticated')
    }
    await describeFailure(createClient([whileItSignsInAnew], { tokens }).client.getProfile())
    assert.equal(await tokens.get('session'), 'st_3')
    await describeFailure(createClient([errorAnswer(403, 'reauthentication_required')], { tokens }).client.getProfile())
    assert.equal(await tokens.get('session'), 'st_3')
  })

  it('forgets the session that it signs out of', async () => {
    const tokens = createMemoryTokenStore()
    await tokens.set('session', 'st_1')
    await createClient([success({ ended: 1 })], { tokens }).client.endOwnSessions()
    assert.equal(await tokens.get('session'), undefined)
  })

  it('sends no token that would break the header', async () => {
    const tokens = createMemoryTokenStore()
    await tokens.set('session', 'st_1\r\nx-evil: 1')
    const { client, sent } = createClient([success({})], { tokens })
    await assert.rejects(client.getProfile(), TypeError)
    assert.equal(sent.length, 0)
  })
})

describe('token', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'] }))
  afterEach(() => mock.timers.reset())

  it('is requested once while it is fresh, however many callers want it', async () => {
    const { client, sent } = createClient([tokenAnswer('a'), tokenAnswer('b')])
    const all = await Promise.all([client.token(), client.token(), client.token()])
    mock.timers.tick(29_999)
    assert.deepEqual([...all, await client.token()], Array(4).fill(createJwt('a')))
    assert.equal(sent.length, 1)
  })

  it('is renewed after half of its life, and used meanwhile', async () => {
    let answer: ((response: Response) => void) | undefined
    const late = () => new Promise<Response>((resolve) => (answer = resolve))
    const { client, sent } = createClient([tokenAnswer('a'), late])
    await client.token()
    mock.timers.tick(30_000)
    assert.deepEqual(await Promise.all([client.token(), client.token()]), [createJwt('a'), createJwt('a')])
    await settle()
    assert.equal(sent.length, 2)
    answer?.(tokenAnswer('b'))
    await settle()
    assert.equal(await client.token(), createJwt('b'))
    assert.equal(sent.length, 2)
  })

  it('makes callers wait once less than a sixth of its life is left', async () => {
    const { client, sent } = createClient([tokenAnswer('a'), tokenAnswer('b')])
    await client.token()
    mock.timers.tick(50_000)
    assert.equal(await client.token(), createJwt('b'))
    assert.equal(sent.length, 2)
  })

  it('is used to its end if it cannot be renewed, and is requested again each time', async () => {
    const { client, sent } = createClient([tokenAnswer('a'), errorAnswer(503, 'unavailable'), tokenAnswer('b')])
    await client.token()
    mock.timers.tick(30_000)
    assert.equal(await client.token(), createJwt('a'))
    await settle()
    assert.equal(await client.token(), createJwt('a'))
    await settle()
    assert.equal(await client.token(), createJwt('b'))
    assert.equal(sent.length, 3)
  })

  it('is no longer returned once the service says that the session has ended', async () => {
    const { client } = createClient([tokenAnswer('a'), errorAnswer(401, 'unauthenticated')])
    await client.token()
    mock.timers.tick(30_000)
    assert.equal(await client.token(), createJwt('a'))
    await settle()
    assert.equal((await describeFailure(client.token())).code, 'unauthenticated')
  })

  it('is kept for each organization separately', async () => {
    const { client, sent } = createClient([tokenAnswer('none'), tokenAnswer('org')])
    assert.equal(await client.token(), createJwt('none'))
    assert.equal(await client.token({ orgId: 'corg' }), createJwt('org'))
    assert.deepEqual(
      [await client.token(), await client.token({ orgId: 'corg' })],
      [createJwt('none'), createJwt('org')],
    )
    assert.deepEqual(
      sent.map((request) => request.body),
      ['{}', '{"orgId":"corg"}'],
    )
  })

  it('is requested again after anything that may have changed it, even while one is being requested', async () => {
    let answer: ((response: Response) => void) | undefined
    const late = () => new Promise<Response>((resolve) => (answer = resolve))
    const { client } = createClient([late, success({ user: {} }), tokenAnswer('new')])
    const old = client.token()
    await new Promise((resolve) => void setImmediate(resolve))
    await client.updateProfile({ body: { name: 'Ada' } })
    answer?.(tokenAnswer('old'))
    assert.equal(await old, createJwt('old'))
    assert.equal(await client.token(), createJwt('new'))
  })

  it('is replaced by the one that came with a profile, because all others may belong to another user', async () => {
    const { client, sent } = createClient([
      tokenAnswer('ada in corg'),
      tokenAnswer('grace'),
      tokenAnswer('grace in corg'),
    ])
    await client.token({ orgId: 'corg' })
    const { jwt } = await client.createOwnToken({ body: {} })
    assert.equal(await client.token(), jwt)
    assert.equal(sent.length, 2)
    assert.equal(await client.token({ orgId: 'corg' }), createJwt('grace in corg'))
  })

  it('is not replaced by one that came with a profile before the latest change, or with a lifetime of its own', async () => {
    let answer: ((response: Response) => void) | undefined
    const late = () => new Promise<Response>((resolve) => (answer = resolve))
    const { client } = createClient([late, success({ user: {} }), tokenAnswer('long', 900), tokenAnswer('new')])
    const old = client.createOwnToken({ body: {} })
    await settle()
    await client.updateProfile({ body: { name: 'Ada' } })
    answer?.(tokenAnswer('old'))
    await old
    await client.createOwnToken({ body: { ttl: 900 } })
    assert.equal(await client.token(), createJwt('new'))
  })

  it('is forgotten once any call says that the session has ended', async () => {
    const ended = errorAnswer(401, 'unauthenticated')
    const { client } = createClient([tokenAnswer('a'), ended, ended])
    await client.token()
    await describeFailure(client.getProfile())
    assert.equal((await describeFailure(client.token())).code, 'unauthenticated')
  })

  it('is requested again after a failure', async () => {
    const { client } = createClient([errorAnswer(401, 'unauthenticated'), tokenAnswer('a')])
    const error = await describeFailure(client.token())
    assert.equal(error.code, 'unauthenticated')
    assert.equal(await client.token(), createJwt('a'))
  })
})
