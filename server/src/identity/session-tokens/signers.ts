// The key that currently signs a tenant's tokens, opened and kept for a short time.
import type { KeyObject, SigningOptions } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import { openSigningKey } from '../../platform/crypto/signing-keys.ts'
import { signingKeys } from '../../platform/crypto/tables.ts'
import type { TenantId } from '../../platform/ids.ts'

export interface Signer {
  readonly kid: string
  /**
   * The key carries its signing options (RFC 7518 §3.4: the two numbers side by side, not DER): passing them in a separate object costs two
   * errors.
   */
  readonly key: KeyObject & SigningOptions
}

export interface Signers {
  /** @throws Error where the tenant has no key; every tenant is created with one. */
  readonly of: (tenantId: TenantId) => Promise<Signer>
}

const signersMax = 2000
/** After a rotation the old key, which still verifies for a day, signs for at most this long. */
const keptMs = 30_000

export function createSigners(db: Database, sealer: Sealer): Signers {
  const kept = new LRUCache<string, Signer>({ ...entriesAtMost(signersMax), ttl: keptMs, ttlResolution: 100 })
  return {
    async of(tenantId) {
      const known = kept.get(tenantId)
      if (known !== undefined) return known
      const row = await signingKeys.first(db)`tenant_id = ${tenantId} AND retired_at IS NULL
        ORDER BY created_at DESC LIMIT 1`
      if (row === undefined) throw new Error(`tenant ${tenantId} has no signing key`)
      const key = Object.assign(openSigningKey(sealer, row), { dsaEncoding: 'ieee-p1363' } as const)
      const signer = { kid: row.kid, key }
      kept.set(tenantId, signer)
      return signer
    },
  }
}
