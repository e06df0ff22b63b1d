// Reads newline-delimited JSON as it arrives. Only one chunk and one unfinished line are kept in memory, however many lines there are.
import { isUtf8 } from 'node:buffer'
import type { Issue } from '@bailiwick/contract'
import type { TSchema } from 'typebox'
import { structuralIssues } from './json-body.ts'
import { issuesOf } from './validate.ts'

export const ndjsonType = 'application/x-ndjson'
export const lineBytesMax = 64 * 1024

const newline = 10
const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf)

export interface Line {
  /** Starts at 1 and counts blank lines. */
  readonly number: number
  /** Undefined for a line that is too long, which was not kept. */
  readonly bytes: Buffer | undefined
}

/** Yields the lines that each chunk completes, without blank ones. The last line needs no newline. */
export async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  let number = 0
  let pieces: Buffer[] = []
  let length = 0
  const keep = (piece: Buffer) => {
    length += piece.length
    if (length > lineBytesMax) pieces = []
    // A copy, because a slice would keep the whole chunk in memory.
    else if (piece.length > 0) pieces.push(Buffer.from(piece))
  }
  const finish = (): Line | undefined => {
    number++
    const isTooLong = length > lineBytesMax
    const bytes = withoutEnds(Buffer.concat(pieces), number)
    pieces = []
    length = 0
    if (isTooLong) return { number, bytes: undefined }
    return bytes.length === 0 ? undefined : { number, bytes }
  }
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const lines: Line[] = []
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      keep(bytes.subarray(start, end))
      const line = finish()
      if (line !== undefined) lines.push(line)
      start = end + 1
    }
    keep(bytes.subarray(start))
    if (lines.length > 0) yield lines
  }
  const last = length > 0 ? finish() : undefined
  if (last !== undefined) yield [last]
}

/**
 * Removes the byte order mark that some programs put at the start of a file, and the carriage return that some put at the end of a line.
 */
function withoutEnds(bytes: Buffer, number: number): Buffer {
  const start = number === 1 && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0
  const text = bytes.subarray(start)
  let end = text.length
  while (end > 0 && (text[end - 1] === 0x0d || text[end - 1] === 0x20 || text[end - 1] === 0x09)) end--
  return text.subarray(0, end)
}

/** Returns the value of a line, or its problems; the rules are those of a JSON body. */
export function parseLine<Value>(schema: TSchema, { bytes }: Line): { value: Value } | { issues: Issue[] } {
  if (bytes === undefined) return wrong('too_long', `must be at most ${lineBytesMax} bytes`)
  if (!isUtf8(bytes)) return wrong('malformed_json', 'must be JSON in UTF-8')
  const text = bytes.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return wrong('malformed_json', 'must be one JSON object')
  }
  const structural = structuralIssues(value, text)
  const issues = structural.length > 0 ? structural : issuesOf(schema, value)
  return issues.length > 0 ? { issues } : { value: value as Value }
}

const wrong = (code: string, message: string) => ({ issues: [{ path: '', code, message }] })
