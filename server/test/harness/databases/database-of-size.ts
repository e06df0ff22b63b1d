// Makes PostgreSQL plan as if a database were very large: its files are extended with nothing (they are sparse and take no space), and the
// statistics say how many rows and distinct values there are. Rows that exist can still be found; whoever reads a whole table waits forever.
import { chownSync, closeSync, openSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'

/** How many rows tables have; those that are not named have `others`. */
export interface Size {
  readonly tenants: number
  readonly rows: Readonly<Record<string, number>>
  /** For every other table that holds rows of tenants. */
  readonly others: number
}

const pageBytes = 8192
/** PostgreSQL divides files so that each has as many pages. */
const pagesPerFile = 131_072
/** A share of the rows, because a partial index exists for those that need something. */
const rowsInPartialIndex = 0.1

export interface Pretended {
  /** The tables that are large now. */
  readonly large: ReadonlySet<string>
  /** The indexes of some rows only. */
  readonly partial: ReadonlySet<string>
}

interface Relation {
  readonly name: string
  readonly path: string
  readonly kind: 'i' | 'r'
  readonly table: string
  readonly is_partial: boolean
  readonly has_tenant: boolean
  /** The bytes of a row of the table, or of an entry of the index, by the widths of the columns. */
  readonly width: number
}

const selectRelations = `
  SELECT c.relname AS name, pg_relation_filepath(c.oid) AS path, c.relkind AS kind, t.relname AS table,
    i.indpred IS NOT NULL AS is_partial,
    EXISTS (SELECT FROM pg_attribute AS a WHERE a.attrelid = t.oid AND a.attname = 'tenant_id') AS has_tenant,
    24 + coalesce((SELECT sum(s.stawidth) FROM pg_statistic AS s JOIN pg_attribute AS a
      ON a.attrelid = s.starelid AND a.attnum = s.staattnum
      WHERE s.starelid = t.oid AND (i.indexrelid IS NULL OR s.staattnum = ANY (i.indkey))), 100)::int AS width
  FROM pg_class AS c LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
    JOIN pg_class AS t ON t.oid = coalesce(i.indrelid, c.oid)
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i')
    AND t.reltuples > 0`

/** Extends a file and its continuations to so many pages. */
function extend(first: string, pages: number): void {
  const { uid, gid, size } = statSync(first)
  if (size >= pages * pageBytes) return
  for (let file = 0, left = pages; left > 0; file++, left -= pagesPerFile) {
    const path = file === 0 ? first : `${first}.${file}`
    if (file > 0) {
      closeSync(openSync(path, 'a', 0o600))
      chownSync(path, uid, gid)
    }
    truncateSync(path, Math.min(left, pagesPerFile) * pageBytes)
  }
}

/**
 * The distinct values as a share of the rows, or their number: a sample of a few rows does not tell. The most common values are forgotten,
 * so that each value is as common as any other.
 */
const correctStatistics = `
  UPDATE pg_statistic AS s SET
    stadistinct = CASE
      WHEN a.attname = 'tenant_id' THEN least($1, c.reltuples)
      WHEN a.attname ~ '(_at|position|sequence|transaction_id|hash|^id|^email|_key)$' THEN -1
      WHEN a.attname ~ '_id$' THEN -0.1
      ELSE s.stadistinct END,
    -- Hardly any job is given up for good.
    stanullfrac = CASE WHEN a.attname = 'dead_at' THEN 0.999 ELSE s.stanullfrac END,
    stakind1 = CASE WHEN s.stakind1 = 1 THEN 0 ELSE s.stakind1 END,
    stakind2 = CASE WHEN s.stakind2 = 1 THEN 0 ELSE s.stakind2 END
  FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
  WHERE a.attrelid = s.starelid AND a.attnum = s.staattnum AND c.relnamespace = current_schema()::regnamespace`

/**
 * Gives the database that size, for whatever is planned from now on.
 * @param client connected to it as a superuser, on this machine.
 */
export async function pretendSize(client: Client, { tenants, rows, others }: Size): Promise<Pretended> {
  await client.query('ANALYZE')
  const { rows: settings } = await client.query<{ data_directory: string }>('SHOW data_directory')
  const directory = settings[0]?.data_directory ?? ''
  const { rows: relations } = await client.query<Relation>(selectRelations)
  const [large, partial] = [new Set<string>(), new Set<string>()]
  for (const { name, path, kind, table, is_partial: isPartial, has_tenant: hasTenant, width } of relations) {
    const tableRows = rows[table] ?? (hasTenant ? others : undefined)
    if (tableRows === undefined) continue
    large.add(table)
    if (isPartial) partial.add(name)
    const count = isPartial ? Math.ceil(tableRows * rowsInPartialIndex) : tableRows
    const pages = Math.ceil((count * width) / pageBytes)
    extend(join(directory, path), pages)
    await client.query(
      `UPDATE pg_class SET reltuples = $1, relpages = $2, relallvisible = $3
      WHERE relname = $4 AND relnamespace = current_schema()::regnamespace`,
      [count, pages, kind === 'r' ? Math.floor(pages * 0.9) : 0, name],
    )
  }
  await client.query(correctStatistics, [tenants])
  return { large, partial }
}
