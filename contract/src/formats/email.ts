// Differences between mail parsers, and Unicode normalisation, have been used to redirect victims' mail. So the grammar is far narrower
// than RFC 5322, and the stored address is exactly what RCPT TO contains.
import { isDomain } from './domain.ts'
import { foldCase } from './text.ts'

const totalOctetsMax = 254 // RFC 5321 §4.5.3.1.3, less the angle brackets
const localOctetsMax = 64 // RFC 5321 §4.5.3.1.1

// Quoting, lists, groups, comments and literals; then everything invisible: spaces, controls, bidi and zero-width characters.
const refusedCharacter = /["(),:;<>[\\\]\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/u
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u
const numericTopLabel = /\.\d+$/

export const emailRule = 'must be an e-mail address, such as name@example.com'

interface Address {
  readonly local: string
  readonly domain: string
}

const separatorsOf = (value: string) => value.replace(/[^.@]/g, '')
const encoder = new TextEncoder()
const octets = (value: string) => encoder.encode(value).length

/**
 * Matches nearly all addresses at once. Normalisation and IDNA change nothing in them; labels in punycode or of digits are left to the URL
 * parser.
 */
const plainAddress =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** Parses an address of the plain form. The value must not be longer than an address may be, so that its domain is not either. */
function plainEmail(value: string): Address | undefined {
  if (!plainAddress.test(value) || value.includes('--')) return undefined
  const at = value.indexOf('@')
  return at <= localOctetsMax ? { local: value.slice(0, at), domain: value.slice(at + 1).toLowerCase() } : undefined
}

function parseEmail(value: string): Address | undefined {
  if (value.length > totalOctetsMax) return undefined
  const plain = plainEmail(value)
  if (plain !== undefined) return plain
  const compatible = value.normalize('NFKC')
  if (refusedCharacter.test(value) || refusedCharacter.test(compatible)) return undefined
  if (separatorsOf(value) !== separatorsOf(compatible)) return undefined

  const [rawLocal, rawDomain, ...more] = value.split('@')
  if (rawLocal === undefined || rawDomain === undefined || more.length > 0) return undefined
  const local = rawLocal.normalize('NFC')
  if (local.split('.').includes('') || octets(local) > localOctetsMax) return undefined
  const domain = asciiDomain(rawDomain)
  if (domain === undefined || octets(`${local}@${domain}`) > totalOctetsMax) return undefined
  return { local, domain }
}

/**
 * Returns the domain in the form used in canonical addresses, or undefined if that is impossible. IDNA is done by the URL parser, the one
 * implementation that every runtime has; it also recognises disguised IPv4 addresses (`127.1`).
 */
export function asciiDomain(raw: string): string | undefined {
  const url = `http://${raw}`
  if (!domainCharacters.test(raw) || !URL.canParse(url)) return undefined
  const domain = new URL(url).hostname
  return isDomain(domain) && domain.includes('.') && !numericTopLabel.test(domain) ? domain : undefined
}

export const mailDomainRule = 'must be the domain of e-mail addresses, such as example.com'

export const isMailDomain = (value: string): boolean => asciiDomain(value) !== undefined

function acceptedEmail(value: string): Address {
  const address = parseEmail(value)
  if (address === undefined) throw new TypeError(emailRule)
  return address
}

export const isEmail = (value: string): boolean => parseEmail(value) !== undefined

/**
 * Returns the address as it is stored, shown and used: the local part as typed (NFC), the domain in lower-case ASCII.
 * @throws TypeError if `isEmail` refuses it
 */
export function canonicalEmail(value: string): string {
  const { local, domain } = acceptedEmail(value)
  return `${local}@${domain}`
}

/**
 * Returns the key that decides about uniqueness.
 * @throws TypeError if `isEmail` refuses it
 */
export function emailKey(value: string): string {
  const { local, domain } = acceptedEmail(value)
  return `${foldCase(local)}@${domain}`
}

/**
 * Returns the domain of an address, as `asciiDomain` writes it.
 * @throws TypeError if `isEmail` refuses it
 */
export const domainOfEmail = (value: string): string => acceptedEmail(value).domain
