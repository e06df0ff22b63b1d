// Parts of a representation (RFC 9110 §14): a single range; a request for several ranges gets everything.

export interface ContentRange {
  /** The first and the last byte, both included. */
  readonly start: number
  readonly end: number
}

/** Returns undefined for the whole representation, and null for a range outside of it. */
export function parseRange(header: string | undefined, size: number): ContentRange | null | undefined {
  // Units are case-insensitive, and players request 2^64 bytes to get everything that is left.
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
