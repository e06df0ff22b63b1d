// What every client of the frontend interface does: sends the public key, stores tokens, and provides fresh JWTs.
import { type ConnectionOptions, createConnection } from '../connection-options.ts'
import { bearer, checked } from '../credential.ts'
import { isBailiwickError } from '../errors.ts'
import { type AnyInput, buildRequest } from '../operation.ts'
import { createTransport, readJson } from '../transport/transport.ts'
import { FreshTokens } from './fresh-tokens.ts'
import type { AnyFrontendTable } from './frontend-operation.ts'
import type { TokenKind, TokenStore } from './token-store.ts'

export interface BailiwickFrontendOptions extends ConnectionOptions {
  /** The frontend's base address, such as `https://id.example.com/frontend/api/v0`. */
  readonly baseUrl: string
  /** The tenant's public key; not needed if the base address is on the tenant's own verified domain. */
  readonly publicKey?: string
  /** Where tokens are stored outside browsers. If left out, the session is in cookies that no script can read. */
  readonly tokens?: TokenStore
}

/** Provides tokens for the app's own servers. */
export interface TokenSource {
  /**
   * Returns a JWT of the signed-in user for the app's own servers, valid for at least a few seconds more: kept while it lasts, renewed when
   * it is needed, and requested once however many callers want it.
   * @param orgId the organization that it is issued for.
   * @throws BailiwickError unauthenticated if nobody is signed in, not_found if the user is not a member.
   */
  readonly token: (wish?: { readonly orgId?: string }) => Promise<string>
}

/** How operations are sent, by name: all of them, or some. */
export type OperationTable = Readonly<Partial<AnyFrontendTable>>

/** Returns what a list of paths by method says of each operation. */
export const toTable = (pathsByMethod: Readonly<Record<string, Readonly<Record<string, string>>>>): OperationTable =>
  Object.fromEntries(
    Object.entries(pathsByMethod).flatMap(([method, paths]) =>
      Object.entries(paths).map(([id, path]) => [id, { method, path }]),
    ),
  )

const tokenOperation = { method: 'POST', path: '/user/sessions/token' } as const
const tokenKinds = ['session', 'flow', 'device'] as const satisfies readonly TokenKind[]
const tokenHeader = (kind: TokenKind, token: string) =>
  kind === 'session' ? bearer(token) : { [`x-${kind}-token`]: token }
const signingOut: readonly string[] = ['endOwnSessions', 'deleteOwnUser']

type Data = Readonly<Record<string, unknown>>

async function tokenHeaders(tokens: TokenStore): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'x-session-transport': 'body' }
  for (const kind of tokenKinds) {
    const token = await tokens.get(kind)
    if (token !== undefined) Object.assign(headers, tokenHeader(kind, checked(token, `the ${kind} token`)))
  }
  return headers
}

async function keepTokens(tokens: TokenStore, data: Data) {
  for (const kind of tokenKinds) {
    const token = data[`${kind}Token`]
    if (typeof token === 'string') await tokens.set(kind, token)
  }
  // Once somebody is signed in, the flow is over.
  if (data['session'] !== undefined && data['sessionToken'] !== undefined) await tokens.set('flow', undefined)
}

export class FrontendClient {
  declare readonly token: (wish?: { readonly orgId?: string }) => Promise<string>

  constructor(options: BailiwickFrontendOptions, operations: OperationTable) {
    const { publicKey, tokens } = options
    const key = publicKey === undefined ? {} : { 'x-public-key': checked(publicKey, 'publicKey', 'pk_') }
    const send = createTransport({
      ...createConnection(options),
      credential: async () => (tokens === undefined ? key : { ...key, ...(await tokenHeaders(tokens)) }),
      hasCookies: tokens === undefined,
    })

    const call = async (id: keyof AnyFrontendTable, input: AnyInput = {}): Promise<Data> => {
      const operation = operations[id] ?? tokenOperation
      const session = await tokens?.get('session')
      // Undefined without a body, whatever the type says.
      const body: string | undefined = JSON.stringify(input.body)
      try {
        const answer = await send({ ...buildRequest(operation, input), body, challenge: input.challenge }, readJson)
        const { data } = answer as { readonly data: Data }
        if (tokens !== undefined) await keepTokens(tokens, data)
        if (signingOut.includes(id)) await tokens?.set('session', undefined)
        return data
      } catch (error) {
        // The session has ended; another may have begun meanwhile.
        if (session !== undefined && isBailiwickError(error, 'unauthenticated')) {
          if ((await tokens?.get('session')) === session) await tokens?.set('session', undefined)
        }
        throw error
      }
    }

    const fresh = new FreshTokens(async (orgId: string | undefined) => {
      const { jwt } = await call('createOwnToken', { body: { orgId } })
      return jwt as string
    })
    /** A token with a lifetime of its own, or for no organization, is not shared with other callers. */
    const keeping = (input?: AnyInput) => {
      const { orgId, ttl } = (input?.body ?? {}) as { readonly orgId?: string | null; readonly ttl?: number }
      return ttl === undefined && orgId !== null ? fresh.expect(orgId) : undefined
    }
    this.token = async ({ orgId } = {}) => fresh.get(orgId)
    for (const id of Object.keys(operations) as (keyof AnyFrontendTable)[]) {
      const changesNothing = operations[id]?.method === 'GET' || id === 'createOwnToken'
      const value = async (input?: AnyInput) => {
        const keep = id === 'createOwnToken' ? keeping(input) : undefined
        try {
          const data = await call(id, input)
          keep?.(data['jwt'] as string)
          return data
        } catch (error) {
          // The session has ended.
          if (isBailiwickError(error, 'unauthenticated')) fresh.clear()
          throw error
        } finally {
          if (!changesNothing) fresh.clear()
        }
      }
      Object.defineProperty(this, id, { value, enumerable: true })
    }
  }
}
