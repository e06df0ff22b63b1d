// The rules of migrations on both engines: numbered steps, each applied once and in order, forward only.
import type { Reader } from './database.ts'
import { sql } from './sql.ts'

/** The DDL of one step for each engine; often the same array. */
export interface Migration {
  readonly sqlite: readonly string[]
  readonly postgresql: readonly string[]
}

export interface RegisteredMigration {
  /** The name of its file: `0001-first`. */
  readonly id: string
  readonly migration: Migration
  /**
   * The earlier migration that a version must know to work on the schema that this one leaves: set where something is removed that versions
   * before that one used. Without it, every earlier version may.
   */
  readonly requires?: string
  /**
   * The earlier migrations whose schema this one makes at once, in their order. Where they were applied it is only recorded as applied, and
   * versions that know them go on there. A file of a tenant that names the last of them is of this schema.
   */
  readonly replaces?: readonly string[]
}

/** A row of `selectMigrations`. */
export interface AppliedMigration {
  readonly id: string
  /** `RegisteredMigration.requires`, empty without one; null if it was applied before requirements were recorded. */
  readonly required_id: string | null
}

/** The database was migrated by a later version of the code, whose schema this version would misread. */
export class SchemaNewerThanCode extends Error {
  constructor(unknownIds: readonly string[]) {
    super(
      `the database's schema is newer than this code, which does not know ${unknownIds.join(', ')}: ` +
        'start the version that made it, or restore a backup from before',
    )
    this.name = 'SchemaNewerThanCode'
  }
}

/** The database has some of the migrations that one of today replaces, and not all of them. */
export class SchemaTooOld extends Error {
  constructor(missingIds: readonly string[]) {
    super(
      `the database is of a version before 0.1.0, which lacks ${missingIds.join(', ')}: ` +
        'start version 0.1.0 on it once, then this one',
    )
    this.name = 'SchemaTooOld'
  }
}

export const createMigrationsTable =
  'CREATE TABLE IF NOT EXISTS schema_migrations (id TEXT NOT NULL PRIMARY KEY, applied_at TEXT NOT NULL)'
/** What an earlier version must know to work on the schema, as read by that version. */
export const createRequirementsTable =
  'CREATE TABLE IF NOT EXISTS schema_requirements (migration_id TEXT NOT NULL PRIMARY KEY, required_id TEXT NOT NULL)'
/** @param places the placeholders of the engine for the two values. */
export const insertRequirement = (places: string) =>
  `INSERT INTO schema_requirements (migration_id, required_id) VALUES (${places}) ` +
  'ON CONFLICT (migration_id) DO UPDATE SET required_id = excluded.required_id'
export const selectMigrations =
  'SELECT id, required_id FROM schema_migrations LEFT JOIN schema_requirements ON migration_id = id ORDER BY id'

/** The present time in the form of `Timestamp`, for `applied_at`. */
export function migrationTime(): string {
  return new Date().toISOString().replace('Z', '000Z')
}

/**
 * Returns those of `migrations` that a database with `applied` still lacks, in order.
 * @throws SchemaNewerThanCode when it has one that is not in `migrations` and requires a version that knows more.
 * @throws SchemaTooOld when it has only some of those that one of `migrations` replaces.
 */
export function pendingMigrations(
  migrations: readonly RegisteredMigration[],
  applied: readonly AppliedMigration[],
): RegisteredMigration[] {
  assertOrder(migrations)
  const known = new Set(migrations.flatMap(({ id, replaces = [] }) => [id, ...replaces]))
  const tooNew = applied.filter(
    ({ id, required_id: required }) =>
      !known.has(id) && (required === null || (required !== '' && !known.has(required))),
  )
  if (tooNew.length > 0) throw new SchemaNewerThanCode(tooNew.map(({ id }) => id))
  const appliedIds = new Set(applied.map(({ id }) => id))
  return migrations
    .filter(({ id }) => !appliedIds.has(id))
    .map((step) => (isMade(step, appliedIds) ? { id: step.id, migration: nothing } : step))
}

const nothing: Migration = { sqlite: [], postgresql: [] }

/** Returns whether the migrations that a step replaces have made what it would make. */
function isMade({ replaces = [] }: RegisteredMigration, appliedIds: ReadonlySet<string>): boolean {
  const missing = replaces.filter((id) => !appliedIds.has(id))
  if (missing.length === replaces.length) return false
  if (missing.length > 0) throw new SchemaTooOld(missing)
  return true
}

/** Returns whether the schema that a migration left is one that this version had once, or has. */
export const isKnownSchema = (migrations: readonly RegisteredMigration[], schema: string): boolean =>
  migrations.some(({ id, replaces }) => id === schema || replaces?.at(-1) === schema)

/** The message of the error with which a migration ends; it names the reason, because a command prints the message alone. */
export function migrationFailed(id: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`migration ${id} failed and was rolled back: ${reason}`, { cause })
}

function assertOrder(migrations: readonly RegisteredMigration[]): void {
  let previous = ''
  for (const { id } of migrations) {
    if (!/^\d{4}-[a-z0-9-]+$/.test(id)) throw new Error(`migration ${id} is not named like 0001-title`)
    if (id.slice(0, 4) <= previous) throw new Error(`migration ${id} is out of order`)
    previous = id.slice(0, 4)
  }
}

/**
 * Rejects while a migration is missing. An unknown one is accepted: a node sees it while a newer version is rolled out beside it, and
 * migrations are written to allow that.
 */
export async function assertSchemaIsCurrent(reader: Reader, migrations: readonly RegisteredMigration[]): Promise<void> {
  const rows = await reader.all<{ id: string }>(sql`SELECT id FROM schema_migrations ORDER BY id LIMIT 10000`)
  const applied = new Set(rows.map(({ id }) => id))
  const lacking = migrations.filter(({ id }) => !applied.has(id)).map(({ id }) => id)
  if (lacking.length > 0) throw new Error(`the database lacks migrations: ${lacking.join(', ')}`)
}
