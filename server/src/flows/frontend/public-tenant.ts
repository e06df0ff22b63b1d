// The public part of a tenant: what pages need to greet users, to offer the tenant's functions, and to use its design.
import { type PublicTenant, frontendEndpoints, publicSettingNames } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { logoUriOf } from '../../tenancy/custom-providers/present.ts'
import { listSignInProviders } from '../../tenancy/social-providers/find-provider.ts'
import { presentBrand } from '../../tenancy/tenants/present.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-directory.ts'
import type { Frontend } from './frontend-steps.ts'

async function present({ db, config }: Deps, { row, auth, hasSocialProvider }: TenantEntry): Promise<PublicTenant> {
  const { common, custom } = hasSocialProvider ? await listSignInProviders(db, row.id) : { common: [], custom: [] }
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
    socialProviders: common.map(({ id, provider_key: providerKey }) => ({ id, providerKey })),
    customProviders: custom.map((each) => ({
      id: each.id,
      providerKey: each.provider_key,
      name: each.name,
      logoUri: logoUriOf(config, each),
    })),
  }
}

export function publicTenantRoutes({ deps, handle }: Frontend) {
  const answer = async ({ tenant }: { readonly tenant: TenantEntry }) => ({ tenant: await present(deps, tenant) })
  handle(frontendEndpoints.getPublicTenantByKey, answer)
  handle(frontendEndpoints.getPublicTenantByDomain, answer)
  handle(frontendEndpoints.getPublicTenantById, answer)
}
