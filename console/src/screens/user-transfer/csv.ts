// Reads files of separated values (RFC 4180) as their text arrives, so that a large file is never in memory whole.

export interface CsvRecord {
  readonly cells: readonly string[]
  /** How many lines of the file the record has: more than one if there are line breaks within quotes. */
  readonly lines: number
}

export type Separator = ',' | ';' | '\t'
const separators: readonly Separator[] = [',', ';', '\t']

/** Returns the separator of a header: the one that it has most often. */
export function findSeparator(header: string): Separator {
  const count = (separator: Separator) => header.split(separator).length
  return separators.toSorted((one, other) => count(other) - count(one))[0] ?? ','
}

/** Takes a file piece by piece. */
class CsvReader {
  readonly #separator: Separator
  #cells: string[] = []
  #cell = ''
  #lines = 1
  #isQuoted = false
  /** Within quotes, a quote ends the cell unless another one follows. */
  #wasQuote = false

  constructor(separator: Separator) {
    this.#separator = separator
  }

  #endCell() {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#isQuoted = false
    this.#wasQuote = false
  }

  #endRecord(): CsvRecord {
    this.#endCell()
    const record = { cells: this.#cells, lines: this.#lines }
    this.#cells = []
    this.#lines = 1
    return record
  }

  /** Returns whether the character belongs to a cell in quotes. */
  #takeQuoted(character: string): boolean {
    if (!this.#isQuoted) return false
    if (this.#wasQuote) {
      this.#wasQuote = false
      if (character !== '"') {
        this.#isQuoted = false
        return false
      }
      this.#cell += character
    } else if (character === '"') this.#wasQuote = true
    else {
      if (character === '\n') this.#lines++
      this.#cell += character
    }
    return true
  }

  *take(text: string): Generator<CsvRecord> {
    for (const character of text) {
      if (this.#takeQuoted(character)) continue
      if (character === '"' && this.#cell === '') this.#isQuoted = true
      else if (character === this.#separator) this.#endCell()
      else if (character === '\n') yield this.#endRecord()
      else if (character !== '\r') this.#cell += character
    }
  }

  /** The last record needs no line break. */
  *end(): Generator<CsvRecord> {
    if (this.#cell !== '' || this.#cells.length > 0 || this.#isQuoted) yield this.#endRecord()
  }
}

/** Yields every record, also the header and empty lines, which are one empty cell. */
export async function* readRecords(text: AsyncIterable<string>, separator: Separator): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader(separator)
  for await (const part of text) yield* reader.take(part)
  yield* reader.end()
}
