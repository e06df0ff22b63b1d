// The embedded engine: one file, with one connection that writes and one that reads what is committed while a transaction is open.
import { dirname } from 'node:path'
import type {
  Database,
  Reader,
  Transaction,
  TransactionOptions,
  WriteContext,
  WriteOptions,
  DatabaseUnavailable,
} from '../database.ts'
import { assertSchemaIsCurrent, type RegisteredMigration } from '../migrate.ts'
import type { Statement } from '../sql.ts'
import { Checkpoints } from './checkpoint.ts'
import { SqliteConnection } from './connection.ts'
import { isDiskFull } from './disk-full.ts'
import { SqliteFiles } from './files.ts'
import { migrateSqlite } from './migrate-sqlite.ts'
import { snapshotOf } from './snapshot.ts'
import { SqliteWriter } from './writer.ts'

const lookEveryMs = 1000
const onlyReads = /^\s*SELECT\b/i

export class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly #file: string
  readonly #files: SqliteFiles
  readonly #migrations: readonly RegisteredMigration[]
  readonly #writing: SqliteConnection
  readonly #reading: SqliteConnection
  readonly #writer: SqliteWriter
  #closed: Promise<void> | undefined

  constructor(file: string, migrations: readonly RegisteredMigration[]) {
    this.#file = file
    this.#migrations = migrations
    this.#files = new SqliteFiles(file)
    const opened: SqliteConnection[] = []
    try {
      for (const readOnly of [false, true]) opened.push(new SqliteConnection(file, { readOnly }))
    } catch (error) {
      for (const connection of opened) connection.close()
      this.#files.close()
      throw error
    }
    ;[this.#writing, this.#reading] = opened as [SqliteConnection, SqliteConnection]
    this.#writer = new SqliteWriter(this.#writing, new Checkpoints(file, this.#writing), dirname(file))
  }

  /** Why nothing can be written, found out by the last look at the files; undefined if something can. */
  get readOnlyReason(): DatabaseUnavailable | undefined {
    return this.#writer.refusal
  }

  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.#connectionFor(statement).all<Row>(statement)
  }

  async first<Row extends object>(statement: Statement): Promise<Row | undefined> {
    return this.#connectionFor(statement).first<Row>(statement)
  }

  transaction<T>(body: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#writer.transaction(body, options)
  }

  write(build: (context: WriteContext) => readonly Statement[], options?: WriteOptions): Promise<number> {
    return this.#writer.write(build, options)
  }

  snapshot<T>(read: (reader: Reader) => Promise<T>): Promise<T> {
    return snapshotOf(this.#file, read)
  }

  /**
   * Looks each second whether the files are still those that were opened, and whether the disk takes writes.
   * @param onChange called when `readOnlyReason` has changed.
   * @returns a function that stops it.
   */
  watch(onChange: (reason: DatabaseUnavailable | undefined) => void): () => void {
    let last = this.readOnlyReason
    const timer = setInterval(() => {
      void this.#look().then(() => {
        if (this.readOnlyReason === last) return
        last = this.readOnlyReason
        onChange(last)
      })
    }, lookEveryMs)
    timer.unref()
    return () => clearInterval(timer)
  }

  async check(): Promise<void> {
    await this.#look()
    if (this.readOnlyReason !== undefined) throw this.readOnlyReason
    await assertSchemaIsCurrent(this, this.#migrations)
  }

  /** Brings the schema up to date and returns the ids of the migrations that this call applied. */
  async migrate(): Promise<string[]> {
    const applied = migrateSqlite(this.#file, this.#migrations)
    this.#writing.forgetSchema()
    this.#reading.forgetSchema()
    return applied
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  /**
   * Outside of a transaction the writing connection sees the same, and has its pages in memory: the reading one drops all of its own after
   * each commit, which makes the next read several times as long. The reading one refuses everything else, such as a write without a transaction.
   */
  #connectionFor({ sqliteText }: Statement): SqliteConnection {
    const isUsable = !this.#writing.isInTransaction && !this.#writer.isBroken && onlyReads.test(sqliteText)
    return isUsable ? this.#writing : this.#reading
  }

  async #look(): Promise<void> {
    if (this.#closed !== undefined || this.#writer.isBroken) return
    const change = this.#files.change(this.#writing.journal)
    if (change !== undefined) return this.#writer.giveUp(change)
    const hasRoom = await this.#files.hasRoom()
    if (!hasRoom || this.readOnlyReason !== undefined) await this.#writer.tryRoom(hasRoom)
  }

  async #close(): Promise<void> {
    await this.#writer.close()
    this.#reading.close()
    try {
      this.#writing.execute('PRAGMA optimize')
      this.#writing.execute('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      // On a full disk, the next start continues with the write-ahead log as it is; nothing is lost.
      if (!isDiskFull(error)) throw error
    } finally {
      this.#writing.close()
      this.#files.close()
    }
  }
}
