// The client of end users' browsers and apps: signing up and in, the own account, and JWTs for the app's own servers.
import { type BailiwickFrontendOptions, FrontendClient, type TokenSource } from './frontend-client.ts'
import type { FrontendOperations } from './frontend-operation.ts'
import { frontendOperations } from './frontend-operations.gen.ts'

export { BailiwickError, isBailiwickError } from './errors.ts'
export type { BailiwickFrontendOptions, TokenSource } from './frontend-client.ts'
export type { FrontendCallOptions, FrontendInputOf, FrontendOperations } from './frontend-operation.ts'
export { type TokenKind, type TokenStore, createMemoryTokenStore } from './token-store.ts'

/** Every operation of the frontend interface as a function of the same name, and `token`. */
export type BailiwickFrontend = FrontendOperations & TokenSource

class Client extends FrontendClient {
  constructor(options: BailiwickFrontendOptions) {
    super(options, frontendOperations)
  }
}

/**
 * A client of one tenant's end user. Nothing is sent before the first call.
 * @throws TypeError for options that cannot work.
 */
export const BailiwickFrontend = Client as unknown as new (options: BailiwickFrontendOptions) => BailiwickFrontend

/**
 * The same with some operations alone, for pages that count bytes: a bundle then has no table of all of them.
 * @param operations as `frontendOperations` has them, by name.
 * @throws TypeError for options that cannot work.
 */
export const createFrontendClient = <Id extends keyof FrontendOperations>(
  options: BailiwickFrontendOptions,
  operations: Pick<typeof frontendOperations, Id>,
) => new FrontendClient(options, operations) as unknown as Pick<FrontendOperations, Id> & TokenSource
