// The SQLite file for reading only: beside a running service, whose process alone writes.
import type { OpenDatabase } from './open.ts'
import { assertSchemaIsCurrent, type RegisteredMigration } from './migrate.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { snapshotOf } from './sqlite-snapshot.ts'
import type { Reader } from './database.ts'
import type { Statement } from './sql.ts'

const refused = (): Promise<never> => Promise.reject(new Error('the database is open for reading only'))

export class SqliteReader implements OpenDatabase {
  readonly engine = 'sqlite'
  readonly #file: string
  readonly #migrations: readonly RegisteredMigration[]
  readonly #reading: SqliteConnection

  constructor(file: string, migrations: readonly RegisteredMigration[]) {
    this.#file = file
    this.#migrations = migrations
    this.#reading = new SqliteConnection(file, { readOnly: true })
  }

  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.#reading.all<Row>(statement)
  }

  async first<Row extends object>(statement: Statement): Promise<Row | undefined> {
    return this.#reading.first<Row>(statement)
  }

  snapshot<T>(read: (reader: Reader) => Promise<T>): Promise<T> {
    return snapshotOf(this.#file, read)
  }

  transaction(): Promise<never> {
    return refused()
  }

  write(): Promise<never> {
    return refused()
  }

  migrate(): Promise<never> {
    return refused()
  }

  async check(): Promise<void> {
    await assertSchemaIsCurrent(this, this.#migrations)
  }

  async close(): Promise<void> {
    this.#reading.close()
  }
}
