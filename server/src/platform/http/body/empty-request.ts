// Requests that cannot have a body, such as nearly all reads. Node can make these without an active stream, which saves a fifth of the cost
// of a read: such a request has ended before anybody looks and emits no events. Fastify's body parsers wait for events, so this file gives
// them a stream.
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Options for `http.createServer`; a Node version that does not know them makes streams for all requests. */
export const emptyRequests = { optimizeEmptyRequests: true }

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Parsers wait for the end of a body, even for an empty one with only a content type. Must be called before routes are added. */
export function readEmptyRequests(app: FastifyInstance) {
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => reading.has(method))) return
    route.preParsing = [
      ...[route.preParsing ?? []].flat(),
      ({ raw }, _reply, payload, done) => done(null, raw.readableEnded ? Readable.from([]) : payload),
    ]
  })
}
