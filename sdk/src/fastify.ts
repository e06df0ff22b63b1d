// Finds out who sent a request, for Fastify 4 and 5.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AuthError, type BailiwickAuthOptions, createAuthenticator } from './server.ts'
import { Auth, type RecentProof } from './server/auth.ts'

export { AuthError, type AuthErrorCode } from './server.ts'
export type { Auth, AuthOrganization, AuthUser, BailiwickAuthOptions, RecentProof } from './server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender of the request, once `bailiwickAuth` is registered; undefined if nobody is signed in. */
    auth: Auth | undefined
  }
}

/** Why nobody is signed in, for the hooks that require a user. */
const refusals = new WeakMap<FastifyRequest, AuthError>()

async function plugin(app: FastifyInstance, options: BailiwickAuthOptions): Promise<void> {
  const { verifyNodeRequest } = createAuthenticator(options)
  app.decorateRequest('auth', undefined)
  app.addHook('onRequest', async (request) => {
    // What this plugin found for another tenant says nothing about who is signed in here.
    request.auth = undefined
    refusals.delete(request)
    try {
      request.auth = await verifyNodeRequest(request.raw)
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      refusals.set(request, error)
    }
  })
}

/**
 * A plugin that sets `request.auth` from the request's token, without asking the service, on every route of the instance that it is
 * registered on. It refuses nothing: `requireAuth()` and `requirePermission()` do, as `preHandler` of the routes that need it.
 * @example
 * ```ts
 * import { bailiwickAuth, requireAuth } from '@bailiwick/sdk/fastify'
 * import { fastify } from 'fastify'
 *
 * const app = fastify()
 * await app.register(bailiwickAuth)
 * app.get('/me', { preHandler: requireAuth() }, ({ auth }) => auth?.user)
 * ```
 */
export const bailiwickAuth: typeof plugin = Object.assign(plugin, {
  // What is registered on an instance applies to all of it, not only to the plugin (Fastify's documentation, "Encapsulation").
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'bailiwickAuth',
})

type PreHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Handles requests of signed-in users only, so that `request.auth` is always there. */
export type SignedInHandler<Req, Reply, Answer> = (request: Req & { readonly auth: Auth }, reply: Reply) => Answer

/** A `preHandler` that refuses requests; with a handler, the handler for the requests that it lets through. */
export interface FastifyGuard<Args extends readonly unknown[]> {
  (...args: Args): PreHandler
  <Req = FastifyRequest, Reply = FastifyReply, Answer = unknown>(
    ...args: [...args: Required<Args>, handler: SignedInHandler<Req, Reply, Answer>]
  ): (request: Req, reply: Reply) => Promise<Awaited<Answer>>
}

/** Any handler: what it takes is decided where it is used. */
type AnyHandler = SignedInHandler<never, never, unknown>

function guard(allow: (auth: Auth) => void, handler?: AnyHandler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    try {
      // Other plugins use the same name.
      if (!(request.auth instanceof Auth)) {
        throw (
          refusals.get(request) ??
          new Error('bailiwickAuth must be registered before requireAuth and other handlers that need the user')
        )
      }
      allow(request.auth)
      // The guard's type says what its handler returns.
      return (await handler?.(request as never, reply as never)) as never
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      return reply.code(error.status).headers(error.headers).send(error.toJSON()) as never
    }
  }
}

/**
 * Responds with 401 unless a user is signed in, and with 503 if that cannot be determined. Given a handler, it returns one that gets requests of
 * signed-in users only: `request.auth` is then never undefined. An {@link AuthError} that the handler throws is answered, too.
 * @example
 * ```ts
 * import { bailiwickAuth, requireAuth } from '@bailiwick/sdk/fastify'
 * import { fastify } from 'fastify'
 *
 * const app = fastify()
 * await app.register(bailiwickAuth)
 * app.get('/orders', requireAuth(({ auth }) => ({ customer: auth.user.id })))
 * ```
 */
export const requireAuth: FastifyGuard<[]> = (handler?: AnyHandler) => guard(() => undefined, handler)

/**
 * Does the same as `requireAuth()`, and responds with 403 unless the user's role in the tenant has the permission.
 * @example
 * ```ts
 * import { bailiwickAuth, requirePermission } from '@bailiwick/sdk/fastify'
 * import { fastify } from 'fastify'
 *
 * const app = fastify()
 * await app.register(bailiwickAuth)
 * app.post('/articles', { preHandler: requirePermission('articles:write') }, () => ({ created: true }))
 * ```
 */
export const requirePermission: FastifyGuard<[permission: string]> = (permission: string, handler?: AnyHandler) =>
  guard((auth) => auth.requirePermission(permission), handler)

/**
 * Does the same as `requireAuth()`, and responds with 403 unless the user's role in the token's organization has the permission.
 * @example
 * ```ts
 * import { bailiwickAuth, requireOrganizationPermission } from '@bailiwick/sdk/fastify'
 * import { fastify } from 'fastify'
 *
 * const app = fastify()
 * await app.register(bailiwickAuth)
 * app.put('/plan', { preHandler: requireOrganizationPermission('billing:write') }, () => ({ changed: true }))
 * ```
 */
export const requireOrganizationPermission: FastifyGuard<[permission: string]> = (
  permission: string,
  handler?: AnyHandler,
) => guard((auth) => auth.requireOrganizationPermission(permission), handler)

/**
 * Does the same as `requireAuth()`, and responds with 401 and the challenge of RFC 9470 unless the user has proven who it is as recently and
 * as strongly as wanted.
 * @example
 * ```ts
 * import { bailiwickAuth, requireRecent } from '@bailiwick/sdk/fastify'
 * import { fastify } from 'fastify'
 *
 * const app = fastify()
 * await app.register(bailiwickAuth)
 * app.post('/payments', { preHandler: requireRecent({ level: 'second_factor', maxAge: 300 }) }, () => ({ paid: true }))
 * ```
 */
export const requireRecent: FastifyGuard<[proof?: RecentProof]> = (proof: RecentProof = {}, handler?: AnyHandler) =>
  guard((auth) => auth.requireRecent(proof), handler)
