// The addresses to which browsers and apps are sent at the end of a flow, with the proof of who they are. Only whole addresses are allowed,
// never an origin: otherwise one page that forwards to an address in its query would give the proof away (RFC 9700 section 4.11.1).
import { type TenantAuthSettings, isRedirectUri } from '@bailiwick/contract'
import type { Config } from '../../platform/config.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { isHostedPage } from '../../tenancy/tenants/hosted-pages.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

/** The settings that name a page. frontendApiUri is the address of this service. */
const pages = [
  'homeUri',
  'signUpUri',
  'signInUri',
  'signUpRedirectUri',
  'signInRedirectUri',
  'logoutRedirectUri',
  'userSettingsUri',
  'organizationSettingsUri',
  'createOrganizationUri',
  'createOrganizationRedirectUri',
] as const satisfies readonly (keyof TenantAuthSettings)[]

/** A local program listens on whatever port is free (RFC 8252 section 7.3). */
const anyPortHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const listed = new WeakMap<TenantEntry, ReadonlySet<string>>()

/** Returns what two addresses of the same page have in common: everything but the fragment, which a flow replaces with its own. */
function keyOf({ row }: TenantEntry, address: string): string {
  const url = new URL(address)
  url.hash = ''
  if (row.environment === 'development' && url.protocol === 'http:' && anyPortHosts.has(url.hostname)) url.port = ''
  return url.href
}

function destinationsOf(tenant: TenantEntry): ReadonlySet<string> {
  let keys = listed.get(tenant)
  if (keys === undefined) {
    const { auth } = tenant
    const addresses = [...pages.flatMap((name) => auth[name] ?? []), ...auth.redirectUris]
    keys = new Set(addresses.map((address) => keyOf(tenant, address)))
    listed.set(tenant, keys)
  }
  return keys
}

/** The tenant of the flow, and the tenant's own domain that the browser uses, if any. */
export interface FlowPlace {
  readonly tenant: TenantEntry
  readonly ownHost: string | null
}

interface Deployment {
  readonly config: Pick<Config, 'baseUrl' | 'env'>
}

/** Returns whether the tenant has listed an address, apart from its fragment, or it is one of the tenant's hosted pages. */
export const isDestinationOf = ({ config }: Deployment, { tenant, ownHost }: FlowPlace, address: string): boolean =>
  destinationsOf(tenant).has(keyOf(tenant, address)) || isHostedPage(config, tenant, ownHost, address)

/**
 * Returns the address at which the caller wants to end, which the tenant must have listed.
 * @throws ApiError redirect_refused
 */
export function checkedRedirect(deployment: Deployment, place: FlowPlace, address: string): string {
  if (isRedirectUri(address) && isDestinationOf(deployment, place, address)) return address
  throw new ApiError('redirect_refused', {
    issues: [
      { path: '/redirectUri', code: 'not_listed', message: "must be one of the URLs in the tenant's sign-in rules" },
    ],
  })
}

/**
 * Returns the address at which a flow ends: one that was asked for, now or when the flow began, else the first that the tenant has set.
 * @throws ApiError redirect_refused
 */
export function destinationOf(
  deployment: Deployment,
  place: FlowPlace,
  wanted: string | null | undefined,
  ...own: readonly ('signInUri' | 'signUpUri' | 'homeUri')[]
): string | null {
  if (wanted !== null && wanted !== undefined) return checkedRedirect(deployment, place, wanted)
  return own.map((name) => place.tenant.auth[name]).find((address) => address !== null) ?? null
}
