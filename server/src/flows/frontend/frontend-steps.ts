// The steps of a request of the frontend interface. Their order is in service/interfaces.ts.
import type { DataOf, FrontendEndpoint } from '@bailiwick/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../identity/deps.ts'
import { Content, DataStream, Serialized, json, streamOf } from '../../platform/http/answer.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { structuralIssues } from '../../platform/http/body/json-body.ts'
import { validateRequest } from '../../platform/http/body/validate.ts'
import { type Operation, type Step, type Steps, bind, runSteps } from '../../platform/http/pipeline.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type MaybePromise, whenReady } from '../../platform/maybe-promise.ts'
import { isOriginOf } from '../../tenancy/tenants/origins.ts'
import { readMsAhead } from '../../tenancy/test-mode/test-mode.ts'
import { assertMayAct } from './anonymous-access.ts'
import { FrontendCall } from './frontend-call.ts'
import type { FrontendLimits } from './frontend-limits.ts'
import { isReading, sessionOfRequest } from './session-of-request.ts'
import { type TenantOfRequest, byHost, tenantOfRequest } from './tenant-of-request.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant that the request is for, once it is known; the log contains it. */
    frontendTenantId: TenantId | undefined
  }
}

type AnyCall = FrontendCall<FrontendEndpoint>
type FrontendStep = Step<AnyCall, FrontendEndpoint>

/** Runs an operation once its tenant, and its session if it needs one, are known. */
export type FrontendHandler<E extends FrontendEndpoint> = (
  call: FrontendCall<E>,
) => MaybePromise<DataOf<E> | Serialized | DataStream>

/** Binds operations of the frontend interface. */
export interface Frontend {
  readonly app: FastifyInstance
  readonly deps: Deps
  readonly limits: FrontendLimits
  readonly handle: <E extends FrontendEndpoint>(endpoint: E, handler: FrontendHandler<E>) => void
}

/** The frontend interface, over the network and within this process. */
export interface FrontendInterface extends Pick<Frontend, 'deps' | 'limits'> {
  /** Returns the function that binds operations to the routes of an application. */
  readonly bindTo: (app: FastifyInstance) => Frontend
  /**
   * Runs an operation for a page that this process serves itself, with the limits, rights and rules of a request over the network. The page
   * has found the tenant and the session, has checked that the request is not forged, and has put the operation's input into the call. If
   * an operation streams its answer, its DataStream is returned.
   * @throws ApiError as the operation does over the network
   */
  readonly perform: <E extends FrontendEndpoint>(endpoint: E, call: FrontendCall<E>) => Promise<DataOf<E>>
}

interface FrontendSteps extends Steps<AnyCall, FrontendEndpoint> {
  /** The steps of an operation that a page of this process runs. */
  readonly inProcess: readonly FrontendStep[]
}

export function createFrontend(deps: Deps, limits: FrontendLimits, steps: FrontendSteps): FrontendInterface {
  const operations = new Map<FrontendEndpoint, Operation<AnyCall, FrontendEndpoint>>()
  return {
    deps,
    limits,
    bindTo: (app) => ({
      app,
      deps,
      limits,
      handle(endpoint, handler) {
        // The steps run operations of any endpoint.
        const operation = { endpoint, handler } as unknown as Operation<AnyCall, FrontendEndpoint>
        operations.set(endpoint, operation)
        bind(app, operation, (request, reply) => new FrontendCall<FrontendEndpoint>(request, reply), steps)
      },
    }),
    async perform<E extends FrontendEndpoint>(endpoint: E, call: FrontendCall<E>) {
      const operation = operations.get(endpoint)
      if (operation === undefined) throw new Error(`${endpoint.id} has no handler`)
      // The steps run calls of any endpoint.
      await runSteps(steps.inProcess, call as unknown as AnyCall, operation)
      const { result } = call
      return (result instanceof Serialized ? (JSON.parse(result.json) as { data: unknown }).data : result) as DataOf<E>
    },
  }
}

async function* enveloped({ texts }: DataStream): AsyncGenerator<string> {
  yield '{"status":"success","data":'
  yield* texts
  yield '}'
}

export const exposedHeaders = 'x-request-id, retry-after'

/**
 * Lets the tenant's own pages read the answer, and refuses other pages before any work is done for them.
 * @throws ApiError origin_refused
 */
function admit({ config }: Deps, { tenant }: TenantOfRequest, request: FastifyRequest, reply: FastifyReply) {
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

/** A browser sends cookies with requests of any page, so a request that changes something must come from a page of the tenant. */
function checkForgery(call: AnyCall) {
  const { headers, method } = call.request
  if (headers.authorization !== undefined || isReading(method)) return
  // Accounts of which none is active are in cookies, too.
  if (call.session === undefined && !(call.keepsAccounts && call.heldAccounts().length > 0)) return
  if (headers.origin === undefined && headers['sec-fetch-site'] !== 'same-origin') {
    throw new ApiError('origin_refused', {
      detail: 'A request that changes data with a session cookie must send an Origin header.',
    })
  }
}

/** Returns the error for a request without a tenant: it names none, or one that does not exist. */
export function withoutTenant({ headers, query }: FastifyRequest): ApiError {
  const isNamed = headers['x-public-key'] !== undefined || 'publicKey' in (query as object)
  return isNamed ? notFound() : new ApiError('public_key_required')
}

/** Returns the query without the public key, which callers that cannot set headers may add to the query of any operation. */
function withoutKey(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('publicKey' in query)) return query
  const { publicKey: _key, ...rest } = query
  return rest
}

/** How the tenant is looked up for operations that name it in their path. */
const lookUps = {
  'params.id': ({ tenants }: Deps, id: string) => tenants.byId(id),
  'params.publicKey': ({ tenants }: Deps, key: string) => tenants.byPublicKey(key),
  'params.domain': byHost,
} as const

function findTenant(
  deps: Deps,
  request: FastifyRequest,
  { tenant }: FrontendEndpoint,
  ownHost: string,
): MaybePromise<TenantOfRequest | undefined> {
  if (tenant === undefined) return tenantOfRequest(deps, request, ownHost)
  const place = 'from' in tenant ? tenant.from : tenant.finds
  const named = (request.params as Record<string, string>)[place.replace('params.', '')] ?? ''
  const found = lookUps[place](deps, named)
  return whenReady(found, (entry) => entry && { tenant: entry, isOwnDomain: false })
}

/** Checks what the call gives against the contract, and names every problem at once. */
function check({ params, query, body, tenantId }: AnyCall, endpoint: FrontendEndpoint) {
  const claimed = validateRequest(endpoint, params, query, body)
  if (claimed !== undefined && claimed !== tenantId) throw notFound()
}

export function createFrontendSteps(deps: Deps, limits: FrontendLimits) {
  const ownHost = new URL(deps.config.baseUrl).host
  return {
    /** Refuses an address that has sent too many requests; signed-in users have additional limits. */
    limit: ({ request, reply }, { endpoint }) => {
      if (endpoint.session !== 'required') limits.take(endpoint.id, request, reply)
    },

    /** Finds the tenant: by the path, the public key or the domain. */
    locate: (call, { endpoint }) =>
      whenReady(findTenant(deps, call.request, endpoint, ownHost), (found) => {
        if (found === undefined) throw endpoint.tenant === undefined ? withoutTenant(call.request) : notFound()
        call.tenant = found.tenant
        call.isOwnDomain = found.isOwnDomain
        call.msAhead = readMsAhead(deps.config, found.tenant)
        call.request.frontendTenantId = found.tenant.row.id
      }),

    /** Refuses pages that do not belong to the tenant. */
    admitOrigin: (call) => admit(deps, call, call.request, call.reply),

    /** Finds the session by its cookie or token. One that is sent as a token must be valid. */
    authenticate: (call, { endpoint }) => {
      if (endpoint.session === 'none') return undefined
      const { request, reply } = call
      return whenReady(
        sessionOfRequest(deps, request, call, () => limits.take('session', request, reply)),
        (session) => {
          call.session = session
        },
      )
    },

    /** Refuses a caller that is not signed in, or is anonymous, if the operation requires a user. */
    authorize: ({ session }, { endpoint }) => {
      if (endpoint.session !== 'required') return
      if (session === undefined) throw new ApiError('unauthenticated')
      assertMayAct(session, endpoint)
    },

    /** Refuses a change that comes with a cookie from a page that does not name its origin. */
    refuseForgery: (call) => checkForgery(call),

    /** Refuses a signed-in user who has sent too many requests. */
    limitUser: ({ session, reply }, { endpoint }) => {
      if (endpoint.session === 'required' && session !== undefined) limits.takeOfUser(endpoint.id, session.row, reply)
    },

    /** Reads parameters, query and body, and checks them against the contract. */
    parse: (call, { endpoint }) => {
      const { request } = call
      call.params = request.params as AnyCall['params']
      call.query = withoutKey(request.query) as AnyCall['query']
      call.body = request.body === undefined && endpoint.isBodyOptional === true ? {} : request.body
      check(call, endpoint)
    },

    /** Checks what a page of this process gives against the contract, and against what no body may contain. */
    check: (call, { endpoint }) => {
      const issues = structuralIssues(call.body)
      if (issues.length > 0) throw new ApiError('validation_failed', { issues })
      check(call, endpoint)
    },

    /** Puts what the operation returned into the envelope, as the text that is sent. */
    present: (call, { endpoint }) => {
      const { result } = call
      if (result instanceof DataStream) call.answer = new Content(json, streamOf(enveloped(result)))
      else call.answer = result instanceof Serialized ? result : new Serialized(call.serialize(endpoint, result))
    },
  } satisfies Record<string, FrontendStep>
}
