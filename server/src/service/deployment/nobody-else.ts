import type { OpenDatabase } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'
import { CommandRefused } from '../outcome.ts'

/**
 * On SQLite the data directory is held.
 * @throws CommandRefused with this message while other processes of the service use the PostgreSQL database.
 */
export async function assertNobodyElse(db: OpenDatabase, message: string): Promise<void> {
  if (db.engine === 'sqlite') return
  const row = await db.first<{ others: number }>(sql`SELECT COUNT(*) AS others FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'bailiwick' AND pid <> pg_backend_pid()`)
  if ((row?.others ?? 0) > 0) throw new CommandRefused(message)
}
