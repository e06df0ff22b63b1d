// Gives the authorization server its pages. What draws them is loaded by the first one, as with the pages themselves.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DrawEnginePages } from '../applications/engine/engine-pages.ts'
import type { Deps } from '../identity/deps.ts'

/** Answers a request that has no tenant: with a page in a browser. */
export async function failOutsideTenant(deps: Deps, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { renderFailure } = await import('./failures.ts')
  return renderFailure(deps, error, request, reply)
}

const load = () => import('./engine-pages.ts')

export const drawEnginePages: DrawEnginePages = (deps, placed, request) => {
  const at = { request, address: request.url }
  return {
    error: async (code, description) => (await load()).drawError(deps, placed, at, code, description),
    expired: async () => (await load()).drawExpired(deps, placed, at),
    signOut: async (question) => (await load()).drawSignOut(deps, placed, at, question),
    stayedSignedIn: async () => (await load()).drawStayedSignedIn(deps, placed, at),
    signedOut: async (address) => (await load()).drawSignedOut(deps, placed, at, address),
  }
}
