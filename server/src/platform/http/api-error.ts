import { type ErrorBody, type ErrorCode, type Issue, errorCatalogue } from '@bailiwick/contract'

interface ApiErrorOptions {
  /** Replaces the catalogue's sentence with a more specific one; reaches the caller. */
  readonly detail?: string
  readonly issues?: readonly Issue[]
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number
  /** The record as it is now, of changed_meanwhile. */
  readonly current?: unknown
  /** What has to be solved, of challenge_required. */
  readonly challenge?: ErrorBody['challenge']
  /** Private: only logged. */
  readonly cause?: unknown
}

/** The only error that handlers throw on purpose; anything else that is thrown is a bug and answers 500. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly statusCode: number
  readonly issues: readonly Issue[]
  readonly retryAfterSeconds: number | undefined
  readonly current: unknown
  readonly challenge: ErrorBody['challenge']

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.detail ?? errorCatalogue[code].message, { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.statusCode = errorCatalogue[code].status
    this.issues = options.issues ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
    this.current = options.current
    this.challenge = options.challenge
  }
}

/** Returns a 400 with one issue, for a rule about one property that only the database can check. */
export const invalid = (path: string, code: string, message: string) =>
  new ApiError('validation_failed', { issues: [{ path, code, message }] })

/** Returns a 404, the same for records that do not exist and for another tenant's. */
export const notFound = () => new ApiError('not_found')
