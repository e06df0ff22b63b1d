// What the database engine reports about itself.
import { type Clock, addMilliseconds } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Finding, fail, ok, warn } from './check.ts'

const postgresqlVersionMin = 150_000
const clockMsMax = 30_000
/** NTP keeps clocks within a few milliseconds of each other. */
const clockMsLow = 2000
const problemsMax = 10

export async function checkVersion(db: Database): Promise<Finding> {
  const check = 'database'
  if (db.engine === 'sqlite') {
    const row = await db.first<{ version: string }>(sql`SELECT sqlite_version() AS version`)
    return ok(check, `SQLite ${row?.version ?? ''}`)
  }
  const row = await db.first<{ version: string; number: string }>(
    sql`SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number`,
  )
  const detail = `PostgreSQL ${row?.version ?? ''}`
  if (Number(row?.number) >= postgresqlVersionMin) return ok(check, detail)
  return fail(check, detail, 'PostgreSQL 15 or newer is needed')
}

/** In any other encoding, writes of what it lacks are refused one by one. */
export async function checkEncoding(db: Database): Promise<Finding> {
  const check = 'encoding'
  const statement =
    db.engine === 'sqlite'
      ? sql`SELECT encoding AS encoding FROM pragma_encoding`
      : sql`SELECT CAST(getdatabaseencoding() AS text) AS encoding`
  const row = await db.first<{ encoding: string }>(statement)
  const encoding = row?.encoding ?? 'unknown'
  if (encoding === 'UTF8' || encoding === 'UTF-8') return ok(check, encoding)
  const hint = "create a database with ENCODING 'UTF8' TEMPLATE template0, and move the data by pg_dump and pg_restore"
  return fail(check, `is ${encoding} instead of UTF8`, hint)
}

/** Checks what a pooler in transaction mode must set, since the service cannot. */
export async function checkPooler(
  db: Database,
  { databaseDirectUrl }: Pick<Config, 'databaseDirectUrl'>,
): Promise<Finding> {
  const check = 'pooler'
  if (databaseDirectUrl === undefined) return ok(check, 'none, or one that keeps sessions')
  const { missingTimeouts } = await import('../../platform/db/postgresql/pooler.ts')
  const missing = await missingTimeouts(db)
  if (missing.length === 0) return ok(check, 'sets the timeouts of statements')
  return fail(check, 'lacks timeouts of statements', `run ${missing.join('; ')} and let the pooler reconnect`)
}

export async function checkSchema(db: Database): Promise<Finding> {
  const check = 'schema'
  try {
    await db.check()
    return ok(check, 'current')
  } catch (error) {
    return fail(check, error instanceof Error ? error.message : String(error), 'run bailiwick migrate')
  }
}

/** Checks that an acknowledged commit survives a loss of power. */
export async function checkDurability(db: Database): Promise<Finding> {
  const check = 'durability'
  if (db.engine === 'sqlite') {
    const row = await db.first<{ mode: string }>(sql`SELECT journal_mode AS mode FROM pragma_journal_mode`)
    if (row?.mode === 'wal') return ok(check, 'write-ahead log, synced at each commit')
    return fail(
      check,
      `the journal is ${row?.mode ?? 'unknown'}`,
      'start the service once, which turns on the write-ahead log',
    )
  }
  const row = await db.first<Record<'fsync' | 'synchronous_commit' | 'full_page_writes', string>>(
    sql`SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
      current_setting('full_page_writes') AS full_page_writes`,
  )
  const off = Object.entries(row ?? {}).filter(([, value]) => value === 'off' || value === 'local')
  // `local` waits for this server's own disk: only standbys may lag behind.
  const bad = off.filter(([, value]) => value === 'off').map(([name]) => name)
  if (bad.length === 0) return ok(check, 'fsync, synchronous_commit and full_page_writes are on')
  return fail(check, `${bad.join(', ')} is off: acknowledged changes can be lost`, 'turn it on in postgresql.conf')
}

/** The node's clock decides expiry; a wrong clock ends sessions early or never. */
export async function checkClock({
  db,
  clock,
}: {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
}): Promise<Finding> {
  const check = 'clock'
  if (db.engine === 'sqlite') {
    const newest = await db.first<{ at: string | null }>(sql`SELECT max(created_at) AS at FROM event_checkpoints AS c
      JOIN events AS e ON e.tenant_id = c.tenant_id AND e.created_at = c.newest_created_at`)
    const isAhead = (newest?.at ?? '') > addMilliseconds(clock.now(), clockMsMax)
    if (!isAhead) return ok(check, 'not earlier than the newest event')
    return fail(check, `is before the newest event, ${newest?.at ?? ''}`, 'correct the clock of this machine')
  }
  const before = Date.now()
  const row = await db.first<{ ms: number }>(
    sql`SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS double precision) AS ms`,
  )
  const off = Math.round(Math.abs((before + Date.now()) / 2 - (row?.ms ?? 0)))
  const detail = `${off} ms from the database's`
  if (off <= clockMsLow) return ok(check, detail)
  if (off <= clockMsMax) return warn(check, detail, 'synchronise the clocks of the machines with NTP')
  return fail(check, detail, 'synchronise the clocks of the machines with NTP')
}

export async function checkIntegrity(db: Database): Promise<Finding> {
  const check = 'integrity'
  if (db.engine === 'postgresql') return ok(check, "not checked here; use PostgreSQL's own pg_amcheck")
  const pages = await db.all<{ result: string }>(
    sql`SELECT integrity_check AS result FROM pragma_integrity_check LIMIT ${problemsMax}`,
  )
  const orphans = await db.all<{ name: string }>(
    sql`SELECT DISTINCT "table" AS name FROM pragma_foreign_key_check LIMIT ${problemsMax}`,
  )
  const problems = [
    ...pages.map(({ result }) => result).filter((result) => result !== 'ok'),
    ...orphans.map(({ name }) => `rows of ${name} refer to nothing`),
  ]
  if (problems.length === 0) return ok(check, 'pages, indexes and references are intact')
  return fail(check, problems.join('; '), 'stop the service and restore a backup')
}
