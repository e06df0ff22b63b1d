import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import type { Egress } from '../net/egress.ts'
import { bodyOf } from './otlp-exporter.ts'
import { createSampler } from './sampler.ts'
import { newTraceId, parseTraceparent, traceparentOf } from './trace-context.ts'
import { tracedEgress } from './traced.ts'
import { startTracing, type Tracing } from './tracing.ts'

const log = pino({ level: 'silent' })
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'

describe('a traceparent', () => {
  it('is read as the specification says', () => {
    const known = { traceId, spanId: parentId, isSampled: true }
    assert.deepEqual(parseTraceparent(`00-${traceId}-${parentId}-01`), known)
    assert.deepEqual(parseTraceparent(`00-${traceId}-${parentId}-00`), { ...known, isSampled: false })
    assert.deepEqual(parseTraceparent(`cc-${traceId}-${parentId}-01-what-comes-later`), known)
    assert.equal(traceparentOf(known), `00-${traceId}-${parentId}-01`)
  })

  it('is ignored when it is malformed', () => {
    const malformed = [
      undefined,
      '',
      `ff-${traceId}-${parentId}-01`,
      `00-${traceId}-${parentId}-01-more`,
      `00-${'0'.repeat(32)}-${parentId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-${parentId}-01`,
      [`00-${traceId}-${parentId}-01`],
    ]
    for (const header of malformed) assert.equal(parseTraceparent(header), undefined, String(header))
  })
})

describe('a sampler', () => {
  const parent = { traceId, spanId: parentId, isSampled: true }

  it('follows the caller where it is based on its parent', () => {
    assert.equal(createSampler('parentbased_always_off', 1)(traceId, parent), true)
    assert.equal(createSampler('parentbased_always_on', 1)(traceId, { ...parent, isSampled: false }), false)
    assert.equal(createSampler('always_off', 1)(traceId, parent), false)
    assert.equal(createSampler('parentbased_always_off', 1)(traceId, undefined), false)
  })

  it('records about the share of traces that it is given', () => {
    const sampler = createSampler('traceidratio', 0.25)
    const recorded = Array.from({ length: 4000 }, newTraceId).filter((id) => sampler(id, undefined)).length
    assert.ok(recorded > 800 && recorded < 1200, String(recorded))
  })
})

describe('the variables of OpenTelemetry', () => {
  const traces = (env: NodeJS.ProcessEnv) => readConfig(env).traces

  it('switch traces on with an address alone', () => {
    assert.equal(traces({}), undefined)
    assert.equal(traces({ OTEL_SERVICE_NAME: 'ids' }), undefined)
    assert.equal(traces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/', OTEL_SDK_DISABLED: 'true' }), undefined)
    const found = traces({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20one, x-team=ids',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production',
    })
    assert.equal(found?.url, 'http://c:4318/v1/traces')
    assert.deepEqual(found?.headers?.reveal(), { authorization: 'Bearer one', 'x-team': 'ids' })
    assert.deepEqual(found?.resource, {
      'deployment.environment.name': 'production',
      'service.name': 'bailiwick',
    })
  })

  it('are refused by name when they are wrong', () => {
    const wrong = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'c:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'no pairs',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '2',
    }
    for (const [name, value] of Object.entries(wrong)) {
      assert.throws(() => readConfig({ [name]: value }), new RegExp(`${name} `), name)
    }
  })
})

describe('traces', () => {
  const received: { readonly path: string | undefined; readonly body: ReturnType<typeof bodyOf> }[] = []
  let status = 200
  const collector = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      received.push({ path: request.url, body: JSON.parse(text) as ReturnType<typeof bodyOf> })
      response.writeHead(status).end('{}')
    })
  })
  let tracing: Tracing
  before(async () => {
    await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
    const { port } = collector.address() as AddressInfo
    const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
    assert.ok(traces !== undefined)
    tracing = startTracing(traces, log)
  })
  after(() => collector.close())

  it('reach the collector with their parents, and pass the trace on to other hosts', async () => {
    const asked: Readonly<Record<string, string>>[] = []
    const egress = {
      request: (_url: string, { headers }: { headers: Readonly<Record<string, string>> }) => {
        asked.push(headers)
        return Promise.reject(new Error('refused'))
      },
    } as unknown as Egress
    const { tracer } = tracing
    const parent = parseTraceparent(`00-${traceId}-${parentId}-01`)
    await tracer.trace('GET /x', { kind: 'server', parent, attributes: { 'http.response.status_code': 200 } }, () =>
      assert.rejects(
        tracedEgress(egress, tracer).request('https://receiver.example/secret?token=1', {
          tenantId: 't',
          method: 'POST',
          headers: { 'x-own': '1' },
          timeoutMs: 1,
          responseBytesMax: 1,
        }),
      ),
    )
    await tracing.close()
    const [sent] = received
    assert.equal(sent?.path, '/v1/traces')
    const [client, server] = sent?.body.resourceSpans[0]?.scopeSpans[0]?.spans ?? []
    assert.deepEqual([server?.traceId, server?.parentSpanId, server?.kind], [traceId, parentId, 2])
    assert.deepEqual([client?.traceId, client?.parentSpanId, client?.kind], [traceId, server?.spanId, 3])
    assert.deepEqual([server?.status, client?.status], [{}, { code: 2 }])
    assert.deepEqual(asked, [{ 'x-own': '1', traceparent: `00-${traceId}-${client?.spanId}-01` }])
    assert.doesNotMatch(JSON.stringify(sent), /secret|token=1/)
    assert.ok(BigInt(server?.endTimeUnixNano ?? 0) >= BigInt(client?.endTimeUnixNano ?? 1))
  })

  it('are given up without harm when the collector refuses them, and not recorded unless sampled', async () => {
    status = 503
    received.length = 0
    const { tracer } = tracing
    await tracer.trace('refused', { kind: 'internal' }, () => Promise.resolve())
    const unsampled = { traceId, spanId: parentId, isSampled: false }
    await tracer.trace('unsampled', { kind: 'server', parent: unsampled }, () => Promise.resolve())
    await tracing.close()
    const names = received.flatMap(({ body }) => body.resourceSpans[0]?.scopeSpans[0]?.spans.map(({ name }) => name))
    assert.deepEqual(names, ['refused'])
  })
})
