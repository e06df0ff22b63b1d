// What passes a trace from one service to the next: https://www.w3.org/TR/trace-context/
import { randomBytes } from 'node:crypto'

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** The span that the next one is a part of: 16 hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

const sampledFlag = 1
const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Returns the context of a `traceparent` header; undefined for one that the specification says to ignore. */
export function parseTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', rest] = form.exec(header) ?? []
  // Later versions may add something at the end; version 00 has exactly four parts, and ff is none.
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag }
}

export const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext) =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/** Returns an id in hexadecimal digits. Random bytes are all zero too rarely to look for it. */
export const newTraceId = () => randomBytes(16).toString('hex')
export const newSpanId = () => randomBytes(8).toString('hex')
