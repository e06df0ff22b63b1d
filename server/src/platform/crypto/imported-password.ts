// Verifies passwords that other services hashed, until their users have signed in once. Only the password pool calls this.
import { createCipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verifyBcrypt } from './bcrypt.ts'
import { argon2Library } from './password.ts'

const derivePbkdf2 = promisify(pbkdf2)
const deriveScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt)

const firebaseKeyBytes = 32
const bcryptDigestLength = 31
const scryptForm = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([^$]*)\$([^$]+)$/
const pbkdf2Form = /^\$pbkdf2-(sha256|sha512)\$i=(\d{1,8}),l=\d{1,3}\$([^$]*)\$([^$]+)$/
const firebaseForm = /^\$firebase-scrypt\$ln=(\d{1,2}),r=(\d)\$([^$]*)\$([^$]*)\$([^$]+)\$([^$]+)$/

const bytesOf = (text: string | undefined) => Buffer.from(text ?? '', 'base64')

async function verifyScrypt(encoded: string, password: string): Promise<boolean> {
  const [, ln, r, p, salt, hash] = scryptForm.exec(encoded) ?? []
  const wanted = bytesOf(hash)
  const options = { N: 2 ** Number(ln), r: Number(r), p: Number(p), maxmem: 2 ** 29 }
  return timingSafeEqual(await deriveScrypt(password, bytesOf(salt), wanted.length, options), wanted)
}

async function verifyPbkdf2(encoded: string, password: string): Promise<boolean> {
  const [, digest = '', iterations, salt, hash] = pbkdf2Form.exec(encoded) ?? []
  const wanted = bytesOf(hash)
  const derived = await derivePbkdf2(password, bytesOf(salt), Number(iterations), wanted.length, digest)
  return timingSafeEqual(derived, wanted)
}

/** github.com/firebase/scrypt: encrypts the project's signer key with a key derived from the password. */
async function verifyFirebase(encoded: string, password: string): Promise<boolean> {
  const [, ln, r, salt, separator, signerKey, hash] = firebaseForm.exec(encoded) ?? []
  const wanted = bytesOf(hash)
  const options = { N: 2 ** Number(ln), r: Number(r), p: 1, maxmem: 2 ** 29 }
  const salted = Buffer.concat([bytesOf(salt), bytesOf(separator)])
  const key = await deriveScrypt(password, salted, firebaseKeyBytes, options)
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  const encrypted = Buffer.concat([cipher.update(bytesOf(signerKey)), cipher.final()])
  return encrypted.length === wanted.length && timingSafeEqual(encrypted, wanted)
}

function verifyAsTyped(encoded: string, password: string): Promise<boolean> {
  if (encoded.startsWith('$argon2id$')) return argon2Library().verify(encoded, password)
  if (encoded.startsWith('$2')) return verifyBcrypt(encoded, password)
  if (encoded.startsWith('$scrypt$')) return verifyScrypt(encoded, password)
  if (encoded.startsWith('$pbkdf2-')) return verifyPbkdf2(encoded, password)
  if (encoded.startsWith('$firebase-scrypt$')) return verifyFirebase(encoded, password)
  throw new Error('a stored hash is of no known form')
}

/**
 * Whether the password matches a hash of another service. It is tried as typed, which most services hash, and then as this service
 * normalises it. How long that takes is determined by the hash's parameters.
 * @param encoded a result of {@link encodeImportedHash}.
 */
export async function verifyImportedPassword(encoded: string, password: string): Promise<boolean> {
  if (!password.isWellFormed()) return false
  if (await verifyAsTyped(encoded, password)) return true
  const normalised = password.normalize('NFKC')
  return normalised !== password && verifyAsTyped(encoded, normalised)
}

/** Returns where the digest begins in any form but bcrypt's. */
const digestStart = (encoded: string) => encoded.lastIndexOf('$') + 1

/**
 * Returns a hash that takes exactly as long to verify as this one and matches no password: its last part, the digest, is all zeros.
 * @param encoded a password hash in any form that is stored here.
 */
export const unmatchable = (encoded: string): string =>
  encoded.startsWith('$2')
    ? encoded.slice(0, -bcryptDigestLength) + '.'.repeat(bcryptDigestLength)
    : encoded.slice(0, digestStart(encoded)) + 'A'.repeat(encoded.length - digestStart(encoded))
