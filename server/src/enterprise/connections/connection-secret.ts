// The secret of a connection, bound to its row.
import { type KeyObject, createPrivateKey } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import type { ConnectionRow } from './queries.ts'
import { connections } from './tables.ts'

type Place = Pick<ConnectionRow, 'tenant_id' | 'id'>
type Secret = Place & Pick<ConnectionRow, 'secret'>

/** How many opened keys are kept, over all tenants, and for how long. */
const keysMax = 200
const keysMs = 10 * 60_000
/** By the row and its sealed key, because a key opens in its own row alone. */
const openedKeys = new LRUCache<string, KeyObject>({ ...entriesAtMost(keysMax), ttl: keysMs, ttlResolution: 1000 })

export const sealConnectionSecret = (sealer: Sealer, row: Place, secret: string) =>
  sealer.seal(secret, connections.place('secret', row))

export const openConnectionSecret = (sealer: Sealer, row: Secret) =>
  row.secret === null ? null : sealer.open(row.secret, connections.place('secret', row))

/**
 * Returns the private key of a SAML connection; undefined if there is none. It is kept, because reading a key and using it for the first time
 * takes longer than using it again.
 */
export function openConnectionKey(sealer: Sealer, row: Secret): KeyObject | undefined {
  const place = [row.tenant_id, row.id, row.secret].join(' ')
  const known = openedKeys.get(place)
  if (known !== undefined) return known
  const pem = openConnectionSecret(sealer, row)
  if (pem === null) return undefined
  const key = createPrivateKey(pem)
  openedKeys.set(place, key)
  return key
}
