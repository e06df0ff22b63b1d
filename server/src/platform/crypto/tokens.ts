// Keys and tokens that are shown once and stored only as hashes. The checksum tells a real key from a typing error or a scanner's false
// find without asking the database.
import { hash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, createRandomText } from './random-text.ts'

/** 62^43 is just above 2^256. */
const secretLength = 43
const checksumLength = 6
/** 62^22 is 2^131, so nobody can guess a public key that they were not shown. */
const publicLength = 22
const shape = /^[a-z][a-z0-9_]{0,30}_[0-9A-Za-z]{49}$/
const randomText = createRandomText(base62)

/** Returns the CRC-32 in base62, most significant character first. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let count = 0; count < checksumLength; count++) {
    checksum = base62.charAt(rest % base62.length) + checksum
    rest = Math.floor(rest / base62.length)
  }
  return checksum
}

/**
 * Returns a new secret: the prefix, 43 random base62 characters (256 bits), and a checksum of 6.
 * @param prefix says what the token is for, such as `sk_dev_`: lower-case letters, digits and underscores, ending in an underscore.
 */
export function newToken(prefix: string): string {
  const text = prefix + randomText(secretLength)
  const token = text + checksumOf(text)
  if (!shape.test(token)) throw new RangeError(`a token cannot start with ${prefix}`)
  return token
}

const tenantsToken = /^[a-z]+_([0-9a-z]{1,27})_[0-9A-Za-z]{49}$/

/** Returns a new secret that begins with its prefix and its tenant's id, so that it is looked for in that tenant alone. */
export const newTokenOfTenant = (prefix: string, tenantId: string): string =>
  newToken(/^[0-9a-z]{1,27}$/.test(tenantId) ? `${prefix}${tenantId}_` : prefix)

/** Returns the id of the tenant that a token begins with; undefined for one without. */
export const tenantInToken = (token: string): string | undefined => tenantsToken.exec(token)?.[1]

/** Whether the text has the form of our tokens; says nothing about whether it is in use. */
export function hasValidChecksum(token: string): boolean {
  return shape.test(token) && checksumOf(token.slice(0, -checksumLength)) === token.slice(-checksumLength)
}

/** Returns a new public identifier: the prefix and 22 random base62 characters (131 bits). It is not secret. */
export const newPublicKey = (prefix: string): string => prefix + randomText(publicLength)

/** Returns what is stored of a token: SHA-256 in hexadecimal. That is enough for 256 random bits, but far too weak for a password. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')

/** Compares in constant time: reveals only whether the lengths differ, not where the texts differ. */
export function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  // UTF-8 would make all lone surrogates the same.
  return timingSafeEqual(Buffer.from(a, 'utf16le'), Buffer.from(b, 'utf16le'))
}
