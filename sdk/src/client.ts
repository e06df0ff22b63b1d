import { createFunction, onceHeaders } from './calls/call-function.ts'
import { type Groups, defineGroups } from './calls/groups.ts'
import { type ConnectionOptions, createConnection } from './connection-options.ts'
import { type Credential, credentialHeaders } from './credential.ts'
import type { AnyInput, Operation, OperationTable, Operations, Pages } from './operation.ts'
import { operations } from './operations.gen.ts'
import { walkPages } from './pages.ts'
import { type Send, createTransport } from './transport/transport.ts'

export type BailiwickOptions = Credential &
  ConnectionOptions & {
    /** The service's base address, such as `https://id.example.com/api/v0`. */
    readonly baseUrl: string
  }

function createSend(options: BailiwickOptions): Send {
  const connection = createConnection(options)
  // Another address of the service would answer each call with `not_found`, as if the record did not exist.
  if (!connection.baseUrl.endsWith('/api/v0') || connection.baseUrl.endsWith('/frontend/api/v0')) {
    throw new TypeError(
      'baseUrl must be the address of the management interface, such as https://id.example.com/api/v0',
    )
  }
  return createTransport({ ...connection, credential: credentialHeaders(options), onceHeaders })
}

class Client {
  readonly pages: Readonly<Record<string, unknown>>

  constructor(options: BailiwickOptions) {
    const send = createSend(options)
    const pages: Record<string, unknown> = {}
    for (const [id, operation] of Object.entries<Operation>(operations)) {
      const call = createFunction(send, operation)
      Object.defineProperty(this, id, { value: call, enumerable: true })
      if (operation.method !== 'GET' || operation.responseType !== undefined) continue
      pages[id] = (input: AnyInput = {}) =>
        walkPages(
          async (cursor) => call(cursor === undefined ? input : { ...input, query: { ...input.query, cursor } }),
          input.query?.['cursor'] as string | undefined,
        )
    }
    this.pages = pages
    // The operations were added above.
    defineGroups(this as unknown as Parameters<typeof defineGroups>[0])
  }
}

/**
 * Every operation of the interface as a function of the same name; the same functions in groups, such as `users.create`; and the paginated ones
 * as iterators in `pages`.
 */
export type Bailiwick = Operations & Groups & { readonly pages: Pages }

/**
 * Creates a client of one deployment with one credential. Nothing is sent before the first call; printing the client does not reveal the
 * credential.
 * @example
 * ```ts
 * import { Bailiwick } from '@bailiwick/sdk'
 *
 * const bailiwick = new Bailiwick({
 *   baseUrl: 'https://id.example.com/api/v0',
 *   secretKey: process.env.BAILIWICK_SECRET_KEY ?? '',
 * })
 * const user = await bailiwick.users.get({ params: { id: 'c0123456789' } })
 * for await (const { name } of bailiwick.users.list({ params: { tenantId: 'c0123456789' } })) console.log(name)
 * ```
 * @throws TypeError for options that cannot work.
 */
// The class adds its operations from a list.
export const Bailiwick = Client as unknown as new (options: BailiwickOptions) => Bailiwick

/**
 * Creates a client with some operations only: a bundle then does not contain the table of all operations.
 * @param some the method and path of each, by name, as the reference says.
 * @example
 * ```ts
 * import { createClient } from '@bailiwick/sdk'
 *
 * const options = { baseUrl: 'https://id.example.com/api/v0', secretKey: process.env.BAILIWICK_SECRET_KEY ?? '' }
 * const bailiwick = createClient(options, { createUser: { method: 'POST', path: '/auth/users' } })
 * const user = await bailiwick.createUser({ body: { tenantId: 'c0123456789', email: 'ada@acme.example' } })
 * ```
 * @throws TypeError for options that cannot work.
 */
export function createClient<Id extends keyof OperationTable>(
  options: BailiwickOptions,
  some: Pick<OperationTable, Id>,
): Pick<Operations, Id> {
  const send = createSend(options)
  const entries = Object.entries<Operation>(some).map(([id, operation]) => [id, createFunction(send, operation)])
  return Object.fromEntries(entries) as Pick<Operations, Id>
}
