// The origins whose pages belong to a tenant: its verified domains, and the origins of the addresses in its sign-in rules. Pages of other
// origins may not call. Where browsers are sent is decided by whole addresses: destinations.ts.
import { publicSettingNames, tenantAuthSettings } from '@bailiwick/contract'
import type { Config } from '../../platform/config.ts'
import type { TenantEntry } from './tenant-entry.ts'

const uriNames = publicSettingNames.filter((name) => tenantAuthSettings[name].kind === 'uri')
const loopbackOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/
const listed = new WeakMap<TenantEntry, ReadonlySet<string>>()

function listedOrigins(tenant: TenantEntry): ReadonlySet<string> {
  let origins = listed.get(tenant)
  if (origins === undefined) {
    const addresses = uriNames.flatMap((name) => (tenant.auth[name] ?? []) as string | [])
    const domains = tenant.domains.filter(({ is_verified: verified }) => verified === 1)
    const webAddresses = [...addresses, ...tenant.auth.redirectUris].filter((address) => /^https?:/i.test(address))
    origins = new Set([
      ...webAddresses.map((address) => new URL(address).origin),
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

/**
 * Returns whether pages of an origin, in the form that browsers send, belong to the tenant. In development those of this machine do too.
 */
export function isOriginOf(config: Config, tenant: TenantEntry, origin: string): boolean {
  if (origin === ownOriginOf(config) || listedOrigins(tenant).has(origin)) return true
  return config.env === 'development' && loopbackOrigin.test(origin)
}
