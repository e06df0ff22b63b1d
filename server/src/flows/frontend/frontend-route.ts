// Binds an operation of the frontend interface. Every request takes the same steps, in this order:
// tenant -> origin -> session -> parse -> operation -> envelope.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DataOf, type FrontendEndpoint, bodyBytesMaxDefault } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { routePath } from '../../platform/http/route.ts'
import { Serialized, json, sendSoon } from '../../platform/http/serialized.ts'
import { validateRequest } from '../../platform/http/validate.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { LiveSession } from '../../identity/sessions/session-directory.ts'
import { type CallContext, FrontendCall } from './frontend-call.ts'
import type { FrontendLimits } from './frontend-limits.ts'
import type { FrontendOperations } from './frontend-operations.ts'
import { isOriginOf } from '../../tenancy/tenants/origins.ts'
import { isReading, sessionOfRequest } from './session-of-request.ts'
import { type TenantOfRequest, tenantOfRequest } from './tenant-of-request.ts'

declare module 'fastify' {
  interface FastifyRequest {
    frontend: CallContext | undefined
    /** The tenant that the request is for, once it is known; the log names it. */
    frontendTenantId: TenantId | undefined
  }
}

/** Finds the tenant of a request, for the few operations that name it in their path. */
export interface TenantFinder {
  (request: FastifyRequest): TenantOfRequest | undefined | Promise<TenantOfRequest | undefined>
}

/** At once only what is ready in memory. */
export type FrontendHandler<E extends FrontendEndpoint> = (
  call: FrontendCall<E>,
) => Serialized | Promise<DataOf<E> | Serialized>

/** What binds operations of the frontend interface. */
export interface FrontendRouter {
  readonly app: FastifyInstance
  readonly deps: Deps
  readonly limits: FrontendLimits
  readonly operations: FrontendOperations
}

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
  if (context.session === undefined || headers.authorization !== undefined || isReading(method)) return
  const site = headers['sec-fetch-site']
  if (headers.origin === undefined && site !== 'same-origin') {
    throw new ApiError('origin_refused', {
      detail: 'A session in a cookie changes nothing but from a page that says where it is.',
    })
  }
}

/** What a request that is for no tenant is told: it names none, or none that there is. */
export function withoutTenant({ headers, query }: FastifyRequest): ApiError {
  const isNamed = headers['x-public-key'] !== undefined || 'publicKey' in (query as object)
  return isNamed ? notFound() : new ApiError('public_key_required')
}

/** At once where memory has everything, else a promise. */
function contextOf(
  deps: Deps,
  endpoint: FrontendEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  found: TenantOfRequest,
  limits: FrontendLimits,
): CallContext | Promise<CallContext> {
  request.frontendTenantId = found.tenant.row.id
  admitOrigin(deps, found, request, reply)
  const withSession = (session: LiveSession | undefined): CallContext => {
    if (endpoint.session === 'required' && session === undefined) throw new ApiError('unauthenticated')
    const context = { ...found, session }
    checkForgery(request, context)
    if (endpoint.session === 'required' && session !== undefined) limits.takeOfUser(endpoint.id, session.row, reply)
    return context
  }
  const session =
    endpoint.session === 'none'
      ? undefined
      : sessionOfRequest(deps, request, found, () => limits.take('session', request, reply))
  return session instanceof Promise ? session.then(withSession) : withSession(session)
}

export function frontendRoute<E extends FrontendEndpoint>(
  { app, deps, limits, operations }: FrontendRouter,
  endpoint: E,
  handler: FrontendHandler<E>,
  findTenant?: TenantFinder,
) {
  operations.add(endpoint, handler)
  const ownHost = new URL(deps.config.baseUrl).host
  const find = findTenant ?? ((request: FastifyRequest) => tenantOfRequest(deps, request, ownHost))
  const answer = (call: FrontendCall<E>, data: DataOf<E> | Serialized) => {
    if (data instanceof Serialized) return data.send(call.reply)
    return call.reply.header('content-type', json).send(call.serialize(endpoint, data))
  }

  app.route({
    method: [endpoint.method, ...(endpoint.alsoAs ?? [])],
    url: routePath(endpoint.path),
    bodyLimit: endpoint.bodyBytesMax ?? bodyBytesMaxDefault,
    // Before the body is read: nothing is parsed for a page that may not call.
    onRequest: (request, reply, done) => {
      const enter = (found: TenantOfRequest | undefined) => {
        if (found === undefined) throw findTenant === undefined ? withoutTenant(request) : notFound()
        return contextOf(deps, endpoint, request, reply, found, limits)
      }
      const settle = (context: CallContext) => {
        request.frontend = context
      }
      try {
        if (endpoint.session !== 'required') limits.take(endpoint.id, request, reply)
        const found = find(request)
        const context = found instanceof Promise ? found.then(enter) : enter(found)
        if (context instanceof Promise) return void context.then(settle).then(() => done(), done)
        settle(context)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    handler: (request, reply) => {
      const context = request.frontend
      if (context === undefined) throw new Error(`${endpoint.id} was reached without a tenant`)
      const claimed = validateRequest(endpoint, request.params, withoutKey(request.query), request.body)
      if (claimed !== undefined && claimed !== context.tenant.row.id) throw notFound()
      const call = new FrontendCall<E>(request, reply, context)
      const result = handler(call)
      if (result instanceof Promise) return result.then((data) => answer(call, data))
      sendSoon(result, reply)
      return undefined
    },
  })
}

/** The public key may stand in the query of any operation, for who cannot set headers. */
function withoutKey(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('publicKey' in query)) return query
  const { publicKey: _key, ...rest } = query
  return rest
}
