import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { Bailiwick, type StreamedEvent } from '@bailiwick/sdk'
import fc from 'fast-check'
import {
  type Answer,
  type Sent,
  baseUrl,
  collect,
  errorAnswer,
  describeFailure,
  json,
  scripted,
  settle,
} from '../test/answers.ts'

const query = { tenantId: 'ctenant0001' }
const params = query
const ndjson = 'application/x-ndjson'
const sse = 'text/event-stream'
const connectionLost = new TypeError('terminated')

function createClient(answers: readonly Answer[], options: { retries?: number; timeoutMs?: number } = {}) {
  const { fetch, sent } = scripted(...answers)
  return { client: new Bailiwick({ baseUrl, secretKey: 'sk_dev_1', fetch, ...options }), sent }
}

type End = 'close' | 'break' | 'hang'
type ReadableStreamSource = NonNullable<ConstructorParameters<typeof ReadableStream<Uint8Array>>[0]> & {
  type?: undefined
}

/** Returns an answer that arrives in these pieces, and what happened to it. */
function streamed(type: string, pieces: readonly (string | Uint8Array)[], end: End = 'close') {
  const state = { isCancelled: false }
  const answer = async ({ signal }: Sent) => {
    const left = [...pieces]
    const source: ReadableStreamSource = {
      start(stream) {
        signal.addEventListener('abort', () => stream.error(signal.reason))
      },
      async pull(stream) {
        const piece = left.shift()
        if (piece !== undefined) stream.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
        else if (end === 'close') stream.close()
        else if (end === 'break') stream.error(connectionLost)
        else await new Promise(() => undefined)
      },
      cancel() {
        state.isCancelled = true
      },
    }
    return new Response(new ReadableStream(source, { highWaterMark: 0 }), { headers: { 'content-type': type } })
  }
  return { answer, state }
}

describe('an answer in lines', () => {
  afterEach(() => mock.reset())

  it('is the same however the network splits it', async () => {
    const values = [{ id: 'a', name: 'Ada 🎩' }, { id: 'b' }, 'é', null, 7]
    const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(cuts, fc.boolean(), async (places, isEnded) => {
        const whole = isEnded ? bytes : bytes.subarray(0, -1)
        const at = [0, ...places.toSorted((a, b) => a - b), whole.length]
        const pieces = at.slice(1).map((end, index) => new Uint8Array(whole.subarray(at[index], end)))
        const { client } = createClient([
          streamed(
            ndjson,
            pieces.filter((piece) => piece.length > 0),
          ).answer,
        ])
        assert.deepEqual(await collect<unknown>(client.exportUsers({ query })), values)
      }),
    )
  })

  it('requests lines, sends nothing before the first is read, and tries again after a temporary refusal', async () => {
    mock.method(Math, 'random', () => 0)
    const { client, sent } = createClient([
      errorAnswer(503, 'unavailable'),
      streamed(`${ndjson}; charset=utf-8`, ['1\n']).answer,
    ])
    const values = client.exportUsers({ query })
    await settle()
    assert.equal(sent.length, 0)
    assert.deepEqual(await collect<unknown>(values), [1])
    assert.equal(sent[0]?.headers['accept'], ndjson)
  })

  it('ends with an error if it breaks off, after the lines before', async () => {
    const { client, sent } = createClient([streamed(ndjson, ['1\n2\n3'], 'break').answer])
    const values: unknown[] = []
    const error = await describeFailure(collect(client.exportUsers({ query }), values))
    assert.deepEqual([error.code, error.cause, values, sent.length], ['network_error', connectionLost, [1, 2], 1])
  })

  const foreign: Readonly<Record<string, Answer>> = {
    'another media type': json([]),
    'a line that is no JSON': streamed(ndjson, ['{"id":\n']).answer,
    'a line without an end': streamed(
      ndjson,
      Array.from({ length: 5 }, () => 'x'.repeat(2 ** 20)),
      'hang',
    ).answer,
  }
  for (const [what, answer] of Object.entries(foreign)) {
    it(`is invalid with ${what}`, async () => {
      const { client } = createClient([answer])
      assert.equal((await describeFailure(collect(client.exportUsers({ query })))).code, 'invalid_response')
    })
  }

  it('is refused with the code of the service', async () => {
    const { client } = createClient([errorAnswer(404, 'not_found')])
    assert.equal((await describeFailure(collect(client.exportUsers({ query })))).code, 'not_found')
  })

  it('is cancelled when the loop is left', async () => {
    const { answer, state } = streamed(ndjson, ['1\n2\n'], 'hang')
    const { client } = createClient([answer])
    for await (const value of client.exportUsers({ query }) as AsyncIterable<unknown>) {
      assert.equal(value, 1)
      break
    }
    assert.equal(state.isCancelled, true)
  })

  it('may be read slowly, but must not come slowly', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const { client } = createClient([streamed(ndjson, ['1\n', '2\n'], 'hang').answer], { timeoutMs: 1000 })
    const values = client.exportUsers({ query }) as AsyncGenerator
    for (const value of [1, 2]) {
      assert.deepEqual(await values.next(), { done: false, value })
      mock.timers.tick(60_000)
    }
    const end = describeFailure(values.next())
    await settle()
    mock.timers.tick(1000)
    assert.equal((await end).code, 'timed_out')
  })
})

describe('records in lines', () => {
  beforeEach(() => mock.method(Math, 'random', () => 0))
  afterEach(() => mock.reset())

  /** Answers as the service does, all records created. */
  const received = (sent: Sent) => {
    const count = (sent.body?.split('\n').length ?? 1) - 1
    const lines = Array.from({ length: count }, (_, index) => ({ line: index + 1, status: 'created', id: `c${index}` }))
    const answers = [...lines, { summary: { created: count, exists: 0, error: 0 } }]
    return streamed(
      ndjson,
      answers.map((answer) => `${JSON.stringify(answer)}\n`),
    ).answer(sent)
  }
  const users = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `u${index}@example.com` }))

  it('go in batches of 500, with answers under their own numbers, with one summary', async () => {
    const { client, sent } = createClient([received])
    const answers = await collect(client.importUsers({ query, body: users(1201) }))
    assert.deepEqual(
      sent.map(({ body }) => (body?.split('\n').length ?? 0) - 1),
      [500, 500, 201],
    )
    assert.deepEqual(
      answers.flatMap((answer) => ('line' in answer ? answer.line : [])),
      Array.from({ length: 1201 }, (_, index) => index + 1),
    )
    assert.deepEqual(answers.at(-1), { summary: { created: 1201, exists: 0, error: 0 } })
    assert.ok(sent.every(({ headers }) => headers['content-type'] === ndjson && headers['accept'] === ndjson))
    assert.equal(
      sent.map(({ body }) => body).join(''),
      users(1201)
        .map((user) => `${JSON.stringify(user)}\n`)
        .join(''),
    )
  })

  it('go in smaller batches if they are large, and alone if they are huge', async () => {
    const { client, sent } = createClient([received])
    const sizes = [100, 200_000, 200_000, 400_000, 100]
    const body = sizes.map((size) => ({ publicMeta: 'x'.repeat(size) }))
    await collect(client.importUsers({ query, body }))
    assert.deepEqual(
      sent.map((each) => (each.body?.split('\n').length ?? 0) - 1),
      [2, 1, 1, 1],
    )
  })

  it('cause no request if there are none', async () => {
    const { client, sent } = createClient([received])
    const answers = await collect(client.importUsers({ query, body: [] }))
    assert.deepEqual([answers, sent.length], [[{ summary: { created: 0, exists: 0, error: 0 } }], 0])
  })

  it('are taken from their source no faster than the answers are read', async () => {
    let taken = 0
    async function* source() {
      for (const user of users(2000)) {
        taken++
        yield user
      }
    }
    const { client } = createClient([received])
    const answers = client.importUsers({ query, body: source() })
    await answers.next()
    await settle()
    assert.equal(taken, 501)
    await answers.return()
  })

  for (const [what, answer] of Object.entries<Answer>({
    breaks: streamed(ndjson, ['{"line":1,"status":"created"}\n'], 'break').answer,
    'ends before the summary': streamed(ndjson, ['{"line":1,"status":"created"}\n']).answer,
    'leaves a line out': streamed(ndjson, ['{"summary":{"created":1,"exists":0,"error":0}}\n']).answer,
  })) {
    it(`are sent again, only the batch concerned, if the answer ${what}`, async () => {
      const { client, sent } = createClient([received, answer, received])
      const answers = await collect(client.importUsers({ query, body: users(501) }))
      assert.equal(answers.length, 502)
      assert.equal(sent.length, 3)
      assert.equal(sent[2]?.body, sent[1]?.body)
    })
  }

  it('carry no Idempotency-Key, which the service does not accept with lines', async () => {
    const { client, sent } = createClient([received])
    await collect(client.importUsers({ query, body: users(501), idempotencyKey: 'monday' }))
    assert.deepEqual(
      sent.map(({ headers }) => headers['idempotency-key']),
      [undefined, undefined],
    )
  })
})

describe('events', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    mock.method(Math, 'random', () => 0)
  })
  afterEach(() => mock.reset())

  const frame = (id: string) => `id: ${id}\ndata: {"id":"e${id}"}\n\n`
  const hello = 'retry: 3000\nid: 0\n\n'
  const readIds = (events: readonly StreamedEvent[]) =>
    events.map(({ event, lastEventId }) => `${lastEventId}:${event.id}`)

  /** Follows until `count` events have come; `ms` pass whenever nothing else happens. */
  async function follow(client: Bailiwick, count: number, ms: number, input: { lastEventId?: string } = {}) {
    const events: StreamedEvent[] = []
    const state = { isDone: false }
    const done = (async () => {
      for await (const event of client.streamEvents({ params, ...input })) {
        if (events.push(event) === count) return
      }
    })().finally(() => {
      state.isDone = true
    })
    done.catch(() => undefined)
    for (let turn = 0; turn < 20; turn++) {
      await settle()
      if (state.isDone) break
      mock.timers.tick(ms)
    }
    await done
    return readIds(events)
  }
  const readPlaces = (sent: readonly { readonly headers: Record<string, string> }[]) =>
    sent.map(({ headers }) => headers['last-event-id'])

  it('arrive as they are sent; comments, other fields and split lines do no harm', async () => {
    const odd = [': still here\n\n', 'event: x\r\nid: 1\r\nda', 'ta:{"id":\ndata: "e1"}\r\n\r\n', 'other\n']
    const { client, sent } = createClient([streamed(sse, [hello, ...odd, frame('2')], 'hang').answer])
    assert.deepEqual(await follow(client, 2, 1), ['1:e1', '2:e2'])
    assert.deepEqual([sent[0]?.headers['accept'], readPlaces(sent)], [sse, [undefined]])
  })

  it('continue after the last one after a connection that breaks, ends or falls silent', async () => {
    const { client, sent } = createClient(
      [
        streamed(sse, [hello, frame('1'), 'id: 2\ndata: {"id'], 'break').answer,
        streamed(sse, [frame('2')], 'close').answer,
        streamed(sse, [frame('3')], 'hang').answer,
        streamed(sse, [frame('4')], 'hang').answer,
      ],
      { timeoutMs: 3000 },
    )
    assert.deepEqual(await follow(client, 4, 3000), ['1:e1', '2:e2', '3:e3', '4:e4'])
    assert.deepEqual(readPlaces(sent), [undefined, '1', '2', '3'])
  })

  it('are repeated if they were cut off', async () => {
    const { client, sent } = createClient([
      streamed(sse, [frame('1'), 'data: {"id":"e2'], 'break').answer,
      streamed(sse, [frame('2')], 'hang').answer,
    ])
    assert.deepEqual(await follow(client, 2, 2000), ['1:e1', '2:e2'])
    assert.deepEqual(readPlaces(sent), [undefined, '1'])
  })

  it('start after the one that the caller names', async () => {
    const { client, sent } = createClient([streamed(sse, [frame('8')], 'hang').answer])
    assert.deepEqual(await follow(client, 1, 1, { lastEventId: '7' }), ['8:e8'])
    assert.deepEqual(readPlaces(sent), ['7'])
  })

  it('are requested again after the time that the service states, and never at once', async () => {
    for (const [retry, ms] of [
      ['3000', 3000],
      ['0', 250],
      ['999999999', 60_000],
      ['soon', 2000],
    ] as const) {
      const { client, sent } = createClient([streamed(sse, [`retry: ${retry}\n\n`]).answer])
      const events = client.streamEvents({ params })
      const next = events.next().catch(() => undefined)
      await settle()
      mock.timers.tick(ms - 1)
      await settle()
      assert.equal(sent.length, 1, retry)
      mock.timers.tick(1)
      await settle()
      assert.equal(sent.length, 2, retry)
      void next
    }
  })

  for (const [what, answer, code] of [
    ['the right was taken away', errorAnswer(403, 'forbidden'), 'forbidden'],
    ['the service stays away', connectionLost, 'network_error'],
    ['an event is no JSON', streamed(sse, ['data: {\n\n']).answer, 'invalid_response'],
  ] as const) {
    it(`end with an error if ${what}`, async () => {
      const { client } = createClient([streamed(sse, [frame('1')]).answer, answer], { retries: 1 })
      assert.equal((await describeFailure(follow(client, 2, 2000))).code, code)
    })
  }

  it("end with the caller's reason when the caller aborts", async () => {
    const reason = new Error('enough')
    const { client } = createClient([streamed(sse, [frame('1')], 'hang').answer])
    const controller = new AbortController()
    const events = client.streamEvents({ params, signal: controller.signal })
    await events.next()
    const end = assert.rejects(events.next(), reason)
    await settle()
    controller.abort(reason)
    await end
  })

  it('end at once if the caller aborts while the stream ends', async () => {
    const reason = new Error('enough')
    const deaf: Answer = async () => new Response(frame('1'), { headers: { 'content-type': sse } })
    const { client } = createClient([deaf])
    const controller = new AbortController()
    const events = client.streamEvents({ params, signal: controller.signal })
    await events.next()
    controller.abort(reason)
    await assert.rejects(events.next(), reason)
  })
})

describe('a form with a file', () => {
  const passphrase = 'four words nobody guesses'
  const file = new Blob(['the archive'])
  const progress = { step: 'imported', rows: 1, rowsTotal: 1 }

  it('is sent once, its file last, however long that takes, and its answer is read line by line', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const arrived = Promise.withResolvers<void>()
    const answer = streamed(ndjson, [`${JSON.stringify(progress)}\n`]).answer
    const { client, sent } = createClient([
      async (given) => {
        await arrived.promise
        assert.equal(given.signal.aborted, false)
        return answer(given)
      },
    ])
    const answers = collect(client.importTenant({ body: { file, passphrase } }))
    await settle()
    mock.timers.tick(24 * 60 * 60 * 1000)
    arrived.resolve()
    assert.deepEqual(await answers, [progress])
    const [request] = sent
    assert.ok(request)
    assert.deepEqual([request.headers['content-type'], request.headers['idempotency-key']], [undefined, undefined])
    assert.deepEqual([...(request.form?.keys() ?? [])], ['passphrase', 'file'])
    mock.timers.reset()
  })

  it('is not sent again after a failure that another request would be repeated after', async () => {
    const { client, sent } = createClient([errorAnswer(503, 'unavailable')], { retries: 5 })
    const error = await describeFailure(collect(client.importTenant({ body: { passphrase, file } })))
    assert.deepEqual([error.code, sent.length], ['unavailable', 1])
  })
})

describe('an answer of bytes', () => {
  const input = { params: { id: 'ctenant0001' }, body: { passphrase: 'four words nobody guesses' } }

  it('arrives in pieces, and ends with an error where it breaks off', async () => {
    const type = 'application/octet-stream'
    const whole = createClient([streamed(type, ['ab', 'c']).answer])
    const pieces = await collect(whole.client.exportTenant(input))
    assert.equal(Buffer.concat(pieces).toString(), 'abc')
    assert.equal(whole.sent[0]?.headers['accept'], type)
    const broken = createClient([streamed(type, ['ab'], 'break').answer])
    const before: Uint8Array[] = []
    const error = await describeFailure(collect(broken.client.exportTenant(input), before))
    assert.deepEqual([error.code, Buffer.concat(before).toString()], ['network_error', 'ab'])
  })
})
