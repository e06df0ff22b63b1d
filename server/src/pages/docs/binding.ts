// Binds the documentation below `/docs`. The code that answers is loaded by the first request for it, as for the console.
import type { FastifyInstance } from 'fastify'

const load = () => import('./serve-docs.ts')

/** Where the reference was before it became part of the documentation, and where files would be that the service makes itself. */
const movedAddresses = {
  '/api/v0/reference': '/docs/reference/',
  '/api/v0/reference/': '/docs/reference/',
  '/api/v0/reference/management.json': '/api/v0/openapi.json',
  '/api/v0/reference/frontend.json': '/frontend/api/v0/openapi.json',
  '/docs/reference/openapi.json': '/api/v0/openapi.json',
  '/docs/reference/frontend/openapi.json': '/frontend/api/v0/openapi.json',
}

export function docsRoutes(app: FastifyInstance) {
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/', 308))
  app.get<{ Params: { '*': string } }>('/docs/*', async ({ params, headers }, reply) =>
    (await load()).sendDocs(params['*'], headers, reply),
  )
  for (const [from, to] of Object.entries(movedAddresses)) {
    app.get(from, async (_request, reply) => reply.redirect(to, 308))
  }
}
