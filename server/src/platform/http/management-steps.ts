// The steps of the management interface. Their order is in service/interfaces.ts.
import { type Endpoint, type Place, type ResponseOf, saysDeleted } from '@bailiwick/contract'
import type { FastifyInstance } from 'fastify'
import type { Reader } from '../db/database.ts'
import type { TenantId } from '../ids.ts'
import { type MaybePromise, whenReady } from '../maybe-promise.ts'
import { Content, Serialized } from './answer.ts'
import { ApiError } from './api-error.ts'
import { checkStreamed, expectStream } from './body/streamed-body.ts'
import { validateRequest } from './body/validate.ts'
import { Call } from './call.ts'
import type { Authenticator } from './credentials/authenticate.ts'
import { authorizeAtAll, isTenantPermission } from './credentials/authorize.ts'
import { type Principal, anonymous } from './credentials/principal.ts'
import type { RequestLimits } from './limits/request-limits.ts'
import { locate } from './locate.ts'
import { type Operation, type Step, type Steps, bind } from './pipeline.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined
  }
}

export type AnyCall = Call<Endpoint>
type Result<E extends Endpoint> = ResponseOf<E> | Serialized | Content

/** Handles an operation whose tenant has been entered. */
export type Handler<E extends Endpoint> = (call: Call<E>) => MaybePromise<Result<E>>

/** Registers the operations of the management interface. */
export interface Management {
  readonly app: FastifyInstance
  readonly authenticate: Authenticator
  readonly handle: <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void
}

export const createManagement = (
  app: FastifyInstance,
  authenticate: Authenticator,
  steps: Steps<AnyCall>,
): Management => {
  const reads = new Map<string, Operation<AnyCall>>()
  return {
    app,
    authenticate,
    handle(endpoint, handler) {
      // The steps run operations of any endpoint.
      const operation = { endpoint, handler } as unknown as Operation<AnyCall>
      if (endpoint.method === 'GET') reads.set(endpoint.path, operation)
      const bound = endpoint.errors.includes('changed_meanwhile')
        ? { endpoint, handler: (call: AnyCall) => tellingCurrent(operation, reads.get(endpoint.path), call) }
        : operation
      bind(app, bound, (request, reply) => new Call<Endpoint>(endpoint, request, reply), steps)
    },
  }
}

/**
 * Runs a change. If it is refused because the record was changed meanwhile, the error tells what the operation that reads at the same path
 * answers now.
 */
async function tellingCurrent(change: Operation<AnyCall>, read: Operation<AnyCall> | undefined, call: AnyCall) {
  try {
    return await change.handler(call)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'changed_meanwhile' || read === undefined) throw error
    const { permission, response } = read.endpoint
    if (!isTenantPermission(permission) || !call.may(permission, call.tenantId as TenantId)) throw error
    const found = await read.handler(call)
    const text = found instanceof Serialized ? found.json : call.serializeBy(response, found)
    throw new ApiError('changed_meanwhile', { current: JSON.parse(text) as unknown })
  }
}

/** Returns the value at a place in the request's parameters, query or body. */
function valueAt(call: AnyCall, place: Place): string {
  const [part = '', name = ''] = place.split('.', 2)
  // The contract names a part of the call by its name.
  return (call as unknown as Record<string, Record<string, string>>)[part]?.[name] ?? ''
}

interface Sources {
  readonly db: Reader
  readonly identify: Authenticator
  readonly limits: RequestLimits
  /** Returns by how many milliseconds the clock of a tenant is ahead. */
  readonly msAheadAt: (tenantId: string) => MaybePromise<number>
}

export function createManagementSteps({ db, identify, limits, msAheadAt }: Sources) {
  return {
    /** Finds the principal of the credential. A credential that is present must be valid. */
    authenticate: (call, { endpoint }) => {
      const { request, reply } = call
      const found =
        endpoint.permission === 'public' ? anonymous : identify(request.raw, () => limits.beforeLookUp(request, reply))
      return whenReady(found, (principal) => {
        call.principal = principal
      })
    },

    /** Refuses a caller that has sent too many requests. */
    limit: ({ request, reply, principal }) => limits.admit(request, reply, principal),

    /** Refuses a caller that may do this in no tenant at all. */
    refuseOutright: ({ request, principal }, { endpoint }) => {
      authorizeAtAll(principal, endpoint)
      request.principal = principal
    },

    /** Gives a body that is read while it arrives its own time-out. */
    expectBody: ({ request, reply }, { endpoint }) => {
      if (endpoint.bodyType !== undefined) expectStream(request, reply)
    },

    /** Checks parameters, query and body against the contract, and reports all problems at once. */
    parse: (call, { endpoint }) => {
      const { request } = call
      if (request.body !== undefined) checkStreamed(request, endpoint.bodyType)
      const body = request.body === undefined && endpoint.isBodyOptional === true ? {} : request.body
      call.claimed = validateRequest(endpoint, request.params, request.query, body)
      call.params = request.params as AnyCall['params']
      call.query = request.query as AnyCall['query']
      call.body = body
    },

    /** Finds the tenant that the request is about, as the endpoint says. */
    locate: (call, { endpoint: { tenant } }) => {
      if (tenant === undefined || 'finds' in tenant) return undefined
      const found =
        'from' in tenant ? valueAt(call, tenant.from) : locate(db, call, tenant.locates, valueAt(call, tenant.by))
      return whenReady(found, (tenantId) => {
        call.located = tenantId
      })
    },

    /** Enters that tenant if the caller may do this operation there. */
    authorize: (call, { endpoint: { alsoReads } }) => {
      if (alsoReads !== undefined) call.enterToRead(valueAt(call, alsoReads.from), alsoReads.permission)
      if (call.located === undefined) return undefined
      return whenReady(msAheadAt(call.enter(call.located)), (ms) => {
        call.msAhead = ms
      })
    },

    /** Turns the returned record into the text that is sent. */
    present: (call, { endpoint }) => {
      const { result } = call
      if (!call.isAuthorized) throw new Error(`${endpoint.id} answered without entering a tenant`)
      const isReady = result instanceof Serialized || result instanceof Content
      const record = saysDeleted(endpoint) ? { deleted: true, ...(result as object) } : result
      call.answer = isReady ? result : new Serialized(call.serialize(record))
    },
  } satisfies Record<string, Step<AnyCall>>
}
