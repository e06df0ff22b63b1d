// Reads the schema from the database, for code that must work on every table, including tables added later.
import type { Database } from './database.ts'
import { sql } from './sql.ts'

const namesMax = 10_000

/** Returns the tables that migrations created, without SQLite's internal ones. */
export async function tableNames(db: Database): Promise<string[]> {
  const rows = await (db.engine === 'sqlite'
    ? db.all<{ name: string }>(sql`SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite_%' LIMIT ${namesMax}`)
    : db.all<{ name: string }>(sql`SELECT CAST(table_name AS text) AS name FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' LIMIT ${namesMax}`))
  return rows.map((row) => row.name).toSorted()
}

/** Returns the writable columns in alphabetical order; columns that the engine fills in are left out. */
export async function columnNames(db: Database, table: string): Promise<string[]> {
  const rows = await (db.engine === 'sqlite'
    ? db.all<{ name: string }>(sql`SELECT name FROM pragma_table_info(${table}) LIMIT ${namesMax}`)
    : db.all<{ name: string }>(sql`SELECT CAST(column_name AS text) AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND CAST(table_name AS text) = ${table} LIMIT ${namesMax}`))
  return rows.map((row) => row.name).toSorted()
}
