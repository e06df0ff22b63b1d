import { codePointLength, isWellFormedText } from './text.ts'

const lengthMax = 64

/** The pattern of ids, as the source of a regular expression. */
export const idPattern = '^[cC][^\\s-]{8,}$'
// oxlint-disable-next-line bailiwick/linear-expressions -- a test checks the patterns of the contract
const pattern = new RegExp(idPattern, 'u')

export const idRule = 'must be an id: c or C, then at least 8 characters without spaces and hyphens'

/** The pattern alone would accept NUL and texts of any length, which no id has and the database cannot handle. */
export const isId = (value: string): boolean =>
  pattern.test(value) && codePointLength(value) <= lengthMax && isWellFormedText(value)
