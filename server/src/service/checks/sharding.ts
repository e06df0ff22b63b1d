// Checks a database that is spread over several servers by Citus. See docs/sharding.md.
import { isSharded } from '../../platform/db/citus/is-sharded.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { otherTables, tenantTables } from '../tenant-tables/tenant-tables.ts'
import { type Finding, fail, ok, warn } from './check.ts'

const check = 'sharding'
const serversMax = 1000

interface Server {
  readonly name: string
  readonly answers: 0 | 1
  /** The settings that are off, separated by commas, or the error of a server that does not answer. */
  readonly result: string
}

const settingsOff = `SELECT coalesce(string_agg(name, ', ' ORDER BY name), '') FROM pg_settings
  WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'`

async function checkServers(db: Database): Promise<Finding> {
  const servers = await db.all<Server>(
    sql`SELECT nodename || ':' || nodeport AS name, CAST(success AS integer) AS answers, result
      FROM run_command_on_workers(${settingsOff}) LIMIT ${serversMax}`,
  )
  const lost = servers.filter(({ answers }) => answers === 0).map(({ name, result }) => `${name} (${result})`)
  if (lost.length > 0) {
    return fail(
      check,
      `not reached: ${lost.join('; ')}`,
      'requests of its tenants are refused until the server is back',
    )
  }
  const risky = servers
    .filter(({ result }) => result !== '')
    .map(({ name, result }) => `${name} has switched off ${result}`)
  if (risky.length > 0) {
    return fail(check, `${risky.join('; ')}: acknowledged changes can be lost`, 'turn it on in postgresql.conf')
  }
  return checkCoordinator(db, `tables are in their places, workers that answer: ${servers.length}`)
}

interface Coordinator {
  readonly may: 0 | 1
  readonly role: string
  /** 1 if errors are not logged. Citus names the cause of an error in the hook of the log. */
  readonly is_quiet: 0 | 1
}

async function checkCoordinator(db: Database, detail: string): Promise<Finding> {
  const row = await db.first<Coordinator>(
    sql`SELECT CAST(has_function_privilege('recover_prepared_transactions()', 'EXECUTE') AS integer) AS may,
      CAST(current_user AS text) AS role,
      CAST(current_setting('log_min_messages') IN ('log', 'fatal', 'panic') AS integer) AS is_quiet`,
  )
  if (row?.is_quiet === 1) {
    return warn(
      check,
      `${detail}; a request whose transaction is ended by a deadlock is answered with 503, because Citus calls that a deadlock only if errors are logged`,
      'on the coordinator, set log_min_messages to error or warning in postgresql.conf',
    )
  }
  if (row?.may === 1) return ok(check, detail)
  return warn(
    check,
    `${detail}; some events reach webhooks and streams after up to a minute`,
    `on the coordinator, GRANT EXECUTE ON FUNCTION recover_prepared_transactions() TO ${row?.role ?? ''}`,
  )
}

/** Checks that each table is in its place, that all workers answer and keep what they acknowledge, and that events need not wait. */
export async function checkSharding(db: Database): Promise<Finding> {
  if (!(await isSharded(db))) return ok(check, 'none, the database is on one server')
  const names = [...tenantTables, ...otherTables].map(({ name }) => name)
  const row = await db.first<{ elsewhere: number; interrupted: number }>(
    sql`SELECT CAST(count(*) AS integer) AS elsewhere,
        CAST((SELECT count(*) FROM deployment WHERE name = 'sharding.foreign_keys') AS integer) AS interrupted
      FROM pg_class AS c LEFT JOIN pg_dist_partition AS p ON p.logicalrelid = c.oid
      WHERE c.relkind = 'r' AND c.relnamespace = CAST(current_schema() AS regnamespace) AND p.logicalrelid IS NULL
        AND c.relname IN (${sql.list(names)})`,
  )
  const { elsewhere = 0, interrupted = 0 } = row ?? {}
  if (elsewhere + interrupted === 0) return checkServers(db)
  return fail(check, `${elsewhere} tables are not distributed`, 'stop all nodes and run bailiwick distribute')
}
