// PostgreSQL's errors in our own terms (postgresql.org/docs/current/errcodes-appendix.html).
import { DatabaseError } from 'pg'
import { postgresqlConstraintName } from './constraints.ts'
import { ConstraintError, DatabaseUnavailable } from './database.ts'

/** Connection exceptions, insufficient resources, system errors. */
const unavailableClasses = new Set(['08', '53', '58'])

const unavailableCodes = new Set([
  '25006', // read-only: connected to a standby
  '25P03', // idle in the transaction for too long
  '55P03', // lock not available in time
  '57014', // statement time-out
  '57P01', // shut down by an administrator
  '57P02', // another backend crashed
  '57P03', // starting up or shutting down
  '57P04', // database dropped
  '57P05', // idle for too long
])

const serialisationCodes = new Set(['40001', '40P01'])

/** A prepared statement that the connection no longer has, or whose columns have changed since. */
const staleStatementCodes = new Set(['0A000', '26000'])

/** Whether the error came from the server, over a connection that worked. */
export function isServerError(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError
}

/** What failed while a connection was made. */
export function translateConnectionError(error: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable(`PostgreSQL cannot be reached: ${messageOf(error)}`, { cause: error })
}

/** Whether a connection was refused because the server, or this user of it, has as many as it may have. */
export function hasNoneLeft({ cause }: { readonly cause?: unknown }): boolean {
  return isServerError(cause) && cause.code === '53300'
}

/** What a statement failed with. */
export function translateStatementError(error: unknown): unknown {
  // Bugs of ours in what reads the rows; everything else that is not the server's is the connection's.
  if (error instanceof TypeError || error instanceof RangeError) return error
  if (!isServerError(error)) {
    return new DatabaseUnavailable(`the connection to PostgreSQL was lost: ${messageOf(error)}`, { cause: error })
  }
  const code = error.code ?? ''
  if (unavailableCodes.has(code) || unavailableClasses.has(code.slice(0, 2))) {
    return new DatabaseUnavailable(`PostgreSQL: ${error.message}`, { cause: error })
  }
  const constraint = postgresqlConstraintName(error)
  return constraint === undefined ? error : new ConstraintError(constraint, { cause: error })
}

export function isSerialisationFailure(error: unknown): boolean {
  return isServerError(error) && serialisationCodes.has(error.code ?? '')
}

export function isStaleStatement(error: unknown): boolean {
  return isServerError(error) && staleStatementCodes.has(error.code ?? '')
}

function messageOf(error: unknown): string {
  // A refused connection to a name of several addresses is an AggregateError without a message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
