import { type ErrorCode, type Issue, errorCatalogue } from '@bailiwick/contract'

interface ApiErrorOptions {
  /** Replaces the catalogue's sentence where it can say more; reaches the caller. */
  readonly detail?: string
  readonly issues?: readonly Issue[]
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number
  /** Private: only logged. */
  readonly cause?: unknown
}

/** The one error that handlers throw on purpose; whatever else is thrown is a bug and answers 500. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly statusCode: number
  readonly issues: readonly Issue[]
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.detail ?? errorCatalogue[code].message, { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.statusCode = errorCatalogue[code].status
    this.issues = options.issues ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** 400 with one issue: what a rule that needs the database found wrong with one property. */
export const invalid = (path: string, code: string, message: string) =>
  new ApiError('validation_failed', { issues: [{ path, code, message }] })

/** 404, the same for what does not exist and for what is another tenant's. */
export const notFound = () => new ApiError('not_found')
