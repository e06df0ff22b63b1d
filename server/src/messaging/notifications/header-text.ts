/**
 * Text as one line of a header: without control characters, and without what readers of mail would decode. An encoded word (RFC 2047 §2)
 * is ASCII, so that nothing else keeps one from going out as it is, and may stand for any line, also for a second one.
 */
export const headerText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim()
