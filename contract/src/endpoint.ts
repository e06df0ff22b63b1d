// An operation of the interface as one value: validation, handler types, serialisation, OpenAPI and the tests come from it.
import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permissions.ts'
import type { FurtherTenant, SaysItsTenant, TenantSource } from './tenant-source.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Endpoint {
  /** Stable operation id, also the name of the SDK's function. */
  readonly id: string
  readonly method: Method
  /** Other methods that do the same: clients differ on which one they expect. */
  readonly alsoAs?: readonly Method[]
  /** Relative to the base address, parameters in braces: `/tenants/{id}/brand`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly permission: Permission
  /** For an operation of the operator alone: what everybody else can do instead, told by the 403. */
  readonly alternative?: string
  /** Where the tenant comes from that the operation acts in. */
  readonly tenant?: TenantSource
  /** A second tenant that the operation reads from; its right there is checked first. */
  readonly alsoReads?: FurtherTenant
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** Media type of the body where it is not JSON. Newline-delimited JSON is streamed, and `body` is the schema of one line. */
  readonly bodyType?: 'application/x-ndjson'
  /**
   * Media type of the 200 answer where it is not JSON; its schema is then of the text, of newline-delimited JSON of a line.
   * An image is of whichever kind its Content-Type says.
   */
  readonly responseType?: 'text/event-stream' | 'application/x-ndjson' | 'image/*'
  /** The body of the 200 answer. */
  readonly response: TSchema
  /** Codes that this operation answers beside `commonErrorCodes`. */
  readonly errors: readonly ErrorCode[]
  /** Whether the body takes nothing but what is listed, not even a `tenantId` that agrees with the record. */
  readonly isBodyExact?: boolean
  /** Largest body in bytes; 64 KiB unless said. */
  readonly bodyBytesMax?: number
  readonly example: {
    readonly params?: object
    readonly query?: object
    readonly body?: object
    readonly response: unknown
  }
}

/**
 * Declares an operation; the type parameter keeps the exact schemas for {@link ParamsOf} and its siblings. One that takes a right in a
 * tenant does not compile unless it says where that tenant comes from.
 */
export function endpoint<const E extends Endpoint>(definition: E & SaysItsTenant<E>): E {
  return definition
}

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise

export type ParamsOf<E extends Endpoint> = StaticOr<E['params'], Record<string, never>>
export type QueryOf<E extends Endpoint> = StaticOr<E['query'], Record<string, never>>
/** What a handler reads: bytes as they arrive where the body is streamed. */
export type BodyOf<E extends Endpoint> = E extends { readonly bodyType: string }
  ? AsyncIterable<Uint8Array>
  : StaticOr<E['body'], undefined>
export type ResponseOf<E extends Endpoint> = Static<E['response']>

export const bodyBytesMaxDefault = 64 * 1024
/** For operations that take publicMeta, privateMeta or other free JSON. */
export const metaBodyBytesMax = 256 * 1024
