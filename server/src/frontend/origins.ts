// The origins whose pages belong to a tenant: its verified domains and the addresses that it has listed. Pages of others may not
// call, and browsers are sent to no others.
import { isWebUri, publicSettingNames, tenantAuthSettings } from '@bailiwick/contract'
import type { Config } from '../config.ts'
import { ApiError } from '../http/api-error.ts'
import type { TenantEntry } from '../tenants/tenant-directory.ts'

const uriNames = publicSettingNames.filter((name) => tenantAuthSettings[name].kind === 'uri')
const loopbackOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/
const listed = new WeakMap<TenantEntry, ReadonlySet<string>>()

function listedOrigins(tenant: TenantEntry): ReadonlySet<string> {
  let origins = listed.get(tenant)
  if (origins === undefined) {
    const addresses = uriNames.flatMap((name) => (tenant.auth[name] ?? []) as string | [])
    const domains = tenant.domains.filter(({ is_verified: verified }) => verified === 1)
    origins = new Set([
      ...addresses.map((address) => new URL(address).origin),
      ...domains.map(({ name_key: name }) => `https://${name}`),
    ])
    listed.set(tenant, origins)
  }
  return origins
}

let own: { readonly baseUrl: string; readonly origin: string } | undefined

function ownOriginOf({ baseUrl }: Config): string {
  if (own?.baseUrl !== baseUrl) own = { baseUrl, origin: new URL(baseUrl).origin }
  return own.origin
}

/** Whether pages of an origin, as browsers write it, belong to the tenant. In the development deployment so does this machine. */
export function isOriginOf(config: Config, tenant: TenantEntry, origin: string): boolean {
  if (origin === ownOriginOf(config) || listedOrigins(tenant).has(origin)) return true
  return config.env === 'development' && loopbackOrigin.test(origin)
}

/**
 * An address to send a browser to, which must be on an origin of the tenant's.
 * @throws ApiError redirect_refused
 */
export function checkedRedirect(config: Config, tenant: TenantEntry, address: string | undefined): string | null {
  if (address === undefined) return null
  if (!isWebUri(address) || !isOriginOf(config, tenant, new URL(address).origin)) throw new ApiError('redirect_refused')
  return address
}
