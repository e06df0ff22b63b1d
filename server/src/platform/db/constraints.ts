// Names the violated constraint alike on both engines. SQLite's errors name columns instead of indexes; no other file parses them.
import type { DatabaseSync } from 'node:sqlite'
import { ConstraintError } from './database.ts'

/** SQLite does not say which foreign key was violated, so both engines' errors use this name. */
export const foreignKeyConstraint = 'foreign_key'

/** Maps the columns of every unique index to its name: `users.tenant_id, users.email` -> `users_email_key`. */
export type UniqueIndexNames = ReadonlyMap<string, string>

/** @throws Error when two unique indexes of a table have the same columns, because SQLite's errors could not tell them apart. */
export function readUniqueIndexNames(database: DatabaseSync): UniqueIndexNames {
  const columnsOf = database.prepare('SELECT name FROM pragma_index_info(?) ORDER BY seqno')
  const indexes = database
    .prepare(
      `SELECT m.name AS table_name, i.name AS index_name FROM sqlite_schema AS m, pragma_index_list(m.name) AS i
       WHERE m.type = 'table' AND i."unique" = 1 AND i.origin = 'c' ORDER BY m.name, i.name`,
    )
    .all()
  const names = new Map<string, string>()
  for (const index of indexes) {
    const table = String(index['table_name'])
    const name = String(index['index_name'])
    const columns = columnsOf.all(name).map((column) => column['name'])
    // SQLite reports an index on an expression by the index's own name.
    if (columns.includes(null)) continue
    const list = columns.map((column) => `${table}.${String(column)}`).join(', ')
    const other = names.get(list)
    if (other !== undefined) throw new Error(`unique indexes ${other} and ${name} have the same columns: ${list}`)
    names.set(list, name)
  }
  return names
}

const sqliteConstraint = { check: 275, foreignKey: 787, notNull: 1299, primaryKey: 1555, unique: 2067, rowId: 2579 }

const checkName = (name: string) => (name.endsWith('_check') ? name : `${name}_check`)

/**
 * Returns the name of the constraint that SQLite's error reports, or undefined for other errors.
 * @param indexName finds a unique index by its list of columns.
 */
export function sqliteConstraintName(
  errorCode: number,
  message: string,
  indexName: (columns: string) => string | undefined,
): string | undefined {
  const subject = message.slice(message.indexOf(': ') + 2)
  switch (errorCode) {
    case sqliteConstraint.foreignKey:
      return foreignKeyConstraint
    case sqliteConstraint.primaryKey:
    case sqliteConstraint.rowId:
      return `${subject.slice(0, subject.indexOf('.'))}_pkey`
    case sqliteConstraint.unique: {
      const expressionIndex = /^index '(.+)'$/.exec(subject)?.[1]
      // A UNIQUE clause inside CREATE TABLE gets the name that PostgreSQL would give it.
      const table = subject.slice(0, subject.indexOf('.'))
      return expressionIndex ?? indexName(subject) ?? `${[table, ...columnNames(subject)].join('_')}_key`
    }
    case sqliteConstraint.notNull:
      return checkName(subject)
    case sqliteConstraint.check:
      // An unnamed CHECK is reported by its expression.
      return /^\w+$/.test(subject) ? checkName(subject) : 'unnamed_check'
    default:
      return undefined
  }
}

function columnNames(list: string): string[] {
  return list.split(', ').map((column) => column.slice(column.indexOf('.') + 1))
}

/** The parts of PostgreSQL's error that are read. */
export interface PostgresqlErrorFields {
  readonly code?: string | undefined
  readonly constraint?: string | undefined
  readonly table?: string | undefined
  readonly column?: string | undefined
}

/** Citus adds the number of the shard to the names of tables and constraints: `users_username_key_102345`. */
const withoutShard = (name: string | undefined) => name?.replace(/_\d{6,}$/, '')

/** Returns the name of the constraint that PostgreSQL's error reports, or undefined for other errors. */
export function postgresqlConstraintName(error: PostgresqlErrorFields): string | undefined {
  switch (error.code) {
    case '23001':
    case '23503':
      return foreignKeyConstraint
    case '23505':
    case '23P01':
      return withoutShard(error.constraint) ?? 'unnamed_key'
    case '23502':
      return checkName(`${withoutShard(error.table) ?? 'unnamed'}.${error.column ?? 'column'}`)
    case '23514':
      return checkName(withoutShard(error.constraint) ?? 'unnamed')
    default:
      return undefined
  }
}

/** Whether two rows of one list got the same creation time. The body is then run again and takes a later time. */
export function isCreatedAtCollision(error: unknown): boolean {
  return error instanceof ConstraintError && error.constraint.endsWith('_created_key')
}
