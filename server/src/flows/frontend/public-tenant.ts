// The public part of a tenant: what pages need to greet users, to offer the tenant's functions, and to use its design.
import { type PublicTenant, frontendEndpoints, publicSettingNames } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { listSignInProviders } from '../../tenancy/social-providers/find-provider.ts'
import { presentBrand } from '../../tenancy/tenants/present.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-directory.ts'
import type { Frontend } from './frontend-steps.ts'

async function present({ db }: Deps, { row, auth }: TenantEntry): Promise<PublicTenant> {
  const providers = await listSignInProviders(db, row.id)
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
    socialProviders: providers.map(({ id, provider_key: providerKey }) => ({ id, providerKey })),
  }
}

export function publicTenantRoutes({ deps, handle }: Frontend) {
  const answer = async ({ tenant }: { readonly tenant: TenantEntry }) => ({ tenant: await present(deps, tenant) })
  handle(frontendEndpoints.getPublicTenantByKey, answer)
  handle(frontendEndpoints.getPublicTenantByDomain, answer)
  handle(frontendEndpoints.getPublicTenantById, answer)
}
