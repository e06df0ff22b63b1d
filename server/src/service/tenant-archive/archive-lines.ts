// The contents of an archive: one JSON text a line for each row, each piece of a picture and each counter, and at the end the number of
// rows.
import type { SqlValue } from '../../platform/db/sql.ts'
import { ArchiveError } from './archive-error.ts'

export type ArchiveRow = Readonly<Record<string, SqlValue>>

export type ArchiveLine =
  | { readonly kind: 'row'; readonly table: string; readonly row: ArchiveRow }
  /** A counter of a past day, which cannot be computed from rows. */
  | { readonly kind: 'counter'; readonly name: string; readonly value: number }
  /** A piece of the file whose row follows. */
  | { readonly kind: 'bytes'; readonly of: string; readonly data: Buffer }
  | { readonly kind: 'end'; readonly rows: Readonly<Record<string, number>>; readonly sha256: string }

const encoded = (value: SqlValue) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value

export function lineText(line: ArchiveLine): string {
  if (line.kind === 'bytes') return `${JSON.stringify({ ...line, data: line.data.toString('base64') })}\n`
  if (line.kind !== 'row') return `${JSON.stringify(line)}\n`
  const row = Object.fromEntries(Object.entries(line.row).map(([name, value]) => [name, encoded(value)]))
  return `${JSON.stringify({ ...line, row })}\n`
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function decoded(value: unknown): SqlValue {
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (isRecord(value) && typeof value['base64'] === 'string') return Buffer.from(value['base64'], 'base64')
  throw new ArchiveError('a row of the file holds what no column can')
}

/** The nesting of a line, its row, and bytes in it. */
const depthMax = 3
/** Far more than a table has columns, or an export has tables. */
const membersMax = 1000

/** Matches the brackets and commas outside strings. A regular expression would take quadratic time for some texts. */
function* structureOf(text: string): Generator<string> {
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (isInString && character === '\\') at++
    else if (character === '"') isInString = !isInString
    else if (!isInString && '{}[,'.includes(character)) yield character
  }
}

/**
 * Parsed objects take many times the memory of their text, so a line must look like one of ours before it is parsed.
 * @throws ArchiveError
 */
function assertFlat(text: string): void {
  let depth = 0
  let members = 0
  for (const character of structureOf(text)) {
    if (character === '[') throw new ArchiveError('a line of the file holds a list')
    if (character === '}') depth--
    else if (++members > membersMax) throw new ArchiveError('a line of the file has too many values')
    if (character === '{' && ++depth > depthMax) throw new ArchiveError('a line of the file is nested too deeply')
  }
}

/** @throws ArchiveError for a text that `lineText` never makes. */
export function parseLine(text: string): ArchiveLine {
  assertFlat(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ArchiveError('a line of the file is not JSON', { cause })
  }
  if (!isRecord(value)) throw new ArchiveError('a line of the file is not an object')
  const { kind, table, row, name, value: count, rows, sha256, of, data } = value
  if (kind === 'row' && typeof table === 'string' && isRecord(row)) {
    return { kind, table, row: Object.fromEntries(Object.entries(row).map(([key, each]) => [key, decoded(each)])) }
  }
  if (kind === 'counter' && typeof name === 'string' && typeof count === 'number' && Number.isSafeInteger(count)) {
    return { kind, name, value: count }
  }
  if (kind === 'bytes' && typeof of === 'string' && typeof data === 'string') {
    return { kind, of, data: Buffer.from(data, 'base64') }
  }
  if (kind === 'end' && isRecord(rows) && typeof sha256 === 'string') {
    return { kind, rows: rows as Record<string, number>, sha256 }
  }
  throw new ArchiveError('the file has a line that this version does not know')
}
