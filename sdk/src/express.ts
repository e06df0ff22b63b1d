// Finds out who sent a request, for Express 4 and 5 and everything that takes the same kind of middleware.
import type { NextFunction, Request, Response } from 'express'
import { AuthError, type BailiwickAuthOptions, type NodeRequest, createAuthenticator } from './server.ts'
import { Auth, type RecentProof } from './server/auth.ts'

export { AuthError, type AuthErrorCode } from './server.ts'
export type { Auth, AuthOrganization, AuthUser, BailiwickAuthOptions, RecentProof } from './server.ts'

declare global {
  namespace Express {
    interface Request {
      /** The sender of the request, once `bailiwickAuth()` has run; undefined if nobody is signed in. */
      auth?: Auth | undefined
    }
  }
}

/** The part of Express's request that is used. */
export interface ExpressRequest extends NodeRequest {
  auth?: Auth | undefined
}

/** The part of Express's response that is used. */
export interface ExpressResponse {
  statusCode: number
  readonly headersSent: boolean
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

export type ExpressMiddleware = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/** Handles requests of signed-in users only, so that `request.auth` is always there. */
export type SignedInHandler<Req, Res> = (
  request: Req & { readonly auth: Auth },
  response: Res,
  next: NextFunction,
) => unknown

/** Middleware that refuses requests; with a handler, the handler for the requests that it lets through. */
export interface ExpressGuard<Args extends readonly unknown[]> {
  (...args: Args): ExpressMiddleware
  <Req = Request, Res = Response>(
    ...args: [...args: Required<Args>, handler: SignedInHandler<Req, Res>]
  ): (request: Req, response: Res, next: NextFunction) => Promise<void>
}

/** Why nobody is signed in, for the middleware that requires a user. */
const refusals = new WeakMap<object, AuthError>()

/**
 * Sets `request.auth` from the request's token, without asking the service. It refuses nothing: `requireAuth()` and `requirePermission()`
 * do, on the routes that need it.
 * @example
 * ```ts
 * import { bailiwickAuth, requireAuth } from '@bailiwick/sdk/express'
 * import express from 'express'
 *
 * express()
 *   .use(bailiwickAuth())
 *   .get('/me', requireAuth(), ({ auth }, response) => response.json(auth?.user))
 *   .listen(3000)
 * ```
 * @throws TypeError for options with which no request could be checked.
 */
export function bailiwickAuth(options: BailiwickAuthOptions = {}): ExpressMiddleware {
  const { verifyNodeRequest } = createAuthenticator(options)
  return async (request, _response, next) => {
    // A value from other middleware, or from this one for another tenant, says nothing about who is signed in here.
    request.auth = undefined
    refusals.delete(request)
    try {
      request.auth = await verifyNodeRequest(request)
    } catch (error) {
      if (!(error instanceof AuthError)) return next(error)
      refusals.set(request, error)
    }
    next()
  }
}

function refuse(response: ExpressResponse, error: AuthError) {
  response.statusCode = error.status
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(error))
}

/** Any handler: what it takes is decided where it is used. */
type AnyHandler = SignedInHandler<never, never>

/** Passes a request on, or to `handler`, unless `allow` throws an {@link AuthError} for it, and answers the others. */
function guard(allow: (auth: Auth) => void, handler?: AnyHandler): ExpressMiddleware {
  return async (request, response, next) => {
    const { auth } = request
    // Other middleware uses the same name.
    if (!(auth instanceof Auth)) {
      const error = refusals.get(request)
      if (error === undefined)
        return next(
          new Error('bailiwickAuth() must be used before requireAuth() and other handlers that need the user'),
        )
      return refuse(response, error)
    }
    try {
      allow(auth)
      // Express 4 does not wait for a promise, so that its rejection would be nobody's.
      if (handler !== undefined) return void (await handler(request as never, response as never, next))
    } catch (error) {
      if (error instanceof AuthError && !response.headersSent) return refuse(response, error)
      return next(error)
    }
    next()
  }
}

/**
 * Responds with 401 unless a user is signed in, and with 503 if that cannot be determined. Given a handler, it returns one that gets requests of
 * signed-in users only: `request.auth` is then never undefined. An {@link AuthError} that the handler throws is answered, too.
 * @example
 * ```ts
 * import { bailiwickAuth, requireAuth } from '@bailiwick/sdk/express'
 * import express from 'express'
 *
 * const app = express().use(bailiwickAuth())
 * app.get('/orders', requireAuth(({ auth }, response) => response.json({ customer: auth.user.id })))
 * ```
 */
export const requireAuth: ExpressGuard<[]> = (handler?: AnyHandler) => guard(() => undefined, handler)

/**
 * Does the same as `requireAuth()`, and responds with 403 unless the user's role in the tenant has the permission.
 * @example
 * ```ts
 * import { bailiwickAuth, requirePermission } from '@bailiwick/sdk/express'
 * import express from 'express'
 *
 * const app = express().use(bailiwickAuth())
 * app.post('/articles', requirePermission('articles:write', ({ auth }, response) => response.json({ author: auth.user.id })))
 * ```
 */
export const requirePermission: ExpressGuard<[permission: string]> = (permission: string, handler?: AnyHandler) =>
  guard((auth) => auth.requirePermission(permission), handler)

/**
 * Does the same as `requireAuth()`, and responds with 403 unless the user's role in the token's organization has the permission.
 * @example
 * ```ts
 * import { bailiwickAuth, requireOrganizationPermission } from '@bailiwick/sdk/express'
 * import express from 'express'
 *
 * const app = express().use(bailiwickAuth())
 * app.put('/plan', requireOrganizationPermission('billing:write'), (_request, response) => response.sendStatus(204))
 * ```
 */
export const requireOrganizationPermission: ExpressGuard<[permission: string]> = (
  permission: string,
  handler?: AnyHandler,
) => guard((auth) => auth.requireOrganizationPermission(permission), handler)

/**
 * Does the same as `requireAuth()`, and responds with 401 and the challenge of RFC 9470 unless the user has proven who it is as recently and
 * as strongly as wanted.
 * @example
 * ```ts
 * import { bailiwickAuth, requireRecent } from '@bailiwick/sdk/express'
 * import express from 'express'
 *
 * const app = express().use(bailiwickAuth())
 * app.post('/payments', requireRecent({ level: 'second_factor', maxAge: 300 }), (_request, response) => response.sendStatus(201))
 * ```
 */
export const requireRecent: ExpressGuard<[proof?: RecentProof]> = (proof: RecentProof = {}, handler?: AnyHandler) =>
  guard((auth) => auth.requireRecent(proof), handler)
