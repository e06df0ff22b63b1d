// The domain that a passkey is made for and works on: the tenant's own if the page is on it, otherwise the deployment's.
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
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

export function relyingPartyId(config: Config, { domains }: TenantEntry, request: FastifyRequest): string {
  const page = pageHost(request)
  const verified = domains.filter(({ is_verified: isVerified }) => isVerified === 1)
  const primary = verified.find(({ is_primary: isPrimary }) => isPrimary === 1)?.name_key
  if (primary !== undefined && (page === primary || page.endsWith(`.${primary}`))) return primary
  return verified.some(({ name_key: name }) => name === page) ? page : ownId(config)
}

/**
 * Returns whether passkeys of the tenant work on the page that sent the request, i.e. whether it is on the relying party's domain or below
 * it.
 */
export function hasRelyingParty(config: Config, tenant: TenantEntry, request: FastifyRequest): boolean {
  const id = relyingPartyId(config, tenant, request)
  const page = pageHost(request)
  return page === id || page.endsWith(`.${id}`)
}
