// Sends spans to a collector, as OTLP over HTTP in JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp
// The address is the operator's own, like that of the database, so it may be a private one.
import { request as httpsRequest } from 'node:https'
import type { Logger } from 'pino'
import { httpRequest } from '../net/node-http.ts'
import { type EndedSpan, spanKinds } from './tracer.ts'

export interface ExporterOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Describes the process: `service.name` and the like. */
  readonly resource: Readonly<Record<string, string>>
  readonly log: Logger
  /** How often spans are sent. */
  readonly everyMs?: number
}

export interface Exporter {
  add(span: EndedSpan): void
  /** Sends what is left. */
  close(): Promise<void>
}

const everyMsDefault = 5000
const batchMax = 512
/** What a collector that is away makes this process hold; later spans are dropped. */
const queueMax = 2048
const timeoutMs = 10_000
const statusFailed = 2
const nanosecondsPerMillisecond = 1_000_000n

const attributesOf = (attributes: Readonly<Record<string, string | number>>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))

/** A number has no room for nanoseconds since 1970. */
const nanosecondsOf = (ms: number) =>
  String(BigInt(Math.floor(ms)) * nanosecondsPerMillisecond + BigInt(Math.round((ms % 1) * 1_000_000)))

const spanOf = ({ context, parentSpanId, name, kind, startMs, endMs, attributes, hasFailed }: EndedSpan) => ({
  traceId: context.traceId,
  spanId: context.spanId,
  ...(parentSpanId === undefined ? {} : { parentSpanId }),
  name,
  kind: spanKinds[kind],
  startTimeUnixNano: nanosecondsOf(startMs),
  endTimeUnixNano: nanosecondsOf(endMs),
  attributes: attributesOf(attributes),
  status: hasFailed ? { code: statusFailed } : {},
})

/** Returns a request's body, as the protocol's `ExportTraceServiceRequest`. */
export const bodyOf = (resource: ExporterOptions['resource'], spans: readonly EndedSpan[]) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: 'bailiwick' }, spans: spans.map(spanOf) }],
    },
  ],
})

function post({ url, headers }: Pick<ExporterOptions, 'url' | 'headers'>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const sent = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(timeoutMs),
    })
    sent.once('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export function createExporter(options: ExporterOptions): Exporter {
  const { resource, log, everyMs = everyMsDefault } = options
  const queue: EndedSpan[] = []
  let dropped = 0
  let hasTold = false
  let sending: Promise<void> | undefined

  /** Sends one batch. One that the collector does not take is lost: traces are not worth more memory. */
  async function sendBatch() {
    const spans = queue.splice(0, batchMax)
    const lost = dropped
    dropped = 0
    try {
      const status = await post(options, JSON.stringify(bodyOf(resource, spans)))
      if (status < 200 || status >= 300) throw new Error(`the collector answered ${status}`)
      hasTold = false
    } catch (err) {
      if (!hasTold) log.warn({ err, spans: spans.length, dropped: lost }, 'traces cannot be sent to the collector')
      hasTold = true
    }
  }

  async function sendAll() {
    while (queue.length > 0) await sendBatch()
  }

  const flush = () => {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }
  const timer = setInterval(() => void flush(), everyMs).unref()

  return {
    add(span) {
      if (queue.length >= queueMax) {
        dropped++
        return
      }
      queue.push(span)
      if (queue.length >= batchMax) void flush()
    },
    async close() {
      clearInterval(timer)
      await flush()
      await flush()
    },
  }
}
