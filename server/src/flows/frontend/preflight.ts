// Answers preflight requests, which browsers send before a call from another origin. A preflight request does not carry the headers of the
// call, so the tenant is known only if the host or `?publicKey=` names it; a page of another origin than the tenant's is then refused.
// Otherwise nothing is decided here: the call itself is refused, before its body is read, if its page does not belong to the tenant.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOriginOf } from '../../tenancy/tenants/origins.ts'
import type { Frontend } from './frontend-steps.ts'
import { tenantOfRequest } from './tenant-of-request.ts'

const maxAgeSeconds = '600'
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const headers =
  'authorization, content-type, x-public-key, x-protocol-public-key, x-session-transport, x-flow-token, x-device-token, x-challenge'
/** For pages of every origin, like the answers to them. */
const isPublic = (path: string) => path.includes('/.well-known/')

function grant(reply: FastifyReply, origin: string) {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': methods,
    'access-control-allow-headers': headers,
    'access-control-max-age': maxAgeSeconds,
  })
}

export function answerPreflights({ app, deps, limits }: Frontend) {
  const ownHost = new URL(deps.config.baseUrl).host

  async function isForeign(request: FastifyRequest, reply: FastifyReply, origin: string): Promise<boolean> {
    const isUnnamed = request.host === ownHost && !('publicKey' in (request.query as object))
    if (isUnnamed || isPublic(request.url)) return false
    limits.take('preflight', request, reply)
    const found = await tenantOfRequest(deps, request, ownHost)
    if (found === undefined) return false
    request.frontendTenantId = found.tenant.row.id
    return !isOriginOf(deps.config, found.tenant, origin)
  }

  app.options('/*', async (request, reply) => {
    const { origin } = request.headers
    reply.header('vary', 'Origin')
    if (origin !== undefined && origin !== 'null' && !(await isForeign(request, reply, origin))) grant(reply, origin)
    return reply.code(204).send()
  })
}
