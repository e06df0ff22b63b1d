// What a database on Citus looks like: which tables are spread over its servers, and what has to change before one can be.
import type { Client } from 'pg'

/** Where a table is: with the tenant of each row, on each server, or on the coordinator alone. */
export type Sharding = 'tenant' | 'reference' | 'local'

export interface TableState {
  readonly name: string
  /** Null for a table that Citus does not know. It may make one local by itself that refers to a reference table. */
  readonly sharding: Sharding | null
  /** The statements that make each unique key contain the tenant: a shard can decide about its own rows alone. */
  readonly keyChanges: readonly string[]
  /** The columns that keep the transaction that wrote a row. */
  readonly transactionColumns: readonly string[]
}

/**
 * The number of the coordinator's transaction. The message makes its COMMIT wait until the coordinator's own log is on the disk; otherwise a
 * coordinator that crashes could give the number to a later transaction once more.
 */
export const transactionDefault = `CASE WHEN pg_logical_emit_message(true, 'bailiwick', '') IS NULL THEN NULL ELSE pg_current_xact_id() END`

export interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly target: string
  readonly definition: string
}

/** @throws Error if the extension or a server for shards is missing. */
export async function assertUsable(client: Client): Promise<void> {
  const extension = await client.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`)
  if (extension.rows.length === 0) {
    throw new Error(
      'the database has no extension citus: run CREATE EXTENSION citus in it, on each server, as a superuser first',
    )
  }
  const nodes = await client.query('SELECT 1 FROM pg_dist_node WHERE shouldhaveshards AND isactive LIMIT 1')
  if (nodes.rows.length === 0) {
    throw new Error('no server of the cluster holds shards: add one with citus_add_node, see docs/sharding.md')
  }
}

const ofSchema = `c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`

const selectTables = `SELECT CAST(c.relname AS text) AS name, CASE WHEN p.partmethod = 'h' THEN 'tenant'
      WHEN p.repmodel = 't' THEN 'reference' WHEN p.logicalrelid IS NOT NULL THEN 'local' END AS sharding
  FROM pg_class c LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid WHERE ${ofSchema} ORDER BY c.relname`

/** The unique keys of tables with a tenant_id that do not contain it. */
const selectKeys = `SELECT CAST(c.relname AS text) AS table, CAST(i.relname AS text) AS name, x.indisprimary AS "isPrimary",
    pg_get_indexdef(i.oid) AS definition
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
  WHERE x.indisunique AND NOT a.attnum = ANY (x.indkey) AND ${ofSchema} ORDER BY i.relname`

/** The columns that take the number of the transaction. */
const selectTransactionColumns = `SELECT CAST(c.relname AS text) AS table, CAST(a.attname AS text) AS name
  FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
  WHERE pg_get_expr(d.adbin, d.adrelid) = 'pg_current_xact_id()' AND ${ofSchema}`

interface Key {
  readonly table: string
  readonly name: string
  readonly isPrimary: boolean
  readonly definition: string
}

export async function readTables(client: Client): Promise<Map<string, TableState>> {
  const { rows: tables } = await client.query<Pick<TableState, 'name' | 'sharding'>>(selectTables)
  const { rows: keys } = await client.query<Key>(selectKeys)
  const { rows: columns } = await client.query<Pick<Key, 'table' | 'name'>>(selectTransactionColumns)
  const describeTable = (table: Pick<TableState, 'name' | 'sharding'>): TableState => ({
    ...table,
    keyChanges: keys.filter((key) => key.table === table.name).flatMap(keyChanges),
    transactionColumns: columns.filter((column) => column.table === table.name).map(({ name }) => name),
  })
  return new Map(tables.map((table) => [table.name, describeTable(table)]))
}

/** Adds the tenant to the columns of a unique key, as the last one, so that the key still finds what it found. */
function keyChanges({ table, name, isPrimary, definition }: Key): string[] {
  const columns = /USING btree \(([^()]+)\)/.exec(definition)?.[1]
  if (columns === undefined) throw new Error(`the unique key ${name} does not contain the tenant: ${definition}`)
  if (isPrimary) {
    return [`ALTER TABLE ${table} DROP CONSTRAINT ${name}, ADD CONSTRAINT ${name} PRIMARY KEY (${columns}, tenant_id)`]
  }
  return [`DROP INDEX ${name}`, definition.replace(`(${columns})`, `(${columns}, tenant_id)`)]
}

export async function readForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } =
    await client.query<ForeignKey>(`SELECT CAST(c.relname AS text) AS table, CAST(k.conname AS text) AS name,
      CAST(t.relname AS text) AS target, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
    WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace ORDER BY c.relname, k.conname`)
  return rows
}
