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
  /** All identifiers under which it is served: more than its own only for a development deployment on this machine. */
  readonly identifiers: readonly string[]
}

export const tenantPath = (tenantId: string) => `/t/${tenantId}`

interface Place {
  readonly origin: string
  readonly host: string
}

const localNames = ['localhost', '127.0.0.1', '[::1]']

/** Where the deployment is called, parsed once; the first is its own address. */
const places = new WeakMap<object, readonly [own: Place, ...others: Place[]]>()

/**
 * Returns where the deployment is called. In development each name of this machine that a client may use is one, so that the issuer is the
 * one that the client was told.
 */
export function placesOf(config: Deps['config']): readonly [own: Place, ...others: Place[]] {
  const known = places.get(config)
  if (known !== undefined) return known
  const url = new URL(config.baseUrl)
  const isLocal = config.env === 'development' && localNames.includes(url.hostname)
  const own = { origin: url.origin, host: url.host }
  const names = isLocal ? localNames.filter((name) => name !== url.hostname) : []
  const others = names.map((name): Place => {
    url.hostname = name
    return { origin: url.origin, host: url.host }
  })
  places.set(config, [own, ...others])
  return [own, ...others]
}

/** @param host the Host header with which the issuer is called; the deployment's own if it is unknown. */
function issuerAt(
  { config }: Pick<Deps, 'config'>,
  { row }: TenantEntry,
  domain: string | null,
  host?: string,
): Issuer {
  if (domain !== null) {
    const id = `https://${domain}`
    return { id, path: '', host: domain, domain, identifiers: [id] }
  }
  const known = placesOf(config)
  const place = known.find((each) => each.host === host?.toLowerCase()) ?? known[0]
  const path = tenantPath(row.id)
  const identifiers = known.map(({ origin }) => origin + path)
  return { id: place.origin + path, path, host: place.host, domain: null, identifiers }
}

const isVerified = ({ domains }: TenantEntry, name: string) =>
  domains.some((domain) => domain.name === name && domain.is_verified === 1)

/** Returns the domain of the present issuer. One that is no longer verified is ignored. */
function domainOfIssuer(tenant: TenantEntry, { row }: Pick<OAuthSettings, 'row'>): string | null {
  const domain = row?.issuer_domain ?? null
  return domain !== null && isVerified(tenant, domain) ? domain : null
}

/** Returns the issuer of new tokens. */
export const issuerOfTenant = (
  deps: Pick<Deps, 'config'>,
  tenant: TenantEntry,
  settings: Pick<OAuthSettings, 'row'>,
): Issuer => issuerAt(deps, tenant, domainOfIssuer(tenant, settings))

/** Returns the issuer with that identifier if it is served now, otherwise the issuer of new tokens. */
export function issuerToContinueAt(
  deps: Pick<Deps, 'config' | 'clock'>,
  tenant: TenantEntry,
  settings: OAuthSettings,
  id: string | undefined,
): Issuer {
  const present = issuerOfTenant(deps, tenant, settings)
  if (id === undefined || id === present.id) return present
  if (present.identifiers.includes(id)) return issuerAt(deps, tenant, null, new URL(id).host)
  const previous = issuerServedAt(deps, tenant, settings, settings.row?.previous_issuer_domain ?? null)
  return previous?.identifiers.includes(id) === true
    ? issuerAt(deps, tenant, previous.domain, new URL(id).host)
    : present
}

/**
 * Returns the issuer that is served at a place: the present one, or the previous one during its grace period.
 * @param ownDomain the tenant's domain; null is the deployment's address.
 * @param host with which the deployment's address is called; its own if left out.
 */
export function issuerServedAt(
  deps: Pick<Deps, 'config' | 'clock'>,
  tenant: TenantEntry,
  settings: OAuthSettings,
  ownDomain: string | null,
  host?: string,
): Issuer | undefined {
  if (domainOfIssuer(tenant, settings) === ownDomain) return issuerAt(deps, tenant, ownDomain, host)
  const { row } = settings
  const isInGrace =
    row?.has_previous_issuer === 1 &&
    row.previous_issuer_until !== null &&
    row.previous_issuer_until > deps.clock.now() &&
    row.previous_issuer_domain === ownDomain &&
    (ownDomain === null || isVerified(tenant, ownDomain))
  return isInGrace ? issuerAt(deps, tenant, ownDomain, host) : undefined
}
