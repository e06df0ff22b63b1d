// Parses hashes made by other services: checks their form, and limits what verifying them may cost.
import type { ImportedPasswordHash, Issue } from '@bailiwick/contract'
import { type Excess, excessMessage, excessOf, parametersOf } from './password-cost.ts'

const saltBytesMax = 512
const hashBytes = { min: 16, max: 128 }
const argon2LanesMax = 16
/** The possible range of each number. Whether they cost too much together is decided afterwards. */
const numberMax = 99_999_999

const argon2Form = /^\$argon2id\$v=(?:16|19)\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/-]{11,88})\$([\w+/-]{16,171})$/
const bcryptForm = /^\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/
const scryptForm = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([^$]*)\$([^$]+)$/
const pbkdf2Form = /^\$pbkdf2-(sha256|sha512)\$(?:i=)?(\d{1,8})(?:,l=\d{1,3})?\$([^$]*)\$([^$]+)$/
/** Parses Django's form, whose salt is plain text. */
const djangoForm = /^pbkdf2_(sha256|sha512)\$(\d{1,8})\$([^$]{0,256})\$([^$]+)$/

/** Decodes the standard, the URL-safe or passlib's base64 alphabet, padded or not. Returns undefined for anything else. */
function fromBase64(text: string): Buffer | undefined {
  const bare = text.replace(/={0,2}$/, '')
  if (!/^[\w+/.-]*$/.test(bare) || bare.length % 4 === 1) return undefined
  return Buffer.from(bare.replaceAll('.', '+'), 'base64')
}

const toBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '')

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
  if (p < 1 || p > argon2LanesMax || t < 1 || m < 8 * p) {
    throw new BadHash('/hash', `must have t of at least 1, p of 1 to ${argon2LanesMax}, and m of at least 8·p`)
  }
  return whole
}

function bcrypt({ hash }: ImportedPasswordHash): string {
  if (!bcryptForm.test(hash)) {
    throw new BadHash('/hash', 'must be $2a$, $2b$ or $2y$, a cost of two digits, and 53 characters')
  }
  return hash
}

function scryptText({ hash, salt, params }: ImportedPasswordHash): string {
  const [whole, ln, r, p, encodedSalt, encodedHash] = scryptForm.exec(hash) ?? []
  const isEncoded = whole !== undefined
  const cost = isEncoded ? 2 ** Number(ln) : numberAt('/params/cost', params?.cost, numberMax)
  const blockSize = isEncoded ? Number(r) : (params?.blockSize ?? 8)
  const parallelism = isEncoded ? Number(p) : (params?.parallelism ?? 1)
  const log2 = Math.log2(cost)
  if (!Number.isInteger(log2) || log2 < 1 || blockSize < 1 || parallelism < 1) {
    throw new BadHash(isEncoded ? '/hash' : '/params', 'must have a cost that is a power of two')
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
  if (isEncoded && digest !== wanted) throw new BadHash('/hash', `must be a hash of the algorithm ${algorithm}`)
  const iterations = numberAt(
    isEncoded ? '/hash' : '/params/iterations',
    isEncoded ? Number(rounds) : params?.iterations,
    numberMax,
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

/** Only the former system that a hook asks can read it, so any text will do. */
function foreign({ hash, salt, params }: ImportedPasswordHash): string {
  if (salt !== undefined) throw new BadHash('/salt', 'must be part of the hash')
  if (params !== undefined) throw new BadHash('/params', 'must be part of the hash')
  return hash
}

const readers = {
  argon2id: argon2,
  bcrypt,
  scrypt: scryptText,
  'firebase-scrypt': firebase,
  'pbkdf2-sha256': pbkdf2Text,
  'pbkdf2-sha512': pbkdf2Text,
  foreign,
} as const

const tooExpensive = ({ hash, params }: ImportedPasswordHash, excess: Excess): Issue => ({
  // A complete hash string contains its parameters.
  path: hash.includes('$') || params === undefined ? '/hash' : '/params',
  code: 'hash_too_expensive',
  message: excessMessage(excess),
})

/**
 * Returns one text with everything that verifying needs, or the issues found, with pointers into the given object. A foreign hash stays as it
 * is, and nothing here verifies it.
 */
export function encodeImportedHash(given: ImportedPasswordHash): { encoded: string } | { issue: Issue } {
  try {
    const encoded = readers[given.algorithm](given)
    if (given.algorithm === 'foreign') return { encoded }
    const excess = excessOf(parametersOf(encoded))
    return excess === undefined ? { encoded } : { issue: tooExpensive(given, excess) }
  } catch (error) {
    if (error instanceof BadHash) return { issue: error.issue }
    throw error
  }
}
