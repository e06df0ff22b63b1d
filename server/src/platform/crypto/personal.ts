// Seals what events say about a person under a key derived from a salt in the user's row. Erasing the row makes the events unreadable in
// every copy of the log.
// A salt names the master key that the person's key is derived from. When the master key is replaced, the events cannot be sealed again,
// because their hashes are chained. Instead the person's key, which does not change, is sealed under the new master key and replaces the
// salt. Texts sealed before still open, and the old master key opens nothing any more.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import type { MasterKey } from './master-key.ts'
import { pooledRandomBytes } from './random-bytes.ts'
import { createSealer, keyIdOf } from './sealed.ts'

const nonceBytes = 12
const tagBytes = 16
const saltBytes = 16
const sealedKey = /^v1\./
const boundTo = 'users:personal_salt'

export interface PersonalSealer {
  /** Returns a salt for a new person, to be kept in the person's row. */
  newSalt(): string
  /** @param eventId binds the text to its event. */
  seal(salt: string, eventId: string, plaintext: string): string
  /** @throws Error when the salt, the event or the text does not match. */
  open(salt: string, eventId: string, sealed: string): string
  /** Returns what replaces the salt so that only the first master key is needed, or undefined if that is already so. */
  renewedSalt(salt: string): string | undefined
}

/** @param masterKeys the first makes new salts; all of them open. Salts that name no key belong to the last. */
export function createPersonalSealer(masterKeys: readonly MasterKey[]): PersonalSealer {
  const sealer = createSealer(masterKeys)
  const currentId = masterKeys[0]?.id ?? ''
  const oldestId = masterKeys.at(-1)?.id ?? ''
  // Passing a key as bytes costs ten times as much as passing a key object.
  const purposeKeys = new Map(
    masterKeys.map(({ id, key }) => [
      id,
      createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'bailiwick personal data in events v1', 32))),
    ]),
  )
  const idOf = (salt: string) => (salt.includes('.') ? salt.slice(0, salt.indexOf('.')) : oldestId)
  const keyOf = (salt: string): Buffer => {
    if (sealedKey.test(salt)) return Buffer.from(sealer.open(salt, boundTo), 'base64url')
    const purposeKey = purposeKeys.get(idOf(salt))
    if (purposeKey === undefined) throw new Error('the salt is of a master key that is not configured')
    return createHmac('sha256', purposeKey).update(salt).digest()
  }
  return {
    newSalt: () => `${currentId}.${pooledRandomBytes(saltBytes).toString('base64url')}`,
    seal(salt, eventId, plaintext) {
      const nonce = pooledRandomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', createSecretKey(keyOf(salt)), nonce).setAAD(Buffer.from(eventId))
      return Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      )
    },
    open(salt, eventId, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', createSecretKey(keyOf(salt)), bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(eventId)).setAuthTag(bytes.subarray(-tagBytes))
      return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    renewedSalt(salt) {
      const id = sealedKey.test(salt) ? keyIdOf(salt) : idOf(salt)
      return id === currentId ? undefined : sealer.seal(keyOf(salt).toString('base64url'), boundTo)
    },
  }
}
