// Binds an operation of the frontend interface. Every request takes the same steps, in this order:
// tenant -> origin -> session -> parse -> operation -> envelope.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DataOf, type FrontendEndpoint, bodyBytesMaxDefault } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { ApiError, notFound } from '../http/api-error.ts'
import { Serialized, routePath } from '../http/route.ts'
import { validateRequest } from '../http/validate.ts'
import { type CallContext, FrontendCall } from './frontend-call.ts'
import type { FrontendLimits } from './frontend-limits.ts'
import { isOriginOf } from './origins.ts'
import { sessionOfRequest } from './session-of-request.ts'
import { type TenantOfRequest, tenantOfRequest } from './tenant-of-request.ts'

declare module 'fastify' {
  interface FastifyRequest {
    frontend: CallContext | undefined
  }
}

/** Finds the tenant of a request, for the few operations that name it in their path. */
export interface TenantFinder {
  (request: FastifyRequest): Promise<TenantOfRequest | undefined>
}

export type FrontendHandler<E extends FrontendEndpoint> = (call: FrontendCall<E>) => Promise<DataOf<E> | Serialized>

/** What binds operations of the frontend interface. */
export interface FrontendRouter {
  readonly app: FastifyInstance
  readonly deps: Deps
  readonly limits: FrontendLimits
}

const json = 'application/json; charset=utf-8'
export const exposedHeaders = 'x-request-id, retry-after'

/**
 * Lets the tenant's own pages read the answer, and refuses pages of others before anything is done for them.
 * @throws ApiError origin_refused
 */
export function admitOrigin(
  { config }: Deps,
  { tenant }: TenantOfRequest,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { origin } = request.headers
  reply.header('vary', 'Origin')
  if (origin === undefined) return
  if (!isOriginOf(config, tenant, origin)) throw new ApiError('origin_refused')
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposedHeaders,
  })
}

/** A browser sends cookies along with whatever page asks; one that changes something must come from a page of the tenant's. */
function checkForgery({ headers, method }: FastifyRequest, context: CallContext) {
  if (context.session === undefined || headers.authorization !== undefined || method === 'GET') return
  const site = headers['sec-fetch-site']
  if (headers.origin === undefined && site !== 'same-origin') {
    throw new ApiError('origin_refused', {
      detail: 'A session in a cookie changes nothing but from a page that says where it is.',
    })
  }
}

async function contextOf(
  deps: Deps,
  endpoint: FrontendEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  found: TenantOfRequest | undefined,
): Promise<CallContext> {
  if (found === undefined) throw notFound()
  admitOrigin(deps, found, request, reply)
  const session = endpoint.session === 'none' ? undefined : await sessionOfRequest(deps, request, found)
  if (endpoint.session === 'required' && session === undefined) throw new ApiError('unauthenticated')
  const context = { ...found, session }
  checkForgery(request, context)
  return context
}

export function frontendRoute<E extends FrontendEndpoint>(
  { app, deps, limits }: FrontendRouter,
  endpoint: E,
  handler: FrontendHandler<E>,
  findTenant: TenantFinder = (request) => tenantOfRequest(deps, request, new URL(deps.config.baseUrl).host),
) {
  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    bodyLimit: endpoint.bodyBytesMax ?? bodyBytesMaxDefault,
    // Before the body is read: nothing is parsed for a page that may not call.
    onRequest: async (request, reply) => {
      limits.take(endpoint.id, request, reply)
      request.frontend = await contextOf(deps, endpoint, request, reply, await findTenant(request))
    },
    handler: async (request, reply) => {
      const context = request.frontend
      if (context === undefined) throw new Error(`${endpoint.id} was reached without a tenant`)
      validateRequest(endpoint, request.params, withoutKey(request.query), request.body)
      const call = new FrontendCall<E>(request, reply, context)
      const data = await handler(call)
      reply.header('content-type', json)
      if (data instanceof Serialized) return reply.send(data.json)
      return reply.send(call.serialize(endpoint, data))
    },
  })
}

/** The public key may stand in the query of any operation, for who cannot set headers. */
function withoutKey(query: unknown): unknown {
  const { publicKey: _key, ...rest } = query as Record<string, unknown>
  return rest
}
