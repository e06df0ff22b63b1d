const messageLengthMax = 500
const unsafe = /[\p{C}\p{Zl}\p{Zp}]/gu

const escaped = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/**
 * Returns text of an archive in a form that is safe for a terminal: control characters and marks that reorder text are escaped, and long
 * texts are cut.
 */
export function printable(text: string, lengthMax = 100): string {
  const cut = text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
  return cut.replace(unsafe, escaped)
}

/** The file cannot be used. The message says why and repeats none of its data except ids, names of columns and the like. */
export class ArchiveError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(printable(message, messageLengthMax), options)
    this.name = 'ArchiveError'
  }
}
