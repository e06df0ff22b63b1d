// The access that users can let a tenant keep: the providers, and the scopes beside those of sign-in.
import type { AnyProviderKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { fromJson } from '../../platform/json-text.ts'
import { logoUriOf } from '../../tenancy/custom-providers/present.ts'
import { isCustomProvider, listTokenProviders } from '../../tenancy/social-providers/find-provider.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

export interface AccessOffer {
  readonly key: AnyProviderKey
  readonly scopes: readonly string[]
  /** What the tenant calls a provider of its own. */
  readonly own: { readonly name: string; readonly logoUri: string | null } | undefined
}

async function readOffers({ db, config }: Deps, { row }: TenantEntry): Promise<readonly AccessOffer[]> {
  return (await listTokenProviders(db, row.id)).map((each) => ({
    key: each.provider_key,
    scopes: each.token_scopes === null ? [] : fromJson(each.token_scopes),
    own: isCustomProvider(each) ? { name: each.name, logoUri: logoUriOf(config, each) } : undefined,
  }))
}

/** A change of a provider invalidates its tenant, whose entry then is another. */
const offersByEntry = new WeakMap<TenantEntry, Promise<readonly AccessOffer[]>>()

/** Returns what a tenant offers, from memory if possible. */
export function accessOffers(deps: Deps, entry: TenantEntry): Promise<readonly AccessOffer[]> {
  let offers = offersByEntry.get(entry)
  if (offers === undefined) {
    offers = readOffers(deps, entry)
    offersByEntry.set(entry, offers)
    offers.catch(() => offersByEntry.delete(entry))
  }
  return offers
}
