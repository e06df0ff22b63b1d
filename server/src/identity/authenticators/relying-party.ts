// The domain that a passkey is made for and works on: the tenant's own if the page is on it or shares its passkeys, otherwise the deployment's.
import { domainKey } from '@bailiwick/contract'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { isOriginOf } from '../../tenancy/tenants/origins.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

const address = /^(?:127\.0\.0\.1|\[::1\])$/

const ownIds = new WeakMap<Config, string>()

/** Browsers refuse an IP address as a relying party, so a local service is called localhost. */
function ownId(config: Config): string {
  const known = ownIds.get(config)
  if (known !== undefined) return known
  const { hostname } = new URL(config.baseUrl)
  const id = address.test(hostname) ? 'localhost' : hostname
  ownIds.set(config, id)
  return id
}

function pageHost({ headers, hostname }: FastifyRequest): string {
  // The origin was checked against those of the tenant before.
  return headers.origin === undefined ? hostname.toLowerCase() : new URL(headers.origin).hostname
}

/** The tenant's primary domain, once it is verified. */
export const primaryDomain = ({ domains }: TenantEntry): string | undefined =>
  domains.find(({ is_verified: isVerified, is_primary: isPrimary }) => isVerified === 1 && isPrimary === 1)?.name_key

/** Returns the origins beside the primary domain's own whose pages may use its passkeys: those that the tenant lists, as far as they are its own. */
export const relatedOrigins = (config: Config, tenant: TenantEntry): string[] =>
  tenant.auth.passkeyDomains
    .map((domain) => `https://${domainKey(domain)}`)
    .filter((origin) => isOriginOf(config, tenant, origin))

/**
 * Returns the domains for which passkeys are valid on the page that sent the request, the one for which new ones are made first. A page of a
 * domain that shares the passkeys of the primary one may also have some of its own, from before.
 */
export function relyingPartyIds(config: Config, tenant: TenantEntry, request: FastifyRequest): [string, ...string[]] {
  const page = pageHost(request)
  const primary = primaryDomain(tenant)
  if (primary !== undefined && (page === primary || page.endsWith(`.${primary}`))) return [primary]
  const isOwn = tenant.domains.some(({ is_verified: verified, name_key: name }) => verified === 1 && name === page)
  const own = isOwn ? page : ownId(config)
  const isRelated = primary !== undefined && relatedOrigins(config, tenant).includes(`https://${page}`)
  return isRelated ? [primary, own] : [own]
}

/** Returns the domain for which new passkeys are made. */
export const relyingPartyId = (config: Config, tenant: TenantEntry, request: FastifyRequest): string =>
  relyingPartyIds(config, tenant, request)[0]

/**
 * Returns whether passkeys of the tenant work on the page that sent the request, i.e. whether it is on the relying party's domain, below it,
 * or shares its passkeys.
 */
export function hasRelyingParty(config: Config, tenant: TenantEntry, request: FastifyRequest): boolean {
  const [id, ...others] = relyingPartyIds(config, tenant, request)
  const page = pageHost(request)
  return others.length > 0 || page === id || page.endsWith(`.${id}`)
}
