// What a trace shows beside requests: calls to other hosts and the database. Each is decorated, so that no feature knows of traces.
import type { Database } from '../db/database.ts'
import type { Egress } from '../net/egress.ts'
import { traceparentOf } from './trace-context.ts'
import type { Tracer } from './tracer.ts'

/** Passes the trace on with each request. The address is not recorded but for its host, since the rest may hold a secret. */
export function tracedEgress(egress: Egress, tracer: Tracer): Egress {
  return {
    check: (url) => egress.check(url),
    request(url, request) {
      const host = URL.canParse(url) ? new URL(url).hostname : ''
      const attributes = { 'http.request.method': request.method, 'server.address': host }
      return tracer.trace(request.method, { kind: 'client', attributes }, ({ context }) =>
        egress.request(url, { ...request, headers: { ...request.headers, traceparent: traceparentOf(context) } }),
      )
    },
    connect(host, port, options) {
      const attributes = { 'server.address': host, 'server.port': port }
      return tracer.trace('connect', { kind: 'client', attributes }, () => egress.connect(host, port, options))
    },
  }
}

/** Records what a request or job asks of the database; the background's own questions have no trace to belong to. */
export function tracedDatabase<Db extends Database>(db: Db, tracer: Tracer): Db {
  const system = db.engine === 'sqlite' ? 'sqlite' : 'postgresql'
  const traced = new Set<string | symbol>(['all', 'first', 'transaction', 'write'])
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (!traced.has(name)) return value.bind(target) as unknown
      return (...given: readonly unknown[]) => {
        const call = () => Reflect.apply(value, target, given) as Promise<unknown>
        if (tracer.current()?.isSampled !== true) return call()
        const attributes = { 'db.system.name': system }
        return tracer.trace(`database ${String(name)}`, { kind: 'client', attributes }, call)
      }
    },
  })
}
