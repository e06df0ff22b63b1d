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

function guard(allow: (auth: Auth) => void): PreHandler {
  return async (request, reply) => {
    try {
      // Other plugins use the same name.
      if (!(request.auth instanceof Auth)) {
        throw (
          refusals.get(request) ??
          new Error('bailiwickAuth must be registered before requireAuth and other handlers that need the user')
        )
      }
      allow(request.auth)
    } catch (error) {
      if (error instanceof AuthError) await reply.code(error.status).headers(error.headers).send(error.toJSON())
      else throw error
    }
  }
}

/**
 * Responds with 401 unless a user is signed in, and with 503 if that cannot be determined.
 * @example
 * ```ts
 * import { bailiwickAuth, requireAuth } from '@bailiwick/sdk/fastify'
 * import { fastify } from 'fastify'
 *
 * const app = fastify()
 * await app.register(bailiwickAuth)
 * app.get('/orders', { preHandler: requireAuth() }, ({ auth }) => ({ customer: auth?.user.id }))
 * ```
 */
export const requireAuth = (): PreHandler => guard(() => undefined)

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
export const requirePermission = (permission: string): PreHandler => guard((auth) => auth.requirePermission(permission))

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
export const requireOrganizationPermission = (permission: string): PreHandler =>
  guard((auth) => auth.requireOrganizationPermission(permission))

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
export const requireRecent = (proof: RecentProof = {}): PreHandler => guard((auth) => auth.requireRecent(proof))
