// What the rest of the server knows of a database: the same four verbs on SQLite and on PostgreSQL.
import { Unavailable } from '../unavailable.ts'
import type { Statement } from './sql.ts'

export type EngineName = 'sqlite' | 'postgresql'

/** Reads. Outside a transaction each call sees the latest committed state. */
export interface Reader {
  /** Every row of a statement whose text bounds them. */
  all<Row extends object>(statement: Statement): Promise<Row[]>
  /** The first row, or undefined. */
  first<Row extends object>(statement: Statement): Promise<Row | undefined>
}

/** What a write is built from, new on every try: a retried body must not reuse the values of the try that failed. */
export interface WriteContext {
  /**
   * The counter shard of this writer, 0 on SQLite: writers that run at the same time have different ones, so that they do
   * not queue behind one counter row.
   */
  readonly shard: number
}

export interface Transaction extends Reader, WriteContext {
  readonly engine: EngineName
  /** Runs one data-changing statement; the number of rows that it changed. */
  run(statement: Statement): Promise<number>
  /**
   * Runs several data-changing statements as one step. On PostgreSQL they are one statement with data-modifying CTEs, so no
   * two of them may touch the same row and none sees what another wrote.
   * @returns the number of rows that the last of them changed.
   */
  runAll(statements: readonly Statement[]): Promise<number>
  /** Registers what shall happen once this transaction is durable; dropped when it rolls back. Must not throw. */
  afterCommit(action: () => void): void
}

export interface WriteOptions {
  /**
   * Whether nobody is told of this write before a later one, which is not provisional, is done. That one makes it durable too, so
   * SQLite need not wait for the disk twice.
   */
  readonly isProvisional?: boolean
}

export interface Database extends Reader {
  readonly engine: EngineName
  /**
   * Runs `body` in one transaction, all or nothing. The body awaits nothing but its own statements: no hashing, no network,
   * no timers. Serialisation failures, deadlocks and collisions of `created_at` (a constraint whose name ends in
   * `_created_key`) run it again, at most 5 times.
   * @throws ConstraintError when a declared constraint refuses a row.
   * @throws DatabaseUnavailable when the engine cannot be reached or has no connection to give in time.
   */
  transaction<T>(body: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * One all-or-nothing write that needs no read of its own: one round trip on PostgreSQL (see {@link Transaction.runAll}).
   * `build` runs again for each try.
   * @returns the number of rows that the last statement changed.
   */
  write(build: (context: WriteContext) => readonly Statement[], options?: WriteOptions): Promise<number>
  /** Resolves when the engine answers and its schema is current; rejects otherwise. */
  check(): Promise<void>
  close(): Promise<void>
}

/** A row was refused by the named constraint or unique index. `http/constraint-errors.ts` says which error that is. */
export class ConstraintError extends Error {
  readonly constraint: string
  constructor(constraint: string, options?: ErrorOptions) {
    super(`constraint ${constraint} refused the row`, options)
    this.name = 'ConstraintError'
    this.constraint = constraint
  }
}

/** The engine is away, overloaded or shutting down: the caller may try again later. */
export class DatabaseUnavailable extends Unavailable {
  override readonly name = 'DatabaseUnavailable'
}
