// Hashes short codes. From a plain hash six digits can be guessed at once, so this hash is keyed with the master key.
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import type { MasterKey } from './master-key.ts'

/** Returns a keyed hash of a code and of what it is bound to. */
export interface CodeHasher {
  (boundCode: string): string
}

const label = 'bailiwick verification codes'

/** @param masterKeys only the first is used: after the key is rotated, pending codes must be requested again. */
export function createCodeHasher([masterKey]: readonly MasterKey[]): CodeHasher {
  if (masterKey === undefined) throw new RangeError('there is no master key')
  // Passing a key as bytes costs five times as much as passing a key object.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', masterKey.key, '', label, 32)))
  return (boundCode) => createHmac('sha256', key).update(boundCode).digest('base64url')
}
