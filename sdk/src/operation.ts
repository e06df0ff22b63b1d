// The operations of the contract as functions, typed by it end to end.
import type { BodyOf, Endpoint, EndpointId, ParamsOf, QueryOf, ResponseOf, endpoints } from '@bailiwick/contract'
import { checkTimeout } from './connection-options.ts'
import type { OperationDocs } from './operation-docs.gen.ts'
import type { operations } from './operations.gen.ts'
import type { StreamedEvent } from './transport/event-stream.ts'
import type { OutgoingRequest } from './transport/transport.ts'
import type { AcceptingAttributes, WithAttributes } from './types.ts'

export interface CallOptions {
  /** Ends the call, whatever it is waiting for; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** The time limit of each try, instead of the client's. */
  readonly timeoutMs?: number
  /** For POST, instead of the generated key: for a caller that will try again after a restart. */
  readonly idempotencyKey?: string
}

/** How each operation is sent, by its name. */
export type OperationTable = typeof operations
export type EndpointOf<Id> = Id extends EndpointId ? (typeof endpoints)[Id] : never

type Part<E, Key extends 'params' | 'query', Value> = E extends { readonly [K in Key]: object }
  ? Partial<Value> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value }
  : { readonly [K in Key]?: never }

/** One record of a body that is sent record by record, in the contract's shape of a line. */
type RecordOf<E extends Endpoint> = E extends { readonly body: infer Body extends Endpoint['response'] }
  ? ResponseOf<Omit<Endpoint, 'response'> & { readonly response: Body }>
  : never

/** The parts of a form; its file may be one that the browser has on its disk. */
type FormOf<Parts> = { readonly [Name in keyof Parts]: Name extends 'file' ? Blob : Parts[Name] }

/** Lines that are sent as a whole may be in a file already. */
type LinesOf<E extends Endpoint> = E extends { readonly responseType: string } ? never : Blob

export type BodyPart<E extends Endpoint> = E extends { readonly bodyType: 'multipart/form-data' }
  ? { readonly body: FormOf<RecordOf<E>> }
  : E extends { readonly bodyType: string }
    ? { readonly body: Iterable<RecordOf<E>> | AsyncIterable<RecordOf<E>> | LinesOf<E> }
    : // A body whose properties are all optional is needed all the same, unless the operation says otherwise.
      E extends { readonly body: object; readonly isBodyOptional: true }
      ? { readonly body?: BodyOf<E> }
      : E extends { readonly body: object }
        ? { readonly body: AcceptingAttributes<BodyOf<E>> }
        : { readonly body?: never }

export type EventPart<E> = E extends { readonly responseType: 'text/event-stream' }
  ? {
      /** Continues after the event with this id; begins with the next event if left out. */
      readonly lastEventId?: string
    }
  : object

/** What the call takes: the operation's path parameters, query and body, each only if it has some. */
export type InputOf<E extends Endpoint> = Part<E, 'params', ParamsOf<E>> &
  Part<E, 'query', QueryOf<E>> &
  BodyPart<E> &
  EventPart<E> &
  CallOptions

/** The input may be left out if nothing in it is required. */
export type Taking<Input, Result> = Partial<Input> extends Input ? (input?: Input) => Result : (input: Input) => Result

/** A promise of the answer, or of an image's bytes; for a streamed answer, an iterator over its records, events or bytes. */
export type ResultOf<E extends Endpoint> = E extends { readonly responseType: 'text/event-stream' }
  ? AsyncGenerator<StreamedEvent, void, undefined>
  : E extends { readonly responseType: 'image/*' }
    ? Promise<Uint8Array>
    : E extends { readonly responseType: 'application/octet-stream' }
      ? AsyncGenerator<Uint8Array, void, undefined>
      : E extends { readonly responseType: string }
        ? AsyncGenerator<ResponseOf<E>, void, undefined>
        : Promise<WithAttributes<ResponseOf<E>>>

export type OperationOf<E extends Endpoint> = Taking<InputOf<E>, ResultOf<E>>

type RowOf<E extends Endpoint> =
  ResponseOf<E> extends { readonly data: readonly (infer Row)[]; readonly meta: { readonly next: string | null } }
    ? WithAttributes<Row>
    : never

/** One function for each operation, named as in the interface's description. Without a filter of its keys, editors show their docstrings. */
export type Operations = { [Id in keyof OperationDocs]: OperationOf<EndpointOf<Id>> }

type PageId = { [Id in keyof OperationDocs]: [RowOf<EndpointOf<Id>>] extends [never] ? never : Id }[keyof OperationDocs]

/** The paginated operations as iterators over all rows, newest first, page after page. */
export type Pages = {
  [Id in keyof Pick<OperationDocs, PageId>]: Taking<
    InputOf<EndpointOf<Id>>,
    AsyncGenerator<RowOf<EndpointOf<Id>>, void, undefined>
  >
}

export interface AnyInput extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly challenge?: string
  readonly lastEventId?: string
}

/**
 * Returns the path with its parameters and the query filled in.
 * @throws TypeError for a parameter that is missing or would name another path.
 */
export function buildTarget(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    // `.` and `..` cannot be encoded: an address is resolved with them, and would belong to another operation.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new TypeError(`params.${name} must be text other than "." and ".."`)
    }
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (typeof value !== 'string') throw new TypeError(`query.${name} must be a string`)
    search.append(name, value)
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly bodyType?: string
  readonly responseType?: string
}

/** @throws TypeError for impossible parameters or an impossible time limit. */
export function buildRequest({ method, path }: Operation, input: AnyInput): OutgoingRequest {
  const { idempotencyKey, signal, timeoutMs } = input
  checkTimeout(timeoutMs)
  return { method, target: buildTarget(path, input), idempotencyKey, signal, timeoutMs }
}
