// Seals secrets that must be read back before they reach the database. A sealed text opens only with its key and in its own row and column;
// it is refused when it was copied elsewhere or changed by one bit.
import { type KeyObject, createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import type { MasterKey } from './master-key.ts'

const version = 'v1'
const purpose = 'bailiwick sealed secrets v1'
const algorithm = 'aes-256-gcm'
const keyBytes = 32
/** 96 random bits; NIST SP 800-38D §8.3 allows 2^32 sealings with one key. */
const nonceBytes = 12
const tagBytes = 16
const format = /^v1\.([\w-]{1,64})\.([\w-]+)$/

export type SealErrorCode = 'malformed' | 'unknown_key' | 'refused'

const messages: Readonly<Record<SealErrorCode, string>> = {
  malformed: 'the text is not a sealed secret',
  unknown_key: 'the secret is sealed with a master key that is not configured',
  refused: 'the sealed secret was changed, or belongs to another row',
}

export class SealError extends Error {
  readonly code: SealErrorCode
  constructor(code: SealErrorCode, options?: ErrorOptions) {
    super(messages[code], options)
    this.name = 'SealError'
    this.code = code
  }
}

export interface Sealer {
  /** @param row where the text is stored, `table:tenantId:id:column`; opening it needs the same value. */
  seal(plaintext: string, row: string): string
  /** @throws SealError when the text, the row or the key is not the one it was sealed with. */
  open(sealed: string, row: string): string
}

function parse(sealed: string): { keyId: string; bytes: Buffer } {
  const [, keyId, text] = format.exec(sealed) ?? []
  if (keyId === undefined || text === undefined) throw new SealError('malformed')
  const bytes = Buffer.from(text, 'base64url')
  // The last character's spare bits are not covered by the tag.
  if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== text) throw new SealError('malformed')
  return { keyId, bytes }
}

/**
 * Returns the id of the master key that a text is sealed with. Re-sealing looks for texts with an older key.
 * @throws SealError when it is not a sealed text.
 */
export const keyIdOf = (sealed: string): string => parse(sealed).keyId

const associatedData = (keyId: string, row: string) => Buffer.from(`${version}\0${keyId}\0${row}`)

/** @param masterKeys the first seals, all of them open. */
export function createSealer(masterKeys: readonly MasterKey[]): Sealer {
  // Passing a key as bytes costs ten times as much, each time.
  const keys = new Map<string, KeyObject>()
  for (const { id, key } of masterKeys) {
    if (key.length !== keyBytes) throw new RangeError('a master key must have 32 bytes')
    if (!/^[\w-]{1,64}$/.test(id)) throw new RangeError('a master key id must be 1 to 64 letters, digits, - or _')
    if (keys.has(id)) throw new RangeError(`two master keys have the id ${id}`)
    keys.set(id, createSecretKey(Buffer.from(hkdfSync('sha256', key, '', purpose, keyBytes))))
  }
  const [current] = keys
  if (current === undefined) throw new RangeError('sealing needs a master key')
  const [currentId, currentKey] = current

  return {
    seal(plaintext, row) {
      if (!plaintext.isWellFormed()) throw new SealError('malformed')
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, currentKey, nonce).setAAD(associatedData(currentId, row))
      const bytes = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${version}.${currentId}.${bytes.toString('base64url')}`
    },
    open(sealed, row) {
      const { keyId, bytes } = parse(sealed)
      const key = keys.get(keyId)
      if (key === undefined) throw new SealError('unknown_key')
      const nonce = bytes.subarray(0, nonceBytes)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(associatedData(keyId, row)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        const plaintext = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([plaintext, decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new SealError('refused', { cause })
      }
    },
  }
}
