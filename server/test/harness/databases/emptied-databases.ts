// Empties the PostgreSQL databases of suites that are over, so that the next suite can have them: copying and dropping the thousand files
// of a database takes longer than most suites.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** Deleted rows keep their space. A database that has grown by more is dropped, so that no suite is slowed down by those before it. */
const growthBytesMax = 8 * 1024 * 1024
/** Connections that have just been closed are gone after milliseconds, even on a busy machine. */
const lookTimes = 50
const lookEveryMs = 10

/**
 * The tables, sequences and everything else that is defined, and what the planner knows about them. Each change of a definition writes a row
 * of these catalogues, and the row names the transaction that wrote it.
 */
const definitions = ['pg_class', 'pg_attribute', 'pg_constraint', 'pg_index', 'pg_proc', 'pg_trigger', 'pg_statistic']
const selectDefinitions = `SELECT concat_ws(' ', ${definitions
  .map((name) => `(SELECT concat(count(*), '/', max(xmin::text::bigint)) FROM ${name})`)
  .join(', ')}, (SELECT sum(reltuples) FROM pg_class WHERE oid >= 16384)) AS definitions`

/**
 * The tables that have had rows. A table that Citus has distributed has none of its own: its shards, which are tables beside it, have them.
 */
const selectFilled = `SELECT quote_ident(relname) AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0`

/** What a database that nobody has used looks like. */
export interface Pristine {
  readonly definitions: string
  readonly bytes: number
  /** Tables in which the migrations have written rows. They must not change. */
  readonly written: readonly string[]
  readonly rows: string
}

interface Numbers {
  readonly definitions: string
  readonly bytes: string
}

async function readDefinitions(client: Client): Promise<{ definitions: string; bytes: number }> {
  const { rows } = await client.query<Numbers>(`${selectDefinitions}, pg_database_size(current_database()) AS bytes`)
  return { definitions: rows[0]?.definitions ?? '', bytes: Number(rows[0]?.bytes) }
}

const selectRows = (tables: readonly string[]) =>
  tables
    .map((name) => `SELECT '${name}' AS name, hashtextextended(t::text, 0) AS hash FROM ${name} t`)
    .join(' UNION ALL ')

/** Returns one text for all rows of these tables. */
async function readRows(client: Client, tables: readonly string[]): Promise<string> {
  if (tables.length === 0) return ''
  const { rows } = await client.query<{ text: string }>(
    `SELECT md5(string_agg(name || hash, ' ' ORDER BY name, hash)) AS text FROM (${selectRows(tables)}) each_row`,
  )
  return rows[0]?.text ?? ''
}

/** Describes the database, which is to be the template of all others. */
export async function describePristine(url: string): Promise<Pristine> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(`${selectFilled} ORDER BY name`)
    const written: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query(`SELECT FROM ${name} LIMIT 1`)
      if (rows.length > 0) written.push(name)
    }
    return { ...(await readDefinitions(client)), written, rows: await readRows(client, written) }
  })
}

/**
 * Makes the database like new again and returns true. Returns false if that is not possible: somebody is still connected to it, its schema
 * was changed, or much was written.
 */
export async function emptyDatabase(url: string, pristine: Pristine): Promise<boolean> {
  return withClient(url, async (client) => {
    if (!(await isLeftAlone(client))) return false
    const { definitions: found, bytes } = await readDefinitions(client)
    if (found !== pristine.definitions || bytes > pristine.bytes + growthBytesMax) return false
    if ((await readRows(client, pristine.written)) !== pristine.rows) return false
    await client.query(deleteEverything(pristine.written))
    return true
  })
}

/** The connections of others than Citus, whose daemon is connected to each of its databases. */
const selectUsers = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND backend_type = 'client backend' AND application_name NOT LIKE 'citus_internal%' LIMIT 1`

async function isLeftAlone(client: Client): Promise<boolean> {
  for (let times = 0; times < lookTimes; times++) {
    const { rows } = await client.query(selectUsers)
    if (rows.length === 0) return true
    await sleep(lookEveryMs)
  }
  return false
}

/** Without triggers, so that foreign keys are not checked: nothing is left that could refer to what is deleted. */
const deleteEverything = (written: readonly string[]) => `
  BEGIN;
  SET LOCAL session_replication_role = replica;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT each_table.name FROM (${selectFilled}) each_table
      WHERE each_table.name <> ALL ('{${written.join(',')}}')
    LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
    IF to_regclass('pg_dist_transaction') IS NOT NULL THEN DELETE FROM pg_dist_transaction; END IF;
  END $$;
  SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence JOIN pg_class ON oid = seqrelid
    WHERE relnamespace = 'public'::regnamespace;
  COMMIT`

async function withClient<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url)
  await client.connect()
  try {
    // Citus hides the tables that are shards. Elsewhere the setting means nothing.
    await client.query('SET citus.override_table_visibility = off')
    return await use(client)
  } finally {
    await client.end()
  }
}
