// Declares each table once. From its columns follow the type of its rows and the statements that name all columns; from its options follows
// what the service does with every tenant's table: finding, counting, sealing, exporting and erasing. See docs/decisions/0016.
import type { ErrorCode } from '@bailiwick/contract'
import type { TenantId } from '../ids.ts'
import type { Accepted } from './accepted.ts'
import type { Column, Columns, Given } from './columns.ts'
import type { Reader } from './database.ts'
import { type Fragment, type SqlValue, type Statement, sql } from './sql.ts'

type Row<C extends Columns> = { readonly [Each in keyof C]: Exclude<C[Each]['value'], undefined> }

type GivenWhen<C extends Columns, When extends Given> = {
  [Each in keyof C]: C[Each] extends Column<SqlValue, When> ? Each : never
}[keyof C]

type NewRow<C extends Columns> = Pick<Row<C>, GivenWhen<C, 'always'>> &
  Partial<Pick<Row<C>, GivenWhen<C, 'optionally'>>>

/** The type of a row: `RowOf<typeof roles>`. */
export type RowOf<T extends { readonly row?: unknown }> = Exclude<T['row'], undefined>
/** The type of a row to insert, which may leave out columns that are nullable or have a default. */
export type NewRowOf<T extends { readonly newRow?: unknown }> = Exclude<T['newRow'], undefined>

type Name<C extends Columns> = keyof C & string

/** An id in a request may be any text; all other key columns have their own type. */
type KeyValues<C extends Columns, Key extends readonly string[]> = {
  [Index in keyof Key]: Key[Index] extends 'id' ? string : Key[Index] extends keyof C ? Row<C>[Key[Index]] : never
}

/** The rows that a counter of the tenant must match. Used to check the counter and to rebuild it after an import. */
export interface CountedRows {
  /** With `by`, returns the counter's name for each value of that column. */
  readonly counter: string | ((value: string) => string)
  readonly by?: string
  readonly where?: Fragment
  /** The column that is summed, instead of counting rows. */
  readonly sumOf?: string
}

interface TableOptions<Names extends string, Key extends readonly string[]> {
  /** The primary key; by default the tenant's id and the record's id. */
  readonly key?: Key
  /** The columns after tenant_id of a unique key in whose order a tenant's rows are read and removed; `created_at` for records. */
  readonly walkedBy?: readonly Names[]
  readonly counted?: readonly CountedRows[]
  /** The columns sealed under the master key, each with the name that its texts are bound to. */
  readonly sealed?: Readonly<Partial<Record<Names, string>>>
  /** The reason that an export of a tenant leaves the table out. */
  readonly notExported?: string
  /** Whether an export includes a row; without it, all rows are included. */
  readonly isExported?: (row: Readonly<Record<string, unknown>>) => boolean
  /** Columns that an export leaves out because an import creates them again. */
  readonly madeAnew?: readonly Names[]
  /**
   * What an import accepts in the columns of text and JSON, by column, for every table that an export contains. Properties of a schema that
   * are no columns are ignored.
   */
  readonly accepts?: Readonly<Record<string, Accepted>>
  /** The error of the interface that each named constraint or unique index of the table means when it refuses a row. */
  readonly refusals?: Readonly<Record<string, ErrorCode>>
  /**
   * Where the table is in a database that Citus has spread over several servers. By default the rows of a table with a tenant_id are with
   * their tenant, and a table without one is a reference table.
   * `reference`: each server has all rows. For few rows that change seldom and are found before their tenant is known.
   * `local`: the coordinator alone has it. No table may refer to it.
   */
  readonly sharding?: 'reference' | 'local'
  /** The whole table, or only these columns, exist on PostgreSQL only. */
  readonly onlyOnPostgresql?: true | readonly Names[]
}

export interface SealedColumn {
  readonly column: string
  /** The column that identifies the row in `boundTo`. */
  readonly idColumn: string
  /** Returns what the sealed text of a row is bound to. */
  readonly boundTo: (row: Readonly<Record<string, unknown>>) => string
}

/** The facts about one table that code for all tables uses. */
export interface TableFacts {
  readonly name: string
  readonly declared: Columns
  readonly walkedBy: readonly string[]
  readonly sealed: readonly SealedColumn[]
  readonly options: TableOptions<string, readonly string[]>
}

/** Makes a template object that calls of `sql` with the same text share, so that it is prepared once; `?` is a parameter. */
const prepared = (text: string): TemplateStringsArray => stringsOf(text.split('?'))

const stringsOf = (pieces: readonly string[]): TemplateStringsArray => Object.assign([...pieces], { raw: pieces })

const namesOf = (names: readonly string[]): string => {
  for (const name of names) sql.identifier(name)
  return names.join(', ')
}

/** Returns the columns after tenant_id in a key, or the whole key if there are none. */
function walkOf(key: readonly string[] | undefined): readonly string[] {
  if (key === undefined) return ['created_at']
  const own = key.filter((column) => column !== 'tenant_id')
  return own.length === 0 ? key : own
}

function valuesAt(row: object, names: readonly string[]): SqlValue[] {
  const values: SqlValue[] = []
  for (const name of names) values.push((row as Readonly<Record<string, SqlValue>>)[name] as SqlValue)
  return values
}

/** The rows of a list: the table and a condition that names the tenant. */
export interface ListedRows {
  readonly table: Fragment
  readonly where: Fragment
  /** Each row meets exactly one of these conditions. Rows that meet the same one are adjacent in an index, in the order of the list. */
  readonly parts?: readonly Fragment[]
}

/**
 * Returns the SELECT for rows of a list; an order and a limit may follow it. It unites one SELECT for each part. Both engines merge these
 * in the order of the index, so that they read hardly more rows than they return.
 */
export function selectFrom({ table, where, parts }: ListedRows, columns: Fragment, condition = sql``): Fragment {
  if (parts === undefined) return sql`SELECT ${columns} FROM ${table} WHERE ${where} ${condition}`
  const selects = parts.map((part) => sql`SELECT ${columns} FROM ${table} WHERE ${where} AND ${part} ${condition}`)
  return sql.join(selects, ' UNION ALL ')
}

/** The rows and columns that a list is read from. */
export interface ListSource<Selected extends object> extends ListedRows {
  readonly columns: Fragment
  /** Exists for the type only. */
  readonly row?: Selected
}

/** A selection of a table's columns to read. */
export class Selection<Selected extends object> {
  /** Exists for the type only. */
  declare readonly row?: Selected
  readonly columns: Fragment
  readonly table: Fragment
  readonly #names: readonly string[]
  readonly #from: string
  /** The complete texts, by the template of the condition. */
  readonly #texts = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

  constructor(table: string, names: readonly string[]) {
    this.#names = names
    this.columns = sql(prepared(namesOf(names)))
    this.table = sql.identifier(table)
    this.#from = `SELECT ${namesOf(names)} FROM ${table} WHERE `
  }

  /** Reads the first row that meets a condition; an order may follow it: `` roles.first(db)`name_key = ${key}` ``. */
  readonly first =
    (db: Reader) =>
    (condition: TemplateStringsArray, ...members: readonly (SqlValue | Fragment)[]): Promise<Selected | undefined> =>
      db.first<Selected>(sql(this.#reading(condition), ...members))

  /** Reads the rows that meet a condition; a limit must follow it. */
  readonly all =
    (db: Reader) =>
    (condition: TemplateStringsArray, ...members: readonly (SqlValue | Fragment)[]): Promise<Selected[]> =>
      db.all<Selected>(sql(this.#reading(condition), ...members))

  /** Returns the columns with an alias for the table, for a join. Called once, when the module is loaded. */
  columnsOf(alias: string): Fragment {
    return sql(prepared(this.#names.map((name) => `${alias}.${name}`).join(', ')))
  }

  /** Returns the source of a list for `selectPage`. */
  readonly source = (where: Fragment): ListSource<Selected> => ({ columns: this.columns, table: this.table, where })

  #reading(condition: TemplateStringsArray): TemplateStringsArray {
    let reading = this.#texts.get(condition)
    if (reading === undefined) {
      const [first = '', ...rest] = condition
      reading = stringsOf([this.#from + first, ...rest])
      this.#texts.set(condition, reading)
    }
    return reading
  }
}

export class Table<C extends Columns, Key extends readonly string[]> extends Selection<Row<C>> implements TableFacts {
  declare readonly newRow?: NewRow<C>
  readonly name: string
  readonly declared: C
  readonly walkedBy: readonly string[]
  readonly sealed: readonly SealedColumn[]
  readonly options: TableOptions<Name<C>, Key>
  readonly #key: readonly string[]
  readonly #written: readonly string[]
  readonly #rewrite: (row: Row<C>) => Statement
  readonly #texts: Readonly<Record<'byKey' | 'lock' | 'insert' | 'insertAll' | 'delete', TemplateStringsArray>>

  constructor(name: string, columns: C, options: TableOptions<Name<C>, Key>) {
    const names = Object.keys(columns)
    super(name, names)
    this.name = name
    this.declared = columns
    this.options = options
    this.#key = options.key ?? ['tenant_id', 'id']
    this.walkedBy = options.walkedBy ?? walkOf(options.key)
    this.sealed = Object.keys(options.sealed ?? {}).map((column) => this.#sealedColumn(column))
    this.#written = names.filter((column) => columns[column]?.given !== 'never')
    const rewritten = this.#written.filter((column) => column !== 'created_at' && !this.#key.includes(column))
    this.#rewrite = this.update(...(rewritten as Name<C>[]))
    const byKey = `SELECT ${namesOf(names)} FROM ${name} WHERE ${this.#isAt}`
    const into = `INSERT INTO ${name} (${namesOf(this.#written)})`
    this.#texts = {
      byKey: prepared(byKey),
      lock: prepared(`${byKey}?`),
      insert: prepared(`${into} VALUES (${this.#written.map(() => '?').join(', ')})`),
      insertAll: prepared(`${into} ?`),
      delete: prepared(`DELETE FROM ${name} WHERE ${this.#isAt}`),
    }
  }

  readonly byKey = (db: Reader, ...key: KeyValues<C, Key>): Promise<Row<C> | undefined> =>
    db.first<Row<C>>(sql(this.#texts.byKey, ...(key as readonly SqlValue[])))

  /** Returns the row, locked until the transaction ends. */
  readonly lock = (db: Reader, ...key: KeyValues<C, Key>): Promise<Row<C> | undefined> =>
    db.first<Row<C>>(sql(this.#texts.lock, ...(key as readonly SqlValue[]), sql.forUpdate))

  /** Returns the tenant's records with these ids, of which there must be at least one. */
  readonly byIds = (db: Reader, tenantId: TenantId, ids: readonly string[]): Promise<Row<C>[]> =>
    this.all(db)`tenant_id = ${tenantId} AND id IN (${sql.list(ids)}) LIMIT ${ids.length}`

  /** Returns the source of a list of all rows of the tenant. */
  readonly sourceOf = (tenantId: TenantId) => this.source(sql`tenant_id = ${tenantId}`)

  readonly delete = (...key: KeyValues<C, Key>): Statement => sql(this.#texts.delete, ...(key as readonly SqlValue[]))

  readonly insert = (row: NewRow<C>): Statement => sql(this.#texts.insert, ...this.#valuesOf(row))

  /** Inserts all rows, of which there must be at least one, in one statement. */
  readonly insertAll = (rows: readonly NewRow<C>[]): Statement =>
    sql(this.#texts.insertAll, sql.values(rows.map((row) => this.#valuesOf(row))))

  /** Returns a function that inserts a row or, if its key exists, updates these columns. */
  upsert(...names: readonly Name<C>[]): (row: NewRow<C>) => Statement {
    const upserting = this.#upserting(names)
    return (row) => sql(upserting, this.insert(row))
  }

  /** Does the same for several rows, at least one, with different keys. */
  upsertAll(...names: readonly Name<C>[]): (rows: readonly NewRow<C>[]) => Statement {
    const upserting = this.#upserting(names)
    return (rows) => sql(upserting, this.insertAll(rows))
  }

  /** Writes all columns except the key and the creation time, for a row that was read and locked in the same transaction. */
  readonly rewrite = (row: Row<C>): Statement => this.#rewrite(row)

  /** Returns a function that updates these columns of the row with the same key. */
  update<Changed extends Name<C>>(
    ...names: readonly Changed[]
  ): (row: Pick<Row<C>, Changed | (Key[number] & keyof C)>) => Statement {
    const updating = prepared(`${this.#setting(names)} WHERE ${this.#isAt}`)
    const read = [...names, ...this.#key]
    return (row) => sql(updating, ...valuesAt(row, read))
  }

  /** Returns a function that makes the beginning of an UPDATE; its condition follows: `` sql`${setClaim(row)} WHERE …` ``. */
  set<Changed extends Name<C>>(...names: readonly Changed[]): (row: Pick<Row<C>, Changed>) => Fragment {
    const setting = prepared(this.#setting(names))
    return (row) => sql(setting, ...valuesAt(row, names))
  }

  /** Selects only these columns. */
  only<Selected extends Name<C>>(...names: readonly Selected[]): Selection<Pick<Row<C>, Selected>> {
    return new Selection(this.name, names)
  }

  /** Selects all columns except these. */
  without<Left extends Name<C>>(...names: readonly Left[]): Selection<Omit<Row<C>, Left>> {
    const left: readonly string[] = names
    return new Selection(
      this.name,
      Object.keys(this.declared).filter((column) => !left.includes(column)),
    )
  }

  /** Returns what a column's sealed text is bound to: the row, identified by the last column of the key. */
  place(column: Name<C>, row: Pick<Row<C>, Key[number] & keyof C>): string {
    return this.#placeOf(column, row)
  }

  #placeOf(column: string, row: Readonly<Record<string, unknown>>): string {
    const as = (this.options.sealed as Readonly<Record<string, string>> | undefined)?.[column]
    if (as === undefined) throw new TypeError(`${this.name}.${column} is not sealed`)
    return `${this.name}:${String(row['tenant_id'])}:${String(row[this.#key.at(-1) ?? 'id'])}:${as}`
  }

  get #isAt(): string {
    return this.#key.map((column) => `${column} = ?`).join(' AND ')
  }

  #upserting(names: readonly string[]): TemplateStringsArray {
    const changes = names.map((column) => `${column} = excluded.${column}`).join(', ')
    return prepared(`? ON CONFLICT (${namesOf(this.#key)}) DO UPDATE SET ${changes}`)
  }

  #setting(names: readonly string[]): string {
    namesOf(names)
    return `UPDATE ${this.name} SET ${names.map((column) => `${column} = ?`).join(', ')}`
  }

  #sealedColumn(column: string): SealedColumn {
    return { column, idColumn: this.#key.at(-1) ?? 'id', boundTo: (row) => this.#placeOf(column, row) }
  }

  #valuesOf(row: object): SqlValue[] {
    const given = row as Readonly<Record<string, SqlValue | undefined>>
    const values: SqlValue[] = []
    for (const column of this.#written) {
      const value = given[column]
      values.push(value === undefined ? (this.declared[column]?.initial ?? null) : value)
    }
    return values
  }
}

const declaredRefusals = new Map<string, ErrorCode>()

/** Returns the error of the interface that a constraint means when it refuses a row; undefined if no table says. */
export const refusalOf = (constraint: string): ErrorCode | undefined => declaredRefusals.get(constraint)

/** Declares a table: its name, its columns, and its options for the service as a whole. */
export const table = <C extends Columns, const Key extends readonly string[] = readonly ['tenant_id', 'id']>(
  name: string,
  columns: C,
  options: TableOptions<Name<C>, Key> = {},
): Table<C, Key> => {
  for (const [constraint, code] of Object.entries(options.refusals ?? {})) declaredRefusals.set(constraint, code)
  return new Table(name, columns, options)
}
