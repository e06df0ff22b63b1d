// Tells PostgreSQL's planner during an import how large the tables have grown.
import { type Database, DatabaseUnavailable } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

/**
 * PostgreSQL keeps the plans that it made when the tables were empty, when any index will do, until it is told how large they have grown.
 * Autovacuum does that a minute later: far too late for an import, in which each line would cost more than the one before.
 */
async function refreshPlannerStatistics(db: Database, created: number): Promise<void> {
  if (db.engine !== 'postgresql') return
  const known = await db.first<{ rows: number }>(
    sql`SELECT CAST(reltuples AS BIGINT) AS rows FROM pg_class WHERE oid = CAST('users' AS regclass)`,
  )
  if (known === undefined || known.rows * 2 >= created) return
  try {
    await db.write(() => [sql`ANALYZE users, email_addresses, phone_numbers`])
  } catch (error) {
    // Another process is doing it already, or it takes too long now: the import continues, if more slowly.
    if (!(error instanceof DatabaseUnavailable)) throw error
  }
}

/** The planner is told after this many new users; then after four times as many, and so on. */
const firstLook = 400

/** Returns a function that is told how many users an import has created, and tells the planner now and then. */
export function plannerRefresher(db: Database): (created: number) => Promise<void> {
  let nextLook = firstLook
  return async (created) => {
    if (created < nextLook) return
    await refreshPlannerStatistics(db, created)
    while (nextLook <= created) nextLook *= 4
  }
}
