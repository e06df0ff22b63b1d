// Seals what events say about a person under a key that only exists while the person does: it is derived from a salt in
// the user's row, so erasing the row makes the events unreadable, in every copy of the log.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

export interface PersonalSealer {
  /** A salt for a new person, kept in the person's row. */
  newSalt(): string
  /** @param eventId binds the text to its event. */
  seal(salt: string, eventId: string, plaintext: string): string
  /** @throws Error when the salt, the event or the text is another. */
  open(salt: string, eventId: string, sealed: string): string
}

/** @param masterKey 32 bytes; a subkey of its own purpose is derived from it. */
export function createPersonalSealer(masterKey: Uint8Array): PersonalSealer {
  // As bytes it would be made into a key for every event.
  const purposeKey = createSecretKey(
    Buffer.from(hkdfSync('sha256', masterKey, '', 'bailiwick personal data in events v1', 32)),
  )
  const keyOf = (salt: string) => createHmac('sha256', purposeKey).update(salt).digest()
  return {
    newSalt: () => randomBytes(16).toString('base64url'),
    seal(salt, eventId, plaintext) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', keyOf(salt), nonce).setAAD(Buffer.from(eventId))
      return Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      )
    },
    open(salt, eventId, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', keyOf(salt), bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(eventId)).setAuthTag(bytes.subarray(-tagBytes))
      return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
