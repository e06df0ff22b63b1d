// The access that users can let a tenant keep: the providers, and the scopes beside those of sign-in.
import type { AnyProviderKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { fromJson } from '../../platform/json-text.ts'
import { logoUriOf } from '../../tenancy/custom-providers/present.ts'
import { isCustomProvider, listTokenProviders } from '../../tenancy/social-providers/find-provider.ts'
import { onceForEntry } from '../../tenancy/tenants/kept-with-tenant.ts'

export interface AccessOffer {
  readonly key: AnyProviderKey
  readonly scopes: readonly string[]
  /** What the tenant calls a provider of its own. */
  readonly own: { readonly name: string; readonly logoUri: string | null } | undefined
}

/** Returns what a tenant offers, from memory if possible: a change of a provider invalidates its tenant. */
export const accessOffers = onceForEntry(
  async ({ db, config }: Pick<Deps, 'db' | 'config'>, { row }): Promise<readonly AccessOffer[]> =>
    (await listTokenProviders(db, row.id)).map((each) => ({
      key: each.provider_key,
      scopes: each.token_scopes === null ? [] : fromJson(each.token_scopes),
      own: isCustomProvider(each) ? { name: each.name, logoUri: logoUriOf(config, each) } : undefined,
    })),
)
