// One connection to the SQLite file: caches prepared statements by text, returns rows as plain objects, translates errors.
import fs from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { readUniqueIndexNames, sqliteConstraintName, type UniqueIndexNames } from '../constraints.ts'
import { ConstraintError, DatabaseUnavailable } from '../database.ts'
import { type RowMaker, rowMaker } from '../row-maker.ts'
import type { SqlValue, Statement } from '../sql.ts'
import { type CheckpointedWriter, largeLogBytes, smallLogPages } from './checkpoint.ts'
import { isNameless } from './files.ts'

const statementsMax = 1000
const busyTimeoutMilliseconds = 2000
const mebibyte = 1024 * 1024

/** BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN and PROTOCOL: errors that are not the statement's fault. */
const unavailableCodes = new Set([5, 6, 7, 8, 9, 10, 13, 14, 15])

interface PreparedStatement {
  readonly statement: StatementSync
  /** Made once the statement has returned rows. */
  toRow: RowMaker | undefined
}

interface SqliteError extends Error {
  readonly errcode: number
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}

export class SqliteConnection implements CheckpointedWriter {
  readonly #file: string
  readonly #database: DatabaseSync
  /** The write-ahead log, opened once it has been synced to the disk. */
  #journal: number | undefined
  readonly #prepared = new Map<string, PreparedStatement>()
  #uniqueIndexNames: UniqueIndexNames

  /** @param options.isAlone opens the file exclusively, which then needs no shared-memory file to be read. */
  constructor(file: string, options: { readonly readOnly: boolean; readonly isAlone?: boolean }) {
    this.#file = file
    const isAlone = options.isAlone === true
    this.#database = new DatabaseSync(file, {
      // An exclusive lock can only be taken on a file that is open for writing.
      readOnly: options.readOnly && !isAlone,
      enableForeignKeyConstraints: true,
      timeout: busyTimeoutMilliseconds,
    })
    try {
      // Set before the first read, so that the index of the write-ahead log is kept in memory (sqlite.org/wal.html, section 8).
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
      // The journal mode is stored in the file; all other settings belong to the connection. NORMAL only leaves out the wait for the disk
      // at the end of COMMIT, which would block everything else: see `sync`.
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

  /** Runs a statement without parameters and rows, written in the code. */
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

  /** The descriptor of the write-ahead log, once it has been synced. */
  get journal(): number | undefined {
    return this.#journal
  }

  /** Returns 0 until the log has been synced for the first time. */
  logBytes(): number {
    return this.#journal === undefined ? 0 : fs.fstatSync(this.#journal).size
  }

  /**
   * Resolves when everything committed is on the disk. It does what COMMIT does with `synchronous = FULL`, but off the event loop.
   * @throws DatabaseUnavailable when the disk fails or the log was deleted; what was written is then unknown.
   */
  async sync(): Promise<void> {
    try {
      // The log exists from the first commit until the last connection closes. None of SQLite's locks are on this file.
      const journal = (this.#journal ??= fs.openSync(`${this.#file}-wal`, 'r'))
      await new Promise<void>((resolve, reject) => {
        fs.fdatasync(journal, (error) => (error === null ? resolve() : reject(error)))
      })
      if (isNameless(journal)) throw new Error(`${this.#file}-wal was deleted`)
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

  /** Returns the number of rows that the last statement changed. */
  runAll(statements: readonly Statement[]): number {
    let changed = 0
    for (const statement of statements) changed = this.run(statement)
    return changed
  }

  all<Row extends object>(statement: Statement): Row[] {
    try {
      const prepared = this.#prepare(statement.sqliteText)
      // The statement returns arrays.
      const rows = prepared.statement.all(...statement.values) as unknown as SqlValue[][]
      if (rows.length === 0) return []
      const toRow = (prepared.toRow ??= rowMakerOf(prepared.statement))
      return rows.map((values) => toRow(values) as Row)
    } catch (error) {
      throw this.#translated(error)
    }
  }

  first<Row extends object>(statement: Statement): Row | undefined {
    try {
      const prepared = this.#prepare(statement.sqliteText)
      // The statement returns arrays.
      const values = prepared.statement.get(...statement.values) as unknown as SqlValue[] | undefined
      if (values === undefined) return undefined
      const toRow = (prepared.toRow ??= rowMakerOf(prepared.statement))
      return toRow(values) as Row
    } catch (error) {
      throw this.#translated(error)
    }
  }

  /** Forgets the prepared statements and the names of indexes after the schema has changed. */
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
    // Building plain objects from arrays costs less than the driver's dictionaries.
    statement.setReturnArrays(true)
    const prepared: PreparedStatement = { statement, toRow: undefined }
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

const rowMakerOf = (statement: StatementSync): RowMaker => rowMaker(statement.columns().map((column) => column.name))
