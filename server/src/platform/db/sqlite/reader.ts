// Opens the SQLite file for reading only: beside a running service, the only process that writes, or in a service whose disk is full.
import type { Reader } from '../database.ts'
import { assertSchemaIsCurrent, type RegisteredMigration } from '../migrate.ts'
import type { OpenDatabase } from '../open.ts'
import type { Statement } from '../sql.ts'
import { SqliteConnection } from './connection.ts'
import { snapshotOf } from './snapshot.ts'

const refusal = () => new Error('the database is open for reading only')

export class SqliteReader implements OpenDatabase {
  readonly engine = 'sqlite'
  readonly #file: string
  readonly #migrations: readonly RegisteredMigration[]
  readonly #reading: SqliteConnection
  /** Set if this process has the file to itself and would write if it could. */
  readonly readOnlyReason: Error | undefined

  /** @param readOnlyReason the error with which every write, and `check`, is refused. */
  constructor(file: string, migrations: readonly RegisteredMigration[], readOnlyReason?: Error) {
    this.#file = file
    this.#migrations = migrations
    this.readOnlyReason = readOnlyReason
    this.#reading = new SqliteConnection(file, { readOnly: true, isAlone: readOnlyReason !== undefined })
  }

  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.#reading.all<Row>(statement)
  }

  async first<Row extends object>(statement: Statement): Promise<Row | undefined> {
    return this.#reading.first<Row>(statement)
  }

  snapshot<T>(read: (reader: Reader) => Promise<T>): Promise<T> {
    // This process has the file exclusively and cannot open a second connection, but nothing writes either.
    return this.readOnlyReason === undefined ? snapshotOf(this.#file, read) : read(this)
  }

  transaction(): Promise<never> {
    return this.#refuse()
  }

  write(): Promise<never> {
    return this.#refuse()
  }

  /** @throws SchemaNewerThanCode, or another error when a migration is missing. */
  async migrate(): Promise<string[]> {
    if (this.readOnlyReason === undefined) throw refusal()
    await assertSchemaIsCurrent(this, this.#migrations)
    return []
  }

  async check(): Promise<void> {
    if (this.readOnlyReason !== undefined) throw this.readOnlyReason
    await assertSchemaIsCurrent(this, this.#migrations)
  }

  #refuse(): Promise<never> {
    return Promise.reject(this.readOnlyReason ?? refusal())
  }

  async close(): Promise<void> {
    this.#reading.close()
  }
}
