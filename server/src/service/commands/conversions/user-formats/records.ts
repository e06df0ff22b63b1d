// Exports as records: one JSON document, JSON line by line, or CSV. The other service decides what their values contain.
import { CommandRefused, exitStatus } from '../../../outcome.ts'

export type Json = Readonly<Record<string, unknown>>

const refused = (message: string) => new CommandRefused(message, exitStatus.problems)

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw refused(`${where} is not JSON`)
  }
}

/** @throws CommandRefused if one of them is not an object. */
export function assertRecords(values: readonly unknown[], where: string): readonly Json[] {
  const at = values.findIndex((value) => !isRecord(value))
  if (at !== -1) throw refused(`${where}: number ${at + 1} is not a JSON object`)
  return values as readonly Json[]
}

/** Reads a JSON list of objects, or one object a line. */
export function recordsOf(text: string): readonly Json[] {
  const bare = text.trim()
  if (bare.startsWith('[')) return assertRecords(parseJson(bare, 'the file') as readonly unknown[], 'the list')
  const lines = bare.split('\n').map((line, index) => ({ line: line.trim(), at: index + 1 }))
  const values = lines.flatMap(({ line, at }) => (line === '' ? [] : [parseJson(line, `line ${at}`)]))
  return assertRecords(values, 'the lines')
}

/** Reads comma-separated values (RFC 4180) whose first row names the columns. Empty values are left out. */
export function csvRecords(text: string): readonly Readonly<Partial<Record<string, string>>>[] {
  const [header = [], ...rows] = csvRows(text)
  return rows.map((row) => Object.fromEntries(header.flatMap((name, at) => (row[at] ? [[name, row[at]]] : []))))
}

function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  const source = text.replace(/^\uFEFF/, '')
  while (cell.lastIndex < source.length) {
    const at = cell.lastIndex
    const [, quoted, plain = '', end] = cell.exec(source) ?? []
    if (end === undefined)
      throw refused(`the file is not CSV: row ${rows.length + 1}, near ${source.slice(at, at + 20)}`)
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  // The file ends with a comma: its last value is empty.
  if (row.length > 0) rows.push([...row, ''])
  return rows
}

/** Returns the text of a property; undefined if it is empty or something else. */
export function textAt(record: Json, name: string): string | undefined {
  const value = record[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Returns whether a property is true; databases without booleans use 1. */
export const isTrueAt = (record: Json, name: string): boolean => [true, 1, 't', 'true'].includes(record[name] as string)

/** A time: ISO 8601, or the milliseconds since 1970 as a number or text. */
export function timeAt(record: Json, name: string): Date | undefined {
  const value = record[name]
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const time = new Date(typeof value === 'string' && !/^\d+$/.test(value) ? value : Number(value))
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** Joins first and last name. */
export const fullName = (...names: readonly (string | undefined)[]): string | undefined =>
  names.filter((name) => name !== undefined).join(' ') || undefined
