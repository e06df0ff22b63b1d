// Writes `"Name" <address>` for APIs that take it as one text (RFC 5322 §3.4).
import { headerText } from '../rendering/header-text.ts'

const nameLengthMax = 100

/** Removes characters that could end the quotes or the line. */
export const senderName = (name: string) =>
  Array.from(headerText(name.replaceAll(/[\s"\\<>]+/g, ' ')))
    .slice(0, nameLengthMax)
    .join('')
    .trim()

export const mailbox = (name: string, address: string) => `"${senderName(name)}" <${address}>`
