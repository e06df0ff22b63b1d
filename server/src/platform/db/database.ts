// The interface of a database to the rest of the server: the same four methods on SQLite and on PostgreSQL.
import { Unavailable } from '../unavailable.ts'
import type { Statement } from './sql.ts'

export type EngineName = 'sqlite' | 'postgresql'

/** Reads data. Outside a transaction each call sees the latest committed state. */
export interface Reader {
  /** Returns every row of a statement, whose text must limit their number. */
  all<Row extends object>(statement: Statement): Promise<Row[]>
  /** Returns the first row, or undefined. */
  first<Row extends object>(statement: Statement): Promise<Row | undefined>
}

/** What the statements of a write are built with. It is new on every try, because a retry must not reuse the values of the failed try. */
export interface WriteContext {
  /**
   * The counter shard of this writer, 0 on SQLite. Writers that run at the same time have different shards, so that they do not queue
   * behind one counter row.
   */
  readonly shard: number
}

export interface Transaction extends Reader, WriteContext {
  readonly engine: EngineName
  /** Runs one data-changing statement and returns the number of rows that it changed. */
  run(statement: Statement): Promise<number>
  /**
   * Runs several data-changing statements as one step. On PostgreSQL they are one statement with data-modifying CTEs, so no two of them may
   * touch the same row and none sees what another wrote.
   * @returns the number of rows that the last of them changed.
   */
  runAll(statements: readonly Statement[]): Promise<number>
  /**
   * Has data-changing statements run as one step, like {@link runAll}, after which the body runs no others. PostgreSQL gets COMMIT together with
   * them, so that the transaction waits for it once less. The body is not told if they fail; the transaction fails then.
   */
  runLast(statements: readonly Statement[]): void
  /** Registers an action to run once this transaction is durable; it is dropped on rollback. The action must not throw. */
  afterCommit(action: () => void): void
}

export interface WriteOptions {
  /**
   * Whether no caller is told of this write before a later write that is not provisional has finished. The later write makes this one
   * durable too, so neither engine waits for the disk twice. Also for what may be undone if the power fails, but by nothing else. Its
   * statements return nothing.
   */
  readonly isProvisional?: boolean
  /** Whether nothing at all is written where the last statement changes no row. */
  readonly mustChange?: boolean
}

export interface TransactionOptions {
  /** Whether it is background work. SQLite, which has one thread for everything, lets others in after every few statements of it. */
  readonly isPatient?: boolean
}

export interface Database extends Reader {
  readonly engine: EngineName
  /**
   * Runs `body` in one transaction, all or nothing. The body awaits nothing but its own statements: no hashing, no network, no timers.
   * Serialisation failures, deadlocks and collisions of `created_at` (a constraint whose name ends in `_created_key`) make it run again, up
   * to 5 times.
   * @throws ConstraintError when a declared constraint refuses a row.
   * @throws DatabaseUnavailable when the engine cannot be reached or no connection is free in time.
   */
  transaction<T>(body: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Runs an all-or-nothing write that needs no reads. It takes one round trip on PostgreSQL (see {@link Transaction.runAll}). `build` is
   * called again for each try.
   * @returns the number of rows that the last statement changed.
   * @throws NothingChanged if `mustChange` is set and the last statement changes no row; then nothing is written.
   */
  write(build: (context: WriteContext) => readonly Statement[], options?: WriteOptions): Promise<number>
  /** Runs reads that all see the database as of one moment, for as long as they take. */
  snapshot<T>(read: (reader: Reader) => Promise<T>): Promise<T>
  /** Resolves when the engine answers and its schema is current; rejects otherwise. */
  check(): Promise<void>
  close(): Promise<void>
}

/**
 * Runs a write as {@link Database.write} does.
 * @returns what the builder returned beside its statements, in the try that was committed.
 */
export async function writeReturning<T>(
  db: Pick<Database, 'write'>,
  build: (context: WriteContext) => { readonly statements: readonly Statement[]; readonly returns: T },
): Promise<T> {
  let built: { readonly returns: T } | undefined
  await db.write((context) => {
    const each = build(context)
    built = each
    return each.statements
  })
  if (built === undefined) throw new Error('a write resolved without building its statements')
  return built.returns
}

/** The named constraint or unique index refused a row. Its table declares which error of the interface that means. */
export class ConstraintError extends Error {
  readonly constraint: string
  constructor(constraint: string, options?: ErrorOptions) {
    super(`constraint ${constraint} refused the row`, options)
    this.name = 'ConstraintError'
    this.constraint = constraint
  }
}

/** The last statement of a write that must change a row found none, so that nothing was written. */
export class NothingChanged extends Error {
  override readonly name = 'NothingChanged'
  constructor() {
    super('the last statement changed no row')
  }
}

/** The engine is unreachable, overloaded or shutting down; the caller may try again later. */
export class DatabaseUnavailable extends Unavailable {
  override readonly name = 'DatabaseUnavailable'
}

/** Runs the actions that waited for a transaction to become durable. */
export function runAfterCommit(actions: readonly (() => void)[]): void {
  for (const action of actions) {
    try {
      action()
    } catch (error) {
      // The transaction has succeeded and its caller must be told so, but a bug in the action must not go unnoticed.
      setImmediate(() => {
        throw error
      })
    }
  }
}
