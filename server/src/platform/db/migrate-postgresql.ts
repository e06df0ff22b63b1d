// Runs migrations on PostgreSQL over a connection of their own, without a statement time-out. An advisory lock lets any number of nodes
// start at once: the first one migrates, the others find nothing left to do.
import type { Client } from 'pg'
import {
  createMigrationsTable,
  migrationTime,
  pendingMigrations,
  selectMigrations,
  type RegisteredMigration,
} from './migrate.ts'
import type { PostgresqlServers } from './postgresql-servers.ts'

/** Any fixed number works; this one is "bailiwic" in ASCII, cut to 63 bits. */
const lockKey = '7089063202804689251'

/** Applies the missing migrations, each in one transaction, and returns their ids. */
export async function migratePostgresql(
  servers: PostgresqlServers,
  migrations: readonly RegisteredMigration[],
): Promise<string[]> {
  const connection = await servers.connect()
  const { client } = connection
  try {
    // Ending the session releases the lock, whatever happens.
    await client.query('SET statement_timeout = 0')
    await client.query('SET idle_in_transaction_session_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1)', [lockKey])
    await client.query(createMigrationsTable)
    const { rows } = await client.query<{ id: string }>(selectMigrations)
    const pending = pendingMigrations(
      migrations,
      rows.map(({ id }) => id),
    )
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ id }) => id)
  } finally {
    await connection.end()
  }
}

async function apply(client: Client, { id, migration }: RegisteredMigration): Promise<void> {
  await client.query('BEGIN')
  try {
    for (const statement of migration.postgresql) await client.query(statement)
    await client.query('INSERT INTO schema_migrations (id, applied_at) VALUES ($1, $2)', [id, migrationTime()])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw new Error(`migration ${id} failed and was rolled back`, { cause: error })
  }
}
