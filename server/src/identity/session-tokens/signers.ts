// The key that a tenant's tokens are signed with at the moment, opened and kept for a short while.
import { type KeyObject, type SigningOptions, createPrivateKey } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import type { SigningKeyId, TenantId } from '../../platform/ids.ts'
import { signingKeys } from '../../tenancy/signing-keys/tables.ts'

export interface Signer {
  readonly kid: string
  /** With how it signs (RFC 7518 §3.4: the two numbers side by side, not DER) as its own: given in an object beside it costs two errors. */
  readonly key: KeyObject & SigningOptions
}

export interface Signers {
  /** @throws Error where the tenant has no key; every tenant is created with one. */
  readonly of: (tenantId: TenantId) => Promise<Signer>
}

const signersMax = 2000
/** After a rotation the old key, which still verifies for a day, signs for so long at most. */
const keptMs = 30_000

export function createSigners(db: Database, sealer: Sealer): Signers {
  const kept = new LRUCache<string, Signer>({ ...entriesAtMost(signersMax), ttl: keptMs, ttlResolution: 100 })
  return {
    async of(tenantId) {
      const known = kept.get(tenantId)
      if (known !== undefined) return known
      const row = await db.first<{ id: SigningKeyId; kid: string; sealed_private_pem: string }>(
        sql`SELECT id, kid, sealed_private_pem FROM signing_keys
          WHERE tenant_id = ${tenantId} AND retired_at IS NULL ORDER BY created_at DESC LIMIT 1`,
      )
      if (row === undefined) throw new Error(`tenant ${tenantId} has no signing key`)
      const pem = sealer.open(
        row.sealed_private_pem,
        signingKeys.place('sealed_private_pem', { ...row, tenant_id: tenantId }),
      )
      const signer = { kid: row.kid, key: Object.assign(createPrivateKey(pem), { dsaEncoding: 'ieee-p1363' } as const) }
      kept.set(tenantId, signer)
      return signer
    },
  }
}
