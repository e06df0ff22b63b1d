// One statement as the driver sends it. The driver's own class copies its options property by property and asks for the description of the
// columns each time, of which it makes parsers and objects; a prepared statement always has the same columns, so that once is enough.
import { type Connection, type FieldDef, Query, types } from 'pg'
import { type RowMaker, rowMaker } from '../row-maker.ts'
import type { SqlValue } from '../sql.ts'

/** What a statement returns. */
export interface Columns {
  readonly parsers: readonly ((text: string) => unknown)[]
  readonly toRow: RowMaker
}

/** The answer to a statement. */
export interface Answer<Row> {
  readonly rows: Row[]
  /** The number of rows that were returned or changed. */
  readonly rowCount: number | null
  readonly command: string
  readonly columns: Columns
}

const booleanType = 16
const int8Type = 20

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
  return value
}

/** Parses as SQLite does: 8-byte integers become numbers, booleans become 0 and 1. */
export function parserFor(oid: number): (text: string) => unknown {
  if (oid === int8Type) return parseInt8
  if (oid === booleanType) return (text) => (text === 't' ? 1 : 0)
  return types.getTypeParser(oid, 'text')
}

const toParameter = (value: SqlValue) => (typeof value === 'number' ? String(value) : toBytes(value))
const toBytes = (value: Exclude<SqlValue, number>) =>
  value === null || typeof value === 'string' ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength)

/** What is written in the same turn of the event loop is sent at once, which wakes the server once. */
function sendTogether({ stream }: Connection): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

export interface Sent {
  /** The name under which it is prepared; undefined if it is not. */
  readonly name?: string | undefined
  readonly text: string
  readonly values: readonly SqlValue[]
  /** What it returns, once the server has said so over this connection. */
  readonly columns?: Columns | undefined
}

type Answered = (error: Error | null, answer: Answer<object>) => void

const noColumns: Columns = { parsers: [], toRow: () => ({}) }

export class StatementQuery extends Query {
  readonly name: string | undefined
  readonly #parameters: (string | Buffer | null)[]
  readonly #answered: Answered
  readonly #isKnown: boolean
  readonly #rows: object[] = []
  #columns: Columns
  #tag = ''
  #problem: Error | undefined

  constructor({ name, text, values, columns }: Sent, answered: Answered) {
    const parameters = values.map(toParameter)
    super(text, parameters, () => undefined)
    this.name = name
    this.#parameters = parameters
    this.#answered = answered
    this.#isKnown = columns !== undefined
    this.#columns = columns ?? noColumns
  }

  override submit = (connection: Connection): void => {
    sendTogether(connection)
    if (!this.#isKnown) return Query.prototype.submit.call(this, connection)
    connection.bind({ statement: this.name, values: this.#parameters }, true)
    connection.execute({}, true)
    connection.sync()
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#columns = {
      parsers: fields.map(({ dataTypeID }) => parserFor(dataTypeID)),
      toRow: rowMaker(fields.map(({ name }) => name)),
    }
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { parsers, toRow } = this.#columns
    try {
      this.#rows.push(toRow(fields.map((text, index) => (text === null ? null : parsers[index]?.(text)))))
    } catch (error) {
      this.#problem ??= error as Error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text
  }

  handleEmptyQuery(): void {
    // There is nothing to answer.
  }

  handleError(error: Error): void {
    this.#answered(error, this.#answer())
  }

  handleReadyForQuery(): void {
    this.#answered(this.#problem ?? null, this.#answer())
  }

  /** The tag is the command, followed for INSERT by a number that is always 0, and for statements on rows by how many these were. */
  #answer(): Answer<object> {
    const [command = '', ...numbers] = this.#tag.split(' ')
    const count = Number(numbers.at(-1) ?? NaN)
    return { rows: this.#rows, rowCount: Number.isNaN(count) ? null : count, command, columns: this.#columns }
  }
}
