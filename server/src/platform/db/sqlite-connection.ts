// One connection to the SQLite file: prepared statements kept by their text, rows as plain objects, errors in our own terms.
import fs from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { readUniqueIndexNames, sqliteConstraintName, type UniqueIndexNames } from './constraints.ts'
import { ConstraintError, DatabaseUnavailable } from './database.ts'
import { type CheckpointedWriter, largeLogBytes, smallLogPages } from './sqlite-checkpoint.ts'
import type { SqlValue, Statement } from './sql.ts'

const statementsMax = 1000
const busyTimeoutMilliseconds = 2000
const mebibyte = 1024 * 1024

/** BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN and PROTOCOL: the statement is not at fault. */
const unavailableCodes = new Set([5, 6, 7, 8, 9, 10, 13, 14, 15])

interface PreparedStatement {
  readonly statement: StatementSync
  /** Known once the statement has given rows. */
  columns: readonly string[] | undefined
}

interface SqliteError extends Error {
  readonly errcode: number
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}

function rowFrom(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) row[columns[index] ?? ''] = values[index]
  return row
}

export class SqliteConnection implements CheckpointedWriter {
  readonly #file: string
  readonly #database: DatabaseSync
  /** The write-ahead log, once it has been written to the disk. */
  #journal: number | undefined
  readonly #prepared = new Map<string, PreparedStatement>()
  #uniqueIndexNames: UniqueIndexNames

  /** @param options.isAlone opens the file for this connection alone: it reads then without a file beside it. */
  constructor(file: string, options: { readonly readOnly: boolean; readonly isAlone?: boolean }) {
    this.#file = file
    const isAlone = options.isAlone === true
    this.#database = new DatabaseSync(file, {
      // The lock of a connection that is alone is taken on a file that is open for writing.
      readOnly: options.readOnly && !isAlone,
      enableForeignKeyConstraints: true,
      timeout: busyTimeoutMilliseconds,
    })
    try {
      // Before the first read: the index of the write-ahead log is then kept in memory (sqlite.org/wal.html, section 8).
      if (isAlone) this.#database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON')
      this.#configure(options.readOnly)
      this.#uniqueIndexNames = readUniqueIndexNames(this.#database)
    } catch (error) {
      this.#database.close()
      throw this.#translated(error)
    }
  }

  #configure(readOnly: boolean): void {
    if (!readOnly) {
      // The journal's mode is written in the file; everything else is the connection's own.
      // NORMAL leaves out nothing but the wait for the disk at the end of COMMIT, which would hold up everything else: see `sync`.
      this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
      this.setAutomatic(true)
      this.#database.exec(`PRAGMA journal_size_limit = ${largeLogBytes}`)
    }
    const mappedBytes = readOnly ? 256 * mebibyte : 0
    this.#database.exec(`PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = ${mappedBytes}`)
    this.#database.exec('PRAGMA trusted_schema = OFF')
    this.#database.enableDefensive(true)
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** Runs a text of the code's own that has neither parameters nor rows. */
  execute(text: string): void {
    try {
      this.#prepare(text).statement.run()
    } catch (error) {
      throw this.#translated(error)
    }
  }

  setAutomatic(isAutomatic: boolean): void {
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${isAutomatic ? smallLogPages : 0}`)
  }

  /** 0 until the log has been written to the disk for the first time. */
  logBytes(): number {
    return this.#journal === undefined ? 0 : fs.fstatSync(this.#journal).size
  }

  /**
   * Resolves when all that is committed is on the disk: what COMMIT does with `synchronous = FULL`, but off the event loop.
   * @throws DatabaseUnavailable where the disk refuses; what it then has is not known.
   */
  async sync(): Promise<void> {
    try {
      // It exists since the first commit, and as long as a connection is open. None of SQLite's locks are on this file.
      const journal = (this.#journal ??= fs.openSync(`${this.#file}-wal`, 'r'))
      await new Promise<void>((resolve, reject) => {
        fs.fdatasync(journal, (error) => (error === null ? resolve() : reject(error)))
      })
    } catch (cause) {
      throw new DatabaseUnavailable('the disk did not confirm what was written', { cause })
    }
  }

  run(statement: Statement): number {
    try {
      const { changes } = this.#prepare(statement.sqliteText).statement.run(...statement.values)
      return Number(changes)
    } catch (error) {
      throw this.#translated(error)
    }
  }

  /** The number of rows that the last of them changed. */
  runAll(statements: readonly Statement[]): number {
    let changed = 0
    for (const statement of statements) changed = this.run(statement)
    return changed
  }

  all<Row extends object>(statement: Statement): Row[] {
    try {
      const prepared = this.#prepare(statement.sqliteText)
      const rows = prepared.statement.all(...statement.values) as unknown as SqlValue[][]
      if (rows.length === 0) return []
      const columns = (prepared.columns ??= columnNames(prepared.statement))
      return rows.map((values) => rowFrom(columns, values) as Row)
    } catch (error) {
      throw this.#translated(error)
    }
  }

  first<Row extends object>(statement: Statement): Row | undefined {
    try {
      const prepared = this.#prepare(statement.sqliteText)
      const values = prepared.statement.get(...statement.values) as unknown as SqlValue[] | undefined
      if (values === undefined) return undefined
      return rowFrom((prepared.columns ??= columnNames(prepared.statement)), values) as Row
    } catch (error) {
      throw this.#translated(error)
    }
  }

  /** Forgets what it knows of the schema, which has changed. */
  forgetSchema(): void {
    this.#prepared.clear()
    this.#uniqueIndexNames = readUniqueIndexNames(this.#database)
  }

  close(): void {
    this.#prepared.clear()
    this.#database.close()
    if (this.#journal !== undefined) fs.closeSync(this.#journal)
  }

  #prepare(text: string): PreparedStatement {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    if (this.#prepared.size >= statementsMax) {
      for (const oldest of this.#prepared.keys()) {
        this.#prepared.delete(oldest)
        break
      }
    }
    const statement = this.#database.prepare(text)
    // Plain objects made here from arrays cost less than the dictionaries that the driver makes.
    statement.setReturnArrays(true)
    const prepared: PreparedStatement = { statement, columns: undefined }
    this.#prepared.set(text, prepared)
    return prepared
  }

  #indexName(columns: string): string | undefined {
    const known = this.#uniqueIndexNames.get(columns)
    if (known !== undefined) return known
    // The index is newer than this connection.
    this.#uniqueIndexNames = readUniqueIndexNames(this.#database)
    return this.#uniqueIndexNames.get(columns)
  }

  #translated(error: unknown): unknown {
    if (!isSqliteError(error)) return error
    if (unavailableCodes.has(error.errcode & 0xff)) {
      return new DatabaseUnavailable(`SQLite: ${error.message}`, { cause: error })
    }
    const constraint = sqliteConstraintName(error.errcode, error.message, (columns) => this.#indexName(columns))
    return constraint === undefined ? error : new ConstraintError(constraint, { cause: error })
  }
}

function columnNames(statement: StatementSync): string[] {
  return statement.columns().map((column) => column.name)
}
