// The key that signs a tenant's ID tokens and access tokens. A new key is published first and signs once every cache of the key set has
// expired; until then the previous key continues to sign.
import type { KeyObject, SigningOptions } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { numberOf } from '../../platform/cache/numbered.ts'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import type { Deps } from '../../identity/deps.ts'
import { openSigningKey } from '../../platform/crypto/signing-keys.ts'
import { signingKeys } from '../../platform/crypto/tables.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { MaybePromise } from '../../platform/maybe-promise.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

export interface OAuthSigner {
  readonly kid: string
  readonly key: KeyObject & SigningOptions
}

/** Longer than the key set may be cached (`documentMaxAge`), plus the time that a verifier needs to fetch it again. */
export const publishedBeforeMs = 15 * 60 * 1000
const signersMax = 20_000
const keysMax = 100

export interface OAuthSigners {
  /** @throws Error if the tenant has no key; every tenant is created with one. */
  readonly of: (tenantId: TenantId) => Promise<OAuthSigner>
  /** The same for a tenant in memory; returns at once if its signer is in memory too. */
  readonly ofEntry: (tenant: TenantEntry) => MaybePromise<OAuthSigner>
}

interface Kept {
  readonly signer: OAuthSigner
  /** The time at which a newer key replaces it; null if there is none. */
  readonly until: Timestamp | null
}

function createOAuthSigners({ db, sealer, clock }: Pick<Deps, 'db' | 'sealer' | 'clock'>): OAuthSigners {
  /** Keyed by the tenant's entry: a rotation of its keys invalidates the tenant, and its next entry is another object. */
  const kept = new LRUCache<number, Kept>(entriesAtMost(signersMax))
  const read = async (tenantId: TenantId): Promise<Kept> => {
    const rows = await signingKeys.all(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${keysMax}`
    const publishedBefore = addMilliseconds(clock.now(), -publishedBeforeMs)
    const row = rows.find(({ created_at: at }) => at <= publishedBefore) ?? rows.at(-1)
    if (row === undefined) throw new Error(`tenant ${tenantId} has no signing key`)
    const key = Object.assign(openSigningKey(sealer, row), { dsaEncoding: 'ieee-p1363' } as const)
    const next = rows.findLast(({ created_at: at }) => at > row.created_at)
    const until = next === undefined ? null : addMilliseconds(next.created_at, publishedBeforeMs)
    return { signer: { kid: row.kid, key }, until }
  }
  return {
    of: async (tenantId) => (await read(tenantId)).signer,
    ofEntry(tenant) {
      const number = numberOf(tenant)
      const known = kept.get(number)
      if (known !== undefined && (known.until === null || known.until > clock.now())) return known.signer
      return read(tenant.row.id).then((made) => {
        kept.set(number, made)
        return made.signer
      })
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
