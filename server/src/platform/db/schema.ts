// What the database itself says of its tables, for what has to work on every table, also those that are yet to come.
import type { Database } from './database.ts'
import { sql } from './sql.ts'

const namesMax = 10_000

/** Returns the tables that the migrations made, without those that SQLite keeps for itself. */
export async function tableNames(db: Database): Promise<string[]> {
  const rows = await (db.engine === 'sqlite'
    ? db.all<{ name: string }>(sql`SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite_%' LIMIT ${namesMax}`)
    : db.all<{ name: string }>(sql`SELECT CAST(table_name AS text) AS name FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' LIMIT ${namesMax}`))
  return rows.map((row) => row.name).toSorted()
}

/** Those that are written, in the order of the alphabet: what the engine fills in by itself is left out. */
export async function columnNames(db: Database, table: string): Promise<string[]> {
  const rows = await (db.engine === 'sqlite'
    ? db.all<{ name: string }>(sql`SELECT name FROM pragma_table_info(${table}) LIMIT ${namesMax}`)
    : db.all<{ name: string }>(sql`SELECT CAST(column_name AS text) AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND CAST(table_name AS text) = ${table} LIMIT ${namesMax}`))
  return rows.map((row) => row.name).toSorted()
}
