// The server side of an app in any framework: finds out who sent a request, from the session's token and the tenant's published keys.
import { JwtError, createJwtVerifier } from './jwt.ts'
import { AuthError } from './server/auth-error.ts'
import { type BailiwickAuthOptions, readSettings } from './server/auth-options.ts'
import { Auth } from './server/auth.ts'
import {
  type IncomingRequest,
  type NodeRequest,
  fromFetch,
  fromNode,
  isOwnPages,
  readCookie,
} from './server/incoming-request.ts'
import { createSessionExchange, isSessionToken } from './server/session-exchange.ts'

export { AuthError, type AuthErrorCode } from './server/auth-error.ts'
export type { BailiwickAuthOptions } from './server/auth-options.ts'
export type { Auth, AuthOrganization, AuthUser, RecentProof } from './server/auth.ts'
export type { NodeRequest } from './server/incoming-request.ts'

export interface Authenticator {
  /**
   * Returns who sent the request.
   * @throws AuthError if nobody is signed in, or that cannot be determined; it has the status to answer with.
   */
  readonly verifyRequest: (request: Request) => Promise<Auth>
  /**
   * Returns who sent the request; undefined if nobody is signed in, for pages that everybody may see.
   * @throws AuthError service_unavailable
   */
  readonly findAuth: (request: Request) => Promise<Auth | undefined>
  /** Does the same as `verifyRequest`, for a request of Node. */
  readonly verifyNodeRequest: (request: NodeRequest) => Promise<Auth>
}

/** @throws AuthError */
async function verified(verify: ReturnType<typeof createJwtVerifier>, token: string) {
  try {
    return await verify(token)
  } catch (cause) {
    if (!(cause instanceof JwtError)) throw cause
    if (cause.code === 'expired') throw new AuthError('token_expired', cause.message, { cause })
    if (cause.code === 'keys_unavailable') throw new AuthError('service_unavailable', cause.message, { cause })
    throw new AuthError('invalid_token', cause.message, { cause })
  }
}

/**
 * Creates the functions that find out who sent a request. The token comes from `Authorization: Bearer`, else from the cookie in which the
 * app stores it; else it is fetched with the session's own cookie, if the app receives that. Keys and tokens are kept in memory: create
 * one authenticator for the whole server.
 * @example
 * ```ts
 * import { createAuthenticator } from '@bailiwick/sdk/server'
 *
 * const { verifyRequest } = createAuthenticator()
 *
 * export async function GET(request: Request) {
 *   const { user } = await verifyRequest(request)
 *   return Response.json({ customer: user.id })
 * }
 * ```
 * @throws TypeError for options with which no request could be checked.
 */
export function createAuthenticator(options: BailiwickAuthOptions = {}): Authenticator {
  const settings = readSettings(options)
  const { clockToleranceSeconds, fetch, frontendApiUrl, jwksUrl, now, publicKey, tenantId } = settings
  const verify = createJwtVerifier({
    issuer: frontendApiUrl,
    audience: publicKey,
    jwksUrl,
    now,
    ...(clockToleranceSeconds === undefined ? {} : { clockToleranceSeconds }),
    ...(fetch === undefined ? {} : { fetch }),
  })
  const exchange = createSessionExchange(settings)
  const tenant = { id: tenantId, publicKey }
  const createAuth = async (token: string) => new Auth(token, await verified(verify, token), tenant, now)

  async function authFromCookies(request: IncomingRequest): Promise<Auth> {
    const header = request.header('cookie')
    const jwt = readCookie(header, settings.jwtCookie)
    const session = settings.sessionCookies.map((name) => readCookie(header, name)).find(isSessionToken)
    if (jwt === undefined && session === undefined) throw new AuthError('unauthenticated', 'The user is not signed in.')
    if (!isOwnPages(request, settings.origins)) {
      throw new AuthError('cross_origin', 'A page of another origin cannot change data with these cookies.')
    }
    if (jwt !== undefined) {
      try {
        return await createAuth(jwt)
      } catch (error) {
        const isOver = error instanceof AuthError && error.code === 'token_expired'
        if (!isOver || session === undefined) throw error
      }
    }
    if (session === undefined) throw new AuthError('unauthenticated', 'The user is not signed in.')
    return createAuth(await exchange(session))
  }

  async function authFromRequest(request: IncomingRequest): Promise<Auth> {
    const [, scheme, token = ''] = /^(\S+) +(\S.*)?$/.exec(request.header('authorization') ?? '') ?? []
    return scheme?.toLowerCase() === 'bearer' ? createAuth(token) : authFromCookies(request)
  }

  return {
    verifyRequest: async (request) => authFromRequest(fromFetch(request)),
    verifyNodeRequest: async (request) => authFromRequest(fromNode(request)),
    findAuth: async (request) => {
      try {
        return await authFromRequest(fromFetch(request))
      } catch (error) {
        if (error instanceof AuthError && error.status !== 503) return undefined
        throw error
      }
    },
  }
}
