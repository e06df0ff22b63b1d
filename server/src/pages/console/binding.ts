// Binds the console below `/console`. The code that answers is loaded by the first request for it, as for the hosted pages.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../identity/deps.ts'

const load = () => import('./serve-console.ts')

export function consoleRoutes(app: FastifyInstance, deps: Deps) {
  app.get<{ Params: { name: string } }>('/console/assets/:name', async ({ params, headers }, reply) =>
    (await load()).sendConsoleAsset(params.name, headers['accept-encoding'], reply),
  )
  app.get('/console/frame', async (_request, reply) => (await load()).sendFrame(deps, reply))
  // The page finds its screen by the address.
  for (const path of ['/console', '/console/*']) {
    app.get(path, async (request, reply) => (await load()).sendConsole(deps, request, reply))
  }
}
