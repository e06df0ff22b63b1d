// The tenant that a request to the authorization server is for. One engine serves all tenants: its issuer, addresses, key and store read
// this, and throw outside of a tenant, so that nothing is ever issued in the name of no tenant or of another one.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Deps } from '../../identity/deps.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Issuer } from '../settings/issuer.ts'
import type { OAuthSettings } from '../settings/oauth-settings.ts'
import type { EnginePages } from './engine-pages.ts'
import { type OAuthSigner, oauthSignersOf } from './oauth-signers.ts'
import type { RequestStore } from './requests/request-store.ts'

export interface Tenancy {
  readonly deps: Deps
  readonly tenant: TenantEntry
  readonly issuer: Issuer
  readonly settings: OAuthSettings
  readonly signer: OAuthSigner
  /** Present once the request has found a client whose ID tokens are signed with RS256. */
  rsaSigner: OAuthSigner | undefined
  readonly store: RequestStore
  readonly actor: Actor
  /** Null outside of a request, where nothing can be shown. */
  readonly pages: EnginePages | null
}

const storage = new AsyncLocalStorage<Tenancy>()

export const runInTenancy = <T>(tenancy: Tenancy, body: () => T): T => storage.run(tenancy, body)

/** @throws Error outside of a tenant. */
export function currentTenancy(): Tenancy {
  const tenancy = storage.getStore()
  if (tenancy === undefined) throw new Error('the authorization server was used outside of a tenant')
  return tenancy
}

/** Reads the tenant's RSA key for the rest of the request. */
export async function useRsaKey(): Promise<void> {
  const tenancy = currentTenancy()
  tenancy.rsaSigner ??= await oauthSignersOf(tenancy.deps, 'RS256').ofEntry(tenancy.tenant)
}
