// C0, DEL and C1, and the two separators that some programs treat as the end of a line.
const controlCharacter = /[\p{Cc}\u2028\u2029]/u

const ascii = /^[\0-\x7f]*$/

export const textRule = 'must not contain NUL or lone surrogates'

/** Whether a text can be stored and hashed unchanged: PostgreSQL refuses NUL, and all lone surrogates become the same UTF-8 bytes. */
export const isWellFormedText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

export const plainLineRule = 'must be one line of text without control characters or lone surrogates'

export const hasControlCharacters = (value: string): boolean => controlCharacter.test(value)

/** Whether every program shows a text as one line. */
export const isPlainLine = (value: string): boolean => value.isWellFormed() && !hasControlCharacters(value)

/** Returns the length that limits count: a character outside the BMP counts as one. */
export function codePointLength(value: string): number {
  let length = 0
  for (let index = 0; index < value.length; length++) index += (value.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return length
}

/**
 * Returns a key that is equal for texts that differ only in case or compatibility forms. Upper case comes first because only it maps `ſ`,
 * `ß` and final sigma to the letters that they represent. It is repeated because a round can leave more to do (`ẞ` becomes `ß` becomes
 * `ss`). Idempotent.
 */
export function foldCase(value: string): string {
  // Nearly all texts are ASCII, in which there is nothing else to fold.
  if (ascii.test(value)) return value.toLowerCase()
  let folded = value.normalize('NFKC')
  for (;;) {
    const next = folded.toUpperCase().toLowerCase().normalize('NFKC')
    if (next === folded) return folded
    folded = next
  }
}
