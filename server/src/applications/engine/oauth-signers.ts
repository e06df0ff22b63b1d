// The key that signs a tenant's ID tokens and access tokens. A new key is published first and signs once every cache of the key set has
// expired; until then the key before it goes on.
import type { KeyObject, SigningOptions } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Deps } from '../../identity/deps.ts'
import { openSigningKey } from '../../platform/crypto/signing-keys.ts'
import { signingKeys } from '../../platform/crypto/tables.ts'
import type { TenantId } from '../../platform/ids.ts'

export interface OAuthSigner {
  readonly kid: string
  readonly key: KeyObject & SigningOptions
}

/** Longer than the key set may be cached (`keySetMaxAge`) with what a verifier takes to ask again. */
export const publishedBeforeMs = 15 * 60 * 1000
const signersMax = 20_000
const keptMs = 10_000
const keysMax = 100

export interface OAuthSigners {
  /** @throws Error where the tenant has no key; every tenant is created with one. */
  readonly of: (tenantId: TenantId) => Promise<OAuthSigner>
}

function createOAuthSigners({ db, sealer, clock }: Pick<Deps, 'db' | 'sealer' | 'clock'>): OAuthSigners {
  const kept = new LRUCache<string, OAuthSigner>({ ...entriesAtMost(signersMax), ttl: keptMs, ttlResolution: 100 })
  return {
    async of(tenantId) {
      const known = kept.get(tenantId)
      if (known !== undefined) return known
      const rows = await signingKeys.all(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${keysMax}`
      const publishedBefore = addMilliseconds(clock.now(), -publishedBeforeMs)
      const row = rows.find(({ created_at: at }) => at <= publishedBefore) ?? rows.at(-1)
      if (row === undefined) throw new Error(`tenant ${tenantId} has no signing key`)
      const key = Object.assign(openSigningKey(sealer, row), { dsaEncoding: 'ieee-p1363' } as const)
      const signer = { kid: row.kid, key }
      kept.set(tenantId, signer)
      return signer
    },
  }
}

const signersOf = new WeakMap<object, OAuthSigners>()

/** Returns the signers of this process. */
export function oauthSignersOf(deps: Pick<Deps, 'db' | 'sealer' | 'clock'>): OAuthSigners {
  const signers = signersOf.get(deps) ?? createOAuthSigners(deps)
  signersOf.set(deps, signers)
  return signers
}
