/**
 * Makes a text safe as one line of a header: without control characters, and without encoded words (RFC 2047 §2). These are ASCII and are
 * therefore sent unchanged, but mail programs would decode them to any text, even one with line breaks.
 */
export const headerText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim()

// Writes `"Name" <address>` for APIs that take it as one text (RFC 5322 §3.4).

const nameLengthMax = 100

/** Removes characters that could end the quotes or the line. */
export const senderName = (name: string) =>
  Array.from(headerText(name.replaceAll(/[\s"\\<>]+/g, ' ')))
    .slice(0, nameLengthMax)
    .join('')
    .trim()

export const mailbox = (name: string, address: string) => `"${senderName(name)}" <${address}>`
