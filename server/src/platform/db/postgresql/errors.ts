// Translates PostgreSQL's errors into our own (postgresql.org/docs/current/errcodes-appendix.html).
import { DatabaseError } from 'pg'
import { postgresqlConstraintName } from '../constraints.ts'
import { ConstraintError, DatabaseUnavailable } from '../database.ts'

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

/** The server cannot be used any more, over any connection. */
const serverGoneCodes = new Set(['25006', '57P01', '57P02', '57P03', '57P04'])

/** The server has ended this connection; others are not affected. */
const connectionEndedCodes = new Set(['25P03', '57P05'])

const internalError = 'XX000'

/** Where Citus reports what happens at another server: a lost connection, or what could not be prepared, committed or fetched there. */
const filesAboutWorkers = new Set([
  'remote_commands.c',
  'remote_transaction.c',
  'placement_connection.c',
  'intermediate_results.c',
])
/** What Citus reports, from several places, while the coordinator itself ends. */
const coordinatorEnds = 'postmaster was shut down, exiting'
const serialisationCodes = new Set(['40001', '40P01'])

/** The connection no longer has this prepared statement, or the statement's columns have changed. */
const staleStatementCodes = new Set(['0A000', '26000'])

/** Whether the error was reported by the server over a working connection. */
export function isServerError(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError
}

/** Returns the error for failures to connect, one for each host. */
export function translateConnectionError(
  failures: readonly { readonly name: string; readonly error: unknown }[],
): DatabaseUnavailable {
  const errors = failures.map(({ error }) => error)
  const reasons = failures.map(({ name, error }) => (errors.length > 1 ? `${name}: ` : '') + messageOf(error))
  return new DatabaseUnavailable(`PostgreSQL cannot be reached: ${reasons.join('; ')}`, {
    cause: errors.length === 1 ? errors[0] : new AggregateError(errors),
  })
}

/** Whether a connection was refused because the server, or this user, has reached its maximum. */
export function hasNoneLeft({ cause }: { readonly cause?: unknown }): boolean {
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return causes.some((each) => isServerError(each) && each.code === '53300')
}

/** Whether no other connection to the server can be trusted either: it is read-only, shutting down, or gone. */
export function isServerGone(error: unknown): boolean {
  if (!isServerError(error)) return !isOwnBug(error)
  if (isFromWorker(error)) return false
  const code = error.code ?? ''
  return serverGoneCodes.has(code) || code.startsWith('08')
}

/** Whether the connection on which this error occurred cannot be used any more. */
export function endsConnection(error: unknown): boolean {
  if (!isServerError(error) || isServerGone(error) || isStaleStatement(error)) return true
  return connectionEndedCodes.has(error.code ?? '')
}

/** Returns the error for a failed statement. */
export function translateStatementError(error: unknown): unknown {
  if (isOwnBug(error) || error instanceof DatabaseUnavailable) return error
  if (!isServerError(error)) {
    return new DatabaseUnavailable(`the connection to PostgreSQL was lost: ${messageOf(error)}`, { cause: error })
  }
  const code = error.code ?? ''
  const isUnavailable = unavailableCodes.has(code) || unavailableClasses.has(code.slice(0, 2))
  const isLostInCitus = isFromWorker(error) || error.message === coordinatorEnds
  if (isUnavailable || (isLostInCitus && code === internalError)) {
    return new DatabaseUnavailable(`PostgreSQL: ${error.message}`, { cause: error })
  }
  const constraint = postgresqlConstraintName(error)
  return constraint === undefined ? error : new ConstraintError(constraint, { cause: error })
}

/**
 * Whether the coordinator of Citus passes on what has happened at another server, which says nothing about the coordinator. A connection that is
 * lost is an internal error.
 */
function isFromWorker({ file = '' }: DatabaseError): boolean {
  return filesAboutWorkers.has(file)
}

/** Whether the error is a bug in the code that reads the rows. Any other error that the server did not report comes from the connection. */
function isOwnBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError
}

export function isSerialisationFailure(error: unknown): boolean {
  return isServerError(error) && serialisationCodes.has(error.code ?? '')
}

/** Whether a write has found no row that it must change (`combineUnlessUnchanged`). */
export const isDivisionByZero = (error: unknown): boolean => isServerError(error) && error.code === '22012'

function isStaleStatement(error: unknown): boolean {
  return isServerError(error) && staleStatementCodes.has(error.code ?? '')
}

function messageOf(error: unknown): string {
  // When a host name has several addresses and all are refused, the error is an AggregateError without a message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
