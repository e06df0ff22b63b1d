// Declares an operation of the interface as one value, from which validation, handler types, serialisation, OpenAPI and tests are derived.
import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permissions.ts'
import { boolean, object } from './schema.ts'
import type { FurtherTenant, SaysItsTenant, TenantSource } from './tenant-source.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Endpoint {
  /** Stable operation id, also the name of the SDK's function. */
  readonly id: string
  readonly method: Method
  /** Other methods with the same effect, because clients differ on which one they expect. */
  readonly alsoAs?: readonly Method[]
  /** Relative to the base address, with parameters in braces: `/tenants/{id}/brand`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly permission: Permission
  /** For an operation that only the operator may call: the alternative for everybody else, which the 403 mentions. */
  readonly alternative?: string
  /** How the request names the tenant in which the operation acts. */
  readonly tenant?: TenantSource
  /** A second tenant that the operation reads from; the caller's permission there is checked first. */
  readonly alsoReads?: FurtherTenant
  readonly params?: TObject
  readonly query?: TObject
  /** Descriptions of the headers that the operation reads, by name. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  readonly body?: TSchema
  /**
   * The media type of the body if it is not JSON. It is then streamed. For newline-delimited JSON, `body` is the schema of one line; for a
   * form it has a property for each part, the last of which is a file.
   */
  readonly bodyType?: 'application/x-ndjson' | 'multipart/form-data'
  /**
   * The media type of the 200 answer if it is not JSON. The schema is then that of the text or, for newline-delimited JSON, of one line. An
   * image has the type that its Content-Type says.
   */
  readonly responseType?: 'text/event-stream' | 'application/x-ndjson' | 'application/octet-stream' | 'image/*'
  /** The body of the 200 answer. */
  readonly response: TSchema
  /** Descriptions of the 200 answer's headers, by name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Error codes of this operation in addition to `commonErrorCodes`. */
  readonly errors: readonly ErrorCode[]
  /** Whether the body takes only the listed properties, not even a `tenantId` that matches the record. */
  readonly isBodyExact?: boolean
  /** Whether a request without a body is one with an empty object. */
  readonly isBodyOptional?: boolean
  /** Whether a POST can be sent again without a second effect, so that an Idempotency-Key is ignored and its answer is never stored. */
  readonly isRepeatable?: boolean
  /** The largest body in bytes; by default 64 KiB. */
  readonly bodyBytesMax?: number
  readonly example: {
    readonly params?: object
    readonly query?: object
    readonly body?: object
    readonly response: unknown
  }
}

type Deleting = Pick<Endpoint, 'method' | 'response'>

/** The record of a DELETE's answer, or undefined if the answer is `true` or says `deleted` itself. */
const deletedRecord = ({ method, response }: Deleting) => {
  const { properties } = response as { properties?: object }
  return method === 'DELETE' && properties !== undefined && !('deleted' in properties) ? properties : undefined
}

/** Whether the answer of an operation is the deleted record with `deleted: true`. */
export const saysDeleted = ({ method, response }: Deleting): boolean =>
  method === 'DELETE' && Object.hasOwn((response as { properties?: object }).properties ?? {}, 'deleted')

/** What the answer of a DELETE adds to its record. */
export const Deleted = object({ deleted: boolean({ description: 'Always true' }) })

/** The records that the answers of DELETE extend. */
const extended = new WeakMap<object, TSchema>()

/** Returns the record that the answer of a DELETE is, without `deleted`; undefined for any other answer. */
export const recordWithoutDeleted = (response: TSchema): TSchema | undefined => extended.get(response)

/** Adds `deleted: true` to the record that a DELETE answers with, because some clients read nothing else. */
function withDeleted<E extends Endpoint>(definition: E): E {
  const properties = deletedRecord(definition)
  if (properties === undefined) return definition
  const response = object({ ...properties, ...Deleted.properties })
  extended.set(response, definition.response)
  const example = { ...definition.example, response: { ...(definition.example.response as object), deleted: true } }
  return { ...definition, response, example }
}

/**
 * Declares an operation; the type parameter keeps the exact schemas for {@link ParamsOf} and similar types. An operation that needs a
 * permission in a tenant does not compile unless it says how its requests name that tenant.
 */
export function endpoint<const E extends Endpoint>(definition: E & SaysItsTenant<E>): E {
  return withDeleted(definition)
}

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise

export type ParamsOf<E extends Endpoint> = StaticOr<E['params'], Record<string, never>>
export type QueryOf<E extends Endpoint> = StaticOr<E['query'], Record<string, never>>
/** The body as handlers read it: bytes as they arrive if the body is streamed. */
export type BodyOf<E extends Endpoint> = E extends { readonly bodyType: string }
  ? AsyncIterable<Uint8Array>
  : StaticOr<E['body'], undefined>
export type ResponseOf<E extends Endpoint> = Static<E['response']>

export const bodyBytesMaxDefault = 64 * 1024
/** For operations that take publicMeta, privateMeta or other free JSON. */
export const metaBodyBytesMax = 256 * 1024

/** Whether an operation reads many records: a page of a list, a search or an export. */
export const isList = ({ method, query, responseType }: Endpoint): boolean =>
  method === 'GET' &&
  (responseType === 'application/x-ndjson' || (query !== undefined && 'perPage' in query.properties))

/** One object type with what each of several has. Its recursion is in the tail, which the compiler follows a thousand times instead of fifty. */
export type Merged<Parts extends readonly unknown[], Sum = unknown> = Parts extends readonly [
  infer First,
  ...infer Rest,
]
  ? Merged<Rest, Sum & First>
  : Sum
