// Runs migrations on PostgreSQL over a connection of their own, without a statement time-out. An advisory lock lets any number of nodes
// start at once: the first one migrates, the others find nothing left to do.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
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
import type { PostgresqlServers, ServerConnection } from './servers.ts'

/** Any fixed number works; this one is "bailiwic" in ASCII, cut to 63 bits. */
export const schemaLock = '7089063202804689251'

/** Applies the missing migrations, each in one transaction, and returns their ids. */
export async function migratePostgresql(
  servers: PostgresqlServers,
  migrations: readonly RegisteredMigration[],
): Promise<string[]> {
  const connection = await servers.connect()
  const { client } = connection
  try {
    await assertUnicode(client)
    // Ending the session releases the lock, whatever happens.
    await client.query('SET statement_timeout = 0')
    await client.query('SET idle_in_transaction_session_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1)', [schemaLock])
    await client.query(createMigrationsTable)
    await client.query(createRequirementsTable)
    const { rows } = await client.query<AppliedMigration>(selectMigrations)
    const pending = pendingMigrations(migrations, rows)
    for (const migration of pending) await apply(connection, migration)
    return pending.map(({ id }) => id)
  } finally {
    await connection.end()
  }
}

/** In any other encoding, writes of what it lacks would be refused one by one. */
async function assertUnicode(client: Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; name: string }>(
    'SELECT getdatabaseencoding() AS encoding, current_database() AS name',
  )
  const { encoding = 'unknown', name = '' } = rows[0] ?? {}
  if (encoding === 'UTF8') return
  throw new Error(
    `the encoding of the database ${name} is ${encoding}, and must be UTF8: create one with ` +
      `CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, and move what the old one holds with pg_dump and pg_restore`,
  )
}

/** Tables that nodes work with while they are changed are free within seconds; every later statement on one of them waits as well. */
const lockTimeout = '2s'
const triesMax = 30
/** SQLSTATE: a lock that was not to be had in time, and a deadlock with the transactions of a node. */
const isContention = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

async function apply(connection: ServerConnection, migration: RegisteredMigration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyOnce(connection, migration)
    } catch (error) {
      if (!isContention(error) || attempt === triesMax) throw migrationFailed(migration.id, error)
      // The transactions that waited for its locks go first.
      await sleep(Math.min(attempt * 100, 1000) * (0.5 + Math.random()))
    }
  }
}

/** On a sharded database a new table is made on the coordinator alone, whatever it refers to; it is spread once all migrations are done. */
async function change(client: Client, statement: string, isSharded: boolean): Promise<void> {
  const isLocal = isSharded && /^\s*CREATE TABLE\b/i.test(statement)
  if (isLocal) await client.query('SET LOCAL citus.enable_ddl_propagation = off')
  await client.query(statement)
  if (isLocal) await client.query('SET LOCAL citus.enable_ddl_propagation = on')
}

async function applyOnce(
  { client, isSharded }: ServerConnection,
  { id, migration, requires = '' }: RegisteredMigration,
): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(`SET LOCAL lock_timeout = '${lockTimeout}'`)
    for (const statement of migration.postgresql) await change(client, statement, isSharded)
    await client.query('INSERT INTO schema_migrations (id, applied_at) VALUES ($1, $2)', [id, migrationTime()])
    await client.query(insertRequirement('$1, $2'), [id, requires])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
