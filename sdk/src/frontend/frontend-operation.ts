// The operations of the frontend interface as functions, typed by the contract end to end.
import type { DataOf, FrontendEndpointId, frontendEndpoints } from '@bailiwick/contract'
import type { frontendPaths } from '../frontend-operations.gen.ts'
import type { CallOptions, InputOf, Taking } from '../operation.ts'

/** The caller decides whether to repeat a call with an effect: the frontend interface takes no idempotency keys. */
export interface FrontendCallOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** The answer to a puzzle, as `solveChallenge` returns it, for a call that was refused with `challenge_required`. */
  readonly challenge?: string
}

type Paths = typeof frontendPaths
type Rows<Method extends keyof Paths> = {
  readonly [Id in keyof Paths[Method]]: { readonly method: Method; readonly path: Paths[Method][Id] }
}

/** How each operation is sent, by its name. */
export type FrontendTable = Rows<'DELETE'> & Rows<'GET'> & Rows<'PATCH'> & Rows<'POST'> & Rows<'PUT'>
type EndpointOf<Id extends FrontendEndpointId> = (typeof frontendEndpoints)[Id]

/** What the call takes: the operation's path parameters, query and body, each only if it has some. */
export type FrontendInputOf<Id extends FrontendEndpointId> = Omit<InputOf<EndpointOf<Id>>, 'idempotencyKey'> &
  Pick<FrontendCallOptions, 'challenge'>

/** One function for each operation, named as in the interface's description; it returns what the answer has under `data`. */
export type FrontendOperations = {
  [Id in keyof FrontendTable as Id extends FrontendEndpointId ? Id : never]: Id extends FrontendEndpointId
    ? Taking<FrontendInputOf<Id>, Promise<DataOf<EndpointOf<Id>>>>
    : never
}
