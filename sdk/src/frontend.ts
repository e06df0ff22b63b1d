// The client of end users' browsers and apps: signing up and in, the own account, and JWTs for the app's own servers.
import { type ConnectionOptions, connectionOf } from './connection-options.ts'
import { bearer, checked } from './credential.ts'
import { isBailiwickError } from './errors.ts'
import { FreshTokens } from './fresh-tokens.ts'
import type { FrontendOperations } from './frontend-operation.ts'
import { frontendOperations } from './frontend-operations.gen.ts'
import { type AnyInput, requestOf } from './operation.ts'
import type { TokenKind, TokenStore } from './token-store.ts'
import { createTransport, readJson } from './transport.ts'

export { BailiwickError, isBailiwickError } from './errors.ts'
export type { FrontendCallOptions, FrontendInputOf, FrontendOperations } from './frontend-operation.ts'
export { type TokenKind, type TokenStore, createMemoryTokenStore } from './token-store.ts'

export interface BailiwickFrontendOptions extends ConnectionOptions {
  /** The frontend's base address, such as `https://id.example.com/frontend/api/v0`. */
  readonly baseUrl: string
  /** Of the tenant; not needed where the base address is on the tenant's own verified domain. */
  readonly publicKey?: string
  /** Where tokens are kept outside of browsers. Left out, the session is in cookies that no script can read. */
  readonly tokens?: TokenStore
}

interface FrontendClient extends FrontendOperations {
  /**
   * A JWT of the signed-in user for the app's own servers, valid for at least a few seconds more: kept while it lasts, renewed
   * when it is asked for, and asked for once however many want it.
   * @param orgId the organization that it speaks for.
   * @throws BailiwickError unauthenticated where nobody is signed in, not_found where the user is no member.
   */
  readonly token: (wish?: { readonly orgId?: string }) => Promise<string>
}

const tokenKinds = ['session', 'flow', 'device'] as const satisfies readonly TokenKind[]
const headersOf = {
  session: bearer,
  flow: (token: string) => ({ 'x-flow-token': token }),
  device: (token: string) => ({ 'x-device-token': token }),
} as const
const signingOut: ReadonlySet<string> = new Set(['endOwnSessions', 'deleteOwnUser'])

type Data = Readonly<Record<string, unknown>>

async function tokenHeaders(tokens: TokenStore): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'x-session-transport': 'body' }
  for (const kind of tokenKinds) {
    const token = await tokens.get(kind)
    if (token !== undefined) Object.assign(headers, headersOf[kind](checked(token, `the ${kind} token`)))
  }
  return headers
}

async function keepTokens(tokens: TokenStore, data: Data) {
  for (const kind of tokenKinds) {
    const token = data[`${kind}Token`]
    if (typeof token === 'string') await tokens.set(kind, token)
  }
  // With somebody signed in, the flow is over.
  if (data['session'] !== undefined && data['sessionToken'] !== undefined) await tokens.set('flow', undefined)
}

class Client {
  readonly token: (wish?: { readonly orgId?: string }) => Promise<string>

  constructor(options: BailiwickFrontendOptions) {
    const { publicKey, tokens } = options
    const key = publicKey === undefined ? {} : { 'x-public-key': checked(publicKey, 'publicKey', 'pk_') }
    const send = createTransport({
      ...connectionOf(options),
      credential: async () => (tokens === undefined ? key : { ...key, ...(await tokenHeaders(tokens)) }),
      hasIdempotencyKeys: false,
      hasCookies: tokens === undefined,
    })

    const call = async (id: keyof FrontendOperations, input: AnyInput = {}): Promise<Data> => {
      const session = await tokens?.get('session')
      const body = input.body === undefined ? undefined : JSON.stringify(input.body)
      try {
        const answer = await send({ ...requestOf(frontendOperations[id], input), body }, readJson)
        const { data } = answer as { readonly data: Data }
        if (tokens !== undefined) await keepTokens(tokens, data)
        if (signingOut.has(id)) await tokens?.set('session', undefined)
        return data
      } catch (error) {
        // The session has ended; another may have begun meanwhile.
        if (tokens !== undefined && session !== undefined && isBailiwickError(error, 'unauthenticated')) {
          if ((await tokens.get('session')) === session) await tokens.set('session', undefined)
        }
        throw error
      }
    }

    const fresh = new FreshTokens(async (orgId: string | undefined) => {
      const { jwt } = await call('createOwnToken', { body: orgId === undefined ? {} : { orgId } })
      return jwt as string
    })
    this.token = async ({ orgId } = {}) => fresh.get(orgId)
    for (const id of Object.keys(frontendOperations) as (keyof FrontendOperations)[]) {
      const changesNothing = frontendOperations[id].method === 'GET' || id === 'createOwnToken'
      const value = async (input?: AnyInput) => {
        try {
          return await call(id, input)
        } finally {
          if (!changesNothing) fresh.clear()
        }
      }
      Object.defineProperty(this, id, { value, enumerable: true })
    }
  }
}

/** Every operation of the frontend interface as a function of the same name, and `token`. */
export type BailiwickFrontend = FrontendClient

/**
 * A client of one tenant's end user. Nothing is sent before the first call.
 * @throws TypeError for options that cannot work.
 */
export const BailiwickFrontend = Client as unknown as new (options: BailiwickFrontendOptions) => BailiwickFrontend
