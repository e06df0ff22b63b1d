// The issuers of a tenant: an address below the deployment's that names the tenant by its id, because a slug can change, or a verified
// domain. After a change the previous issuer is also served for a time.
import type { Deps } from '../../identity/deps.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { OAuthSettings } from './oauth-settings.ts'

export interface Issuer {
  /** The issuer identifier, without a slash at its end. */
  readonly id: string
  /** The path of the issuer; empty for a domain. */
  readonly path: string
  readonly host: string
  /** The tenant's own domain; null is the deployment's address. */
  readonly domain: string | null
}

export const tenantPath = (tenantId: string) => `/t/${tenantId}`

/** The deployment's address, parsed once. */
const bases = new WeakMap<object, { readonly origin: string; readonly host: string }>()

function baseOf(config: Deps['config']) {
  const known = bases.get(config)
  if (known !== undefined) return known
  const { origin, host } = new URL(config.baseUrl)
  bases.set(config, { origin, host })
  return { origin, host }
}

function issuerAt({ config }: Pick<Deps, 'config'>, { row }: TenantEntry, domain: string | null): Issuer {
  if (domain !== null) return { id: `https://${domain}`, path: '', host: domain, domain }
  const { origin, host } = baseOf(config)
  const path = tenantPath(row.id)
  return { id: origin + path, path, host, domain: null }
}

const isVerified = ({ domains }: TenantEntry, name: string) =>
  domains.some((domain) => domain.name === name && domain.is_verified === 1)

/** Returns the issuer of new tokens. A domain that is no longer verified is ignored. */
export function issuerOfTenant(
  deps: Pick<Deps, 'config'>,
  tenant: TenantEntry,
  { row }: Pick<OAuthSettings, 'row'>,
): Issuer {
  const domain = row?.issuer_domain ?? null
  return issuerAt(deps, tenant, domain !== null && isVerified(tenant, domain) ? domain : null)
}

/** Returns the issuer with that identifier if it is served now, otherwise the issuer of new tokens. */
export function issuerToContinueAt(
  deps: Pick<Deps, 'config' | 'clock'>,
  tenant: TenantEntry,
  settings: OAuthSettings,
  id: string | undefined,
): Issuer {
  const present = issuerOfTenant(deps, tenant, settings)
  if (id === undefined || id === present.id) return present
  const previous = issuerServedAt(deps, tenant, settings, settings.row?.previous_issuer_domain ?? null)
  return previous?.id === id ? previous : present
}

/** Returns the issuer that is served at a place: the present one, or the previous one during its grace period. */
export function issuerServedAt(
  deps: Pick<Deps, 'config' | 'clock'>,
  tenant: TenantEntry,
  settings: OAuthSettings,
  ownDomain: string | null,
): Issuer | undefined {
  const present = issuerOfTenant(deps, tenant, settings)
  if (present.domain === ownDomain) return present
  const { row } = settings
  const isInGrace =
    row?.has_previous_issuer === 1 &&
    row.previous_issuer_until !== null &&
    row.previous_issuer_until > deps.clock.now() &&
    row.previous_issuer_domain === ownDomain &&
    (ownDomain === null || isVerified(tenant, ownDomain))
  return isInGrace ? issuerAt(deps, tenant, ownDomain) : undefined
}
