// One request of the management interface.
import {
  type BodyOf,
  type Endpoint,
  type Permission,
  type ResponseOf,
  type TenantPermission,
  permissionFlags,
} from '@bailiwick/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TenantId } from '../ids.ts'
import { notFound } from './api-error.ts'
import { authorizeInTenant, holds, knows } from './credentials/authorize.ts'
import { type Actor, type Principal, actorId, anonymous } from './credentials/principal.ts'
import { Exchange, userAgentOf } from './pipeline.ts'

/** The type of a handler's tenant: always present if the endpoint says where the tenant comes from. */
type TenantIdOf<E extends Endpoint> = E extends {
  readonly tenant: { readonly from: string } | { readonly locates: string }
}
  ? TenantId
  : TenantId | undefined

type InBody<Source> = Source extends { readonly from: `body.${infer Name}` } ? Name : never
type Without<Body, Names extends PropertyKey> = Body extends unknown ? Omit<Body, Names> : never

/** The body without the properties that name tenants. */
export type InputOf<E extends Endpoint> = Without<BodyOf<E>, InBody<E['tenant']> | InBody<E['alsoReads']>>

export class Call<E extends Endpoint> extends Exchange<E> {
  /** Filled in by `authenticate`. */
  principal: Principal = anonymous
  /** Filled in by `parse`: the tenant that the body names although the record decides it. */
  claimed: string | undefined
  /** Filled in by `locate`: the tenant that the request is about, before any check. */
  located: string | undefined
  readonly #endpoint: E
  #isEntered: boolean
  #tenantId: TenantId | undefined
  #readTenantId: TenantId | undefined

  constructor(endpoint: E, request: FastifyRequest, reply: FastifyReply) {
    super(request, reply)
    this.#endpoint = endpoint
    this.#isEntered = !(endpoint.permission in permissionFlags)
  }

  /** The tenant that the operation acts in; the caller's permission has been checked. */
  get tenantId(): TenantIdOf<E> {
    return this.#tenantId as TenantIdOf<E>
  }

  /** The second tenant, which the operation reads from; the caller's permission has been checked. */
  get readTenantId(): E['alsoReads'] extends object ? TenantId : undefined {
    return this.#readTenantId as E['alsoReads'] extends object ? TenantId : undefined
  }

  /** Returns the body without the properties that name tenants. */
  get input(): InputOf<E> {
    const { tenant, alsoReads } = this.#endpoint
    const places = [tenant !== undefined && 'from' in tenant ? tenant.from : undefined, alsoReads?.from]
    const entries = Object.entries(this.body as object).filter(([name]) => !places.includes(`body.${name}`))
    return Object.fromEntries(entries) as InputOf<E>
  }

  /** The permission that the operation needs in its tenant. */
  get permission(): Permission {
    return this.#endpoint.permission
  }

  /**
   * Checks that the principal may do this operation in the tenant, and returns the tenant's id as the type that queries take.
   * @throws ApiError not_found for another's tenant, forbidden without the permission.
   */
  enter(tenantId: string): TenantId {
    authorizeInTenant(this.principal, this.#endpoint.permission, tenantId as TenantId)
    if (this.claimed !== undefined && this.claimed !== tenantId) throw notFound()
    this.#isEntered = true
    this.#tenantId = tenantId as TenantId
    return this.#tenantId
  }

  /**
   * Checks that the principal holds a permission in the second tenant that the operation reads from.
   * @throws ApiError not_found for another's tenant, forbidden without the permission.
   */
  enterToRead(tenantId: string, permission: TenantPermission) {
    authorizeInTenant(this.principal, permission, tenantId as TenantId)
    this.#readTenantId = tenantId as TenantId
  }

  /**
   * Enters the tenant that an operation has looked up, if there is one that the caller may know of. Any other counts as not found.
   * @throws ApiError forbidden without the permission.
   */
  enterFound(tenantId: TenantId | undefined): boolean {
    this.#isEntered = true
    if (tenantId === undefined || !knows(this.principal, tenantId)) return false
    this.enter(tenantId)
    return true
  }

  /** Whether the principal holds another permission in a tenant. */
  may(permission: TenantPermission, tenantId: TenantId): boolean {
    return holds(this.principal, permission, tenantId)
  }

  /** Returns the answer as JSON text; properties that are not in the contract are left out. */
  serialize(value: ResponseOf<E>): string {
    return this.serializeBy(this.#endpoint.response, value)
  }

  /** Whether a tenant was entered. Answering without that is a bug and becomes an error, never a leak. */
  get isAuthorized(): boolean {
    return this.#isEntered
  }

  /** The caller, as this request's events describe it. */
  get actor(): Actor {
    const { principal } = this
    const impersonatedBy = principal.type === 'console_user' ? principal.impersonatedBy : undefined
    return {
      type: principal.type,
      id: actorId(principal),
      ip: this.request.ip,
      ua: userAgentOf(this.request),
      ...(impersonatedBy === undefined ? {} : { impersonatedBy }),
    }
  }
}
