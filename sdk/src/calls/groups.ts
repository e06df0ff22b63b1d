// The operations in groups, such as `users.create`. There every id that says where or which is in `params`, and every list has one shape.
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '@bailiwick/contract'
import { groups } from '../groups.gen.ts'
import type { OperationGroups } from '../operation-docs.gen.ts'
import type {
  AnyInput,
  BodyPart,
  CallOptions,
  EndpointOf,
  EventPart,
  Operation,
  ResultOf,
  Taking,
} from '../operation.ts'
import { operations } from '../operations.gen.ts'
import { walkPages } from '../pages.ts'

/** One page of a list. A list that the service sends as a whole is its only page. */
export interface ListPage<Row> {
  readonly data: readonly Row[]
  readonly meta: {
    /** How many rows the whole list has. */
    readonly total: number
    /** How many rows this page has. */
    readonly count: number
    readonly numPages: number
    /** How many rows a page has at most. */
    readonly perPage: number
    /** The cursor of the previous page; null on the first page. */
    readonly prev: string | null
    /** The cursor of the next page; null on the last page. */
    readonly next: string | null
  }
}

/** A list: awaited, it is its first page; in a `for await` loop it is all of its rows, page after page. */
export type List<Row> = Promise<ListPage<Row>> & AsyncIterable<Row, void, undefined>

type RequiredKey<Value> = { [Key in keyof Value]-?: object extends Pick<Value, Key> ? never : Key }[keyof Value]

/** The ids that the query of an operation must have. */
type QueryIds<E extends Endpoint> = E extends { readonly query: object }
  ? Pick<QueryOf<E>, Extract<RequiredKey<QueryOf<E>>, 'id' | 'tenantId'>>
  : object

/** The id of the record that an operation changes, where the interface wants it in the body. */
type BodyIds<E extends Endpoint> = E extends { readonly bodyType: string }
  ? object
  : E extends { readonly body: object }
    ? Pick<BodyOf<E>, Extract<RequiredKey<BodyOf<E>>, 'id'>>
    : object

type PathIds<E extends Endpoint> = E extends { readonly params: object } ? ParamsOf<E> : object

type Placed<Key extends string, Value> = keyof Value extends never
  ? { readonly [K in Key]?: never }
  : Partial<Value> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value }

type GroupedInput<E extends Endpoint> = Placed<'params', PathIds<E> & QueryIds<E> & BodyIds<E>> &
  Placed<'query', E extends { readonly query: object } ? Omit<QueryOf<E>, keyof QueryIds<E>> : object> &
  (keyof BodyIds<E> extends never ? BodyPart<E> : Placed<'body', Omit<BodyOf<E>, 'id'>>) &
  EventPart<E> &
  CallOptions

type ListRow<E extends Endpoint> = E extends { readonly method: 'GET'; readonly responseType?: never }
  ? ResponseOf<E> extends readonly (infer Row)[]
    ? Row
    : ResponseOf<E> extends { readonly data: readonly (infer Row)[]; readonly meta: { readonly next: string | null } }
      ? Row
      : never
  : never

type GroupedResult<E extends Endpoint> = [ListRow<E>] extends [never] ? ResultOf<E> : List<ListRow<E>>

/** Returns the function of an operation in a group. */
export type GroupedOperation<E extends Endpoint> = Taking<GroupedInput<E>, GroupedResult<E>>

/** The operations by what they are about, as the reference groups them. */
export type Groups = {
  readonly [Group in keyof OperationGroups]: {
    readonly [Name in keyof OperationGroups[Group]]: GroupedOperation<EndpointOf<OperationGroups[Group][Name]>>
  }
}

/** Moves ids that are not part of the path to where the interface wants them. */
function place({ method, path }: Operation, input: AnyInput): AnyInput {
  const moved = Object.entries(input.params ?? {}).filter(([name]) => !path.includes(`{${name}}`))
  if (moved.length === 0) return input
  const ids = Object.fromEntries(moved)
  const isInBody = 'id' in ids && method !== 'DELETE' && method !== 'GET'
  return isInBody
    ? { ...input, body: { ...(input.body as object | undefined), ...ids } }
    : { ...input, query: { ...input.query, ...ids } }
}

const asPage = (answer: unknown): unknown => {
  if (!Array.isArray(answer)) return answer
  const { length } = answer
  return { data: answer, meta: { total: length, count: length, numPages: 1, perPage: length, prev: null, next: null } }
}

type Call = (input?: AnyInput) => unknown

function createGroupedCall(operation: Operation, call: Call): Call {
  if (operation.method !== 'GET' || operation.responseType !== undefined) {
    return (input = {}) => call(place(operation, input))
  }
  return (input = {}) => {
    const placed = place(operation, input)
    const start = placed.query?.['cursor'] as string | undefined
    const read = async (cursor: string | undefined) =>
      asPage(await call(cursor === undefined ? placed : { ...placed, query: { ...placed.query, cursor } }))
    const first = read(start)
    const walk = () => walkPages(async (cursor) => (cursor === start ? first : read(cursor)), start)
    // What is no list rejects when it is walked.
    return Object.assign(first, { [Symbol.asyncIterator]: walk })
  }
}

/** Adds the groups to a client that has the operations. Each is made when it is first used. */
export function defineGroups(client: Readonly<Record<string, Call>>) {
  const table: Readonly<Record<string, Operation>> = operations
  for (const [group, names] of Object.entries(groups)) {
    let made: Readonly<Record<string, Call>> | undefined
    const create = () =>
      Object.fromEntries(
        Object.entries(names).flatMap(([name, id]) => {
          const operation = table[id]
          const call = client[id]
          return operation === undefined || call === undefined ? [] : [[name, createGroupedCall(operation, call)]]
        }),
      )
    Object.defineProperty(client, group, { enumerable: true, get: () => (made ??= create()) })
  }
}
