// The limits of the HTTP server, as a client that keeps to none of them meets them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anyEngine, isOnCitus } from '../harness/databases/engines.ts'
import { type RawAnswer, dial, requestText } from './raw-connection.ts'
import { type ServiceProcess, newDeployment, request, startService, until } from './service-process.ts'

let service: ServiceProcess
before(async () => {
  service = await startService((await newDeployment(anyEngine)).env)
})

/** Sends the bytes; the service answers once and closes the connection. */
async function answerTo(bytes: string): Promise<RawAnswer> {
  const connection = await dial(service.url)
  connection.socket.write(bytes, 'latin1')
  return connection.lastAnswer()
}

function assertRefused({ status, headers, body }: RawAnswer, expectedStatus: number, code: string) {
  assert.deepEqual([status, body['status'], body['code']], [expectedStatus, 'error', code])
  assert.deepEqual(Object.keys(body), ['status', 'code', 'message', 'requestId'])
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(headers.get('x-request-id'), body['requestId'])
}

const closing = 'connection: close'
const json = 'content-type: application/json'

describe('headers', () => {
  it('over 16 KiB are refused with 431', async () => {
    const fits = await answerTo(requestText('GET /livez', [closing, `x-filler: ${'a'.repeat(15 * 1024)}`]))
    assert.equal(fits.status, 200)
    const tooLarge = await answerTo(requestText('GET /livez', [`x-filler: ${'a'.repeat(16 * 1024)}`]))
    assertRefused(tooLarge, 431, 'headers_too_large')
  })

  it('in more than a hundred are refused with 431, not cut', async () => {
    const fillers = (count: number) => Array.from({ length: count }, (_, index) => `x-${index}: a`)
    assert.equal((await answerTo(requestText('GET /livez', [...fillers(98), closing]))).status, 200)
    const connection = await dial(service.url)
    // A proxy's mark behind so many must end the rights of callers on this machine all the same.
    connection.socket.write(requestText('GET /api/v0/tenants', [...fillers(100), 'x-forwarded-for: 192.0.2.1']))
    const [answer] = await connection.answers(1)
    assert.ok(answer !== undefined)
    assertRefused(answer, 431, 'headers_too_large')
    connection.socket.destroy()
  })

  it('that arrive too slowly end the connection with 408', async () => {
    const connection = await dial(service.url)
    connection.socket.write('GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n')
    const drip = setInterval(() => connection.socket.write('x-slow: a\r\n'), 1000)
    try {
      assertRefused(await connection.lastAnswer(), 408, 'request_timeout')
    } finally {
      clearInterval(drip)
    }
  })
})

describe('an address', () => {
  it('over 4 KiB is refused with 414', async () => {
    const path = (length: number) => `/api/v0/tenants/slug/${'a'.repeat(length)}`.slice(0, length)
    const fits = await answerTo(requestText(`GET ${path(600)}?${'a'.repeat(4096 - 601)}`, [closing]))
    assert.equal(fits.status, 404)
    assertRefused(await answerTo(requestText(`GET ${path(4097)}`, [closing])), 414, 'uri_too_long')
  })

  it('that is not well encoded is refused with 400', async () => {
    assertRefused(await answerTo(requestText('GET /api/v0/tenants/slug/%zz', [closing])), 400, 'malformed_request')
  })
})

describe('bytes that are not HTTP', () => {
  const post = requestText('POST /api/v0/tenants', [json]).replace(/\r\n$/, '')
  const garbage = {
    'a TLS handshake': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    'a word': 'HELLO\r\n\r\n',
    'an unknown method': 'GRAB /livez HTTP/1.1\r\nhost: a\r\n\r\n',
    'a header without a colon': 'GET /livez HTTP/1.1\r\nhost: a\r\nnothing\r\n\r\n',
    'a NUL in a header': 'GET /livez HTTP/1.1\r\nhost: a\r\nx-a: \u0000\r\n\r\n',
    'a request without a host': 'GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n',
    'two hosts': 'GET /livez HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\n\r\n',
    'one host twice': 'GET /livez HTTP/1.1\r\nhost: a\r\nhost: a\r\nconnection: close\r\n\r\n',
    'two lengths': `${post}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`,
    'a length beside chunks': `${post}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'a length that is no number': `${post}content-length: ten\r\n\r\n{}`,
    'an encoding of transfer that does not exist': `${post}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
    'an encoding of transfer before chunked': `${post}connection: close\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    'a target of another host': 'GET http://evil.example/livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    'a chunk of no size': `${post}transfer-encoding: chunked\r\n\r\nzz\r\n`,
  }
  for (const [what, bytes] of Object.entries(garbage)) {
    it(`is refused with 400: ${what}`, async () => {
      assertRefused(await answerTo(bytes), 400, 'malformed_request')
    })
  }
})

describe('a body', () => {
  const tooLarge = JSON.stringify({ name: 'a'.repeat(3 * 1024 * 1024), environment: 'staging' })

  it('larger than allowed is refused with 413 before it is sent, by its length', async () => {
    const connection = await dial(service.url)
    connection.socket.write(requestText('POST /api/v0/tenants', [json, `content-length: ${tooLarge.length}`]))
    const [answer] = await connection.answers(1)
    assert.ok(answer !== undefined)
    assertRefused(answer, 413, 'payload_too_large')
    connection.socket.destroy()
  })

  for (const how of ['with its length', 'in chunks'] as const) {
    it(`larger than allowed is refused with 413 to who sends it all first, ${how}, and the connection goes on`, async () => {
      const isChunked = how === 'in chunks'
      const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${tooLarge.length}`
      const sent = isChunked ? `${tooLarge.length.toString(16)}\r\n${tooLarge}\r\n0\r\n\r\n` : tooLarge
      const connection = await dial(service.url)
      connection.socket.pause()
      await new Promise<unknown>((resolve) => {
        connection.socket.write(requestText('POST /api/v0/tenants', [json, framing], sent), resolve)
      })
      connection.socket.resume()
      connection.socket.write(requestText('GET /livez', [closing]))
      const [refused, next] = await connection.answers(2)
      assert.ok(refused !== undefined)
      assertRefused(refused, 413, 'payload_too_large')
      assert.deepEqual(next?.body, { status: 'success' })
      await connection.closed()
    })
  }
})

describe('connections', () => {
  it('carry requests that are sent without waiting, answered in their order', async () => {
    const connection = await dial(service.url)
    const body = JSON.stringify({ name: 'Pipelined', environment: 'staging' })
    connection.socket.write(
      [
        requestText('GET /api/v0/tenants/slug/nobody-1'),
        requestText('POST /api/v0/tenants', [json, `content-length: ${body.length}`], body),
        requestText('GET /api/v0/nothing'),
        requestText('GET /livez', [closing]),
      ].join(''),
    )
    const answers = await connection.answers(4)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 404, 200],
    )
    assert.equal(answers[1]?.body['name'], 'Pipelined')
    assert.deepEqual(answers[3]?.body, { status: 'success' })
    await connection.closed()
  })

  it('of two hundred who do not read their answers do not hold up others', async () => {
    // Citus writes tenants one after the other, and those who wait for seconds are answered with 503.
    const atOnce = isOnCitus ? 4 : 50
    for (let made = 0; made < 300; made += atOnce) {
      const creations = Array.from({ length: atOnce }, (_, index) =>
        request(`${service.api}/tenants`, { json: { name: `Crowd ${made + index}`, environment: 'staging' } }),
      )
      for (const { status } of await Promise.all(creations)) assert.equal(status, 200)
    }
    const readers = await Promise.all(Array.from({ length: 200 }, () => dial(service.url)))
    after(() => {
      for (const { socket } of readers) socket.destroy()
    })
    for (const { socket } of readers) {
      socket.pause()
      // A list of over 100 KiB eight times: more than the buffers of a connection take.
      socket.write(requestText('GET /api/v0/tenants').repeat(8))
    }
    for (let round = 0; round < 20; round++) {
      const answer = await request(`${service.api}/tenants/slug/nobody-${round}`)
      assert.deepEqual([answer.status, answer.body], [200, null])
    }
    const created = await request(`${service.api}/tenants`, { json: { name: 'Not held up', environment: 'staging' } })
    assert.equal(created.status, 200)

    const [reader] = readers
    assert.ok(reader !== undefined && !reader.isClosed())
    reader.socket.resume()
    await until('a reader that goes on reading gets its answers', 60_000, () =>
      reader.received().split('HTTP/1.1 200 OK').length === 9 ? true : undefined,
    )
  })
})
