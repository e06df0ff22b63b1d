// The key that signs a tenant's ID tokens and access tokens. A new key is published first and signs once every cache of the key set has
// expired; until then the previous key continues to sign, unless it was withdrawn. There is one for each algorithm of ID tokens; access tokens are always of ES256.
import type { KeyObject, SigningOptions } from 'node:crypto'
import type { IdTokenAlgorithm } from '@bailiwick/contract'
import { LRUCache } from 'lru-cache'
import type { Deps } from '../../identity/deps.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { openSigningKey } from '../../platform/crypto/signing-keys.ts'
import { signingKeyTables } from '../../platform/crypto/tables.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { MaybePromise } from '../../platform/maybe-promise.ts'
import { addRsaKey, prepareRsaKey } from '../../tenancy/signing-keys/signing-keys.ts'
import { lockTenant } from '../../tenancy/tenants/find-tenant.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

export interface OAuthSigner {
  readonly kid: string
  readonly key: KeyObject & SigningOptions
}

/** Longer than the key set may be cached (`documentMaxAge`), plus the time that a verifier needs to fetch it again. */
export const publishedBeforeMs = 15 * 60 * 1000
const keysMax = 100
/** As many as there are entries of tenants in memory: an opened key takes 2.7 KB, and opening it a third of the time of a token. */
const openedMax = 20_000

export interface OAuthSigners {
  /** @throws Error if the tenant has no key; every tenant is created with one. */
  readonly of: (tenantId: TenantId) => Promise<OAuthSigner>
  /** The same for a tenant in memory; returns at once if its signer is in memory too. */
  readonly ofEntry: (tenant: TenantEntry) => MaybePromise<OAuthSigner>
}

/** The row of the key that signs, as it is kept with the tenant's entry. */
interface Signing {
  readonly kid: string
  readonly row: Parameters<typeof openSigningKey>[1]
  /** The time at which a newer key replaces it; null if there is none. */
  readonly until: Timestamp | null
}

type SignerDeps = Pick<Deps, 'db' | 'sealer' | 'clock' | 'personal' | 'tenants'>

/** Makes the first RSA key of a tenant whose client has described itself, or was imported without the key. */
async function makeRsaKey(deps: SignerDeps, tenantId: TenantId) {
  const key = await prepareRsaKey(deps, tenantId)
  await deps.db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    await addRsaKey(deps, tx, key, { type: 'system', id: null, ip: null, ua: null })
    await invalidateTenant(tx, deps.tenants, tenantId)
  })
}

function createOAuthSigners(deps: SignerDeps, algorithm: IdTokenAlgorithm): OAuthSigners {
  const { db, sealer, clock } = deps
  const name = `signing key ${algorithm}`
  const opened = new LRUCache<Signing, OAuthSigner>(entriesAtMost(openedMax))
  const rowsOf = (tenantId: TenantId) =>
    signingKeyTables[algorithm].all(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${keysMax}`
  const read = async (tenantId: TenantId): Promise<Signing> => {
    let rows = await rowsOf(tenantId)
    if (rows.length === 0 && algorithm === 'RS256') {
      await makeRsaKey(deps, tenantId)
      rows = await rowsOf(tenantId)
    }
    const publishedBefore = addMilliseconds(clock.now(), -publishedBeforeMs)
    // An earlier one may be left if the previous key was withdrawn; it has stopped signing long ago.
    const signing = rows.filter(({ retired_at: at }) => at === null || at > publishedBefore)
    const row = signing.find(({ created_at: at }) => at <= publishedBefore) ?? signing.at(-1)
    if (row === undefined) throw new Error(`tenant ${tenantId} has no signing key`)
    const next = signing.findLast(({ created_at: at }) => at > row.created_at)
    const until = next === undefined ? null : addMilliseconds(next.created_at, publishedBeforeMs)
    const { id, kid, tenant_id, sealed_private_pem } = row
    return { kid, row: { id, tenant_id, sealed_private_pem }, until }
  }
  const open = (signing: Signing): OAuthSigner => {
    const known = opened.get(signing)
    if (known !== undefined) return known
    const key = Object.assign(openSigningKey(sealer, signing.row, algorithm), { dsaEncoding: 'ieee-p1363' } as const)
    const signer = { kid: signing.kid, key }
    opened.set(signing, signer)
    return signer
  }
  return {
    of: async (tenantId) => open(await read(tenantId)),
    ofEntry(tenant) {
      const known = tenant.kept.get<Signing>(name)
      if (known !== undefined && (known.until === null || known.until > clock.now())) return open(known)
      return read(tenant.row.id).then((signing) => {
        tenant.kept.set(name, signing)
        return open(signing)
      })
    },
  }
}

const signersOf = { ES256: new WeakMap<object, OAuthSigners>(), RS256: new WeakMap<object, OAuthSigners>() } as const

/** Returns the signers of this process. */
export function oauthSignersOf(deps: SignerDeps, algorithm: IdTokenAlgorithm = 'ES256'): OAuthSigners {
  const signers = signersOf[algorithm].get(deps) ?? createOAuthSigners(deps, algorithm)
  signersOf[algorithm].set(deps, signers)
  return signers
}
