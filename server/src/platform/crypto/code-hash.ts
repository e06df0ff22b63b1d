// Hashes of short codes. Six digits are found in a moment by whoever has a plain hash of them; this one takes the master key too.
import { createHmac, hkdfSync } from 'node:crypto'
import type { MasterKey } from './master-key.ts'

/** A keyed hash of a code together with what it is bound to. */
export interface CodeHasher {
  (boundCode: string): string
}

const label = 'bailiwick verification codes'

/** @param masterKeys the first counts: codes that are out when the key is rotated have to be asked for again. */
export function createCodeHasher([masterKey]: readonly MasterKey[]): CodeHasher {
  if (masterKey === undefined) throw new RangeError('there is no master key')
  const key = Buffer.from(hkdfSync('sha256', masterKey.key, '', label, 32))
  return (boundCode) => createHmac('sha256', key).update(boundCode).digest('base64url')
}
