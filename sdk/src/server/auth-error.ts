// Why a request is refused, in a form with which every framework can answer.

const statuses = {
  unauthenticated: 401,
  invalid_token: 401,
  token_expired: 401,
  cross_origin: 403,
  permission_required: 403,
  insufficient_authentication: 401,
  service_unavailable: 503,
} as const

/**
 * - `unauthenticated`: nobody is signed in, or the session has ended;
 * - `invalid_token`: the token is not one of this tenant's; `cause` is the `JwtError` that says why;
 * - `token_expired`: the token's minute is over;
 * - `cross_origin`: a page of another origin sent a change with the user's cookies;
 * - `permission_required`: the user is signed in but does not have the permission;
 * - `insufficient_authentication`: the user is signed in, but must prove again who it is, or prove a second factor (RFC 9470);
 * - `service_unavailable`: neither keys nor a fresh token can be fetched, so nothing is known about the caller.
 */
export type AuthErrorCode = keyof typeof statuses

/** The proof that a request needs, for the challenge of its answer (RFC 9470 §3). */
export interface WantedProof {
  readonly acrValues?: string | undefined
  readonly maxAge?: number | undefined
}

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
  /** The proof that is missing, with `insufficient_authentication`. */
  readonly wanted: WantedProof | undefined

  constructor(
    code: AuthErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly wanted?: WantedProof } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.status = statuses[code]
    this.statusCode = this.status
    this.wanted = options.wanted
  }

  /** The headers of the answer (RFC 6750 §3, RFC 9470 §3, RFC 9110 §10.2.3). */
  get headers(): Readonly<Record<string, string>> {
    return {
      ...(this.status === 401 ? { 'www-authenticate': this.#challenge() } : {}),
      ...(this.status === 503 ? { 'retry-after': '1' } : {}),
      'cache-control': 'no-store',
    }
  }

  #challenge(): string {
    if (this.code === 'invalid_token' || this.code === 'token_expired') return 'Bearer error="invalid_token"'
    if (this.code !== 'insufficient_authentication') return 'Bearer'
    const { acrValues, maxAge } = this.wanted ?? {}
    return [
      'Bearer error="insufficient_user_authentication"',
      ...(acrValues === undefined ? [] : [`acr_values="${acrValues}"`]),
      ...(maxAge === undefined ? [] : [`max_age="${maxAge}"`]),
    ].join(', ')
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
