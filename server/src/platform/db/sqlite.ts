// The embedded engine: one file, with one connection that writes and one that reads committed data.
import { closeSync, openSync } from 'node:fs'
import type { Database, Reader, Transaction, WriteContext, WriteOptions } from './database.ts'
import { isDiskFull } from './disk-full.ts'
import { assertSchemaIsCurrent, type RegisteredMigration } from './migrate.ts'
import { migrateSqlite } from './migrate-sqlite.ts'
import { Checkpoints } from './sqlite-checkpoint.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { snapshotOf } from './sqlite-snapshot.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import type { Statement } from './sql.ts'

export class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly #file: string
  readonly #migrations: readonly RegisteredMigration[]
  readonly #writing: SqliteConnection
  readonly #reading: SqliteConnection
  readonly #writer: SqliteWriter
  #closed: Promise<void> | undefined

  constructor(file: string, migrations: readonly RegisteredMigration[]) {
    this.#file = file
    this.#migrations = migrations
    // SQLite gives its journal the mode of the database file, which holds hashes of secrets and personal data.
    closeSync(openSync(file, 'a', 0o600))
    this.#writing = new SqliteConnection(file, { readOnly: false })
    try {
      this.#reading = new SqliteConnection(file, { readOnly: true })
    } catch (error) {
      this.#writing.close()
      throw error
    }
    this.#writer = new SqliteWriter(this.#writing, new Checkpoints(file, this.#writing))
  }

  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.#reading.all<Row>(statement)
  }

  async first<Row extends object>(statement: Statement): Promise<Row | undefined> {
    return this.#reading.first<Row>(statement)
  }

  transaction<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#writer.transaction(body)
  }

  write(build: (context: WriteContext) => readonly Statement[], options?: WriteOptions): Promise<number> {
    return this.#writer.write(build, options)
  }

  snapshot<T>(read: (reader: Reader) => Promise<T>): Promise<T> {
    return snapshotOf(this.#file, read)
  }

  async check(): Promise<void> {
    this.#writer.assertWhole()
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
    }
  }
}
