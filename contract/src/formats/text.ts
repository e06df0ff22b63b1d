// C0, DEL and C1, and the two separators that some programs take for the end of a line.
const controlCharacter = /[\p{Cc}\u2028\u2029]/u

export const textRule = 'must not contain NUL or lone surrogates'

/** Can be stored and hashed as it is: PostgreSQL refuses NUL, and all lone surrogates turn into the same UTF-8 bytes. */
export const isWellFormedText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

export const plainLineRule = 'must be one line of text without control characters or lone surrogates'

export const hasControlCharacters = (value: string): boolean => controlCharacter.test(value)

/** Whether a text can be shown as one line, whatever shows it. */
export const isPlainLine = (value: string): boolean => value.isWellFormed() && !hasControlCharacters(value)

/** The length that core.md's limits count: a character outside the BMP is one. */
export function codePointLength(value: string): number {
  let length = 0
  for (let index = 0; index < value.length; length++) index += (value.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return length
}

/**
 * What texts that differ only in case or compatibility forms have in common. Upper case comes first because only it takes
 * `ſ`, `ß` and final sigma to the letters they stand for; a round can leave new work (`ẞ` becomes `ß` becomes `ss`), hence
 * the repetition. Idempotent.
 */
export function foldCase(value: string): string {
  let folded = value.normalize('NFKC')
  for (;;) {
    const next = folded.toUpperCase().toLowerCase().normalize('NFKC')
    if (next === folded) return folded
    folded = next
  }
}
