// What a pooler in transaction mode, such as PgBouncer, must set on its connections: a service behind it cannot set anything that outlives a
// transaction. See docs/deploying.md.
import type { Reader } from '../database.ts'
import { sql } from '../sql.ts'
import { timeouts } from './pool.ts'

interface TimeoutRow {
  readonly name: string
  /** In milliseconds; 0 is none. */
  readonly setting: string
}

const selectTimeouts = sql`SELECT name, setting FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') LIMIT 3`

/** Returns the commands that set the timeouts which are missing or longer than the service's own; empty if none is. */
export async function missingTimeouts(pooled: Reader): Promise<string[]> {
  const rows = await pooled.all<TimeoutRow>(selectTimeouts)
  const settings = new Map(rows.map(({ name, setting }) => [name, Number(setting)]))
  return Object.entries(timeouts)
    .filter(([name, most]) => {
      const setting = settings.get(name) ?? 0
      return setting === 0 || setting > most
    })
    .map(([name, most]) => `ALTER ROLE CURRENT_USER SET ${name} = ${most}`)
}

/** @throws Error that says what to run, because a statement without a timeout would hold its connection for ever. */
export async function assertTimeouts(pooled: Reader): Promise<void> {
  const missing = await missingTimeouts(pooled)
  if (missing.length === 0) return
  throw new Error(
    'the connections of the pooler in DATABASE_URL lack timeouts that the service relies on: as its role, run ' +
      `${missing.join('; ')}; then let the pooler reconnect (RECONNECT in PgBouncer's console)`,
  )
}
