// Binds an operation of the contract to its handler. Every request takes the same steps, in this order:
// principal -> parse -> authorize -> operation -> present -> serialise.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type Permission,
  type QueryOf,
  type ResponseOf,
  type TenantPermission,
  bodyBytesMaxDefault,
  permissionFlags,
} from '@bailiwick/contract'
import type { Idempotency } from '../idempotency/idempotency.ts'
import type { TenantId } from '../ids.ts'
import { authorizeAtAll, authorizeInTenant, holds, knows } from './authorize.ts'
import { notFound } from './api-error.ts'
import type { Authenticator } from './authenticate.ts'
import { type Actor, type Principal, actorId, anonymous } from './principal.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { isWithoutHead } from './methods.ts'
import type { RequestLimits } from './request-limits.ts'
import { Serialized, json, sendSoon } from './serialized.ts'
import { checkStreamed, expectStream } from './streamed-body.ts'
import { validateRequest } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined
  }
}

const userAgentLengthMax = 512

/** As events keep it. */
export const userAgentOf = ({ headers }: FastifyRequest): string | null =>
  headers['user-agent']?.slice(0, userAgentLengthMax) ?? null

/** Another representation than JSON, for the few operations that have one; or one that is streamed. */
export class Content {
  readonly type: string
  readonly body: string | Uint8Array | Readable
  constructor(type: string, body: string | Uint8Array | Readable) {
    this.type = type
    this.body = body
  }
}

/** One request for one operation, parsed. */
export class Call<E extends Endpoint> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  readonly principal: Principal
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly #endpoint: E
  /** The tenant that the body names beside the record. */
  readonly #claimed: string | undefined
  #entered: boolean
  #tenantId: TenantId | undefined

  constructor(endpoint: E, principal: Principal, request: FastifyRequest, reply: FastifyReply, claimed?: string) {
    this.#claimed = claimed
    this.#endpoint = endpoint
    this.principal = principal
    this.request = request
    this.reply = reply
    // validateRequest has checked them against the very schemas that these types come from.
    this.params = request.params as ParamsOf<E>
    this.query = request.query as QueryOf<E>
    this.body = request.body as BodyOf<E>
    this.#entered = !(endpoint.permission in permissionFlags)
  }

  /**
   * Checks that the principal may do what this operation does in that tenant, and gives the tenant's id as queries want it.
   * @throws ApiError not_found for another's tenant, forbidden without the permission.
   */
  enter(tenantId: string): TenantId {
    authorizeInTenant(this.principal, this.#endpoint.permission, tenantId as TenantId)
    if (this.#claimed !== undefined && this.#claimed !== tenantId) throw notFound()
    this.#entered = true
    this.#tenantId = tenantId as TenantId
    return this.#tenantId
  }

  /** What the operation needs, in the tenant that it acts in. */
  get permission(): Permission {
    return this.#endpoint.permission
  }

  /**
   * For operations on two tenants: checks that the principal holds a further permission in another tenant than the one that is
   * entered, and gives that tenant's id as queries want it.
   * @throws ApiError not_found for another's tenant, forbidden without the permission.
   */
  alsoReads(permission: TenantPermission, tenantId: string): TenantId {
    authorizeInTenant(this.principal, permission, tenantId as TenantId)
    return tenantId as TenantId
  }

  /** The tenant that was entered. */
  get tenantId(): TenantId | undefined {
    return this.#tenantId
  }

  /** Whether the principal holds a further permission in a tenant. */
  may(permission: TenantPermission, tenantId: TenantId): boolean {
    return holds(this.principal, permission, tenantId)
  }

  /** Whether the tenant exists for the principal at all. */
  knows(tenantId: TenantId): boolean {
    return knows(this.principal, tenantId)
  }

  /** For look-ups that answer null: the principal may not see what was found, which is as good as nothing found. */
  enterNothing() {
    this.#entered = true
  }

  /** The answer as JSON text; what the contract does not list is left out. */
  serialize(value: ResponseOf<E>): string {
    // Compiled on first use and kept by Fastify: compiling all at the start would double the start-up time.
    const serialize = this.reply.compileSerializationSchema(this.#endpoint.response as Record<string, unknown>)
    return serialize(value)
  }

  /** Whether a tenant was entered: an answer without that is a bug, never a leak. */
  get isAuthorized(): boolean {
    return this.#entered
  }

  /** The caller, as the events of this request name it. */
  get actor(): Actor {
    const { principal } = this
    const impersonatedBy = principal.type === 'console_user' ? principal.impersonatedBy : undefined
    return {
      type: this.principal.type,
      id: actorId(this.principal),
      ip: this.request.ip,
      ua: userAgentOf(this.request),
      ...(impersonatedBy === undefined ? {} : { impersonatedBy }),
    }
  }
}

export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<ResponseOf<E> | Serialized | Content> | Serialized | Promise<Serialized>

export const routePath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** What binds operations: the application, how it tells who calls, and how often one may. */
export interface Router {
  readonly app: FastifyInstance
  readonly authenticate: Authenticator
  readonly limits: RequestLimits
  readonly idempotency: Idempotency
}

/** To HEAD nothing of what is streamed is sent, so nothing of it is made either. */
function sendContent({ type, body }: Content, { request, reply }: Pick<Call<Endpoint>, 'request' | 'reply'>) {
  reply.type(type)
  if (request.method !== 'HEAD' || !(body instanceof Readable)) return reply.send(body)
  body.destroy()
  return reply.send()
}

export function route<E extends Endpoint>(router: Router, endpoint: E, handler: Handler<E>) {
  const { app, authenticate, limits, idempotency } = router
  const assertEntered = (call: Call<E>) => {
    if (!call.isAuthorized) throw new Error(`${endpoint.id} answered without entering a tenant`)
  }
  const answer = (call: Call<E>, result: unknown) => {
    assertEntered(call)
    const { reply } = call
    if (result instanceof Serialized) return result.send(reply)
    if (result instanceof Content) return sendContent(result, call)
    reply.header('content-type', json)
    return reply.send(call.serialize(result as ResponseOf<E>))
  }

  /** An answer of JSON or of other text, as it goes over the wire. */
  const textOf = (call: Call<E>, result: unknown) => {
    assertEntered(call)
    if (result instanceof Serialized) return { type: json, body: result.json }
    if (!(result instanceof Content)) return { type: json, body: call.serialize(result as ResponseOf<E>) }
    if (typeof result.body === 'string') return { type: result.type, body: result.body }
    throw new Error(`${endpoint.id} answers a POST with what cannot be answered again`)
  }
  const answerOnce = async (call: Call<E>, key: string) => {
    const { principal, request, reply } = call
    const { method, url, body } = request
    const { answer: first, isReplayed } = await idempotency.run({ key, principal, method, url, body }, async () => ({
      ...textOf(call, await handler(call)),
      tenantId: call.tenantId ?? null,
    }))
    if (isReplayed) {
      // The right may have been taken away since.
      if (first.tenantId !== null) call.enter(first.tenantId)
      reply.header('idempotency-replayed', 'true')
    }
    return reply.type(first.type).send(first.body)
  }

  app.route({
    method: endpoint.method,
    config: { withoutHead: isWithoutHead(endpoint) },
    url: routePath(endpoint.path),
    bodyLimit: endpoint.bodyBytesMax ?? bodyBytesMaxDefault,
    // Before the body is read: who may not call at all does not make the service parse anything.
    onRequest: (request, reply, done) => {
      const settle = (principal: Principal) => {
        limits.admit(request, reply, principal)
        authorizeAtAll(principal, endpoint)
        request.principal = principal
        if (endpoint.bodyType !== undefined) expectStream(request, reply)
      }
      const refuse = (error: unknown) => {
        limits.refused(request, error)
        done(error as Error)
      }
      try {
        const principal =
          endpoint.permission === 'public'
            ? anonymous
            : authenticate(request.raw, () => limits.beforeLookUp(request, reply))
        if (!(principal instanceof Promise)) {
          settle(principal)
          return done()
        }
        principal.then(settle).then(() => done(), refuse)
      } catch (error) {
        refuse(error)
      }
    },
    handler: (request, reply) => {
      const { principal } = request
      if (principal === undefined) throw new Error(`${endpoint.id} was reached without a principal`)
      if (request.body !== undefined) checkStreamed(request, endpoint.bodyType !== undefined)
      const claimed = validateRequest(endpoint, request.params, request.query, request.body)
      const call = new Call(endpoint, principal, request, reply, claimed)
      const key = idempotencyKeyOf(endpoint, request)
      if (key !== undefined) return answerOnce(call, key)
      const result = handler(call)
      if (result instanceof Promise) return result.then((value) => answer(call, value))
      // Outside of Fastify's turn nobody would catch it.
      assertEntered(call)
      sendSoon(result, reply)
      return undefined
    },
  })
}
