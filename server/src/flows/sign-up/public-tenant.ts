// The public part of a tenant: what pages need to greet users, to offer the tenant's functions, and to use its design.
import { type PublicTenant, frontendEndpoints, publicSettingNames } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { MaybePromise } from '../../platform/maybe-promise.ts'
import { logoUriOf } from '../../tenancy/custom-providers/present.ts'
import { listSignInProviders } from '../../tenancy/social-providers/find-provider.ts'
import { onceForEntry } from '../../tenancy/tenants/kept-with-tenant.ts'
import { presentBrand } from '../../tenancy/tenants/present.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'
import { hasClient } from '../providers/provider-states.ts'
import { firstFields } from './requirements.ts'

/** The providers with which people can sign in, as anybody may see them. */
export type PublicProviders = Pick<PublicTenant, 'socialProviders' | 'customProviders'>

type Needed = Pick<Deps, 'db' | 'config' | 'sealer' | 'clock'>

/** Leaves out the providers without a whole client: their buttons would lead to an error. A change of a provider invalidates its tenant. */
const readProviders = onceForEntry(async (deps: Needed, { row: tenant }): Promise<PublicProviders> => {
  const { db, config } = deps
  const { common, custom } = await listSignInProviders(db, tenant.id)
  const usable = await Promise.all(common.map((row) => hasClient(deps, row)))
  return {
    socialProviders: common
      .filter((_row, index) => usable[index])
      .map(({ id, provider_key: providerKey }) => ({ id, providerKey })),
    customProviders: custom.map((each) => ({
      id: each.id,
      providerKey: each.provider_key,
      name: each.name,
      logoUri: logoUriOf(config, each),
    })),
  }
})

/** Returns the providers of a tenant in use, from memory if possible. */
export const publicProviders = (deps: Needed, entry: TenantEntry): MaybePromise<PublicProviders> =>
  entry.hasSocialProvider ? readProviders(deps, entry) : { socialProviders: [], customProviders: [] }

async function present(deps: Deps, entry: TenantEntry): Promise<PublicTenant> {
  const { row, auth } = entry
  const { socialProviders, customProviders } = await publicProviders(deps, entry)
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    publicKey: row.public_key,
    environment: row.environment,
    logoUri: row.logo_uri,
    iconUri: row.icon_uri,
    brand: presentBrand(row),
    auth: Object.fromEntries(publicSettingNames.map((name) => [name, auth[name]])),
    signUpFields: [...firstFields(auth)],
    attributes: entry.attributes.filter(({ writableBy, shownAt }) => writableBy === 'user' && shownAt !== 'nowhere'),
    socialProviders,
    customProviders,
  }
}

export function publicTenantRoutes({ deps, handle }: Frontend) {
  const answer = async ({ tenant }: { readonly tenant: TenantEntry }) => ({ tenant: await present(deps, tenant) })
  handle(frontendEndpoints.getPublicTenantByKey, answer)
  handle(frontendEndpoints.getPublicTenantByDomain, answer)
  handle(frontendEndpoints.getPublicTenantById, answer)
}
