// An operation of the frontend interface, which end users' browsers and apps call: the tenant comes from the request, and what a
// caller may do from the session.
import type { Static, TArray, TSchema } from 'typebox'
import type { Endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'
import { pageOf } from '../examples.ts'
import { array, object, oneOf, pageMeta } from '../schema.ts'

interface Definition extends Omit<Endpoint, 'permission' | 'response'> {
  /** Whether the operation needs a signed-in user, or looks whether there is one. */
  readonly session: 'none' | 'optional' | 'required'
  /** What stands under `data` of the answer. */
  readonly data: TSchema
}

/** What every operation of the frontend interface can answer beside the codes of all operations. */
export const frontendErrorCodes = [
  'not_found',
  'origin_refused',
  'rate_limited',
] as const satisfies readonly ErrorCode[]

/** Declares an operation; its answer is `{"status": "success", "data": …}`. */
export function frontendEndpoint<const E extends Definition>(definition: E) {
  return {
    ...definition,
    permission: 'public' as const,
    response: object({ status: oneOf(['success']), data: definition.data }),
    errors: [...new Set<ErrorCode>([...frontendErrorCodes, ...definition.errors])],
    example: { ...definition.example, response: { status: 'success', data: definition.example.response } },
  }
}

export interface FrontendEndpoint extends Endpoint {
  readonly session: Definition['session']
  readonly data: TSchema
}

export type DataOf<E extends FrontendEndpoint> = Static<E['data']>

/** What every list of the frontend interface answers: its rows under a name of their own, and where the page stands. */
export const listOf = <Name extends string, Item extends TSchema>(name: Name, item: Item) =>
  object({ [name]: array(item), meta: pageMeta } as Record<Name, TArray<Item>> & { meta: typeof pageMeta })

/** The example of such an answer that is one page with one row. */
export const listExample = <Name extends string>(name: Name, row: unknown) => ({
  [name]: [row],
  meta: pageOf(row).meta,
})
