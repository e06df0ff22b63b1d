/**
 * Makes a text safe as one line of a header: without control characters, and without encoded words (RFC 2047 §2). These are ASCII and are
 * therefore sent unchanged, but mail programs would decode them to any text, even one with line breaks.
 */
export const headerText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim()
