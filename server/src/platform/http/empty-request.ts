// Requests that can have no body, like nearly all that read. Node makes such a request without the life of a stream, which is a fifth of
// what a read costs: it has ended before anybody looks, and emits nothing. Fastify's readers of bodies wait for events, so they get a
// stream from here.
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** For `http.createServer`; a Node that does not know it makes streams of all requests. */
export const emptyRequests = { optimizeEmptyRequests: true }

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Parsers wait for the end of a body, also of one that is declared by its type alone. Before any route is made. */
export function readEmptyRequests(app: FastifyInstance) {
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => reading.has(method))) return
    route.preParsing = [
      ...[route.preParsing ?? []].flat(),
      ({ raw }, _reply, payload, done) => done(null, raw.readableEnded ? Readable.from([]) : payload),
    ]
  })
}
