// SQL as templates. Only template literals, checked identifiers and other statements become text; every other interpolated value becomes a
// parameter, so no caller's string can ever be read as SQL.
import { createHash } from 'node:crypto'

export type SqlValue = string | number | null | Uint8Array

/** The text for each engine with its parameters; may also be a fragment that another template includes. */
export interface Statement {
  /** The prepared statement's name: short, equal for equal texts, and different otherwise. */
  readonly name: string
  readonly sqliteText: string
  readonly postgresqlText: string
  readonly values: readonly SqlValue[]
}

export type Fragment = Statement

/** The texts between the parameters, so that a fragment can be placed anywhere in another statement. */
interface Pieces {
  readonly sqlite: readonly string[]
  readonly postgresql: readonly string[]
}

const shapesMax = 5000
const parametersMax = 32_766
const identifierPattern = /^[a-z_][a-z\d_]*$/
/**
 * SQLite reads the value of a bare `LIMIT ?` while planning, so it plans the statement again for every bound value, which takes longer than
 * most statements. It does not do so for a sum.
 */
const limitThatStaysPrepared = 'LIMIT (? + 0)'
const separators = [', ', ' ', ' AND ', ' OR ', ' UNION ALL '] as const

export type Separator = (typeof separators)[number]

let lastId = 0

class Shape {
  readonly id = ++lastId
  readonly pieces: Pieces
  #texts: { name: string; sqlite: string; postgresql: string } | undefined

  constructor(pieces: Pieces) {
    this.pieces = pieces
  }

  /** Built on first use, because most fragments are never statements of their own. */
  get texts(): { name: string; sqlite: string; postgresql: string } {
    return (this.#texts ??= this.#compile())
  }

  #compile() {
    const sqlite = this.pieces.sqlite.join('?').replaceAll('LIMIT ?', limitThatStaysPrepared)
    const [first = '', ...rest] = this.pieces.postgresql
    const postgresql = first + rest.map((piece, index) => `$${index + 1}${piece}`).join('')
    return { name: createHash('sha256').update(postgresql).digest('base64url').slice(0, 22), sqlite, postgresql }
  }
}

/** Created only in this file. An object of the same form from outside is refused as a value instead of being used as SQL. */
class Prepared implements Statement {
  readonly shape: Shape
  readonly values: readonly SqlValue[]

  constructor(shape: Shape, values: readonly SqlValue[]) {
    this.shape = shape
    this.values = values
  }

  get name(): string {
    return this.shape.texts.name
  }

  get sqliteText(): string {
    return this.shape.texts.sqlite
  }

  get postgresqlText(): string {
    return this.shape.texts.postgresql
  }
}

interface Template {
  readonly id: number
  plain: Shape | undefined
  /** The shape used last. It nearly always matches, and is then found without building a key. */
  latest: { readonly fragments: readonly (Shape | undefined)[]; readonly shape: Shape } | undefined
}

const templates = new WeakMap<TemplateStringsArray, Template>()
const shapes = new Map<string, Shape>()
const noValues: readonly SqlValue[] = []

function internedShape(key: string, build: () => Pieces): Shape {
  const known = shapes.get(key)
  if (known !== undefined) return known
  if (shapes.size >= shapesMax) {
    for (const oldest of shapes.keys()) {
      shapes.delete(oldest)
      break
    }
  }
  const shape = new Shape(build())
  shapes.set(key, shape)
  return shape
}

function assertValue(value: unknown): asserts value is SqlValue {
  if (typeof value === 'string' || value === null || value instanceof Uint8Array) return
  // SQLite would store NaN as NULL.
  if (typeof value === 'number' && Number.isFinite(value)) return
  throw new TypeError(
    `a ${typeof value === 'number' ? 'number that is not finite' : typeof value} cannot be a parameter`,
  )
}

function prepared(statement: Statement): Prepared {
  if (statement instanceof Prepared) return statement
  throw new TypeError('a statement must come from the sql template')
}

/** Appends `next` to the end of `pieces`, with no parameter between the two. */
function append(pieces: string[], next: readonly string[]): void {
  pieces[pieces.length - 1] += next[0] ?? ''
  for (let index = 1; index < next.length; index++) pieces.push(next[index] ?? '')
}

function splice(strings: readonly string[], members: readonly unknown[]): Pieces {
  const sqlite = [strings[0] ?? '']
  const postgresql = [strings[0] ?? '']
  for (const [index, member] of members.entries()) {
    const literal = strings[index + 1] ?? ''
    if (member instanceof Prepared) {
      append(sqlite, member.shape.pieces.sqlite)
      append(postgresql, member.shape.pieces.postgresql)
      append(sqlite, [literal])
      append(postgresql, [literal])
    } else {
      sqlite.push(literal)
      postgresql.push(literal)
    }
  }
  return { sqlite, postgresql }
}

function templateOf(strings: TemplateStringsArray): Template {
  let template = templates.get(strings)
  if (template === undefined) {
    template = { id: ++lastId, plain: undefined, latest: undefined }
    templates.set(strings, template)
  }
  return template
}

function statementOf(strings: TemplateStringsArray, members: readonly (SqlValue | Fragment)[]): Statement {
  let hasFragments = false
  for (const member of members) {
    if (member instanceof Prepared) hasFragments = true
    else assertValue(member)
  }
  const template = templateOf(strings)
  if (!hasFragments) {
    template.plain ??= new Shape({ sqlite: strings, postgresql: strings })
    return new Prepared(template.plain, members as readonly SqlValue[])
  }
  return new Prepared(shapeWithFragments(template, strings, members), valuesWithin(members))
}

const fragmentShape = (member: unknown) => (member instanceof Prepared ? member.shape : undefined)

function shapeWithFragments(
  template: Template,
  strings: TemplateStringsArray,
  members: readonly (SqlValue | Fragment)[],
): Shape {
  const { latest } = template
  if (latest?.fragments.every((shape, index) => shape === fragmentShape(members[index])) === true) return latest.shape
  let key = `template ${template.id}`
  for (const member of members) key += member instanceof Prepared ? ` ${member.shape.id}` : ' ?'
  const shape = internedShape(key, () => splice(strings, members))
  template.latest = { fragments: members.map(fragmentShape), shape }
  return shape
}

function valuesWithin(members: readonly (SqlValue | Fragment)[]): readonly SqlValue[] {
  const [first] = members
  if (members.length === 1 && first instanceof Prepared) return first.values
  const values: SqlValue[] = []
  for (const member of members) {
    if (member instanceof Prepared) for (const value of member.values) values.push(value)
    else values.push(member as SqlValue)
  }
  return values
}

function valuesOf(statements: readonly Prepared[]): SqlValue[] {
  const values: SqlValue[] = []
  for (const statement of statements) for (const value of statement.values) values.push(value)
  return values
}

function join(fragments: readonly Fragment[], separator: Separator): Fragment {
  if (fragments.length === 0) throw new RangeError('there must be a fragment to join')
  if (!separators.includes(separator)) throw new TypeError('unknown separator')
  const members = fragments.map(prepared)
  const key = `join${separator}${members.map((member) => member.shape.id).join(' ')}`
  const build = () => splice(['', ...members.slice(1).map(() => separator), ''], members)
  return new Prepared(internedShape(key, build), valuesOf(members))
}

function list(values: readonly SqlValue[]): Fragment {
  if (values.length === 0) throw new RangeError('there must be a value to list')
  for (const value of values) assertValue(value)
  const build = () => {
    const pieces = ['', ...values.slice(1).map(() => ', '), '']
    return { sqlite: pieces, postgresql: pieces }
  }
  return new Prepared(internedShape(`list ${values.length}`, build), values)
}

function piecesOfRows(columns: number, rows: number): Pieces {
  const pieces = ['VALUES (']
  for (let index = 1; index < columns * rows; index++) pieces.push(index % columns === 0 ? '), (' : ', ')
  pieces.push(')')
  return { sqlite: pieces, postgresql: pieces }
}

/** The templates by number of columns, because most inserts are of one row. */
const shapesOfOneRow: Shape[] = []

function rowsOf(rows: readonly (readonly SqlValue[])[]): Fragment {
  const columns = rows[0]?.length ?? 0
  if (columns === 0) throw new RangeError('VALUES needs a row with a column')
  if (columns * rows.length > parametersMax) throw new RangeError(`VALUES takes at most ${parametersMax} parameters`)
  for (const row of rows) {
    if (row.length !== columns) throw new RangeError('the rows of VALUES differ in length')
    for (const value of row) assertValue(value)
  }
  const [row = []] = rows
  if (rows.length === 1) return new Prepared((shapesOfOneRow[columns] ??= new Shape(piecesOfRows(columns, 1))), row)
  const shape = internedShape(`values ${columns} ${rows.length}`, () => piecesOfRows(columns, rows.length))
  return new Prepared(shape, rows.flat())
}

/**
 * `LIMIT` with the number in the text. Given the number as a parameter, PostgreSQL plans the statement again at each execution, because it
 * cannot know how few rows are wanted; that often takes longer than to run it. Each number makes a statement of its own, so there must be
 * few of them.
 */
function limit(rows: number): Fragment {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError('a limit is a whole number')
  const text = `LIMIT ${rows}`
  return new Prepared(
    internedShape(text, () => ({ sqlite: [text], postgresql: [text] })),
    noValues,
  )
}

/** A table or column name that is chosen at run time from a list in the code. */
function identifier(name: string): Fragment {
  if (!identifierPattern.test(name)) throw new TypeError('not an identifier')
  const shape = internedShape(`identifier ${name}`, () => ({ sqlite: [name], postgresql: [name] }))
  return new Prepared(shape, noValues)
}

const identifiers = (names: readonly string[]): Fragment => join(names.map(identifier), ', ')

/** Empty on SQLite, which has one writer at a time and no such clause. */
const forUpdate: Fragment = new Prepared(new Shape({ sqlite: [''], postgresql: [' FOR UPDATE'] }), noValues)

/** Makes SQLite, which has no statistics, use this index. PostgreSQL chooses by its statistics. */
function indexedBy(index: string): Fragment {
  if (!identifierPattern.test(index)) throw new TypeError('not an identifier')
  const shape = internedShape(`indexed by ${index}`, () => ({ sqlite: [` INDEXED BY ${index}`], postgresql: [''] }))
  return new Prepared(shape, noValues)
}

const forNoKeyUpdate: Fragment = new Prepared(new Shape({ sqlite: [''], postgresql: [' FOR NO KEY UPDATE'] }), noValues)

function jsonField(column: string, field: string): Fragment {
  if (!identifierPattern.test(column)) throw new TypeError('not an identifier')
  const build = () => ({
    sqlite: [`(${column} -> `, ')'],
    postgresql: [`(CAST(${column} AS json) -> CAST(`, ' AS text))::text'],
  })
  return new Prepared(internedShape(`json field ${column}`, build), [field])
}

interface Sql {
  (strings: TemplateStringsArray, ...members: readonly (SqlValue | Fragment)[]): Statement
  /** Joins fragments, at least one, with one of the known separators. */
  join(fragments: readonly Fragment[], separator: Separator): Fragment
  /** Joins values, at least one, with commas: `` IN (${sql.list(ids)}) ``. */
  list(values: readonly SqlValue[]): Fragment
  /** Returns `VALUES (…), (…)` for rows of the same length. */
  values(rows: readonly (readonly SqlValue[])[]): Fragment
  /** Returns `LIMIT` with a number that is part of the text, so that PostgreSQL keeps the plan; for few different numbers. */
  limit(rows: number): Fragment
  identifier(name: string): Fragment
  /** Joins names, at least one, with commas. */
  identifiers(names: readonly string[]): Fragment
  /** Locks the rows that a SELECT finds until the transaction ends; empty on SQLite. */
  readonly forUpdate: Fragment
  /** Like `forUpdate`, but does not block transactions that only check that a row they refer to exists. */
  readonly forNoKeyUpdate: Fragment
  /**
   * Returns the JSON text of a field of an object that a column has as JSON text; null if it has none. No index answers it.
   * @param field letters, digits and underscores, because SQLite reads others as a path.
   */
  jsonField(column: string, field: string): Fragment
  /** Follows a table's name and says which index SQLite uses; empty on PostgreSQL. */
  indexedBy(index: string): Fragment
}

const template = (strings: TemplateStringsArray, ...members: readonly (SqlValue | Fragment)[]): Statement =>
  statementOf(strings, members)

/** Makes a statement from a template: `` sql`SELECT type FROM events WHERE tenant_id = ${tenantId}` ``. */
export const sql: Sql = Object.assign(template, {
  join,
  list,
  values: rowsOf,
  limit,
  identifier,
  identifiers,
  forUpdate,
  forNoKeyUpdate,
  jsonField,
  indexedBy,
})

/** Returns one PostgreSQL statement whose row has the rows of each of these as JSON, in the columns `r1`, `r2` … */
export function joinReads(statements: readonly Statement[]): Statement {
  const members = statements.map(prepared)
  const key = `join reads ${members.map((member) => member.shape.id).join(' ')}`
  const build = () => {
    const ends = members.map((_, index) => `) AS t${index + 1}) AS r${index + 1}`)
    const begins = members.map((_, index) => `(SELECT json_agg(t${index + 1}) FROM (`)
    const between = ends.map((end, index) =>
      index === members.length - 1 ? end : `${end}, ${begins[index + 1] ?? ''}`,
    )
    return splice([`SELECT ${begins[0] ?? ''}`, ...between], members)
  }
  return new Prepared(internedShape(key, build), valuesOf(members))
}

const changesData = /^\s*(insert|update|delete)\b/i

/**
 * Returns one PostgreSQL statement that runs all of these, with the last as its main part. All see the state from before it, and the order
 * in which they take effect is undefined.
 */
export function combine(statements: readonly Statement[]): Statement {
  const members = statements.map(prepared)
  const [first] = members
  if (first === undefined) throw new RangeError('there must be a statement to combine')
  if (members.length === 1) return first
  return combined('combine', members, (last) => [...betweenParts(last - 1), ') ', ''])
}

/**
 * Returns one PostgreSQL statement that does the same, but divides by zero where the last of them changes no row: then none of them takes
 * effect, and no transaction is needed for that. Plain SQL has no other way to refuse: it cannot raise an error of its own, and a condition
 * on the last statement cannot be added to every INSERT. Each refusal is a line in the server's log, "division by zero".
 */
export const combineUnlessUnchanged = (statements: readonly Statement[]): Statement =>
  combined('combine unless unchanged', statements.map(prepared), (last) => [
    ...betweenParts(last),
    ` RETURNING 1) SELECT count(*) AS changed, 1 / count(*) AS refusal FROM s${last + 1}`,
  ])

/** The texts between the parts of a WITH, of which there is one more. */
const betweenParts = (count: number): string[] => Array.from({ length: count }, (_, index) => `), s${index + 2} AS (`)

/** @param rest returns the texts after each member, by the index of the last one. */
function combined(name: string, members: readonly Prepared[], rest: (last: number) => readonly string[]): Statement {
  const key = `${name} ${members.map((member) => member.shape.id).join(' ')}`
  const build = () => {
    // PostgreSQL never runs a SELECT in a WITH that nothing refers to.
    if (!members.every((member) => changesData.test(member.postgresqlText))) {
      throw new TypeError('only INSERT, UPDATE and DELETE can be combined')
    }
    return splice(['WITH s1 AS (', ...rest(members.length - 1)], members)
  }
  return new Prepared(internedShape(key, build), valuesOf(members))
}
