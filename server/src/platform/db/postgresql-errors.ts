// PostgreSQL's errors in our own terms (postgresql.org/docs/current/errcodes-appendix.html).
import { DatabaseError } from 'pg'
import { postgresqlConstraintName } from './constraints.ts'
import { ConstraintError, DatabaseUnavailable } from './database.ts'

/** Connection exceptions, insufficient resources, system errors. */
const unavailableClasses = new Set(['08', '53', '58'])

const unavailableCodes = new Set([
  '25006', // read-only: a standby, or about to become one
  '25P03', // idle in the transaction for too long
  '55P03', // lock not available in time
  '57014', // statement time-out
  '57P01', // shut down by an administrator
  '57P02', // another backend crashed
  '57P03', // starting up or shutting down
  '57P04', // database dropped
  '57P05', // idle for too long
])

/** The server cannot be used any more, whichever connection was told so. */
const serverGoneCodes = new Set(['25006', '57P01', '57P02', '57P03', '57P04'])

/** The server has ended this connection, and says nothing against others. */
const connectionEndedCodes = new Set(['25P03', '57P05'])

const serialisationCodes = new Set(['40001', '40P01'])

/** A prepared statement that the connection no longer has, or whose columns have changed since. */
const staleStatementCodes = new Set(['0A000', '26000'])

/** Whether the error came from the server, over a connection that worked. */
export function isServerError(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError
}

/** What failed while a connection was made, at each of the hosts. */
export function translateConnectionError(
  failures: readonly { readonly name: string; readonly error: unknown }[],
): DatabaseUnavailable {
  const errors = failures.map(({ error }) => error)
  const reasons = failures.map(({ name, error }) => (errors.length > 1 ? `${name}: ` : '') + messageOf(error))
  return new DatabaseUnavailable(`PostgreSQL cannot be reached: ${reasons.join('; ')}`, {
    cause: errors.length === 1 ? errors[0] : new AggregateError(errors),
  })
}

/** Whether a connection was refused because a server, or this user of it, has as many as it may have. */
export function hasNoneLeft({ cause }: { readonly cause?: unknown }): boolean {
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return causes.some((each) => isServerError(each) && each.code === '53300')
}

/** Whether no other connection to the server is to be trusted either: it is read-only, going away, or gone. */
export function isServerGone(error: unknown): boolean {
  if (!isServerError(error)) return !isOwnBug(error)
  const code = error.code ?? ''
  return serverGoneCodes.has(code) || code.startsWith('08')
}

/** Whether nothing can be asked over the connection that failed with it. */
export function endsConnection(error: unknown): boolean {
  if (!isServerError(error) || isServerGone(error) || isStaleStatement(error)) return true
  return connectionEndedCodes.has(error.code ?? '')
}

/** What a statement failed with. */
export function translateStatementError(error: unknown): unknown {
  if (isOwnBug(error) || error instanceof DatabaseUnavailable) return error
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

/** In what reads the rows; everything else that is not the server's is the connection's. */
function isOwnBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError
}

export function isSerialisationFailure(error: unknown): boolean {
  return isServerError(error) && serialisationCodes.has(error.code ?? '')
}

function isStaleStatement(error: unknown): boolean {
  return isServerError(error) && staleStatementCodes.has(error.code ?? '')
}

function messageOf(error: unknown): string {
  // A refused connection to a name of several addresses is an AggregateError without a message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
