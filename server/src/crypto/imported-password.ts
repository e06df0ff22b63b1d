// Passwords as other services have kept them: checked in form when they come in, verified until the person has signed in
// once, and then hashed anew. A hash that would take too much memory or time to verify is refused like a malformed one.
import { createCipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { ImportedPasswordHash, Issue } from '@bailiwick/contract'
import { verifyBcrypt } from './bcrypt.ts'
import { argon2Library } from './password.ts'

const derivePbkdf2 = promisify(pbkdf2)
const deriveScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt)

const saltBytesMax = 512
const hashBytes = { min: 16, max: 128 }
const argon2Limits = { memoryKib: 262_144, passes: 64, lanes: 16, memoryTimesPasses: 2 ** 21 }
/** 128·N·r bytes are 256 MiB at the most; N·r·p is the work. */
const scryptLimits = { memoryFactor: 2 ** 21, work: 2 ** 22 }
const pbkdf2IterationsMax = 5_000_000
const firebaseKeyBytes = 32

const argon2Form = /^\$argon2id\$v=(?:16|19)\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/-]{11,88})\$([\w+/-]{16,171})$/
const bcryptForm = /^\$2[aby]\$(?:0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/
const scryptForm = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([^$]*)\$([^$]+)$/
const pbkdf2Form = /^\$pbkdf2-(sha256|sha512)\$(?:i=)?(\d{1,8})(?:,l=\d{1,3})?\$([^$]*)\$([^$]+)$/
/** Django's, whose salt is the text itself. */
const djangoForm = /^pbkdf2_(sha256|sha512)\$(\d{1,8})\$([^$]{0,256})\$([^$]+)$/
const firebaseForm = /^\$firebase-scrypt\$ln=(\d{1,2}),r=(\d)\$([^$]*)\$([^$]*)\$([^$]+)\$([^$]+)$/

/** Standard, URL-safe or passlib's alphabet, padded or not; undefined for anything else. */
function fromBase64(text: string): Buffer | undefined {
  const bare = text.replace(/={0,2}$/, '')
  if (!/^[\w+/.-]*$/.test(bare) || bare.length % 4 === 1) return undefined
  return Buffer.from(bare.replaceAll('.', '+'), 'base64')
}

const toBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

class BadHash extends Error {
  readonly issue: Issue
  constructor(path: string, message: string) {
    super(message)
    this.issue = { path, code: 'invalid_hash', message }
  }
}

function bytesAt(path: string, text: string | undefined, min: number, max: number): Buffer {
  const bytes = text === undefined ? undefined : fromBase64(text)
  if (bytes === undefined || bytes.length < min || bytes.length > max) {
    throw new BadHash(path, `must be ${min} to ${max} bytes in base64`)
  }
  return bytes
}

function numberAt(path: string, value: number | undefined, max: number): number {
  if (value === undefined) throw new BadHash(path, 'is required for this algorithm')
  if (value < 1 || value > max) throw new BadHash(path, `must be 1 to ${max}`)
  return value
}

function argon2({ hash }: ImportedPasswordHash): string {
  const [whole, memory, passes, lanes] = argon2Form.exec(hash) ?? []
  if (whole === undefined) throw new BadHash('/hash', 'must be $argon2id$v=19$m=…,t=…,p=…$salt$hash')
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)]
  const { memoryKib, memoryTimesPasses } = argon2Limits
  if (p < 1 || p > argon2Limits.lanes || t < 1 || t > argon2Limits.passes || m < 8 * p || m > memoryKib) {
    throw new BadHash('/hash', `must have m up to ${memoryKib}, t up to 64 and p up to 16`)
  }
  if (m * t > memoryTimesPasses) throw new BadHash('/hash', 'takes too long to verify')
  return whole
}

function bcrypt({ hash }: ImportedPasswordHash): string {
  if (!bcryptForm.test(hash)) {
    throw new BadHash('/hash', 'must be $2a$, $2b$ or $2y$, a cost of 04 to 16, and 53 characters')
  }
  return hash
}

function scryptText({ hash, salt, params }: ImportedPasswordHash): string {
  const [whole, ln, r, p, encodedSalt, encodedHash] = scryptForm.exec(hash) ?? []
  const isEncoded = whole !== undefined
  const cost = isEncoded ? 2 ** Number(ln) : numberAt('/params/cost', params?.cost, scryptLimits.memoryFactor)
  const blockSize = isEncoded ? Number(r) : (params?.blockSize ?? 8)
  const parallelism = isEncoded ? Number(p) : (params?.parallelism ?? 1)
  const log2 = Math.log2(cost)
  const isWithin = cost * blockSize <= scryptLimits.memoryFactor && cost * blockSize * parallelism <= scryptLimits.work
  if (!Number.isInteger(log2) || log2 < 1 || blockSize < 1 || parallelism < 1 || !isWithin) {
    throw new BadHash(isEncoded ? '/hash' : '/params', 'must have a power of two as cost, and stay within 256 MiB')
  }
  const saltBytes = bytesAt(isEncoded ? '/hash' : '/salt', isEncoded ? encodedSalt : salt, 0, saltBytesMax)
  const key = bytesAt('/hash', isEncoded ? encodedHash : hash, hashBytes.min, hashBytes.max)
  return `$scrypt$ln=${log2},r=${blockSize},p=${parallelism}$${toBase64(saltBytes)}$${toBase64(key)}`
}

function pbkdf2Text({ algorithm, hash, salt, params }: ImportedPasswordHash): string {
  const wanted = algorithm === 'pbkdf2-sha256' ? 'sha256' : 'sha512'
  const django = djangoForm.exec(hash)
  const [whole, digest, rounds, encodedSalt, encodedHash] = django ?? pbkdf2Form.exec(hash) ?? []
  const isEncoded = whole !== undefined
  if (isEncoded && digest !== wanted) throw new BadHash('/hash', `must be of the algorithm ${algorithm}`)
  const iterations = numberAt(
    isEncoded ? '/hash' : '/params/iterations',
    isEncoded ? Number(rounds) : params?.iterations,
    pbkdf2IterationsMax,
  )
  const saltBytes =
    django === null
      ? bytesAt(isEncoded ? '/hash' : '/salt', isEncoded ? encodedSalt : salt, 0, saltBytesMax)
      : Buffer.from(encodedSalt ?? '', 'utf8')
  const key = bytesAt('/hash', isEncoded ? encodedHash : hash, hashBytes.min, hashBytes.max)
  return `$pbkdf2-${wanted}$i=${iterations},l=${key.length}$${toBase64(saltBytes)}$${toBase64(key)}`
}

function firebase({ hash, salt, params }: ImportedPasswordHash): string {
  const rounds = numberAt('/params/rounds', params?.rounds, 8)
  const memCost = numberAt('/params/memCost', params?.memCost, 14)
  const saltBytes = bytesAt('/salt', salt, 0, saltBytesMax)
  const separator = bytesAt('/params/saltSeparator', params?.saltSeparator ?? '', 0, saltBytesMax)
  const signerKey = bytesAt('/params/signerKey', params?.signerKey, hashBytes.min, 512)
  const encrypted = bytesAt('/hash', hash, hashBytes.min, 512)
  const texts = [saltBytes, separator, signerKey, encrypted].map(toBase64)
  return `$firebase-scrypt$ln=${memCost},r=${rounds}$${texts.join('$')}`
}

const readers = {
  argon2id: argon2,
  bcrypt,
  scrypt: scryptText,
  'firebase-scrypt': firebase,
  'pbkdf2-sha256': pbkdf2Text,
  'pbkdf2-sha512': pbkdf2Text,
} as const

/** One text that says all that verifying takes, or what is wrong, with pointers into the given object. */
export function encodeImportedHash(given: ImportedPasswordHash): { encoded: string } | { issue: Issue } {
  try {
    return { encoded: readers[given.algorithm](given) }
  } catch (error) {
    if (error instanceof BadHash) return { issue: error.issue }
    throw error
  }
}

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

/** github.com/firebase/scrypt: the project's signer key, encrypted under a key derived from the password. */
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
 * Whether it is the password that the other service hashed: as typed, for most services hash it so, else in the form in
 * which this one does. Takes as long as that service chose: run it in the password pool.
 * @param encoded what {@link encodeImportedHash} made.
 */
export async function verifyImportedPassword(encoded: string, password: string): Promise<boolean> {
  if (!password.isWellFormed()) return false
  if (await verifyAsTyped(encoded, password)) return true
  const normalised = password.normalize('NFKC')
  return normalised !== password && verifyAsTyped(encoded, normalised)
}
