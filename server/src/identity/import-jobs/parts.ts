// The lines of an import, in sealed parts: as many as one write takes.
import { isUtf8 } from 'node:buffer'
import type { ImportedLine } from '@bailiwick/contract'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import type { NewRowOf } from '../../platform/db/table.ts'
import type { Line } from '../../platform/http/body/ndjson.ts'
import type { TenantId } from '../../platform/ids.ts'
import { batchSize } from '../people/import-batch.ts'
import { importJobParts } from './tables.ts'

/** A part is larger only if its one line is. */
const partBytesMax = 256 * 1024

/** A line as JSON: its number and its text. Without the text it is too long; with a third value the text is base64, not being UTF-8. */
type StoredLine = readonly [number: number, text?: string, isBase64?: 1]

function storedLine({ number, bytes }: Line): StoredLine {
  if (bytes === undefined) return [number]
  return isUtf8(bytes) ? [number, bytes.toString('utf8')] : [number, bytes.toString('base64'), 1]
}

const lineOf = ([number, text, isBase64]: StoredLine): Line => ({
  number,
  bytes: text === undefined ? undefined : Buffer.from(text, isBase64 === 1 ? 'base64' : 'utf8'),
})

/** Returns the id of a part; the ids of a job's parts are in the order of their numbers. */
export const partId = (jobId: string, number: number) => `${jobId}:${String(number).padStart(6, '0')}`

export type PartRow = NewRowOf<typeof importJobParts>

/** Collects lines until they make a part. */
export class PartMaker {
  readonly #sealer: Sealer
  readonly #tenantId: TenantId
  readonly #jobId: string
  #lines: StoredLine[] = []
  #bytes = 0
  #parts = 0

  constructor(sealer: Sealer, tenantId: TenantId, jobId: string) {
    this.#sealer = sealer
    this.#tenantId = tenantId
    this.#jobId = jobId
  }

  /** Takes a line, and returns the part that is full before it; undefined if none is. */
  take(line: Line): PartRow | undefined {
    const size = line.bytes?.length ?? 0
    const full = this.#lines.length === batchSize || this.#bytes + size > partBytesMax ? this.finish() : undefined
    this.#lines.push(storedLine(line))
    this.#bytes += size
    return full
  }

  /** Returns a part of the lines that are left; undefined if there are none. */
  finish(): PartRow | undefined {
    if (this.#lines.length === 0) return undefined
    const row = { tenant_id: this.#tenantId, id: partId(this.#jobId, this.#parts) }
    const sealed = this.#sealer.seal(JSON.stringify(this.#lines), importJobParts.place('sealed_lines', row))
    this.#parts++
    this.#lines = []
    this.#bytes = 0
    return { ...row, sealed_lines: sealed }
  }
}

export const openLines = (sealer: Sealer, row: { tenant_id: TenantId; id: string }, sealed: string): Line[] =>
  (JSON.parse(sealer.open(sealed, importJobParts.place('sealed_lines', row))) as StoredLine[]).map(lineOf)

export const sealAnswers = (
  sealer: Sealer,
  row: { tenant_id: TenantId; id: string },
  answers: readonly ImportedLine[],
): string => sealer.seal(JSON.stringify(answers), importJobParts.place('sealed_answers', row))

/** Returns the answers that a part has so far. */
export const openAnswers = (
  sealer: Sealer,
  row: { tenant_id: TenantId; id: string; sealed_answers: string | null },
): ImportedLine[] =>
  row.sealed_answers === null
    ? []
    : (JSON.parse(sealer.open(row.sealed_answers, importJobParts.place('sealed_answers', row))) as ImportedLine[])
