// Why a request is refused, in a form with which every framework can answer.

const statuses = {
  unauthenticated: 401,
  invalid_token: 401,
  token_expired: 401,
  cross_origin: 403,
  permission_required: 403,
  service_unavailable: 503,
} as const

/**
 * - `unauthenticated`: nobody is signed in, or the session has ended;
 * - `invalid_token`: the token is not one of this tenant's; `cause` is the `JwtError` that says why;
 * - `token_expired`: the token's minute is over;
 * - `cross_origin`: a page of another origin sent a change with the user's cookies;
 * - `permission_required`: the user is signed in but does not have the permission;
 * - `service_unavailable`: neither keys nor a fresh token can be fetched, so nothing is known about the caller.
 */
export type AuthErrorCode = keyof typeof statuses

/**
 * Thrown when nobody is signed in, or that cannot be determined. It is the answer to send.
 * @example
 * ```ts
 * import { AuthError, createAuthenticator } from '@bailiwick/sdk/server'
 *
 * const { verifyRequest } = createAuthenticator()
 *
 * export async function GET(request: Request) {
 *   try {
 *     return Response.json({ customer: (await verifyRequest(request)).user.id })
 *   } catch (error) {
 *     if (error instanceof AuthError) return error.toResponse()
 *     throw error
 *   }
 * }
 * ```
 */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly code: AuthErrorCode
  /** The status to answer with. Express, Fastify and others read it under one of these two names. */
  readonly status: number
  readonly statusCode: number

  constructor(code: AuthErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
    this.status = statuses[code]
    this.statusCode = this.status
  }

  /** The headers of the answer (RFC 6750 §3, RFC 9110 §10.2.3). */
  get headers(): Readonly<Record<string, string>> {
    const isOfToken = this.code === 'invalid_token' || this.code === 'token_expired'
    return {
      ...(this.status === 401 ? { 'www-authenticate': isOfToken ? 'Bearer error="invalid_token"' : 'Bearer' } : {}),
      ...(this.status === 503 ? { 'retry-after': '1' } : {}),
      'cache-control': 'no-store',
    }
  }

  /** The body of the answer, in the form of the service's own errors. It contains nothing of `cause`. */
  toJSON() {
    return { status: 'error', code: this.code, message: this.message } as const
  }

  /** The complete answer, for frameworks that answer with the platform's `Response`. */
  toResponse(): Response {
    return Response.json(this, { status: this.status, headers: this.headers })
  }
}
