// What the columns of a table accept from an archive that somebody may have edited. Requests are held to the contract before they become
// rows; an archive brings rows, so each table declares the same rules for its columns.
import { idRule, isId, isWellFormedText } from '@bailiwick/contract'
import type { TObject, TSchema } from 'typebox'
import type { SqlValue } from './sql.ts'

export type AcceptedRow = Readonly<Record<string, SqlValue>>

/** A rule that is not a schema of the contract. */
export interface ColumnRule {
  /** Follows the name of the column in an error message. */
  readonly rule: string
  /**
   * @param value of a column of JSON, what was parsed; of a sealed one, the opened text.
   * @param row with the secrets opened, each as `<column>:opened`.
   */
  readonly test: (value: unknown, row: AcceptedRow) => boolean
}

/** Why any text will do. */
interface Argued {
  readonly because: string
}

export type Accepted = TSchema | ColumnRule | Argued

export const isRule = (accepted: Accepted): accepted is ColumnRule => 'test' in accepted
export const isArgued = (accepted: Accepted): accepted is Argued => 'because' in accepted

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/** Returns the schemas of an operation's input by the names of the columns that store it. */
export const fieldsOf = (input: TObject): Readonly<Record<string, TSchema>> =>
  Object.fromEntries(Object.entries(input.properties).map(([name, schema]) => [snakeCase(name), schema]))

/** Returns the schema of a stored document: an earlier version may have stored properties that are no longer known, and read by nobody. */
export const documentOf = (input: TObject): TSchema => ({ ...input, additionalProperties: true })

export const anything = (because: string): Accepted => ({ because })

export const matching = (pattern: RegExp, rule: string): ColumnRule => ({
  rule,
  test: (value) => typeof value === 'string' && pattern.test(value),
})

export const oneOfThese = (values: readonly string[]): ColumnRule => ({
  rule: `must be one of ${values.join(', ')}`,
  test: (value) => typeof value === 'string' && values.includes(value),
})

export const listOf = (pattern: RegExp, most: number): ColumnRule => ({
  rule: `must be a list of at most ${most} texts that match ${pattern.source}`,
  test: (value) =>
    Array.isArray(value) &&
    value.length <= most &&
    value.every((each) => typeof each === 'string' && pattern.test(each)),
})

export const anId: ColumnRule = { rule: idRule, test: (value) => typeof value === 'string' && isId(value) }
/** What is shown as text, and was made by the service or received from elsewhere. */
export const shortText: ColumnRule = {
  rule: 'must be at most 2,000 characters of well-formed text',
  test: (value) => typeof value === 'string' && value.length <= 2000 && isWellFormedText(value),
}

/** What the owner of a domain publishes to prove it. */
export const verificationToken = matching(/^[0-9A-Za-z]{16,64}$/, 'must be letters and digits of a claim')
/** The end of a key, by which people tell keys apart. */
export const lastFour = matching(/^[0-9A-Za-z]{4}$/, 'must be four letters or digits')
export const aHash = matching(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')

/** A text that follows from another column of the same row; null follows from null. */
export const derived = (from: string, derive: (text: string) => string | null): ColumnRule => ({
  rule: `must follow from ${from}`,
  test: (value, row) => {
    const source = row[from]
    return typeof source === 'string' ? derive(source) === value : source === null && value === null
  },
})

/** A text in the form that is stored, which the schema alone does not ensure. */
export const canonical = (rule: string, isValid: (text: string) => boolean, canonicalOf: (text: string) => string) => ({
  rule: `${rule}, as it is stored`,
  test: (value: unknown) => typeof value === 'string' && isValid(value) && canonicalOf(value) === value,
})
