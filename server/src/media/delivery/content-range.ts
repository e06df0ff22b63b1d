// Parts of a representation (RFC 9110 §14): one range; whoever asks for several gets the whole.

export interface ContentRange {
  /** The first and the last byte, both included. */
  readonly start: number
  readonly end: number
}

/** undefined: the whole; null: a range that the representation does not have. */
export function parseRange(header: string | undefined, size: number): ContentRange | null | undefined {
  // Units have no case, and players ask for 2^64 bytes where they mean the rest.
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? null : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? null : { start, end }
}

const anyTag = '*'
const tagsOf = (header: string) => header.split(',').map((each) => each.trim())

/** If-None-Match (RFC 9110 §13.1.2); tags compare weakly. */
export const matchesTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined && tagsOf(header).some((each) => each === anyTag || each.replace(/^W\//, '') === tag)

/** If-Match (RFC 9110 §13.1.1): whether somebody wants only what this is not; tags compare strongly. */
export const wantsAnother = (header: string | undefined, tag: string): boolean =>
  header !== undefined && !tagsOf(header).some((each) => each === anyTag || each === tag)
