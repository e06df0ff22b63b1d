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

/** The token is not to be trusted: answer 401; for `keys_unavailable`, when nothing is known about it, 503. */
export class JwtError extends Error {
  override readonly name = 'JwtError'
  readonly code: JwtErrorCode

  constructor(code: JwtErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
  }
}
