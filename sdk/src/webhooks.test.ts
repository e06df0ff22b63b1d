import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { WebhookError, type WebhookErrorCode, type WebhookRequest, verifyWebhook } from '@bailiwick/sdk/webhooks'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const otherSecret = `whsec_${btoa('another secret of 24 byt')}`
const now = 1_795_000_000
const body = JSON.stringify({ type: 'user.created', data: { name: 'Ada Łovelace 🎩' } })
const id = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'

const sign = (timestamp: number, { content = body, key = secret, messageId = id } = {}) =>
  new Webhook(key).sign(messageId, new Date(timestamp * 1000), content)

const request = (headers: Record<string, string> = {}, rest: Partial<WebhookRequest> = {}): WebhookRequest => ({
  secret,
  headers: { 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': sign(now), ...headers },
  body,
  ...rest,
})

async function findReason(refused: WebhookRequest): Promise<WebhookErrorCode> {
  const error: unknown = await verifyWebhook(refused).then(
    () => new Error('it was accepted'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof WebhookError)) throw error
  return error.code
}

/** Yields every text that differs from `text` in one bit of its UTF-8. */
function* oneBitOff(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    yield changed
  }
}

describe('verifyWebhook', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: now * 1000 }))
  afterEach(() => mock.reset())

  it('accepts messages signed by another implementation of Standard Webhooks, and returns them', async () => {
    assert.deepEqual(await verifyWebhook(request()), {
      id,
      sentAt: new Date(now * 1000),
      payload: { type: 'user.created', data: { name: 'Ada Łovelace 🎩' } },
    })
  })

  it('agrees with the other implementation on any message', async () => {
    const message = fc.tuple(fc.jsonValue(), fc.stringMatching(/^[\w-]{1,64}$/), fc.integer({ min: -300, max: 300 }))
    await fc.assert(
      fc.asyncProperty(message, async ([value, messageId, offset]) => {
        const content = JSON.stringify(value)
        const { payload } = await verifyWebhook({
          secret,
          headers: {
            'webhook-id': messageId,
            'webhook-timestamp': String(now + offset),
            'webhook-signature': sign(now + offset, { content, messageId }),
          },
          body: content,
        })
        assert.deepEqual(payload, JSON.parse(content))
      }),
    )
  })

  it('accepts the published example of Standard Webhooks', async () => {
    mock.timers.setTime(1_614_265_330_000)
    const { payload } = await verifyWebhook({
      secret,
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      body: '{"test": 2432232314}',
    })
    assert.deepEqual(payload, { test: 2_432_232_314 })
  })

  it('accepts the body as bytes, the secret without its prefix, the headers as Headers or in any case', async () => {
    const { headers } = request()
    const entries = Object.entries(headers as Record<string, string>)
    await verifyWebhook(request({}, { body: new TextEncoder().encode(body) }))
    await verifyWebhook(request({}, { body: Buffer.from(body) }))
    await verifyWebhook(request({}, { secret: secret.slice('whsec_'.length) }))
    await verifyWebhook(request({}, { headers: new Headers(entries) }))
    await verifyWebhook(request({}, { headers: Object.fromEntries(entries.map(([k, v]) => [k.toUpperCase(), v])) }))
    await verifyWebhook(request({}, { headers: Object.fromEntries(entries.map(([k, v]) => [k, [v]])) }))
  })

  it('accepts one right signature among others, as sent while a secret is being changed', async () => {
    const others = `v1,${btoa('x'.repeat(32))} ${sign(now, { key: otherSecret })} v1a,abc v2,abc`
    await verifyWebhook(request({ 'webhook-signature': `${others} ${sign(now)}` }))
    await verifyWebhook(request({ 'webhook-signature': `${sign(now)} ${others}` }))
    assert.equal(await findReason(request({ 'webhook-signature': others })), 'no_matching_signature')
  })

  it('refuses every change of one bit in the body', async () => {
    for (const changed of oneBitOff(body)) {
      assert.equal(await findReason(request({}, { body: changed })), 'no_matching_signature')
    }
  })

  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const) {
    it(`refuses every change of one bit in ${name}`, async () => {
      const value = (request().headers as Record<string, string>)[name] ?? ''
      for (const changed of oneBitOff(value)) {
        // As a server receives it: header values are Latin-1.
        const text = changed.toString('latin1')
        const refused = request({ [name]: text }, { toleranceSeconds: Number.MAX_SAFE_INTEGER })
        await assert.rejects(verifyWebhook(refused), WebhookError, JSON.stringify(text))
      }
    })
  }

  it('refuses another secret', async () => {
    assert.equal(await findReason(request({}, { secret: otherSecret })), 'no_matching_signature')
  })

  it('refuses a request older than the tolerance and one from further in the future, to the second', async () => {
    const at = (timestamp: number, toleranceSeconds?: number) =>
      request(
        { 'webhook-timestamp': String(timestamp), 'webhook-signature': sign(timestamp) },
        toleranceSeconds === undefined ? {} : { toleranceSeconds },
      )
    await verifyWebhook(at(now - 300))
    await verifyWebhook(at(now + 300))
    assert.equal(await findReason(at(now - 301)), 'timestamp_too_old')
    assert.equal(await findReason(at(now + 301)), 'timestamp_too_new')
    await verifyWebhook(at(now, 0))
    assert.equal(await findReason(at(now - 1, 0)), 'timestamp_too_old')
    assert.equal(await findReason(at(now + 1, 0)), 'timestamp_too_new')
  })

  for (const toleranceSeconds of [Number.NaN, Infinity, -1, '300' as unknown as number]) {
    it(`refuses to judge with a tolerance of ${toleranceSeconds}`, async () => {
      const old = request({ 'webhook-timestamp': '1', 'webhook-signature': sign(1) }, { toleranceSeconds })
      await assert.rejects(verifyWebhook(old), TypeError)
    })
  }

  for (const bad of ['', 'whsec_', 'whsec_MfKQ9r8', 'not base64 at all!', `${secret}=`, undefined]) {
    it(`refuses to judge with ${JSON.stringify(bad)} as the secret`, async () => {
      await assert.rejects(verifyWebhook(request({}, { secret: bad as string })), TypeError)
    })
  }

  const signature = sign(now)
  const wrongSignatures: Readonly<Record<string, string>> = {
    'only a comma': ',',
    'only white space': '   ',
    'a version without a signature': 'v1,',
    'a signature without a version': signature.slice('v1,'.length),
    'another version': signature.replace('v1', 'v2'),
    'the asymmetric version': signature.replace('v1', 'v1a'),
    'an upper-case version': signature.replace('v1', 'V1'),
    'a shortened signature': 'v1,AAAA',
    'a signature without padding': signature.replace(/=$/, ''),
    'a lengthened signature': `${signature}AAAA`,
    'a signature in hexadecimal': `v1,${Buffer.from(signature.slice(3), 'base64').toString('hex')}`,
    'a signature with a tab before it': `v1,\t${signature.slice(3)}`,
    'signatures parted by commas': `v1,AAAA,${signature}`,
    'the right one behind more than anybody sends': `${'v1,AAAA '.repeat(16)}${signature}`,
  }
  for (const [what, value] of Object.entries(wrongSignatures)) {
    it(`refuses ${what}`, async () => {
      assert.equal(await findReason(request({ 'webhook-signature': value })), 'no_matching_signature')
    })
  }

  const wrongHeaders: readonly (readonly [string, string])[] = [
    ['webhook-id', 'msg.1'],
    ['webhook-id', `${id}, ${id}`],
    ['webhook-id', ' '],
    ['webhook-id', 'x'.repeat(257)],
    ['webhook-timestamp', '-1'],
    ['webhook-timestamp', `0${now}`],
    ['webhook-timestamp', `${now}.0`],
    ['webhook-timestamp', `${now} `],
    ['webhook-timestamp', `${now}, ${now}`],
    ['webhook-timestamp', '1e9'],
    ['webhook-timestamp', 'NaN'],
    ['webhook-timestamp', '2026-11-20T22:49:43Z'],
  ]
  for (const [name, value] of wrongHeaders) {
    it(`refuses the ${name} ${JSON.stringify(value).slice(0, 40)}, correctly signed`, async () => {
      const messageId = name === 'webhook-id' ? value : id
      const timestamp = name === 'webhook-timestamp' ? value : String(now)
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const signed = await hmac(key, `${messageId}.${timestamp}.${body}`)
      assert.equal(await findReason(request({ [name]: value, 'webhook-signature': signed })), 'malformed_header')
    })
  }

  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    it(`refuses a request without ${name}, or with an empty or a second one`, async () => {
      const headers = request().headers as Record<string, string>
      const without = Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
      assert.equal(await findReason(request({}, { headers: without })), 'missing_header')
      assert.equal(await findReason(request({}, { headers: new Headers(without) })), 'missing_header')
      assert.equal(await findReason(request({ [name]: '' })), 'missing_header')
      const twice = { ...headers, [name.toUpperCase()]: headers[name] ?? '' }
      assert.equal(await findReason(request({}, { headers: twice })), 'malformed_header')
      const list = { ...headers, [name]: [headers[name] ?? '', headers[name] ?? ''] }
      assert.equal(await findReason(request({}, { headers: list })), 'malformed_header')
    })
  }

  it('does not mistake the end of the id for the time', async () => {
    // The id `a` with a body that starts with a time is signed as the same bytes as the id `a.<time>` with the rest.
    const content = `${now}.{}`
    const signed = sign(now, { content, messageId: 'a' })
    const shifted = request(
      { 'webhook-id': `a.${now}`, 'webhook-timestamp': String(now), 'webhook-signature': signed },
      { body: '{}' },
    )
    assert.equal(await findReason(shifted), 'malformed_header')
  })

  it('refuses a body that is signed but not JSON in UTF-8', async () => {
    for (const content of ['', '{', 'undefined']) {
      const refused = request({ 'webhook-signature': sign(now, { content }) }, { body: content })
      assert.equal(await findReason(refused), 'malformed_body')
    }
    const latin1 = Buffer.from('"\xe9"', 'latin1')
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = await hmac(key, Buffer.concat([Buffer.from(`${id}.${now}.`), latin1]))
    assert.equal(await findReason(request({ 'webhook-signature': signed }, { body: latin1 })), 'malformed_body')
  })
})

async function hmac(key: Uint8Array<ArrayBuffer>, content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return `v1,${Buffer.from(await crypto.subtle.sign('HMAC', imported, bytes)).toString('base64')}`
}
