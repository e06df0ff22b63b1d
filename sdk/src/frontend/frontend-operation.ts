// The operations of the frontend interface as functions, typed by the contract end to end.
import type { DataOf, FrontendEndpointId, frontendEndpoints } from '@bailiwick/contract'
import type { connectionPaths } from '../connection-operations.gen.ts'
import type { frontendPaths } from '../frontend-operations.gen.ts'
import type { CallOptions, InputOf, Taking } from '../operation.ts'
import type { WithAttributes } from '../types.ts'

/** The caller decides whether to repeat a call with an effect: the frontend interface takes no idempotency keys. */
export interface FrontendCallOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** The answer to a puzzle, as `solveChallenge` returns it, for a call that was refused with `challenge_required`. */
  readonly challenge?: string
}

type Rows<Paths, Method extends keyof Paths> = {
  readonly [Id in keyof Paths[Method]]: { readonly method: Method; readonly path: Paths[Method][Id] }
}
type CommonRows<Paths extends Record<'DELETE' | 'GET' | 'POST' | 'PUT', object>> = Rows<Paths, 'DELETE'> &
  Rows<Paths, 'GET'> &
  Rows<Paths, 'POST'> &
  Rows<Paths, 'PUT'>

/** How each operation of the client is sent, by its name. */
export type FrontendTable = CommonRows<typeof frontendPaths> & Rows<typeof frontendPaths, 'PATCH'>
/** How the operations for the connections of organizations are sent. */
export type ConnectionTable = CommonRows<typeof connectionPaths>
/** How each operation of the frontend interface is sent. */
export type AnyFrontendTable = FrontendTable & ConnectionTable
type EndpointOf<Id extends FrontendEndpointId> = (typeof frontendEndpoints)[Id]

/** What the call takes: the operation's path parameters, query and body, each only if it has some. */
export type FrontendInputOf<Id extends FrontendEndpointId> = Omit<InputOf<EndpointOf<Id>>, 'idempotencyKey'> &
  Pick<FrontendCallOptions, 'challenge'>

type Operations<Table> = {
  [Id in keyof Table as Id extends FrontendEndpointId ? Id : never]: Id extends FrontendEndpointId
    ? Taking<FrontendInputOf<Id>, Promise<WithAttributes<DataOf<EndpointOf<Id>>>>>
    : never
}

/** One function for each operation, named as in the interface's description; it returns what the answer has under `data`. */
export type FrontendOperations = Operations<FrontendTable>
/** The same for every operation, including those that are not in the client of every page. */
export type AnyFrontendOperations = Operations<AnyFrontendTable>
