// Writes the log line of one request. It is by far the most frequent line, its fields are known, and none can hold a secret, so it goes
// directly to the log's destination: pino and the redaction would cost a quarter of a whole look-up.
// Ids made by the service and methods known to Node need no escaping.
import { type DestinationStream, type Logger, symbols } from 'pino'

export interface RequestRecord {
  readonly requestId: string
  readonly method: string
  /** The route's pattern instead of the address, which holds ids and may hold anything a client put there by mistake. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly ip: string
  readonly principal: string | undefined
  readonly tenantId: string | undefined
}

/** Returns the middle of the line, which is mostly the same for consecutive requests to a route. */
function createMiddle() {
  /** The last middle of each route; there are as many routes as operations. */
  const last = new Map<string, { readonly method: string; readonly status: number; readonly text: string }>()
  return ({ method, route, status }: RequestRecord): string => {
    const known = last.get(route)
    if (known !== undefined && known.status === status && known.method === method) return known.text
    const text = `","method":"${method}","route":${JSON.stringify(route)},"status":${status},"ms":`
    last.set(route, { method, status, text })
    return text
  }
}

function createEnd() {
  let last: Pick<RequestRecord, 'ip' | 'principal' | 'tenantId'> | undefined
  let text = ''
  return ({ ip, principal, tenantId }: RequestRecord): string => {
    if (last !== undefined && last.ip === ip && last.tenantId === tenantId && last.principal === principal) return text
    last = { ip, principal, tenantId }
    text = `,${JSON.stringify({ ...last, msg: 'request' }).slice(1)}\n`
    return text
  }
}

/** Returns a function that writes lines in pino's form, or undefined when the log's level omits them. */
export function createRequestLog(log: Logger): ((record: RequestRecord) => void) | undefined {
  if (!log.isLevelEnabled('info')) return undefined
  const stream = Reflect.get(log, symbols.streamSym) as DestinationStream
  const [middleOf, endOf] = [createMiddle(), createEnd()]
  let lastMs = Number.NaN
  let start = ''
  // Joins a few long pieces, because building an object and its text costs several times as much.
  return (record) => {
    const now = Date.now()
    if (now !== lastMs) {
      start = `{"level":"info","time":"${new Date(now).toISOString()}","requestId":"`
      lastMs = now
    }
    stream.write(start + record.requestId + middleOf(record) + record.ms + endOf(record))
  }
}
