// Keys and tokens that are shown once and kept as hashes only. The checksum lets a typing error or a scanner's false find be
// told from a real key without asking the database.
import { hash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, createRandomText } from './random-text.ts'

/** 62^43 is just above 2^256. */
const secretLength = 43
const checksumLength = 6
/** 62^22 is 2^131: nobody guesses a public key that they were not shown. */
const publicLength = 22
const shape = /^[a-z][a-z0-9_]{0,30}_[0-9A-Za-z]{49}$/
const randomText = createRandomText(base62)

/** CRC-32 in base62, most significant character first. */
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
 * A new secret: the prefix, 43 random base62 characters (256 bits), 6 of checksum.
 * @param prefix says what the token is for, `sk_dev_`: lower-case letters, digits and underscores, ending in one.
 */
export function newToken(prefix: string): string {
  const text = prefix + randomText(secretLength)
  const token = text + checksumOf(text)
  if (!shape.test(token)) throw new RangeError(`a token cannot start with ${prefix}`)
  return token
}

/** Whether it could be a token of ours; says nothing of whether one is in use. */
export function hasValidChecksum(token: string): boolean {
  return shape.test(token) && checksumOf(token.slice(0, -checksumLength)) === token.slice(-checksumLength)
}

/** A new public identifier: the prefix and 22 random base62 characters (131 bits). Not a secret. */
export const newPublicKey = (prefix: string): string => prefix + randomText(publicLength)

/** What is stored of a token: SHA-256 in hexadecimal. Enough for 256 random bits, far too little for a password. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')

/** Compares in a time that tells nothing of where two texts differ, only whether their lengths do. */
export function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  // UTF-8 would make all lone surrogates the same.
  return timingSafeEqual(Buffer.from(a, 'utf16le'), Buffer.from(b, 'utf16le'))
}
