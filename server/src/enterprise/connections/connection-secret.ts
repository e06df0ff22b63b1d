// The secret of a connection, bound to its row.
import { type KeyObject, createPrivateKey } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import type { ConnectionRow } from './queries.ts'
import { connections } from './tables.ts'

type Place = Pick<ConnectionRow, 'tenant_id' | 'id'>
type Secret = Place & Pick<ConnectionRow, 'secret'>

interface Opened {
  readonly secret: string
  /** Made when it is first asked for. */
  key?: KeyObject
}

/** How many opened secrets are kept, over all tenants, and for how long. */
const openedMax = 200
const openedMs = 10 * 60_000
/** By the row and its sealed secret, because a secret opens in its own row alone. */
const known = new LRUCache<string, Opened>({ ...entriesAtMost(openedMax), ttl: openedMs, ttlResolution: 1000 })

function open(sealer: Sealer, row: Secret): Opened | undefined {
  if (row.secret === null) return undefined
  const place = [row.tenant_id, row.id, row.secret].join(' ')
  const before = known.get(place)
  if (before !== undefined) return before
  const opened: Opened = { secret: sealer.open(row.secret, connections.place('secret', row)) }
  known.set(place, opened)
  return opened
}

export const sealConnectionSecret = (sealer: Sealer, row: Place, secret: string) =>
  sealer.seal(secret, connections.place('secret', row))

export const openConnectionSecret = (sealer: Sealer, row: Secret) => open(sealer, row)?.secret ?? null

/**
 * Returns the private key of a SAML connection; undefined if there is none. It is kept, because reading a key and using it for the first time
 * takes longer than using it again.
 */
export function openConnectionKey(sealer: Sealer, row: Secret): KeyObject | undefined {
  const opened = open(sealer, row)
  if (opened === undefined) return undefined
  return (opened.key ??= createPrivateKey(opened.secret))
}
