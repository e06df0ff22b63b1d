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

const anyTag = '*'
const tagsOf = (header: string) => header.split(',').map((each) => each.trim())

/** If-None-Match (RFC 9110 §13.1.2), with weak comparison of tags. */
export const matchesTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined && tagsOf(header).some((each) => each === anyTag || each.replace(/^W\//, '') === tag)

/** If-Match (RFC 9110 §13.1.1): whether the client only wants a version other than this; tags are compared strongly. */
export const wantsAnother = (header: string | undefined, tag: string): boolean =>
  header !== undefined && !tagsOf(header).some((each) => each === anyTag || each === tag)
