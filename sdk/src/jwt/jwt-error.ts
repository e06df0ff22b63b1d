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

/** The token must not be trusted: answer 401, or 503 for `keys_unavailable`, when nothing is known about it. */
export class JwtError extends Error {
  override readonly name = 'JwtError'
  readonly code: JwtErrorCode

  constructor(code: JwtErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
  }
}
