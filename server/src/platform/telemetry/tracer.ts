// Records spans and knows which one is under way. Only loaded where an operator has asked for traces.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Sampler } from './sampler.ts'
import { type TraceContext, newSpanId, newTraceId } from './trace-context.ts'

/** As in the protocol: what the span was in its own service's eyes. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const
export type SpanKind = keyof typeof spanKinds
export type SpanAttributes = Readonly<Record<string, string | number>>

export interface EndedSpan {
  readonly context: TraceContext
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  /** In milliseconds since 1970, with fractions. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: SpanAttributes
  readonly hasFailed: boolean
}

export interface Span {
  readonly context: TraceContext
  /** @param ended the name and attributes that were not known before. */
  end(ended?: { readonly name?: string; readonly attributes?: SpanAttributes; readonly hasFailed?: boolean }): void
}

export interface SpanOptions {
  readonly kind: SpanKind
  readonly attributes?: SpanAttributes
  /** What the span is a part of; by default the one under way. */
  readonly parent?: TraceContext | undefined
}

export interface Tracer {
  /** The span under way. */
  current(): TraceContext | undefined
  /** Begins a span; whoever begins it ends it. */
  begin(name: string, options: SpanOptions): Span
  /** Runs what belongs to a span. */
  within<T>(span: Span, body: () => T): T
  /** Runs what a span is about, and ends it. A rejection counts as its failure. */
  trace<T>(name: string, options: SpanOptions, body: (span: Span) => Promise<T>): Promise<T>
}

const nowMs = () => performance.timeOrigin + performance.now()

export function createTracer(sampler: Sampler, onEnd: (span: EndedSpan) => void): Tracer {
  const underWay = new AsyncLocalStorage<TraceContext>()

  const begin: Tracer['begin'] = (name, { kind, attributes = {}, parent = underWay.getStore() }) => {
    const traceId = parent?.traceId ?? newTraceId()
    const context = { traceId, spanId: newSpanId(), isSampled: sampler(traceId, parent) }
    const startMs = nowMs()
    return {
      context,
      end(ended = {}) {
        if (!context.isSampled) return
        onEnd({
          context,
          parentSpanId: parent?.spanId,
          name: ended.name ?? name,
          kind,
          startMs,
          endMs: nowMs(),
          attributes: { ...attributes, ...ended.attributes },
          hasFailed: ended.hasFailed === true,
        })
      },
    }
  }
  const within: Tracer['within'] = (span, body) => underWay.run(span.context, body)

  return {
    current: () => underWay.getStore(),
    begin,
    within,
    async trace(name, options, body) {
      const span = begin(name, options)
      try {
        const result = await within(span, () => body(span))
        span.end()
        return result
      } catch (error) {
        span.end({ hasFailed: true, attributes: { 'error.type': error instanceof Error ? error.name : 'unknown' } })
        throw error
      }
    },
  }
}
