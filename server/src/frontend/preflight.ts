// Answers what browsers ask before they call from another origin. The question names no tenant, so that nothing is decided here: the
// request itself is refused, unread, when its page is none of the tenant's.
import type { FastifyInstance } from 'fastify'

const maxAgeSeconds = '600'
const methods = 'GET, POST, PUT, PATCH, DELETE'
const headers = 'authorization, content-type, x-public-key, x-session-transport, x-flow-token, x-device-token'

export function answerPreflights(app: FastifyInstance) {
  app.options('/*', (request, reply) => {
    const { origin } = request.headers
    if (origin !== undefined && origin !== 'null') {
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': methods,
        'access-control-allow-headers': headers,
        'access-control-max-age': maxAgeSeconds,
      })
    }
    return reply.header('vary', 'Origin').code(204).send()
  })
}
