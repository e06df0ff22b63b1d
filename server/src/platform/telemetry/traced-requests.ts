// One span for each request, within which everything runs that answers it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseTraceparent } from './trace-context.ts'
import type { Span, Tracer } from './tracer.ts'

const serverErrorMin = 500

/** Takes the caller's `traceparent`. The span is named by the route's pattern, never by the address, which may hold anything. */
export function traceRequests(app: FastifyInstance, tracer: Tracer) {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, { raw }, done) => {
    const { method, headers } = request
    const route = request.routeOptions.url ?? 'unknown'
    const span = tracer.begin(`${method} ${route}`, {
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': route, 'bailiwick.request_id': request.id },
      parent: parseTraceparent(headers['traceparent']),
    })
    raw.once('close', () => {
      const status = raw.statusCode
      const attributes = { 'http.response.status_code': status }
      span.end({ attributes, hasFailed: status >= serverErrorMin || !raw.writableFinished })
    })
    spans.set(request, span)
    tracer.within(span, done)
  })
  // A body arrives outside of what ran when the request did.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else tracer.within(span, done)
  })
}
