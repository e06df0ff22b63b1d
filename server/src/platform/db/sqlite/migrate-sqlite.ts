// Runs migrations on SQLite over a connection of their own. Most changes to a table there mean rebuilding it, for which foreign keys must
// be off before the transaction begins (sqlite.org/lang_altertable.html §7).
import { DatabaseSync } from 'node:sqlite'
import {
  type AppliedMigration,
  createMigrationsTable,
  createRequirementsTable,
  insertRequirement,
  migrationFailed,
  migrationTime,
  pendingMigrations,
  selectMigrations,
  type RegisteredMigration,
} from '../migrate.ts'

const busyTimeoutMilliseconds = 10_000

/** Applies the missing migrations, each in one transaction, and returns their ids. */
export function migrateSqlite(file: string, migrations: readonly RegisteredMigration[]): string[] {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: busyTimeoutMilliseconds })
  try {
    const applied: string[] = []
    for (;;) {
      const id = inTransaction(database, () => applyNext(database, migrations))
      if (id === undefined) return applied
      applied.push(id)
    }
  } finally {
    database.close()
  }
}

function applyNext(database: DatabaseSync, migrations: readonly RegisteredMigration[]): string | undefined {
  database.exec(createMigrationsTable)
  database.exec(createRequirementsTable)
  // The query selects these columns.
  const applied = database.prepare(selectMigrations).all() as unknown as AppliedMigration[]
  const [next] = pendingMigrations(migrations, applied)
  if (next === undefined) return undefined
  try {
    apply(database, next)
  } catch (error) {
    throw migrationFailed(next.id, error)
  }
  return next.id
}

function apply(database: DatabaseSync, { id, migration, requires = '' }: RegisteredMigration): void {
  for (const statement of migration.sqlite) database.exec(statement)
  const [orphan] = database.prepare('PRAGMA foreign_key_check').all()
  if (orphan !== undefined) throw new Error(`a row of ${String(orphan['table'])} refers to nothing`)
  database.prepare('INSERT INTO schema_migrations (id, applied_at) VALUES (?, ?)').run(id, migrationTime())
  database.prepare(insertRequirement('?, ?')).run(id, requires)
}

function inTransaction<T>(database: DatabaseSync, step: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = step()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
