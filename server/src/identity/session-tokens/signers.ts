// The key that currently signs a tenant's session tokens, opened and kept until the tenant changes.
import type { KeyObject, SigningOptions } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesAtMost, numberOf } from '../../platform/cache/memory.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import { openSigningKey } from '../../platform/crypto/signing-keys.ts'
import { signingKeys } from '../../platform/crypto/tables.ts'
import type { Database } from '../../platform/db/database.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

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
  readonly of: (tenant: TenantEntry) => Promise<Signer>
}

const signersMax = 2000

export function createSigners(db: Database, sealer: Sealer): Signers {
  /** Keyed by the tenant's entry: a rotation or withdrawal invalidates the tenant, and its next entry is another object. */
  const kept = new LRUCache<number, Signer>(entriesAtMost(signersMax))
  return {
    async of(tenant) {
      const number = numberOf(tenant)
      const known = kept.get(number)
      if (known !== undefined) return known
      const row = await signingKeys.first(db)`tenant_id = ${tenant.row.id} AND retired_at IS NULL
        ORDER BY created_at DESC LIMIT 1`
      if (row === undefined) throw new Error(`tenant ${tenant.row.id} has no signing key`)
      const key = Object.assign(openSigningKey(sealer, row), { dsaEncoding: 'ieee-p1363' } as const)
      const signer = { kid: row.kid, key }
      kept.set(number, signer)
      return signer
    },
  }
}
