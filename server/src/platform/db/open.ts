import type { Database } from './database.ts'
import type { RegisteredMigration } from './migrate.ts'
import { migrations as allMigrations } from './migrations/index.ts'
import type { PoolLoad } from './postgresql/pool.ts'
import type { PostgresqlDatabase } from './postgresql/postgresql.ts'
import type { SqliteDatabase } from './sqlite/sqlite.ts'

const defaultPoolSize = 10

export type DatabaseOptions =
  | {
      readonly kind: 'sqlite'
      readonly file: string
      readonly isReadOnly?: boolean
      /** For a service that cannot write: the error that its writes are refused with. */
      readonly readOnlyReason?: Error
    }
  | {
      readonly kind: 'postgresql'
      readonly url: string
      /** If `url` leads to a pooler in transaction mode: the address of the same database without the pooler. */
      readonly directUrl?: string | undefined
      readonly poolSize?: number
      readonly isReadOnly?: boolean
    }

export interface OpenDatabase extends Database {
  /**
   * Brings the schema up to date and returns the ids of the migrations that this call applied.
   * @throws SchemaNewerThanCode when the database has a migration that the code does not know.
   * @throws SchemaTooOld when it is of a version before 0.1.0.
   */
  migrate(): Promise<string[]>
  /** Set while SQLite takes no writes: its disk is full or has failed, or its files were deleted. */
  readonly readOnlyReason?: Error | undefined
  /** Looks each second whether SQLite's files can be written to, see {@link SqliteDatabase.watch}. */
  readonly watch?: SqliteDatabase['watch']
  /** Spreads the tables over the servers of a Citus cluster, see {@link PostgresqlDatabase.distribute}; absent on SQLite. */
  readonly distribute?: PostgresqlDatabase['distribute']
  /** How the connections to PostgreSQL are used; absent on SQLite. */
  readonly load?: PoolLoad
  /** Listens to PostgreSQL's notifications, see {@link PostgresqlDatabase.listen}; absent on SQLite, which has one process. */
  readonly listen?: PostgresqlDatabase['listen']
}

/** Opens a standby for reading. It is not contacted before the first statement. */
export async function openStandby(url: string, poolSize = defaultPoolSize): Promise<PostgresqlDatabase> {
  const { PostgresqlDatabase: Standby } = await import('./postgresql/postgresql.ts')
  return new Standby(url, { poolSize, servers: 'standby' }, allMigrations)
}

/** Opens the database as it is. The caller decides about migrating; PostgreSQL is not contacted before the first statement. */
export async function openDatabase(
  options: DatabaseOptions,
  migrations: readonly RegisteredMigration[] = allMigrations,
): Promise<OpenDatabase> {
  // Only the engine in use is loaded, because the other one would cost memory and time at the start.
  if (options.kind === 'sqlite' && (options.isReadOnly === true || options.readOnlyReason !== undefined)) {
    const { SqliteReader } = await import('./sqlite/reader.ts')
    return new SqliteReader(options.file, migrations, options.readOnlyReason)
  }
  if (options.kind === 'sqlite') {
    const { SqliteDatabase } = await import('./sqlite/sqlite.ts')
    return new SqliteDatabase(options.file, migrations)
  }
  const { PostgresqlDatabase } = await import('./postgresql/postgresql.ts')
  const { url, directUrl, poolSize = defaultPoolSize, isReadOnly = false } = options
  return new PostgresqlDatabase(url, { poolSize, servers: isReadOnly ? 'any' : 'writable', directUrl }, migrations)
}
