// What a call can fail with: a code of the service's catalogue, or one of the three that only a client can see.
import type { ErrorCode, Issue } from '@bailiwick/contract'

/**
 * - `network_error`: no answer came, or it broke off;
 * - `timed_out`: no whole answer came within `timeoutMs`;
 * - `invalid_response`: what answered does not speak the service's protocol, such as a proxy with a page of its own.
 */
export type ClientErrorCode = 'network_error' | 'timed_out' | 'invalid_response'

/** A newer service can send further codes: let the last branch of a `switch` expect them. */
export type BailiwickErrorCode = ErrorCode | ClientErrorCode

export interface BailiwickErrorDetails {
  readonly status?: number | undefined
  readonly issues?: readonly Issue[] | undefined
  readonly current?: unknown
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/**
 * Thrown by every call that fails. `code` is stable; use it to decide what to do.
 * @example
 * ```ts
 * import { Bailiwick, BailiwickError } from '@bailiwick/sdk'
 *
 * const bailiwick = new Bailiwick({ baseUrl: 'https://id.example.com/api/v0', secretKey: 'sk_…' })
 * try {
 *   await bailiwick.getUser({ params: { id: 'c0123456789' } })
 * } catch (error) {
 *   if (error instanceof BailiwickError) console.error(error.code, error.issues, error.requestId)
 * }
 * ```
 */
export class BailiwickError<Code extends BailiwickErrorCode = BailiwickErrorCode> extends Error {
  override readonly name = 'BailiwickError'
  declare readonly code: Code
  /** The status of the answer; undefined if none arrived. */
  declare readonly status: number | undefined
  /** Every rule that the request breaks; empty unless `code` is about the request. */
  declare readonly issues: readonly Issue[]
  /** Of `changed_meanwhile`: the record as it is now, if the service sends it. */
  declare readonly current: unknown
  /** Identifies the request in the service's log. */
  declare readonly requestId: string | undefined
  /** How long the service asks the client to wait. */
  declare readonly retryAfterSeconds: number | undefined

  constructor(code: Code, message: string, details: BailiwickErrorDetails = {}) {
    super(message, details)
    this.code = code
    this.status = details.status
    this.issues = details.issues ?? []
    this.current = details.current
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/**
 * Returns whether `error` is a failed call and, if codes are passed, has one of them.
 * @example
 * ```ts
 * import { Bailiwick, isBailiwickError } from '@bailiwick/sdk'
 *
 * const bailiwick = new Bailiwick({ baseUrl: 'https://id.example.com/api/v0', secretKey: 'sk_…' })
 * try {
 *   await bailiwick.createUser({ body: { tenantId: 'c0123456789', email: 'ada@acme.example' } })
 * } catch (error) {
 *   if (!isBailiwickError(error, 'email_taken')) throw error
 *   console.log(error.message, error.requestId)
 * }
 * ```
 */
export function isBailiwickError<Code extends BailiwickErrorCode = BailiwickErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is BailiwickError<Code> {
  return error instanceof BailiwickError && (codes.length === 0 || codes.includes(error.code as Code))
}
