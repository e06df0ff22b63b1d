export type JwtErrorCode =
  | 'malformed_token'
  | 'unsupported_header'
  | 'wrong_algorithm'
  | 'wrong_type'
  | 'unknown_key'
  | 'bad_signature'
  | 'malformed_claim'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'expired'
  | 'not_yet_valid'
  | 'keys_unavailable'

/**
 * Thrown when a token must not be trusted: answer 401, or 503 for `keys_unavailable`, when nothing is known about it.
 * @example
 * ```ts
 * import { JwtError, createJwtVerifier } from '@bailiwick/sdk/jwt'
 *
 * const issuer = 'https://id.example.com/frontend/api/v0'
 * const verify = createJwtVerifier({ issuer, audience: 'pk_…', jwksUrl: `${issuer}/.well-known/jwks.json` })
 *
 * export async function userIdOrStatus(token: string): Promise<string | number> {
 *   try {
 *     return (await verify(token)).sub
 *   } catch (error) {
 *     if (error instanceof JwtError) return error.code === 'keys_unavailable' ? 503 : 401
 *     throw error
 *   }
 * }
 * ```
 */
export class JwtError extends Error {
  override readonly name = 'JwtError'
  readonly code: JwtErrorCode

  constructor(code: JwtErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
  }
}
