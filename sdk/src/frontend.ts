// The client of end users' browsers and apps: signing up and in, the user's own account, and JWTs for the app's own servers.
import { frontendPaths } from './frontend-operations.gen.ts'
import { type BailiwickFrontendOptions, FrontendClient, type TokenSource, toTable } from './frontend/frontend-client.ts'
import type { AnyFrontendOperations, AnyFrontendTable, FrontendOperations } from './frontend/frontend-operation.ts'

export { BailiwickError, isBailiwickError } from './errors.ts'
export type { BailiwickFrontendOptions, TokenSource } from './frontend/frontend-client.ts'
export type { FrontendCallOptions, FrontendInputOf, FrontendOperations } from './frontend/frontend-operation.ts'
export { type TokenKind, type TokenStore, createMemoryTokenStore } from './frontend/token-store.ts'

/**
 * Every operation of the frontend interface as a function of the same name, and `token`. The connections of organizations are in
 * `@bailiwick/sdk/organization-connections`.
 */
export type BailiwickFrontend = FrontendOperations & TokenSource

class Client extends FrontendClient {
  constructor(options: BailiwickFrontendOptions) {
    super(options, toTable(frontendPaths))
  }
}

/**
 * Creates a client for the end users of one tenant. Nothing is sent before the first call.
 * @example
 * ```ts
 * import { BailiwickFrontend } from '@bailiwick/sdk/frontend'
 *
 * const bailiwick = new BailiwickFrontend({ baseUrl: 'https://id.example.com/frontend/api/v0', publicKey: 'pk_…' })
 * const me = await bailiwick.getProfile()
 * ```
 * @throws TypeError for options that cannot work.
 */
// The class adds its operations from a list.
export const BailiwickFrontend = Client as unknown as new (options: BailiwickFrontendOptions) => BailiwickFrontend

/**
 * Creates a client with some operations only, for small pages: a bundle then does not contain the table of all operations.
 * @param operations the method and path of each, by name.
 * @example
 * ```ts
 * import { createFrontendClient } from '@bailiwick/sdk/frontend'
 *
 * const options = { baseUrl: 'https://id.example.com/frontend/api/v0', publicKey: 'pk_…' }
 * const bailiwick = createFrontendClient(options, { getProfile: { method: 'GET', path: '/user/profile' } })
 * const { user } = await bailiwick.getProfile()
 * ```
 * @throws TypeError for options that cannot work.
 */
export const createFrontendClient = <Id extends keyof AnyFrontendOperations>(
  options: BailiwickFrontendOptions,
  operations: Pick<AnyFrontendTable, Id>,
  // The client has the operations that it is made with.
) => new FrontendClient(options, operations) as unknown as Pick<AnyFrontendOperations, Id> & TokenSource
